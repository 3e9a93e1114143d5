#include "views/plan/plan_options_panel.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/quantity_field.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/plan/choice_box.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostStages = 1024;
constexpr int mostMicrobatches = 65536;
constexpr int mostStagesPerDevice = 64;

QString stagingOf(const PartitionOptions& options)
{
    return stagesText(options.stageCount, options.deviceCount());
}

// In bytes; none where stages differ, or no limit is asked for.
std::optional<double> commonLimit(const PartitionOptions& options)
{
    const std::vector<Bytes>& limits = options.memoryLimits;
    const bool areAlike = std::ranges::all_of(limits, [&](Bytes limit) { return limit == limits.front(); });
    return limits.empty() || !areAlike ? std::nullopt : std::optional(limits.front().asDouble());
}

} // namespace

PlanOptionsPanel::PlanOptionsPanel(QWidget* parent)
    : QWidget(parent),
      m_stages(new QSpinBox),
      m_deviceCount(new QSpinBox),
      m_microbatches(new QSpinBox),
      m_device(new QComboBox),
      m_deviceFacts(new QLabel),
      m_stagesPerDevice(new QSpinBox),
      m_staging(new QLabel),
      m_scheduleError(new QLabel),
      m_notes(new QLabel),
      m_limit(new QuantityField(memoryFigure)),
      m_limitError(new QLabel),
      m_sizes(new SizeFields),
      m_showMore(new QToolButton),
      m_more(new MoreOptions),
      m_afterChange(new QComboBox),
      m_split(new QPushButton(tr("Split automatically")))
{
    setAccessibleName(tr("Plan"));
    for (const char* name : {"schedule", "objective", "send", "recompute", "mode", "precision", "optimizer"})
        m_choices[requestField(name).name] = makeChoiceBox(requestField(name));
    buildFields();
    m_stages->setRange(1, mostStages);
    m_deviceCount->setRange(1, mostStages);
    m_microbatches->setRange(1, mostMicrobatches);
    m_stagesPerDevice->setRange(1, mostStagesPerDevice);
    for (QLabel* label : {m_deviceFacts, m_staging, m_scheduleError, m_limitError, m_notes}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    for (QLabel* label : {m_scheduleError, m_limitError, m_notes})
        label->hide();
    explainFields();
    setRequest({});
    connectFields();
}

void PlanOptionsPanel::connectFields()
{
    connect(m_device, &QComboBox::currentIndexChanged, this, &PlanOptionsPanel::readFields);
    for (const auto& [name, box] : m_choices)
        if (name != "schedule")
            connect(box, &QComboBox::currentIndexChanged, this, &PlanOptionsPanel::readFields);
    connect(m_microbatches, &QSpinBox::valueChanged, this, &PlanOptionsPanel::readFields);
    connect(m_stages, &QSpinBox::valueChanged, this, [this](int count) {
        follow([count](PartitionOptions& options) { options.stageCount = static_cast<std::size_t>(count); });
    });
    connect(m_deviceCount, &QSpinBox::valueChanged, this, [this](int count) {
        follow([count](PartitionOptions& options) {
            options.stageCount = static_cast<std::size_t>(count) * options.stagesEach();
        });
    });
    connect(m_stagesPerDevice, &QSpinBox::valueChanged, this, [this](int each) {
        follow([each](PartitionOptions& options) {
            setStagesPerDevice(options, static_cast<std::size_t>(each));
        });
    });
    connect(m_choices.at("schedule"), &QComboBox::currentIndexChanged, this, [this] {
        follow([kind = fields().plan.schedule](PartitionOptions& options) { setSchedule(options, kind); });
    });
    connect(m_more, &MoreOptions::changed, this, &PlanOptionsPanel::readFields);
    connect(m_showMore, &QToolButton::toggled, this, [this](bool on) {
        m_showMore->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        m_more->setVisible(on);
    });
    connect(m_sizes, &SizeFields::bindingsChanged, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::editingFinished, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::textChanged, this, &PlanOptionsPanel::showLimit);
    connect(m_afterChange, &QComboBox::currentIndexChanged, this,
            [this] { emit splitsAgainChanged(splitsAgain()); });
    connect(m_split, &QPushButton::clicked, this, &PlanOptionsPanel::splitRequested);
}

void PlanOptionsPanel::explainFields()
{
    m_choices.at("precision")
        ->setToolTip(tr("The type in which the step computes: that of the file, another for everything, "
                        "or under autocast a lower one where that is safe"));
    m_choices.at("schedule")
        ->setToolTip(tr("In which order a device runs the forward and backward of its microbatches. Where a "
                        "device runs several stages, another schedule keeps the devices, and the number "
                        "of stages follows"));
    m_afterChange->setToolTip(
        tr("What becomes of the boundaries when another choice here leaves their number as it is: they stay, "
           "and the figures follow; or the best split for the new choice is searched for"));
    m_stages->setToolTip(tr("How many stages the model is cut into: devices × stages per device"));
    m_deviceCount->setToolTip(tr("How many devices the stages run on"));
    m_choices.at("send")->setToolTip(
        tr("How a value reaches a stage that is not the next one. What is exported hands it on from "
           "stage to stage, whatever is chosen here"));
    m_choices.at("recompute")->setToolTip(toolTipText(termText(requestField("recompute").help)));
    m_limit->setToolTip(
        tr("The most that a device may hold, such as 24 GiB; empty: what it has beside its driver"));
    m_choices.at("objective")
        ->setToolTip(tr(
            "What a search makes as short as it can: computing, receiving and sending of the slowest device; "
            "its computing alone; the longest of the three, where transfers run beside the computing; or the "
            "simulated time of a whole step"));
    m_stagesPerDevice->setToolTip(
        tr("How many stages each device runs in turn; the devices stay, and the number "
           "of stages follows"));
}

void PlanOptionsPanel::buildFields()
{
    m_split->setDefault(true);
    m_staging->setForegroundRole(QPalette::PlaceholderText);
    m_staging->setAccessibleName(tr("Stages on devices"));
    m_scheduleError->setAccessibleName(tr("What is wrong with the schedule"));
    m_notes->setAccessibleName(tr("What the figures of the plan leave out"));
    fitIntoPanel(m_device);
    fitIntoPanel(m_afterChange);
    m_afterChange->addItems({tr("Keep the boundaries"), tr("Split again")});
    for (QSpinBox* box : {m_stages, m_deviceCount, m_microbatches, m_stagesPerDevice}) {
        takeWhenFinished(box);
        leaveWheelToParent(box);
    }
    takeWhenFinished(m_limit);
    QFormLayout* form = makeOptionForm(this);
    const auto add = [form](const QString& name, QWidget* field) { addOption(form, name, field); };
    const auto addChosen = [&](const char* name) { addChoice(form, requestField(name), m_choices.at(name)); };
    add(tr("Stages"), m_stages);
    add(tr("Devices"), m_deviceCount);
    add(tr("Microbatches"), m_microbatches);
    add(tr("Sizes"), m_sizes);
    form->setRowVisible(m_sizes, false);
    m_form = form;
    form->addRow(tr("Device"), besideDevice());
    m_device->setAccessibleName(tr("Device"));
    form->addRow(QString(), m_deviceFacts);
    add(tr("Memory limit"), m_limit);
    form->addRow(QString(), m_limitError);
    addChosen("schedule");
    add(tr("Stages per device"), m_stagesPerDevice);
    form->addRow(QString(), m_staging);
    form->addRow(QString(), m_scheduleError);
    addChosen("objective");
    addChosen("recompute");
    addChosen("send");
    form->addRow(QString(), m_notes);
    addChosen("mode");
    addChosen("precision");
    addChosen("optimizer");
    m_showMore->setText(tr("More options"));
    m_showMore->setAccessibleName(tr("Show more options"));
    m_showMore->setCheckable(true);
    m_showMore->setAutoRaise(true);
    m_showMore->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_showMore->setArrowType(Qt::RightArrow);
    m_more->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.6), em(this, 0.7), em(this, 0.6));
    layout->setSpacing(em(this, 0.8));
    layout->addLayout(form);
    layout->addWidget(m_showMore);
    layout->addWidget(m_more);
    auto* after = makeOptionForm(this);
    addOption(after, tr("After a change"), m_afterChange);
    layout->addLayout(after);
    layout->addWidget(m_split);
    layout->addStretch();
}

QLayout* PlanOptionsPanel::besideDevice()
{
    auto* edit = new QToolButton;
    edit->setText(tr("Edit…"));
    edit->setAccessibleName(tr("Devices"));
    edit->setToolTip(tr("Look at devices, make and change one's own, import a device file"));
    connect(edit, &QToolButton::clicked, this, &PlanOptionsPanel::devicesRequested);
    auto* row = new QHBoxLayout;
    row->addWidget(m_device, 1);
    row->addWidget(edit);
    return row;
}

void PlanOptionsPanel::chooseDevice(const std::string& id)
{
    if (const int index = m_device->findData(dataText(id)); index >= 0)
        m_device->setCurrentIndex(index);
}

void PlanOptionsPanel::setDevices(const std::vector<DeviceSpec>& devices)
{
    const QSignalBlocker quiet(m_device);
    m_devices = devices;
    m_device->clear();
    for (const DeviceSpec& device : devices)
        m_device->addItem(shownText(device.name), dataText(device.id));
    const int index = m_device->findData(dataText(m_request.device));
    m_device->setCurrentIndex(std::max(0, index));
    showDevice();
}

void PlanOptionsPanel::setMaximumStages(std::size_t count)
{
    m_stages->setMaximum(static_cast<int>(std::clamp<std::size_t>(count, 1, mostStages)));
}

void PlanOptionsPanel::setOpenSizes(const std::vector<OpenSize>& sizes)
{
    m_sizes->setSizes(sizes);
    m_form->setRowVisible(m_sizes, !sizes.empty());
    m_sizes->setBindings(m_request.profile.bindings, m_request.profile.bounds);
}

void PlanOptionsPanel::setLoss(const LossOutput& loss)
{
    m_more->setLoss(loss);
    m_more->setRequest(m_request);
}

void PlanOptionsPanel::setRequest(const PlanRequest& request)
{
    m_showing = true;
    m_request = request;
    m_microbatches->setValue(static_cast<int>(request.plan.microbatches));
    m_device->setCurrentIndex(
        std::max(m_device->count() > 0 ? 0 : -1, m_device->findData(dataText(request.device))));
    showStaging(request);
    m_sizes->setBindings(request.profile.bindings, request.profile.bounds);
    m_more->setRequest(request);
    for (const auto& [name, box] : m_choices)
        choose(box, requestField(name), request);
    enableForMode(request.profile.mode);
    m_limit->setValue(commonLimit(request.plan));
    m_showing = false;
    showDevice();
    showLimit();
    checkSchedule(request);
}

void PlanOptionsPanel::setNotes(const QStringList& notes)
{
    m_notes->setText(notes.join('\n'));
    m_notes->setVisible(!notes.isEmpty());
}

void PlanOptionsPanel::setState(State state)
{
    m_state = state;
    enableSplit();
    m_split->setText(state == State::Ready ? tr("Split automatically") : tr("Splitting"));
}

void PlanOptionsPanel::setSplitsAgain(bool again)
{
    m_afterChange->setCurrentIndex(again ? 1 : 0);
}

bool PlanOptionsPanel::splitsAgain() const
{
    return m_afterChange->currentIndex() == 1;
}

// What is split is what the fields say.
void PlanOptionsPanel::enableSplit()
{
    m_split->setEnabled(m_state == State::Ready && m_limitError->isHidden() && m_scheduleError->isHidden());
}

void PlanOptionsPanel::showProblem(QLabel* label, const std::string& problem)
{
    label->setVisible(!problem.empty());
    setTextColor(label, applicationTheme().danger);
    label->setText(problem.empty()
                       ? QString()
                       : tr("%1. Until then no change here takes effect.").arg(shownText(problem)));
    enableSplit();
}

PlanRequest PlanOptionsPanel::fields() const
{
    PlanRequest request = m_request;
    for (const auto& [name, box] : m_choices)
        readChoice(*box, requestField(name), request);
    m_more->read(request);
    request.device = m_device->currentData().toString().toStdString();
    request.plan.stageCount = static_cast<std::size_t>(m_stages->value());
    request.plan.microbatches = static_cast<std::size_t>(m_microbatches->value());
    request.plan.stagesPerDevice = static_cast<std::size_t>(m_stagesPerDevice->value());
    request.profile.bindings = m_sizes->bindings();
    request.profile.bounds = m_sizes->bounds();
    return request;
}

// What only a training step has.
void PlanOptionsPanel::enableForMode(TrainingMode mode)
{
    for (const char* name : {"optimizer", "recompute"})
        m_choices.at(name)->setEnabled(mode == TrainingMode::Train);
}

void PlanOptionsPanel::readFields()
{
    if (m_showing)
        return;
    PlanRequest request = fields();
    enableForMode(request.profile.mode);
    const Result<std::optional<double>> limit = m_limit->value();
    if (!limit.has_value())
        return;
    if (*limit != commonLimit(request.plan))
        request.plan.memoryLimits = *limit ? std::vector{Bytes(std::llround(**limit))} : std::vector<Bytes>();
    showDevice();
    if (!checkSchedule(request) || request == m_request)
        return;
    const std::string before = std::exchange(m_request, std::move(request)).device;
    if (m_request.device != before)
        emit deviceChosen(before, m_request.device);
    emit requestChanged(m_request);
}

// Can that schedule be laid out? Says why not.
bool PlanOptionsPanel::checkSchedule(const PlanRequest& request)
{
    PartitionOptions options = request.plan;
    fitToStages(options); // what is asked for stage by stage follows their number
    const Result<void> checked = checkOptions(options);
    showProblem(m_scheduleError, checked.has_value() ? std::string() : checked.error().message);
    return checked.has_value();
}

void PlanOptionsPanel::follow(const std::function<void(PartitionOptions&)>& change)
{
    if (m_showing)
        return;
    // From what the fields said before: the one that was changed says it by `change`.
    PlanRequest request = fields();
    PartitionOptions options = m_shown.plan;
    options.objective = request.plan.objective;
    change(options);
    request.plan = std::move(options);
    m_showing = true;
    showStaging(request);
    m_showing = false;
    readFields();
}

// The fields that belong together, and what they come to.
void PlanOptionsPanel::showStaging(const PlanRequest& request)
{
    m_shown = request;
    PartitionOptions& options = m_shown.plan;
    QComboBox* schedule = m_choices.at("schedule");
    for (const char* name : {"schedule", "objective"})
        choose(m_choices.at(name), requestField(name), request);
    m_stages->setSingleStep(static_cast<int>(options.stagesEach()));
    m_stages->setValue(static_cast<int>(options.stageCount));
    options.stageCount = static_cast<std::size_t>(m_stages->value()); // it may have met its end
    m_deviceCount->setValue(static_cast<int>(options.deviceCount()));
    m_stagesPerDevice->setValue(static_cast<int>(options.stagesEach()));
    m_stagesPerDevice->setEnabled(!traitsOf(options.schedule).fixedStages);
    m_staging->setVisible(options.sharesDevices());
    m_staging->setText(stagingOf(options));
    for (const ScheduleTraits& traits : scheduleTable) {
        PartitionOptions other = options;
        setSchedule(other, traits.kind);
        schedule->setItemData(schedule->findData(dataText(traits.name)), stagingOf(other), Qt::ToolTipRole);
    }
}

void PlanOptionsPanel::showDevice()
{
    const auto index = static_cast<std::size_t>(std::max(0, m_device->currentIndex()));
    if (index >= m_devices.size()) {
        m_deviceFacts->hide();
        return;
    }
    const DeviceSpec& device = m_devices[index];
    m_device->setToolTip(toolTipText(m_device->currentText())); // the box is too narrow for many
    const auto rate = [](double perSecond) { return QString::number(perSecond / 1e9, 'f', 0); };
    m_deviceFacts->setText(
        tr("%1, %2 GB/s memory, %3 GB/s link")
            .arg(toText(device.memory), rate(device.memoryBandwidth), rate(device.linkBandwidth)));
    m_deviceFacts->setToolTip(toolTipText(shownText(device.provenance)));
    m_deviceFacts->setForegroundRole(QPalette::PlaceholderText);
    m_deviceFacts->show();
    m_limit->setPlaceholderText(!m_request.plan.memoryLimits.empty() ? tr("by stage")
                                : device.memory > device.contextMemory
                                    ? toText(device.memory - device.contextMemory)
                                    : tr("none"));
}

void PlanOptionsPanel::showLimit()
{
    const Result<std::optional<double>> bytes = m_limit->value();
    showProblem(m_limitError, bytes.has_value() ? std::string() : bytes.error().message);
}

} // namespace stagecraft
