#include "views/charts/chart_data.h"

#include "core/profile/summary.h"
#include "views/base/plain_text.h"
#include "views/tables/table_text.h"

#include <QStringList>

#include <algorithm>
#include <functional>
#include <limits>

namespace stagecraft {

namespace {

// Of each op's forward pass, above what is alive before it. Ops of regions may run in another order than
// the graph's.
struct LiveBytes
{
    Table<NodeId, double> peak; // most while it runs
    Table<NodeId, double> kept; // of that, just after it
};

LiveBytes liveForward(const Profile& profile)
{
    LiveBytes live{Table<NodeId, double>(profile.nodes.size()), Table<NodeId, double>(profile.nodes.size())};
    double now = 0;
    for (const MemorySample& sample : profile.memory.samples) {
        if (sample.phase != Phase::Forward || !sample.node)
            continue;
        double& kept = live.kept[*sample.node];
        live.peak[*sample.node] = std::max(live.peak[*sample.node], kept + sample.peak.asDouble() - now);
        kept += sample.live.asDouble() - now;
        now = sample.live.asDouble();
    }
    return live;
}

double stateOfModel(const ProfileTotals& totals)
{
    return (totals.parameterBytes + totals.bufferBytes + totals.gradientBytes + totals.optimizerBytes)
        .asDouble();
}

// Null without a plan of so many stages.
const StageCost* costOf(const PlanView& plan, std::size_t stage, std::size_t stages)
{
    return plan.cost && plan.cost->stages.size() == stages ? &plan.cost->stages[StageId(stage)] : nullptr;
}

// What is held while each of a stage's ops runs, above `base`: of its own ops, whatever ran between them.
void addHeld(const LiveBytes& live, std::span<const NodeId> ops, double base, std::vector<double>& held)
{
    double kept = 0;
    for (const NodeId node : ops) {
        held.push_back(base + std::max(0.0, kept + live.peak[node]));
        kept += live.kept[node];
    }
}

// What it would be without, and what it takes.
void addRunAgain(const PlanView& plan, const StageOrder& order, MemoryCurve& curve)
{
    if (!plan.again || !plan.again->without)
        return;
    const Profile& without = *plan.again->without;
    const LiveBytes live = liveForward(without);
    for (std::size_t stage = 0; stage < curve.state.size(); ++stage) {
        const StageCost* cost = costOf(plan, stage, curve.state.size());
        const std::size_t first = stage == 0 ? 0 : order.boundaries[stage - 1];
        const std::size_t end =
            stage < order.boundaries.size() ? order.boundaries[stage] : order.nodes.size();
        const std::span<const NodeId> ops = std::span(order.nodes).subspan(first, end - first);
        const double others = cost ? cost->ofOthers(keptByStage(without, ops)).asDouble() : 0;
        addHeld(live, ops, curve.state[stage] + others, curve.without);
        for (const NodeId node : ops)
            curve.again.push_back(
                plan.again->isInRegion[node] != 0 ? plan.profile->nodes[node].regionPeak.asDouble() : 0);
    }
}

} // namespace

MemoryCurve memoryCurve(const PlanView& plan, const StageOrder& order)
{
    MemoryCurve curve;
    const LiveBytes live = liveForward(*plan.profile);
    const std::size_t stages = order.boundaries.size() + 1;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const StageCost* cost = costOf(plan, stage, stages);
        const std::size_t first = stage == 0 ? 0 : order.boundaries[stage - 1];
        const std::size_t end = stage + 1 == stages ? order.nodes.size() : order.boundaries[stage];
        const double state =
            cost ? (cost->stateBytes + cost->runtimeBytes).asDouble() : stateOfModel(plan.profile->totals);
        const double others = cost ? cost->ofOthers(cost->savedBytes).asDouble() : 0;
        addHeld(live, std::span(order.nodes).subspan(first, end - first), state + others, curve.held);
        if (cost) // in the whole model a later stage may let go of what this one has let go of by then
            for (std::size_t place = first; place < end; ++place)
                curve.held[place] = std::min(curve.held[place], cost->peakMemory.asDouble());
        curve.state.push_back(state);
        curve.kept.push_back(state + others +
                             (cost ? cost->savedBytes : plan.profile->totals.savedBytes).asDouble());
        curve.peaks.push_back(cost ? cost->peakMemory.asDouble()
                                   : state + plan.profile->totals.peak.asDouble());
        const bool limited = cost && cost->memoryLimit != Bytes::max();
        curve.limits.push_back(limited ? cost->memoryLimit.asDouble()
                                       : std::numeric_limits<double>::infinity());
    }
    addRunAgain(plan, order, curve);
    for (const auto* figures : {&curve.held, &curve.peaks})
        for (const double bytes : *figures)
            curve.highest = std::max(curve.highest, bytes);
    return curve;
}

double readableTop(std::vector<double> values)
{
    constexpr double tooTall = 2.5;
    constexpr std::size_t fewestToCut = 20; // fewer can be told apart as they are
    std::erase_if(values, [](double value) { return !(value > 0); });
    if (values.empty())
        return 0;
    std::ranges::sort(values, std::greater());
    if (values.size() < fewestToCut)
        return values.front();
    const std::size_t few = std::max<std::size_t>(3, values.size() / 50);
    // Cut where the step down is steepest: what belongs together stays together.
    std::size_t best = 0;
    double steepest = 1;
    for (std::size_t i = 1; i <= few; ++i) {
        if (values[i - 1] / values[i] > steepest && values.front() > tooTall * values[i]) {
            steepest = values[i - 1] / values[i];
            best = i;
        }
    }
    return values[best];
}

TimeScale timeScale(const Profile& profile, ValueLook look)
{
    std::vector<double> forward;
    std::vector<double> backward;
    for (const NodeCost& cost : profile.nodes) {
        forward.push_back(cost.forward.time.value());
        backward.push_back(cost.backward().time.value());
    }
    const auto top = [look](const std::vector<double>& times) {
        return look == ValueLook::Plain ? readableTop(times) : times.empty() ? 0 : std::ranges::max(times);
    };
    TimeScale scale{top(forward), top(backward), {}};
    if (profile.options.mode != TrainingMode::Train)
        scale.backward = 0;
    for (const NodeId node : profile.nodes.ids())
        if (scale.cutsForward(profile.nodes[node]) || scale.cutsBackward(profile.nodes[node]))
            scale.cut.push_back(node);
    return scale;
}

std::vector<Bytes> bytesAcross(const Graph& graph, const Profile& profile, std::span<const NodeId> order)
{
    Table<NodeId, std::size_t> placeOf(order.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        placeOf[order[place]] = place;
    // A value is across from the place after its producer up to the place before its last reader.
    std::vector<Bytes> change(order.size() + 2);
    for (const ValueId id : graph.values()) {
        const Value& value = graph[id];
        if (!value.producer)
            continue;
        const std::size_t made = placeOf[*value.producer];
        std::size_t last = graph.isOutput(id) ? order.size() - 1 : made;
        for (const NodeId user : value.users)
            last = std::max(last, placeOf[user]);
        const Bytes bytes = profile.valueBytes[id] * (profile.needsGradient[id] ? 2 : 1);
        change[made + 1] += bytes;
        change[last + 1] -= bytes;
    }
    std::vector<Bytes> across(order.size() + 1);
    Bytes now;
    for (std::size_t place = 0; place < across.size(); ++place)
        across[place] = now += change[place];
    return across;
}

bool ChartData::isOfSameModel(const PlanView& next) const
{
    return next.graph == plan.graph && next.profile == plan.profile;
}

void ChartData::setPlan(const PlanView& next)
{
    if (!next.graph || !next.profile) {
        *this = {.plan = next, .axis = axis, .look = look};
        return;
    }
    const bool isOfOtherModel = !isOfSameModel(next);
    const bool isRestaged = isOfOtherModel || next.partition != plan.partition;
    plan = next;
    if (isOfOtherModel)
        times = timeScale(*plan.profile, look);
    if (isRestaged) {
        StageOrder now = stageOrder(plan.partition ? *plan.partition : singleStage(plan.graph->nodeCount()));
        const bool isReordered = isOfOtherModel || now.nodes != order.nodes;
        order = std::move(now);
        if (isReordered) {
            scale = makeScale(axis, order.nodes, plan.profile.get());
            across = bytesAcross(*plan.graph, *plan.profile, order.nodes);
            placeOf = Table<NodeId, std::size_t>(order.nodes.size());
            for (std::size_t place = 0; place < order.nodes.size(); ++place)
                placeOf[order.nodes[place]] = place;
        }
    }
    memory = memoryCurve(plan, order);
}

void ChartData::setAxis(ExecutionAxis next)
{
    axis = next;
    scale = makeScale(axis, order.nodes, plan.profile.get());
}

void ChartData::setLook(ValueLook next)
{
    look = next;
    if (plan.profile)
        times = timeScale(*plan.profile, look);
}

std::vector<ChartData::Span> ChartData::stages() const
{
    std::vector<Span> spans;
    if (!hasCurves())
        return spans;
    std::size_t first = 0;
    for (const std::size_t boundary : order.boundaries)
        spans.push_back({std::exchange(first, boundary), boundary});
    spans.push_back({first, scale.opCount()});
    return spans;
}

std::vector<ChartData::Span> ChartData::runsOf(const std::vector<NodeId>& nodes, std::size_t most) const
{
    std::vector<char> isAmong(scale.opCount());
    for (const NodeId node : nodes)
        if (placeOf.contains(node) && placeOf[node] < isAmong.size())
            isAmong[placeOf[node]] = 1;
    std::vector<Span> runs;
    for (std::size_t place = 0; place < isAmong.size(); ++place) {
        if (!isAmong[place])
            continue;
        if (!runs.empty() && (runs.back().end == place || runs.size() >= most))
            runs.back().end = place + 1;
        else
            runs.push_back({place, place + 1});
    }
    return runs;
}

QString ChartData::seriesCsv() const
{
    QString csv = "Op,Stage,Held [bytes],Forward [s],Backward [s],Sent by a boundary before it [bytes]\r\n";
    for (std::size_t place = 0; hasCurves() && place < order.nodes.size(); ++place) {
        const NodeId node = order.nodes[place];
        const QString stage =
            plan.partition ? QString::number(plan.partition->stageOf[node].index() + 1) : QString();
        csv +=
            csvLine({csvField(shownText((*plan.graph)[node].name)), stage, csvNumber(memory.held[place]),
                     csvNumber(costAt(place).forward.time.value()),
                     csvNumber(costAt(place).backward().time.value()), csvNumber(across[place].asDouble())});
    }
    return csv;
}

} // namespace stagecraft
