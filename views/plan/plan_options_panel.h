// PlanOptionsPanel: what a person asks of a plan: stages, microbatches, device, schedule, memory, sending,
// what is made short, and the sizes that the model leaves open.
#pragma once

#include "core/plan/request.h"
#include "views/plan/more_options.h"
#include "views/plan/size_fields.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace stagecraft {

class QuantityField;

class PlanOptionsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PlanOptionsPanel(QWidget* parent = nullptr);

    void setDevices(const std::vector<DeviceSpec>& devices);
    // As a person does there; nothing where it is not among them.
    void chooseDevice(const std::string& id);
    // No more stages than ops.
    void setMaximumStages(std::size_t count);
    void setOpenSizes(const std::vector<OpenSize>& sizes);
    // The outputs of the model that can be the loss.
    void setLoss(const LossOutput& loss);
    // Does not emit requestChanged().
    void setRequest(const PlanRequest& request);
    const PlanRequest& request() const { return m_request; }
    // What a person has to know beside the figures of the plan that this request made.
    void setNotes(const QStringList& notes);
    enum class State { Ready, Searching };
    void setState(State state);
    // Is the model split again after each change here that would leave the boundaries where they are? Emits
    // splitsAgainChanged() where that is news.
    void setSplitsAgain(bool again);
    bool splitsAgain() const;

signals:
    // Only with requests that make sense: a memory limit that cannot be read, or a schedule that cannot be
    // laid out for so many stages, is marked and waits, and all else with it.
    void requestChanged(const PlanRequest& request);
    // A person chose it, and it makes sense; comes before requestChanged().
    void deviceChosen(const std::string& before, const std::string& chosen);
    void splitRequested();
    void devicesRequested(); // to be looked at, made, changed
    void splitsAgainChanged(bool again);

private:
    void buildFields();
    QLayout* besideDevice();
    void explainFields();
    void connectFields();
    void readFields();
    PlanRequest fields() const;
    bool checkSchedule(const PlanRequest& request);
    // Stages, devices and stages per device belong together: one was changed, the others follow.
    void follow(const std::function<void(PartitionOptions&)>& change);
    void showStaging(const PlanRequest& request);
    void showDevice();
    void enableForMode(TrainingMode mode);
    void showLimit();
    // In that field's label; none where it is empty.
    void showProblem(QLabel* label, const std::string& problem);
    void enableSplit();

    PlanRequest m_request;
    PlanRequest m_shown; // what the fields of stages and schedule say, whether it makes sense or not
    std::vector<DeviceSpec> m_devices;
    QSpinBox* m_stages;
    QSpinBox* m_deviceCount;
    QSpinBox* m_microbatches;
    std::map<std::string_view, QComboBox*> m_choices; // by the name of the field
    QComboBox* m_device;
    QLabel* m_deviceFacts;
    QSpinBox* m_stagesPerDevice;
    QLabel* m_staging;
    QLabel* m_scheduleError;
    QLabel* m_notes;
    QuantityField* m_limit;
    QLabel* m_limitError;
    SizeFields* m_sizes;
    QFormLayout* m_form = nullptr;
    QToolButton* m_showMore;
    MoreOptions* m_more;
    QComboBox* m_afterChange;
    QPushButton* m_split;
    State m_state = State::Ready;
    bool m_showing = false;
};

} // namespace stagecraft
