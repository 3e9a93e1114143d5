#include "app/document/plan_edit.h"

#include "core/plan/editing.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

std::optional<std::size_t> nextPlace(const std::vector<std::size_t>& places, std::size_t here,
                                     StageDirection direction)
{
    if (direction == StageDirection::Next) {
        const auto next = std::ranges::upper_bound(places, here);
        return next == places.end() ? std::nullopt : std::optional(*next);
    }
    const auto next = std::ranges::lower_bound(places, here);
    return next == places.begin() ? std::nullopt : std::optional(*std::prev(next));
}

std::vector<std::size_t> moduleStarts(const Graph& graph, const StageOrder& order,
                                      const std::vector<std::size_t>& places)
{
    std::vector<std::size_t> starts;
    for (const std::size_t place : places) {
        if (place == 0 || place == order.nodes.size() ||
            graph[order.nodes[place]].module != graph[order.nodes[place - 1]].module)
            starts.push_back(place);
    }
    return starts;
}

// Walks the boundary over all its places once, so that each costs what one node touches.
std::size_t bestPlace(const PlanState& state, const StageOrder& order, const std::vector<std::size_t>& places,
                      BoundaryId boundary)
{
    const StageId above(boundary.index());
    const StageId below(boundary.index() + 1);
    PlanEvaluator evaluator(*state.problem, *state.partition);
    for (std::size_t p = places.front(); p < order.boundaries[boundary.index()]; ++p)
        evaluator.move(order.nodes[p], below);
    for (std::size_t p = order.boundaries[boundary.index()]; p < places.front(); ++p)
        evaluator.move(order.nodes[p], above);
    std::size_t best = places.front();
    Seconds bestLoad = Seconds(std::numeric_limits<double>::infinity());
    std::size_t reached = places.front();
    for (const std::size_t place : places) {
        for (; reached < place; ++reached)
            evaluator.move(order.nodes[reached], above);
        const PlanCost cost = evaluator.cost();
        const Seconds load = std::max(cost.stages[above].load, cost.stages[below].load);
        if (load < bestLoad) {
            bestLoad = load;
            best = place;
        }
    }
    return best;
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
    return withPartition(next, std::move(partition));
}

std::optional<std::size_t> steppedPosition(const Graph& graph, const PlanState& state, BoundaryId boundary,
                                           StageDirection direction, BoundaryStep step)
{
    if (!state.problem || boundary.index() + 1 >= state.partition->stageCount)
        return {};
    const std::vector<std::size_t> places = legalPositions(*state.problem, *state.partition, boundary);
    if (places.empty())
        return {};
    const StageOrder order = stageOrder(*state.partition);
    const std::size_t here = order.boundaries[boundary.index()];
    if (step == BoundaryStep::BestNearby) {
        const std::size_t best = bestPlace(state, order, places, boundary);
        return best == here ? std::nullopt : std::optional(best);
    }
    return nextPlace(step == BoundaryStep::OneModule ? moduleStarts(graph, order, places) : places, here,
                     direction);
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

std::optional<std::size_t> middleOfStage(const PlanState& state, StageId stage)
{
    const StageOrder order = stageOrder(*state.partition);
    const std::size_t begin = stage.index() == 0 ? 0 : order.boundaries[stage.index() - 1];
    const std::size_t end =
        stage.index() < order.boundaries.size() ? order.boundaries[stage.index()] : order.nodes.size();
    if (end - begin < 2 || !state.problem)
        return {};
    Seconds total;
    for (std::size_t p = begin; p < end; ++p)
        total += state.problem->nodes[order.nodes[p]].time();
    Seconds passed;
    std::size_t middle = begin;
    while (middle + 1 < end && passed < total / 2) {
        passed += state.problem->nodes[order.nodes[middle]].time();
        ++middle;
    }
    return std::max(middle, begin + 1);
}

} // namespace stagecraft
