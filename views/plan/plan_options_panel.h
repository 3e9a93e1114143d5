// PlanOptionsPanel: what a person asks of a plan: stages, microbatches, device, schedule, memory, sending,
// what is made short, and the sizes that the model leaves open.
#pragma once

#include "core/plan/options.h"
#include "core/profile/profile.h"
#include "views/plan/size_fields.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace stagecraft {

struct PlanChoices
{
    std::size_t stageCount = 4;
    std::size_t microbatches = 8;
    std::string deviceId;
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::size_t stagesPerDevice = 1; // stageCount is a multiple of it: so many devices there are
    Objective objective = Objective::Sum;
    SendKind send = SendKind::Relay;
    std::optional<Bytes> memoryLimit; // none: the device's memory
    TrainingMode mode = TrainingMode::Train;
    Precision precision = Precision::AsExported;
    OptimizerKind optimizer = OptimizerKind::AdamW;
    Bindings sizes; // of symbols that are not to be as exported

    friend bool operator==(const PlanChoices&, const PlanChoices&) = default;
};

class PlanOptionsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PlanOptionsPanel(QWidget* parent = nullptr);

    void setDevices(const std::vector<DeviceSpec>& devices);
    // No more stages than ops.
    void setMaximumStages(std::size_t count);
    void setOpenSizes(const std::vector<OpenSize>& sizes);
    // Does not emit choicesChanged().
    void setChoices(const PlanChoices& choices);
    const PlanChoices& choices() const { return m_choices; }
    // What a person has to know beside the figures of the plan that these choices made.
    void setNotes(const QStringList& notes);
    enum class State { Ready, Searching };
    void setState(State state);

signals:
    // Only with choices that make sense: a memory limit that cannot be read, or a schedule that cannot be
    // laid out for so many stages, is marked and waits, and all else with it.
    void choicesChanged(const PlanChoices& choices);
    void splitRequested();

private:
    void buildFields();
    void fillChoices();
    void connectFields();
    void readFields();
    PlanChoices fields() const;
    bool checkSchedule(const PlanChoices& choices);
    // Stages, devices and stages per device belong together: one was changed, the others follow.
    void follow(const std::function<void(PartitionOptions&)>& change);
    void showStaging(const PlanChoices& choices);
    void showDevice();
    void showLimit();
    // In that field's label; none where it is empty.
    void showProblem(QLabel* label, const std::string& problem);
    void enableSplit();

    PlanChoices m_choices;
    PlanChoices m_shown; // what the fields of stages and schedule say, whether it makes sense or not
    std::vector<DeviceSpec> m_devices;
    QSpinBox* m_stages;
    QSpinBox* m_deviceCount;
    QSpinBox* m_microbatches;
    QComboBox* m_device;
    QLabel* m_deviceFacts;
    QComboBox* m_schedule;
    QSpinBox* m_stagesPerDevice;
    QLabel* m_staging;
    QLabel* m_scheduleError;
    QComboBox* m_objective;
    QComboBox* m_send;
    QLabel* m_notes;
    QComboBox* m_mode;
    QComboBox* m_precision;
    QComboBox* m_optimizer;
    QLineEdit* m_limit;
    QLabel* m_limitError;
    SizeFields* m_sizes;
    QFormLayout* m_form = nullptr;
    QPushButton* m_split;
    State m_state = State::Ready;
    bool m_showing = false;
};

} // namespace stagecraft
