#include "views/charts/chart_data.h"

namespace stagecraft {

bool ChartData::isOfSameModel(const PlanView& next) const
{
    return next.graph == plan.graph && next.profile == plan.profile;
}

void ChartData::setPlan(const PlanView& next)
{
    if (!next.graph || !next.profile) {
        *this = {.plan = next, .axis = axis};
        return;
    }
    const bool isOfOtherModel = !isOfSameModel(next);
    const bool isRestaged = isOfOtherModel || next.partition != plan.partition;
    plan = next;
    if (isOfOtherModel)
        times = timeScale(*plan.profile);
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

} // namespace stagecraft
