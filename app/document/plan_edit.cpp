#include "app/document/plan_edit.h"

#include "core/plan/device_kinds.h"
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"

#include <algorithm>

namespace stagecraft {

namespace {

// What was asked for stage by stage, of the stages that there are now.
void takeByStage(const PartitionOptions& options, PartitionOptions& asked)
{
    const auto take = [](const auto& from, auto& to) {
        if (to.size() > 1)
            to = from;
    };
    take(options.speeds, asked.speeds);
    take(options.memoryLimits, asked.memoryLimits);
    take(options.links, asked.links);
}

} // namespace

QString boundaryName(BoundaryId boundary)
{
    return QStringLiteral("%1|%2").arg(boundary.index() + 1).arg(boundary.index() + 2);
}

PlanState withPartition(const PlanState& state, Partition partition)
{
    PlanState next = state;
    if (state.problem)
        next.cost = std::make_shared<const PlanCost>(evaluate(*state.problem, partition));
    next.partition = std::make_shared<const Partition>(std::move(partition));
    return next;
}

PlanState unsplit(const PlanState& state)
{
    PartitionProblem problem = withStageCount(*state.problem, 1);
    problem.options.schedule = ScheduleKind::OneFOneB;
    problem.options.stagesPerDevice = 1;
    problem.options.pins.clear(); // they count stages
    PlanState next = state;
    next.problem = std::make_shared<const PartitionProblem>(std::move(problem));
    return withPartition(next, singleStage(state.problem->nodes.size()));
}

PlanState withRestaging(const PlanState& state, PartitionProblem problem, Partition partition)
{
    PlanState next = state;
    next.problem = std::make_shared<const PartitionProblem>(std::move(problem));
    next.request.plan.stageCount = partition.stageCount;
    next.request.plan.pins = next.problem->options.pins; // they count stages
    takeByStage(next.problem->options, next.request.plan);
    fitStageDevices(next.request);
    return withPartition(next, std::move(partition));
}

std::size_t splitPosition(const Partition& partition, std::span<const NodeId> nodes, SplitSide side)
{
    const StageOrder order = stageOrder(partition);
    std::vector<char> chosen(order.nodes.size(), 0);
    for (const NodeId node : nodes)
        chosen[node.index()] = 1;
    const auto isChosen = [&](NodeId node) { return chosen[node.index()] != 0; };
    if (side == SplitSide::Before)
        return static_cast<std::size_t>(std::ranges::find_if(order.nodes, isChosen) - order.nodes.begin());
    const auto last = std::find_if(order.nodes.rbegin(), order.nodes.rend(), isChosen);
    return static_cast<std::size_t>(order.nodes.rend() - last);
}

std::size_t translatedPosition(const Partition& shown, const Partition& plan, std::size_t position)
{
    if (shown == plan || position >= plan.stageOf.size())
        return position;
    const NodeId node = stageOrder(shown).nodes[position];
    return splitPosition(plan, std::span(&node, 1), SplitSide::Before);
}

} // namespace stagecraft
