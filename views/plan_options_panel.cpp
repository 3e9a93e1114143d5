#include "views/plan_options_panel.h"

#include "views/format.h"
#include "views/theme.h"
#include "views/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostStages = 1024;
constexpr int mostMicrobatches = 65536;
constexpr int mostStagesPerDevice = 64;

template <class Enum>
void addChoices(QComboBox* box, const std::vector<std::pair<QString, Enum>>& choices)
{
    for (const auto& [text, value] : choices)
        box->addItem(text, int(value));
}

template <class Enum>
Enum choiceOf(const QComboBox* box)
{
    return static_cast<Enum>(box->currentData().toInt());
}

template <class Enum>
void choose(QComboBox* box, Enum value)
{
    box->setCurrentIndex(box->findData(int(value)));
}

bool runsOneStageEach(ScheduleKind kind)
{
    return kind == ScheduleKind::GPipe || kind == ScheduleKind::OneFOneB;
}

} // namespace

QString scheduleText(ScheduleKind kind)
{
    switch (kind) {
    case ScheduleKind::OneFOneB:
        return QObject::tr("1F1B");
    case ScheduleKind::GPipe:
        return QObject::tr("GPipe");
    case ScheduleKind::Interleaved:
        return QObject::tr("Interleaved 1F1B");
    case ScheduleKind::LoopedBfs:
        return QObject::tr("Looped breadth-first");
    case ScheduleKind::ZeroBubble1:
        return QObject::tr("Zero bubble (ZB1P)");
    case ScheduleKind::ZeroBubbleV:
        return QObject::tr("Zero bubble, V (ZBV)");
    }
    return {};
}

PlanOptionsPanel::PlanOptionsPanel(QWidget* parent)
    : QWidget(parent),
      m_stages(new QSpinBox),
      m_microbatches(new QSpinBox),
      m_device(new QComboBox),
      m_deviceFacts(new QLabel),
      m_schedule(new QComboBox),
      m_stagesPerDevice(new QSpinBox),
      m_scheduleError(new QLabel),
      m_objective(new QComboBox),
      m_send(new QComboBox),
      m_notes(new QLabel),
      m_mode(new QComboBox),
      m_precision(new QComboBox),
      m_optimizer(new QComboBox),
      m_limit(new QLineEdit),
      m_limitError(new QLabel),
      m_sizes(new SizeFields),
      m_split(new QPushButton(tr("Split automatically")))
{
    setAccessibleName(tr("Plan"));
    buildFields();
    m_stages->setRange(1, mostStages);
    m_microbatches->setRange(1, mostMicrobatches);
    m_stagesPerDevice->setRange(1, mostStagesPerDevice);
    fillChoices();
    setChoices({});
    for (QComboBox* box : {m_device, m_schedule, m_objective, m_send, m_mode, m_precision, m_optimizer})
        connect(box, &QComboBox::currentIndexChanged, this, &PlanOptionsPanel::readFields);
    for (QSpinBox* box : {m_stages, m_microbatches, m_stagesPerDevice})
        connect(box, &QSpinBox::valueChanged, this, &PlanOptionsPanel::readFields);
    connect(m_sizes, &SizeFields::bindingsChanged, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::editingFinished, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::textChanged, this, &PlanOptionsPanel::showLimit);
    connect(m_split, &QPushButton::clicked, this, &PlanOptionsPanel::splitRequested);
}

void PlanOptionsPanel::fillChoices()
{
    for (const ScheduleKind kind :
         {ScheduleKind::OneFOneB, ScheduleKind::GPipe, ScheduleKind::Interleaved, ScheduleKind::LoopedBfs,
          ScheduleKind::ZeroBubble1, ScheduleKind::ZeroBubbleV})
        m_schedule->addItem(scheduleText(kind), int(kind));
    addChoices<Objective>(m_objective, {{tr("Slowest stage, with transfers"), Objective::Sum},
                                        {tr("Slowest stage, computing alone"), Objective::Compute},
                                        {tr("Slowest stage, transfers beside"), Objective::Overlap},
                                        {tr("Time of a step"), Objective::Iteration}});
    addChoices<SendKind>(m_send, {{tr("From stage to stage"), SendKind::Relay},
                                  {tr("Straight to each reader (not exported yet)"), SendKind::Direct}});
    addChoices<TrainingMode>(m_mode,
                             {{tr("Training"), TrainingMode::Train}, {tr("Inference"), TrainingMode::Infer}});
    addChoices<Precision>(m_precision, {{tr("As exported"), Precision::AsExported},
                                        {tr("bfloat16 autocast"), Precision::AutocastBFloat16},
                                        {tr("float16 autocast"), Precision::AutocastFloat16},
                                        {tr("float32"), Precision::Float32},
                                        {tr("bfloat16"), Precision::BFloat16},
                                        {tr("float16"), Precision::Float16}});
    addChoices<OptimizerKind>(m_optimizer, {{tr("None"), OptimizerKind::None},
                                            {tr("SGD"), OptimizerKind::Sgd},
                                            {tr("SGD with momentum"), OptimizerKind::SgdMomentum},
                                            {tr("Adam"), OptimizerKind::Adam},
                                            {tr("AdamW"), OptimizerKind::AdamW}});
    m_precision->setToolTip(
        tr("The type in which the step computes: that of the file, another for everything, "
           "or under autocast a lower one where that is safe"));
    m_schedule->setToolTip(tr("In which order a stage runs the forward and backward of its microbatches"));
    m_send->setToolTip(
        tr("How a value reaches a stage that is not the next one. What is exported hands it on from "
           "stage to stage, whatever is chosen here"));
    m_limit->setToolTip(
        tr("The most that a stage may hold, such as 24 GiB; empty: what the device has beside its driver"));
    m_objective->setToolTip(
        tr("What a search makes as short as it can: computing, receiving and sending of the slowest device; "
           "its computing alone; the longest of the three, where transfers run beside the computing; or the "
           "simulated time of a whole step"));
    m_stagesPerDevice->setToolTip(tr("How many stages each device runs, dealt out in turn"));
}

void PlanOptionsPanel::buildFields()
{
    m_split->setDefault(true);
    m_deviceFacts->setWordWrap(true);
    m_limitError->setWordWrap(true);
    m_limitError->hide();
    m_scheduleError->setWordWrap(true);
    m_scheduleError->hide();
    m_scheduleError->setAccessibleName(tr("What is wrong with the schedule"));
    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setAccessibleName(tr("What the figures of the plan leave out"));
    m_notes->hide();
    for (QComboBox* box : {m_device, m_schedule, m_objective, m_send, m_mode, m_precision, m_optimizer}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8); // long texts are read in the list
        leaveWheelToParent(box);
    }
    for (QSpinBox* box : {m_stages, m_microbatches, m_stagesPerDevice})
        leaveWheelToParent(box);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(em(this, 0.8));
    form->setVerticalSpacing(em(this, 0.4));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    const auto add = [form](const QString& name, QWidget* field) {
        form->addRow(name, field);
        field->setAccessibleName(name);
    };
    add(tr("Stages"), m_stages);
    add(tr("Microbatches"), m_microbatches);
    add(tr("Sizes"), m_sizes);
    form->setRowVisible(m_sizes, false);
    m_form = form;
    add(tr("Device"), m_device);
    form->addRow(QString(), m_deviceFacts);
    add(tr("Memory limit"), m_limit);
    form->addRow(QString(), m_limitError);
    add(tr("Schedule"), m_schedule);
    add(tr("Stages per device"), m_stagesPerDevice);
    form->addRow(QString(), m_scheduleError);
    add(tr("Objective"), m_objective);
    add(tr("Sending"), m_send);
    form->addRow(QString(), m_notes);
    add(tr("Mode"), m_mode);
    add(tr("Precision"), m_precision);
    add(tr("Optimizer"), m_optimizer);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.6), em(this, 0.7), em(this, 0.6));
    layout->setSpacing(em(this, 0.8));
    layout->addLayout(form);
    layout->addWidget(m_split);
    layout->addStretch();
}

void PlanOptionsPanel::setDevices(const std::vector<DeviceSpec>& devices)
{
    const QSignalBlocker quiet(m_device);
    m_devices = devices;
    m_device->clear();
    for (const DeviceSpec& device : devices)
        m_device->addItem(QString::fromStdString(device.name), QString::fromStdString(device.id));
    const int index = m_device->findData(QString::fromStdString(m_choices.deviceId));
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
    m_sizes->setBindings(m_choices.sizes);
}

void PlanOptionsPanel::setChoices(const PlanChoices& choices)
{
    m_showing = true;
    m_choices = choices;
    m_stages->setValue(static_cast<int>(choices.stageCount));
    m_microbatches->setValue(static_cast<int>(choices.microbatches));
    m_device->setCurrentIndex(std::max(m_device->count() > 0 ? 0 : -1,
                                       m_device->findData(QString::fromStdString(choices.deviceId))));
    choose(m_schedule, choices.schedule);
    m_stagesPerDevice->setValue(static_cast<int>(choices.stagesPerDevice));
    fitStagesPerDevice();
    choose(m_objective, choices.objective);
    m_sizes->setBindings(choices.sizes);
    choose(m_send, choices.send);
    choose(m_mode, choices.mode);
    choose(m_precision, choices.precision);
    m_optimizer->setEnabled(choices.mode == TrainingMode::Train);
    choose(m_optimizer, choices.optimizer);
    m_limit->setText(choices.memoryLimit ? toText(*choices.memoryLimit) : QString());
    m_showing = false;
    showDevice();
    showLimit();
    checkSchedule(choices);
}

void PlanOptionsPanel::setNotes(const QStringList& notes)
{
    m_notes->setText(notes.join('\n'));
    m_notes->setVisible(!notes.isEmpty());
}

void PlanOptionsPanel::setState(State state)
{
    m_split->setEnabled(state == State::Ready);
    m_split->setText(state == State::Ready ? tr("Split automatically") : tr("Splitting"));
}

PlanChoices PlanOptionsPanel::fields() const
{
    PlanChoices choices = m_choices;
    choices.stageCount = static_cast<std::size_t>(m_stages->value());
    choices.microbatches = static_cast<std::size_t>(m_microbatches->value());
    choices.deviceId = m_device->currentData().toString().toStdString();
    choices.schedule = choiceOf<ScheduleKind>(m_schedule);
    choices.stagesPerDevice = static_cast<std::size_t>(m_stagesPerDevice->value());
    choices.objective = choiceOf<Objective>(m_objective);
    choices.send = choiceOf<SendKind>(m_send);
    choices.mode = choiceOf<TrainingMode>(m_mode);
    choices.precision = choiceOf<Precision>(m_precision);
    choices.optimizer = choiceOf<OptimizerKind>(m_optimizer);
    choices.sizes = m_sizes->bindings();
    return choices;
}

void PlanOptionsPanel::readFields()
{
    if (m_showing)
        return;
    fitStagesPerDevice();
    PlanChoices choices = fields();
    m_optimizer->setEnabled(choices.mode == TrainingMode::Train);
    const QString limit = m_limit->text().trimmed();
    // The field shows three digits: unless its text was changed, the exact limit stands.
    if (limit.isEmpty())
        choices.memoryLimit.reset();
    else if (!m_choices.memoryLimit || limit != toText(*m_choices.memoryLimit)) {
        const Result<Bytes> bytes = parseBytes(limit.toStdString());
        if (!bytes.has_value())
            return;
        choices.memoryLimit = *bytes;
    }
    showDevice();
    if (!checkSchedule(choices) || choices == m_choices)
        return;
    m_choices = choices;
    emit choicesChanged(m_choices);
}

// Can that schedule be laid out? Says why not.
bool PlanOptionsPanel::checkSchedule(const PlanChoices& choices)
{
    PartitionOptions options;
    options.stageCount = choices.stageCount;
    options.microbatches = choices.microbatches;
    options.schedule = choices.schedule;
    options.stagesPerDevice = choices.stagesPerDevice;
    const Result<void> checked = checkOptions(options);
    m_scheduleError->setVisible(!checked.has_value());
    if (checked.has_value())
        return true;
    setTextColor(m_scheduleError, applicationTheme().danger);
    m_scheduleError->setText(QString::fromStdString(checked.error().message));
    return false;
}

// Some schedules leave no choice; for the looped ones less than two would be no loop.
void PlanOptionsPanel::fitStagesPerDevice()
{
    const auto schedule = choiceOf<ScheduleKind>(m_schedule);
    const bool isV = schedule == ScheduleKind::ZeroBubbleV;
    const bool isLooped = schedule == ScheduleKind::Interleaved || schedule == ScheduleKind::LoopedBfs;
    const bool wasShowing = std::exchange(m_showing, true);
    m_stagesPerDevice->setEnabled(!runsOneStageEach(schedule) && !isV);
    if (runsOneStageEach(schedule))
        m_stagesPerDevice->setValue(1);
    else if (isV || (isLooped && m_choices.schedule != schedule && m_stagesPerDevice->value() < 2))
        m_stagesPerDevice->setValue(2);
    m_showing = wasShowing;
}

void PlanOptionsPanel::showDevice()
{
    const auto index = static_cast<std::size_t>(std::max(0, m_device->currentIndex()));
    if (index >= m_devices.size()) {
        m_deviceFacts->hide();
        return;
    }
    const DeviceSpec& device = m_devices[index];
    const auto rate = [](double perSecond) { return QString::number(perSecond / 1e9, 'f', 0); };
    m_deviceFacts->setText(
        tr("%1, %2 GB/s memory, %3 GB/s link")
            .arg(toText(device.memory), rate(device.memoryBandwidth), rate(device.linkBandwidth)));
    m_deviceFacts->setToolTip(QString::fromStdString(device.provenance));
    m_deviceFacts->setForegroundRole(QPalette::PlaceholderText);
    m_deviceFacts->show();
    m_limit->setPlaceholderText(
        device.memory > device.contextMemory ? toText(device.memory - device.contextMemory) : tr("none"));
}

void PlanOptionsPanel::showLimit()
{
    const QString text = m_limit->text().trimmed();
    const Result<Bytes> bytes = text.isEmpty() ? Result<Bytes>(Bytes(0)) : parseBytes(text.toStdString());
    m_limitError->setVisible(!bytes.has_value());
    if (bytes.has_value())
        return;
    setTextColor(m_limitError, applicationTheme().danger);
    m_limitError->setText(QString::fromStdString(bytes.error().message));
}

} // namespace stagecraft
