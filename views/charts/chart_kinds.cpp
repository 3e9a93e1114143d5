#include "views/charts/chart_kinds.h"

#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/charts/chart_area.h"
#include "views/charts/plot_axes.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double cutAt = TimeScale::cutAt;

template <class Ticker>
QCPAxisTicker* make()
{
    return new Ticker;
}

std::vector<double> slice(const std::vector<double>& values, ChartData::Span span)
{
    return {values.begin() + static_cast<std::ptrdiff_t>(span.first),
            values.begin() + static_cast<std::ptrdiff_t>(span.end)};
}

QBrush stageFill(const Theme& theme, std::size_t stage, double share)
{
    const QColor color = mixed(theme.surface, stageColor(theme, StageId(stage)), share);
    return stage < 8 ? QBrush(color) : QBrush(color, stage < 16 ? Qt::Dense3Pattern : Qt::Dense4Pattern);
}

QPen stageLine(const Theme& theme, std::size_t stage)
{
    return QPen(withContrast(stageColor(theme, StageId(stage)), theme.surface, 2.2));
}

// A step for each op of the span.
void addSteps(const ChartCanvas& canvas, const ChartData& data, ChartData::Span span,
              std::vector<double> values, const QPen& line, const QBrush& fill, double base = 0)
{
    for (double& value : values)
        value = canvas.values.shown(value);
    auto* area = new StepArea(canvas.key, canvas.value, slice(data.scale.places, {span.first, span.end + 1}),
                              std::move(values), canvas.values.shown(base));
    area->setPen(line);
    area->setBrush(fill);
}

void addLevel(const ChartCanvas& canvas, const ChartData& data, ChartData::Span span, double value,
              const QPen& pen)
{
    auto* graph = new QCPGraph(canvas.key, canvas.value);
    const double height = canvas.values.shown(value);
    graph->setData({data.scale.places[span.first], data.scale.places[span.end]}, {height, height}, true);
    graph->setPen(pen);
}

// ---- memory of each stage's device, its peak, its limit

constexpr double mostAbove = 2; // of the ghost of a plan without recomputation, as against the plan

std::vector<double> withinScale(std::vector<double> values, const ChartData& data)
{
    for (double& value : values)
        value = std::min(value, data.memory.highest * mostAbove);
    return values;
}

QString memoryTitle(const ChartData& data)
{
    const bool isShared = data.plan.cost && data.plan.cost->sharesDevices();
    QString title = isShared ? QObject::tr("Memory of each stage, without others on its device")
                             : QObject::tr("Memory of each stage's device");
    double limit = std::numeric_limits<double>::infinity();
    for (const double bytes : data.memory.limits)
        limit = std::min(limit, bytes);
    if (std::isfinite(limit))
        title += QObject::tr(", limit %1").arg(tickBytes(limit));
    if (!data.memory.without.empty())
        title += QObject::tr("; dotted: if nothing ran again, up to %1")
                     .arg(tickBytes(std::ranges::max(data.memory.without)));
    return title;
}

// What recomputation removes, as a line, and what it takes for a moment, hatched, on all that is kept.
void drawRunAgain(const ChartCanvas& canvas, const ChartData& data, ChartData::Span ops, double kept)
{
    if (data.memory.without.empty())
        return;
    std::vector<double> transient = slice(data.memory.again, ops);
    for (double& bytes : transient)
        bytes += kept;
    addSteps(canvas, data, ops, std::move(transient), Qt::NoPen,
             QBrush(canvas.theme.mutedText, Qt::FDiagPattern), kept);
    addSteps(canvas, data, ops, withinScale(slice(data.memory.without, ops), data),
             QPen(canvas.theme.text, 1, Qt::DotLine), Qt::NoBrush);
}

QCPRange memoryRange(const ChartData& data)
{
    double top = data.memory.highest;
    for (const double limit : data.memory.limits) // a limit far above is said in words instead
        if (limit < data.memory.highest * farLimit)
            top = std::max(top, limit);
    for (const double bytes : data.memory.without)
        top = std::max(top, std::min(bytes, data.memory.highest * mostAbove));
    return {0, std::max(top, 1.0)};
}

// Above the range its line would run behind the words there.
bool isInSight(const ChartData& data, double limit)
{
    return limit <= memoryRange(data).upper;
}

void drawMemory(const ChartCanvas& canvas, const ChartData& data)
{
    const Theme& theme = canvas.theme;
    std::size_t stage = 0;
    for (const ChartData::Span& ops : data.stages()) {
        const QPen line = stageLine(theme, stage);
        const std::vector<double> held = slice(data.memory.held, ops);
        addSteps(canvas, data, ops, held, line, stageFill(theme, stage, theme.dark ? 0.45 : 0.40));
        addSteps(canvas, data, ops, std::vector<double>(held.size(), data.memory.state[stage]), Qt::NoPen,
                 stageFill(theme, stage, theme.dark ? 0.75 : 0.78));
        const double limit = data.memory.limits[stage];
        const double peak = data.memory.peaks[stage];
        drawRunAgain(canvas, data, ops, data.memory.kept[stage]);
        ++stage;
        addLevel(canvas, data, ops, peak, QPen(peak > limit ? theme.danger : line.color(), 1, Qt::DashLine));
        if (isInSight(data, limit))
            addLevel(canvas, data, ops, limit, QPen(theme.danger, 1));
        if (peak <= limit)
            continue;
        std::vector<double> above = held;
        for (double& bytes : above)
            bytes = std::max(bytes, limit);
        addSteps(canvas, data, ops, above, Qt::NoPen, QBrush(theme.danger, Qt::BDiagPattern), limit);
    }
}

// The smallest that is larger than zero; 0: none.
double leastPositive(const std::vector<double>& values)
{
    double least = 0;
    for (const double value : values)
        if (value > 0 && (least == 0 || value < least))
            least = value;
    return least;
}

constexpr double bytesBase = 2;
constexpr int mostDoublings = 30;

ValueScale memoryLogarithms(const ChartData& data)
{
    std::vector<double> all = data.memory.held;
    all.insert(all.end(), data.memory.state.begin(), data.memory.state.end());
    return ValueScale::logarithmic(leastPositive(all), data.memory.highest, bytesBase, mostDoublings);
}

// Grey: every stage has a colour of its own.
QBrush legendFill(const Theme& theme, double share)
{
    return mixed(theme.surface, theme.mutedText, share);
}

std::vector<ChartLegendEntry> memoryLegend(const ChartData& data, const Theme& theme)
{
    const QPen stroke(theme.mutedText, 1.5);
    std::vector<ChartLegendEntry> entries{
        {QObject::tr("weights, state, buffers"), legendFill(theme, 0.85)},
        {QObject::tr("kept for backward"), legendFill(theme, 0.35), stroke},
        {QObject::tr("peak"), Qt::NoBrush, QPen(theme.mutedText, 1.5, Qt::DashLine)}};
    if (std::ranges::any_of(data.memory.limits, [&](double bytes) { return isInSight(data, bytes); }))
        entries.push_back({QObject::tr("limit"), Qt::NoBrush, QPen(theme.danger, 1.5)});
    for (std::size_t stage = 0; stage < data.memory.peaks.size(); ++stage)
        if (data.memory.peaks[stage] > data.memory.limits[stage]) {
            entries.push_back({QObject::tr("above it"), QBrush(theme.danger, Qt::BDiagPattern)});
            break;
        }
    if (!data.memory.without.empty())
        entries.push_back({QObject::tr("while it runs again"), QBrush(theme.mutedText, Qt::FDiagPattern)});
    return entries;
}

QString memoryHover(const ChartData& data, std::size_t place)
{
    const auto text = [&](const std::vector<double>& bytes) {
        return toText(Bytes(std::llround(bytes[place])));
    };
    const QString held =
        QObject::tr("%1 · %2 held")
            .arg(shownText((*data.plan.graph)[data.order.nodes[place]].name), text(data.memory.held));
    if (data.memory.without.empty())
        return held;
    const QString without = held + QObject::tr(" · %1 if nothing ran again").arg(text(data.memory.without));
    return data.memory.again[place] > 0
               ? without + QObject::tr(" · its region takes %1 while it does").arg(text(data.memory.again))
               : without;
}

// ---- time of each op

QString timeTitle(const ChartData& data)
{
    const QString title = data.isTraining() ? QObject::tr("Time of each op: forward up, backward down")
                                            : QObject::tr("Time of each op");
    return data.times.cut.empty() ? title
                                  : title + QObject::tr("; %1 taller than the scale cut off (//)")
                                                .arg(opCountText(data.times.cut.size()));
}

// Where the strokes go: into the part of the column above all that is drawn whole.
void markCutTimes(const ChartCanvas& canvas, const ChartData& data)
{
    constexpr double lastPart = 0.95; // of the width: labels of columns there find no room on their right
    std::vector<CutMarks::Cut> cuts;
    int room = 0;
    const double strokes = (1 + cutAt) / 2;
    for (const NodeId node : data.times.cut) {
        const NodeCost& cost = data.plan.profile->nodes[node];
        const double x = data.middleOf(data.placeOf[node]);
        if (data.times.cutsForward(cost))
            cuts.push_back({x, data.times.forward * strokes, toText(cost.forward.time)});
        if (data.times.cutsBackward(cost))
            cuts.push_back({x, -data.times.backward * strokes, toText(cost.backward().time)});
        for (const CutMarks::Cut& cut : cuts)
            if (cut.x > data.scale.end() * lastPart)
                room = std::max(room, CutMarks::rightOf(cut.label, canvas.labelFont));
    }
    QMargins margins = canvas.key->axisRect()->minimumMargins();
    margins.setRight(std::max(margins.right(), room));
    canvas.key->axisRect()->setMinimumMargins(margins);
    auto* marks = new CutMarks(canvas.key, canvas.value, std::move(cuts), canvas.theme.surface);
    marks->setPen(QPen(canvas.theme.text));
    marks->setFont(canvas.labelFont);
    marks->setTitleHeight(canvas.titleHeight);
}

void drawTimes(const ChartCanvas& canvas, const ChartData& data)
{
    std::size_t stage = 0;
    for (const ChartData::Span& ops : data.stages()) {
        std::vector<double> forward;
        std::vector<double> backward;
        for (std::size_t place = ops.first; place < ops.end; ++place) {
            const NodeCost& cost = data.costAt(place);
            forward.push_back(std::min(cost.forward.time.value(), data.times.forward * cutAt));
            backward.push_back(-std::min(cost.backward().time.value(), data.times.backward * cutAt));
        }
        const QPen line = stageLine(canvas.theme, stage);
        addSteps(canvas, data, ops, std::move(forward), line, stageFill(canvas.theme, stage, 0.78));
        if (data.isTraining())
            addSteps(canvas, data, ops, std::move(backward), line, stageFill(canvas.theme, stage, 0.40));
        ++stage;
    }
    markCutTimes(canvas, data);
}

QCPRange timeRange(const ChartData& data)
{
    const double beyond = data.times.cut.empty() ? 1.1 : cutAt * 1.05;
    const double down = data.times.backward * beyond;
    return {-down, std::max(data.times.forward * beyond, 1e-9 - down)};
}

ValueScale timeLogarithms(const ChartData& data)
{
    constexpr int mostPowers = 7; // of ten: what is less than a ten millionth of the longest takes no time
    std::vector<double> all;
    for (const NodeCost& cost : data.plan.profile->nodes) {
        all.push_back(cost.forward.time.value());
        if (data.isTraining())
            all.push_back(cost.backward().time.value());
    }
    return ValueScale::logarithmic(leastPositive(all), std::max(data.times.forward, data.times.backward), 10,
                                   mostPowers);
}

std::vector<ChartLegendEntry> timeLegend(const ChartData& data, const Theme& theme)
{
    std::vector<ChartLegendEntry> entries{{QObject::tr("forward"), legendFill(theme, 0.85)}};
    if (data.isTraining())
        entries.push_back({QObject::tr("backward"), legendFill(theme, 0.35), QPen(theme.mutedText)});
    return entries;
}

QString timeHover(const ChartData& data, std::size_t place)
{
    const NodeCost& cost = data.costAt(place);
    return QObject::tr("forward %1 · backward %2")
        .arg(toText(cost.forward.time), toText(cost.backward().time));
}

// ---- bytes across a boundary at each place

QString acrossTitle(const ChartData& data)
{
    return data.isTraining() ? QObject::tr("Bytes across a boundary, both ways, for one microbatch")
                             : QObject::tr("Bytes across a boundary, for one microbatch");
}

void drawAcross(const ChartCanvas& canvas, const ChartData& data)
{
    // Between positions there is nothing to read off, so each position's figure is held around it.
    std::vector<double> edges{0};
    for (std::size_t place = 0; place < data.scale.opCount(); ++place)
        edges.push_back(data.middleOf(place));
    edges.push_back(data.scale.end());
    std::vector<double> bytes;
    for (const Bytes across : data.across)
        bytes.push_back(canvas.values.shown(across.asDouble()));
    // Where ops are narrower than a pixel, both ends are shown: the valleys are what matters here.
    const auto add = [&](Keep keep, double share, const QPen& pen) {
        auto* area = new StepArea(canvas.key, canvas.value, edges, bytes, canvas.values.shown(0), keep);
        area->setPen(pen);
        area->setBrush(mixed(canvas.theme.surface, canvas.theme.mutedText, share));
    };
    add(Keep::Farthest, 0.16, QPen(mixed(canvas.theme.surface, canvas.theme.mutedText, 0.35)));
    add(Keep::Nearest, 0.32, QPen(canvas.theme.mutedText));
}

QCPRange acrossRange(const ChartData& data)
{
    double top = 1;
    for (const Bytes bytes : data.across)
        top = std::max(top, bytes.asDouble());
    return {0, top};
}

ValueScale acrossLogarithms(const ChartData& data)
{
    std::vector<double> all;
    for (const Bytes bytes : data.across)
        all.push_back(bytes.asDouble());
    return ValueScale::logarithmic(leastPositive(all), acrossRange(data).upper, bytesBase, mostDoublings);
}

std::vector<ChartLegendEntry> acrossLegend(const ChartData&, const Theme& theme)
{
    return {{QObject::tr("least"), legendFill(theme, 0.32), QPen(theme.mutedText)},
            {QObject::tr("most, where ops are narrower than a pixel"), legendFill(theme, 0.16),
             QPen(legendFill(theme, 0.35).color())}};
}

QString acrossHover(const ChartData& data, std::size_t place)
{
    return QObject::tr("%1 before it").arg(toText(data.across[place]));
}

} // namespace

std::span<const ChartKind> chartKinds()
{
    static constexpr std::array kinds{ChartKind{1.25, memoryTitle, make<BytesTicker>, drawMemory, memoryRange,
                                                memoryLogarithms, tickBytes, memoryLegend, memoryHover},
                                      ChartKind{1.0, timeTitle, make<SecondsTicker>, drawTimes, timeRange,
                                                timeLogarithms, tickSeconds, timeLegend, timeHover},
                                      ChartKind{0.85, acrossTitle, make<BytesTicker>, drawAcross, acrossRange,
                                                acrossLogarithms, tickBytes, acrossLegend, acrossHover}};
    return kinds;
}

} // namespace stagecraft
