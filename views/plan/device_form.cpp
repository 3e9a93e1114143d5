#include "views/plan/device_form.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/plan/choice_box.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace stagecraft {

namespace {

enum class Need {
    Always,
    MayBeZero,
    MayBeMissing, // an empty field
};

// A field of a device file that is a number with a unit.
struct DeviceFigure
{
    const char* field; // in the file, and in its table of sources
    const char* title;
    const char* help;
    const FigureKind* kind;
    Need need;
    double (*get)(const DeviceSpec& device); // 0: it is not there
    void (*set)(DeviceSpec& device, double value);
};

double peakOf(const DeviceSpec& device, DType dtype)
{
    const auto peak = device.peakFlops.find(dtype);
    return peak == device.peakFlops.end() ? 0 : peak->second;
}

void setPeak(DeviceSpec& device, DType dtype, double value)
{
    if (value > 0)
        device.peakFlops[dtype] = value;
    else
        device.peakFlops.erase(dtype);
}

template <DType dtype>
constexpr DeviceFigure peakFigure(const char* title, Need need)
{
    return {"peak_flops",
            title,
            QT_TR_NOOP("The most that its matrix units do, without sparsity"),
            &flopRateFigure,
            need,
            [](const DeviceSpec& device) { return peakOf(device, dtype); },
            [](DeviceSpec& device, double value) { setPeak(device, dtype, value); }};
}

constexpr std::array<DeviceFigure, 16> deviceFigures{{
    {"memory_bytes", QT_TR_NOOP("Memory"), QT_TR_NOOP("What a program sees of it, such as 80 GiB"),
     &memoryFigure, Need::Always, [](const DeviceSpec& d) { return d.memory.asDouble(); },
     [](DeviceSpec& d, double v) { d.memory = Bytes(std::llround(v)); }},
    {"context_bytes", QT_TR_NOOP("Driver's memory"),
     QT_TR_NOOP("What the driver and its libraries take before the first tensor"), &memoryFigure,
     Need::MayBeMissing, [](const DeviceSpec& d) { return d.contextMemory.asDouble(); },
     [](DeviceSpec& d, double v) { d.contextMemory = Bytes(std::llround(v)); }},
    {"memory_bandwidth", QT_TR_NOOP("Memory bandwidth"), QT_TR_NOOP("To its own memory, such as 3.35 TB/s"),
     &bandwidthFigure, Need::Always, [](const DeviceSpec& d) { return d.memoryBandwidth; },
     [](DeviceSpec& d, double v) { d.memoryBandwidth = v; }},
    {"link_bandwidth", QT_TR_NOOP("Link bandwidth"),
     QT_TR_NOOP("To the next device, one direction, such as 25 GB/s or 200 Gbit/s"), &bandwidthFigure,
     Need::Always, [](const DeviceSpec& d) { return d.linkBandwidth; },
     [](DeviceSpec& d, double v) { d.linkBandwidth = v; }},
    {"link_latency", QT_TR_NOOP("Link latency"), QT_TR_NOOP("Of each message, such as 5 us"), &latencyFigure,
     Need::Always, [](const DeviceSpec& d) { return d.linkLatency.value(); },
     [](DeviceSpec& d, double v) { d.linkLatency = Seconds(v); }},
    {"launch_overhead", QT_TR_NOOP("Launch of a kernel"),
     QT_TR_NOOP("From the start of the shortest to the next"), &latencyFigure, Need::Always,
     [](const DeviceSpec& d) { return d.launchOverhead.value(); },
     [](DeviceSpec& d, double v) { d.launchOverhead = Seconds(v); }},
    {"dispatch_overhead", QT_TR_NOOP("Dispatch of an operator"),
     QT_TR_NOOP("What the program takes to hand it over; empty: nothing"), &latencyFigure, Need::MayBeMissing,
     [](const DeviceSpec& d) { return d.dispatchOverhead.value(); },
     [](DeviceSpec& d, double v) { d.dispatchOverhead = Seconds(v); }},
    {"backward_dispatch_overhead", QT_TR_NOOP("Dispatch, backward"),
     QT_TR_NOOP("The same in a backward pass, which no Python hands over; empty: as forward"), &latencyFigure,
     Need::MayBeMissing, [](const DeviceSpec& d) { return d.backwardDispatch.value(); },
     [](DeviceSpec& d, double v) { d.backwardDispatch = Seconds(v); }},
    {"view_dispatch_overhead", QT_TR_NOOP("Dispatch of a view"),
     QT_TR_NOOP("Of what launches no kernel; empty: as of an operator"), &latencyFigure, Need::MayBeMissing,
     [](const DeviceSpec& d) { return d.host.view.value(); },
     [](DeviceSpec& d, double v) { d.host.view = Seconds(v); }},
    {"backward_view_dispatch_overhead", QT_TR_NOOP("Dispatch of a view, backward"),
     QT_TR_NOOP("The same in a backward pass; empty: as forward"), &latencyFigure, Need::MayBeMissing,
     [](const DeviceSpec& d) { return d.host.backwardView.value(); },
     [](DeviceSpec& d, double v) { d.host.backwardView = Seconds(v); }},
    peakFigure<DType::F32>(QT_TR_NOOP("float32"), Need::Always),
    {"tf32_flops", QT_TR_NOOP("TF32"),
     QT_TR_NOOP("Of float32 convolutions, where cuDNN rounds them; empty: it does not"), &flopRateFigure,
     Need::MayBeMissing, [](const DeviceSpec& d) { return d.tf32Flops; },
     [](DeviceSpec& d, double v) { d.tf32Flops = v; }},
    peakFigure<DType::F16>(QT_TR_NOOP("float16"), Need::MayBeMissing),
    peakFigure<DType::BF16>(QT_TR_NOOP("bfloat16"), Need::MayBeMissing),
    peakFigure<DType::F64>(QT_TR_NOOP("float64"), Need::MayBeMissing),
    {"vector_flops", QT_TR_NOOP("elementwise"),
     QT_TR_NOOP("What it does outside its matrix units, in float32"), &flopRateFigure, Need::Always,
     [](const DeviceSpec& d) { return d.vectorFlops; }, [](DeviceSpec& d, double v) { d.vectorFlops = v; }},
}};

QDoubleSpinBox* percentBox()
{
    auto* box = new QDoubleSpinBox;
    box->setRange(1, 100);
    box->setDecimals(1);
    box->setSuffix(DeviceForm::tr(" %"));
    leaveWheelToParent(box);
    return box;
}

// Times go by all figures but these: what was measured of a device says nothing of one that is otherwise.
bool changesTimes(std::string_view field)
{
    constexpr std::array<std::string_view, 4> others{"memory_bytes", "context_bytes", "link_bandwidth",
                                                     "link_latency"};
    return std::ranges::find(others, field) == others.end();
}

void markTyped(DeviceSpec& device, const std::string& field)
{
    device.sources[field] = {FigureBasis::Assumed, "typed in by hand"};
    if (changesTimes(field))
        device.accuracy.clear();
}

Error inField(const char* title, const std::string& problem)
{
    return {ErrorCode::BadUsage, DeviceForm::tr(title).toStdString() + ": " + problem};
}

} // namespace

DeviceForm::DeviceForm(QWidget* parent)
    : QWidget(parent),
      m_name(new QLineEdit),
      m_kind(new QComboBox),
      m_capability(new QDoubleSpinBox),
      m_matrixShare(percentBox()),
      m_memoryShare(percentBox()),
      m_rest(new QLabel)
{
    setAccessibleName(tr("Device"));
    m_kind->addItem(tr("GPU with CUDA"), "cuda");
    m_kind->addItem(tr("CPU"), "cpu");
    m_capability->setRange(1, 99);
    m_capability->setDecimals(1);
    m_capability->setSingleStep(0.1);
    for (QWidget* field : {static_cast<QWidget*>(m_kind), static_cast<QWidget*>(m_capability)})
        leaveWheelToParent(field);
    for (const DeviceFigure& figure : deviceFigures) {
        m_figures.push_back(new QuantityField(*figure.kind));
        m_figures.back()->setToolTip(tr(figure.help));
    }
    build();
    connect(m_name, &QLineEdit::textChanged, this, &DeviceForm::tell);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &DeviceForm::tell);
    for (QDoubleSpinBox* box : {m_capability, m_matrixShare, m_memoryShare})
        connect(box, &QDoubleSpinBox::valueChanged, this, &DeviceForm::tell);
    for (const QuantityField* field : m_figures)
        connect(field, &QLineEdit::textChanged, this, &DeviceForm::tell);
}

void DeviceForm::build()
{
    QFormLayout* form = makeOptionForm(this);
    addOption(form, tr("Name"), m_name);
    addOption(form, tr("Kind"), m_kind);
    addOption(form, tr("Compute capability"), m_capability);
    for (std::size_t i = 0; i < deviceFigures.size(); ++i) {
        const bool isRate = deviceFigures[i].kind == &flopRateFigure;
        addOption(form, isRate ? tr("Peak, %1").arg(tr(deviceFigures[i].title)) : tr(deviceFigures[i].title),
                  m_figures[i]);
    }
    addOption(form, tr("Share of the peak reached"), m_matrixShare);
    m_matrixShare->setToolTip(tr("By matrix products that have no curve of their own"));
    addOption(form, tr("Share of the bandwidth reached"), m_memoryShare);
    m_rest->setWordWrap(true);
    m_rest->setTextFormat(Qt::PlainText);
    m_rest->setForegroundRole(QPalette::PlaceholderText);
    m_rest->setAccessibleName(tr("What else the device file has"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_rest);
    layout->addStretch();
}

void DeviceForm::setDevice(const DeviceSpec& device, Access access)
{
    m_showing = true;
    m_device = device;
    m_name->setText(shownText(device.name));
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(dataText(device.kind))));
    m_capability->setValue(device.computeCapability / 10.0);
    for (std::size_t i = 0; i < deviceFigures.size(); ++i) {
        const double value = deviceFigures[i].get(device);
        m_figures[i]->setValue(value > 0 ? std::optional(value) : std::nullopt);
    }
    m_matrixShare->setValue(100 * device.matrixEfficiency);
    m_memoryShare->setValue(100 * device.memoryEfficiency);
    m_rest->setText(restOf(device));
    const bool isOurs = access == Access::ReadOnly;
    for (QLineEdit* field : findChildren<QLineEdit*>())
        field->setReadOnly(isOurs);
    for (QDoubleSpinBox* box : {m_capability, m_matrixShare, m_memoryShare})
        box->setReadOnly(isOurs);
    m_kind->setEnabled(!isOurs);
    m_showing = false;
    showKind();
}

Result<DeviceSpec> DeviceForm::device() const
{
    DeviceSpec device = m_device;
    device.name =
        m_name->text() == shownText(m_device.name) ? m_device.name : m_name->text().trimmed().toStdString();
    if (device.name.empty())
        return inField("Name", "a device needs one");
    device.kind = m_kind->currentData().toString().toStdString();
    if (device.kind == "cuda")
        device.computeCapability = static_cast<int>(std::lround(10 * m_capability->value()));
    if (device.kind != m_device.kind || device.computeCapability != m_device.computeCapability)
        device.accuracy.clear();
    for (std::size_t i = 0; i < deviceFigures.size(); ++i) {
        const DeviceFigure& figure = deviceFigures[i];
        const auto typed = m_figures[i]->value();
        if (!typed.has_value())
            return inField(figure.title, typed.error().message);
        if (figure.need == Need::Always && typed->value_or(0) <= 0)
            return inField(figure.title, "a device needs it, above 0");
        if (typed->value_or(0) == figure.get(m_device))
            continue;
        figure.set(device, typed->value_or(0));
        markTyped(device, figure.field);
    }
    const auto takeShare = [&](const QDoubleSpinBox* box, double before, double& share, const char* field) {
        if (std::abs(box->value() - 100 * before) < 0.05 * (1 + 1e-9))
            return; // shown with one digit
        share = box->value() / 100;
        markTyped(device, field);
    };
    takeShare(m_matrixShare, m_device.matrixEfficiency, device.matrixEfficiency, "matrix_efficiency");
    takeShare(m_memoryShare, m_device.memoryEfficiency, device.memoryEfficiency, "memory_efficiency");
    return device;
}

void DeviceForm::showKind()
{
    m_capability->setEnabled(m_kind->currentData() == "cuda");
}

void DeviceForm::tell()
{
    showKind();
    if (!m_showing)
        emit changed();
}

// Curves and measured times go before the figures above: whoever changes those has to know.
QString DeviceForm::restOf(const DeviceSpec& device) const
{
    qsizetype curves = 0;
    for (const EfficiencyCurve& curve : device.curves)
        curves += curve.isEmpty() ? 0 : 1;
    QStringList rest;
    if (curves > 0)
        rest << tr("Efficiency curves of %1 classes of operators scale these figures.").arg(curves);
    if (!device.operators.empty())
        rest << tr("Measured times of %1 operators go before them.").arg(device.operators.size());
    rest << shownText(device.provenance);
    return rest.join(' ');
}

} // namespace stagecraft
