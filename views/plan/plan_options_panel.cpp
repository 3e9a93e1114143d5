#include "views/plan/plan_options_panel.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/wheel.h"

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

// As far as stages and schedule go.
PartitionOptions optionsOf(const PlanChoices& choices)
{
    PartitionOptions options;
    options.stageCount = choices.stageCount;
    options.microbatches = choices.microbatches;
    options.schedule = choices.schedule;
    options.stagesPerDevice = choices.stagesPerDevice;
    options.objective = choices.objective;
    return options;
}

PlanChoices withStaging(PlanChoices choices, const PartitionOptions& options)
{
    choices.stageCount = options.stageCount;
    choices.schedule = options.schedule;
    choices.stagesPerDevice = options.stagesPerDevice;
    choices.objective = options.objective;
    return choices;
}

QString stagingOf(const PartitionOptions& options)
{
    return stagesText(options.stageCount, options.deviceCount());
}

} // namespace

PlanOptionsPanel::PlanOptionsPanel(QWidget* parent)
    : QWidget(parent),
      m_stages(new QSpinBox),
      m_deviceCount(new QSpinBox),
      m_microbatches(new QSpinBox),
      m_device(new QComboBox),
      m_deviceFacts(new QLabel),
      m_schedule(new QComboBox),
      m_stagesPerDevice(new QSpinBox),
      m_staging(new QLabel),
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
    m_deviceCount->setRange(1, mostStages);
    m_microbatches->setRange(1, mostMicrobatches);
    m_stagesPerDevice->setRange(1, mostStagesPerDevice);
    for (QLabel* label : {m_deviceFacts, m_scheduleError, m_limitError})
        label->setTextFormat(Qt::PlainText);
    fillChoices();
    setChoices({});
    connectFields();
}

void PlanOptionsPanel::connectFields()
{
    for (QComboBox* box : {m_device, m_objective, m_send, m_mode, m_precision, m_optimizer})
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
    connect(m_schedule, &QComboBox::currentIndexChanged, this, [this] {
        follow([kind = choiceOf<ScheduleKind>(m_schedule)](PartitionOptions& options) {
            setSchedule(options, kind);
        });
    });
    connect(m_sizes, &SizeFields::bindingsChanged, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::editingFinished, this, &PlanOptionsPanel::readFields);
    connect(m_limit, &QLineEdit::textChanged, this, &PlanOptionsPanel::showLimit);
    connect(m_split, &QPushButton::clicked, this, &PlanOptionsPanel::splitRequested);
}

void PlanOptionsPanel::fillChoices()
{
    for (const ScheduleTraits& traits : scheduleTraits())
        m_schedule->addItem(shownText(traits.title), int(traits.kind));
    addChoices<Objective>(m_objective, {{tr("Slowest device, with transfers"), Objective::Sum},
                                        {tr("Slowest device, computing alone"), Objective::Compute},
                                        {tr("Slowest device, transfers beside"), Objective::Overlap},
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
    m_schedule->setToolTip(
        tr("In which order a device runs the forward and backward of its microbatches. Where a "
           "device runs several stages, another schedule keeps the devices, and the number "
           "of stages follows"));
    m_stages->setToolTip(tr("How many stages the model is cut into: devices × stages per device"));
    m_deviceCount->setToolTip(tr("How many devices the stages run on"));
    m_send->setToolTip(
        tr("How a value reaches a stage that is not the next one. What is exported hands it on from "
           "stage to stage, whatever is chosen here"));
    m_limit->setToolTip(
        tr("The most that a device may hold, such as 24 GiB; empty: what it has beside its driver"));
    m_objective->setToolTip(
        tr("What a search makes as short as it can: computing, receiving and sending of the slowest device; "
           "its computing alone; the longest of the three, where transfers run beside the computing; or the "
           "simulated time of a whole step"));
    m_stagesPerDevice->setToolTip(
        tr("How many stages each device runs in turn; the devices stay, and the number "
           "of stages follows"));
}

void PlanOptionsPanel::buildFields()
{
    m_split->setDefault(true);
    m_deviceFacts->setWordWrap(true);
    m_limitError->setWordWrap(true);
    m_limitError->hide();
    m_scheduleError->setWordWrap(true);
    m_scheduleError->hide();
    m_staging->setWordWrap(true);
    m_staging->setForegroundRole(QPalette::PlaceholderText);
    m_staging->setAccessibleName(tr("Stages on devices"));
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
    for (QSpinBox* box : {m_stages, m_deviceCount, m_microbatches, m_stagesPerDevice})
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
    add(tr("Devices"), m_deviceCount);
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
    form->addRow(QString(), m_staging);
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
        m_device->addItem(shownText(device.name), dataText(device.id));
    const int index = m_device->findData(dataText(m_choices.deviceId));
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
    m_microbatches->setValue(static_cast<int>(choices.microbatches));
    m_device->setCurrentIndex(
        std::max(m_device->count() > 0 ? 0 : -1, m_device->findData(dataText(choices.deviceId))));
    showStaging(choices);
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
    m_state = state;
    enableSplit();
    m_split->setText(state == State::Ready ? tr("Split automatically") : tr("Splitting"));
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
    PlanChoices choices = fields();
    m_optimizer->setEnabled(choices.mode == TrainingMode::Train);
    const QString limit = m_limit->text().trimmed();
    // The field shows three digits: unless its text was changed, the exact limit stands.
    if (limit.isEmpty())
        choices.memoryLimit.reset();
    else if (!m_choices.memoryLimit || limit != toText(*m_choices.memoryLimit)) {
        const Result<Bytes> bytes = parseMemoryLimit(limit.toStdString());
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
    const Result<void> checked = checkOptions(optionsOf(choices));
    showProblem(m_scheduleError, checked.has_value() ? std::string() : checked.error().message);
    return checked.has_value();
}

void PlanOptionsPanel::follow(const std::function<void(PartitionOptions&)>& change)
{
    if (m_showing)
        return;
    // From what the fields said before: the one that was changed says it by `change`.
    PartitionOptions options = optionsOf(m_shown);
    options.objective = choiceOf<Objective>(m_objective);
    change(options);
    m_showing = true;
    showStaging(withStaging(fields(), options));
    m_showing = false;
    readFields();
}

// The fields that belong together, and what they come to.
void PlanOptionsPanel::showStaging(const PlanChoices& choices)
{
    const PartitionOptions options = optionsOf(choices);
    m_shown = choices;
    choose(m_schedule, choices.schedule);
    m_stages->setSingleStep(static_cast<int>(options.stagesEach()));
    m_stages->setValue(static_cast<int>(options.stageCount));
    m_shown.stageCount = static_cast<std::size_t>(m_stages->value()); // it may have met its end
    m_deviceCount->setValue(static_cast<int>(optionsOf(m_shown).deviceCount()));
    m_stagesPerDevice->setValue(static_cast<int>(options.stagesEach()));
    m_stagesPerDevice->setEnabled(!traitsOf(choices.schedule).fixedStages);
    choose(m_objective, choices.objective);
    m_staging->setVisible(options.sharesDevices());
    m_staging->setText(stagingOf(optionsOf(m_shown)));
    for (int index = 0; index < m_schedule->count(); ++index) {
        PartitionOptions other = optionsOf(m_shown);
        setSchedule(other, static_cast<ScheduleKind>(m_schedule->itemData(index).toInt()));
        m_schedule->setItemData(index, stagingOf(other), Qt::ToolTipRole);
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
    const auto rate = [](double perSecond) { return QString::number(perSecond / 1e9, 'f', 0); };
    m_deviceFacts->setText(
        tr("%1, %2 GB/s memory, %3 GB/s link")
            .arg(toText(device.memory), rate(device.memoryBandwidth), rate(device.linkBandwidth)));
    m_deviceFacts->setToolTip(toolTipText(shownText(device.provenance)));
    m_deviceFacts->setForegroundRole(QPalette::PlaceholderText);
    m_deviceFacts->show();
    m_limit->setPlaceholderText(
        device.memory > device.contextMemory ? toText(device.memory - device.contextMemory) : tr("none"));
}

void PlanOptionsPanel::showLimit()
{
    const QString text = m_limit->text().trimmed();
    const Result<Bytes> bytes =
        text.isEmpty() ? Result<Bytes>(Bytes(0)) : parseMemoryLimit(text.toStdString());
    showProblem(m_limitError, bytes.has_value() ? std::string() : bytes.error().message);
}

} // namespace stagecraft
