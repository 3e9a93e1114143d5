#include "core/plan/editing.h"

#include "core/plan/evaluate.h"
#include "core/plan/stage_labels.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace stagecraft {

namespace {

Error refused(std::string message)
{
    return Error{ErrorCode::Infeasible, std::move(message)};
}

// Positions 0 .. count in an order of nodes at which a cut would part what belongs together.
class CutPositions
{
public:
    CutPositions(std::span<const NodeId> order, std::size_t nodeCount)
        : m_blocked(order.size() + 2, 0), m_place(nodeCount)
    {
        for (std::size_t i = 0; i < order.size(); ++i)
            m_place[order[i]] = i;
    }

    // `before` must not come into the part behind the cut while `after` is in the part before it.
    void keepOrder(NodeId before, NodeId after)
    {
        if (m_place[before] && m_place[after] && *m_place[before] > *m_place[after])
            block(*m_place[after] + 1, *m_place[before]);
    }
    void keepTogether(const std::vector<NodeId>& nodes)
    {
        std::size_t first = m_place.size();
        std::size_t last = 0;
        for (NodeId node : nodes) {
            if (!m_place[node])
                continue;
            first = std::min(first, *m_place[node]);
            last = std::max(last, *m_place[node]);
        }
        if (first < last)
            block(first + 1, last);
    }
    void keepBefore(NodeId node) { block(0, m_place[node].value()); }
    void keepBehind(NodeId node) { block(m_place[node].value() + 1, m_blocked.size() - 2); }
    bool has(NodeId node) const { return m_place[node].has_value(); }

    std::vector<std::size_t> between(std::size_t first, std::size_t last) const
    {
        std::vector<std::size_t> positions;
        int depth = 0;
        for (std::size_t p = 0; p <= last; ++p) {
            depth += m_blocked[p];
            if (depth == 0 && p >= first)
                positions.push_back(p);
        }
        return positions;
    }

private:
    void block(std::size_t first, std::size_t last)
    {
        if (first > last)
            return;
        ++m_blocked[first];
        --m_blocked[last + 1];
    }

    std::vector<int> m_blocked; // differences
    Table<NodeId, std::optional<std::size_t>> m_place;
};

CutPositions cutPositions(const PartitionProblem& problem, std::span<const NodeId> order)
{
    CutPositions positions(order, problem.nodes.size());
    for (const Precedence& edge : problem.precedences)
        positions.keepOrder(edge.before, edge.after);
    for (const Colocation& group : problem.groups)
        positions.keepTogether(group.nodes);
    return positions;
}

std::size_t nearestTo(const std::vector<std::size_t>& positions, std::size_t wanted)
{
    const auto distance = [&](std::size_t p) { return p > wanted ? p - wanted : wanted - p; };
    return *std::ranges::min_element(positions, {}, distance);
}

std::vector<NodeId> difference(const Partition& before, const Partition& after)
{
    std::vector<NodeId> moved;
    for (NodeId node : before.stageOf.ids()) {
        if (before.stageOf[node] != after.stageOf[node])
            moved.push_back(node);
    }
    return moved;
}

// Who must go along when a node changes its stage.
class Followers
{
public:
    explicit Followers(const PartitionProblem& problem)
        : m_before(problem.nodes.size()), m_after(problem.nodes.size()), m_groups(problem.nodes.size())
    {
        for (const Precedence& edge : problem.precedences) {
            m_before[edge.after].push_back(edge.before);
            m_after[edge.before].push_back(edge.after);
        }
        for (std::size_t i = 0; i < problem.groups.size(); ++i) {
            for (NodeId node : problem.groups[i].nodes)
                m_groups[node].push_back(i);
        }
    }

    // Puts `nodes` and all that must follow into `stage`.
    void send(const PartitionProblem& problem, Partition& partition, std::span<const NodeId> nodes,
              StageId stage) const
    {
        std::vector<NodeId> queue;
        const auto put = [&](NodeId node) {
            if (partition.stageOf[node] == stage)
                return;
            queue.push_back(node);
            partition.stageOf[node] = stage;
        };
        for (NodeId node : nodes)
            put(node);
        while (!queue.empty()) {
            const NodeId node = queue.back();
            queue.pop_back();
            for (NodeId before : m_before[node]) {
                if (partition.stageOf[before] > stage)
                    put(before);
            }
            for (NodeId after : m_after[node]) {
                if (partition.stageOf[after] < stage)
                    put(after);
            }
            for (const std::size_t group : m_groups[node]) {
                for (NodeId member : problem.groups[group].nodes)
                    put(member);
            }
        }
    }

private:
    Table<NodeId, std::vector<NodeId>> m_before;
    Table<NodeId, std::vector<NodeId>> m_after;
    Table<NodeId, std::vector<std::size_t>> m_groups;
};

Result<Edit> finishEdit(const PartitionProblem& problem, const Partition& before, Partition after)
{
    STAGECRAFT_TRY(checkPartition(problem, after));
    std::vector<NodeId> moved = difference(before, after);
    return Edit{.partition = std::move(after), .moved = std::move(moved)};
}

Result<void> checkNodes(const PartitionProblem& problem, std::span<const NodeId> nodes)
{
    if (nodes.empty())
        return Error{ErrorCode::BadUsage, "no nodes are chosen"};
    for (NodeId node : nodes) {
        if (!problem.nodes.contains(node))
            return Error{ErrorCode::BadUsage, "node " + std::to_string(node.index()) + " is not there"};
    }
    return {};
}

std::size_t emptyAllowance(const PartitionProblem& problem)
{
    return problem.options.emptyStages == EmptyStages::Forbid ? 1 : 0;
}

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

std::vector<std::size_t> moduleStarts(const PartitionProblem& problem, const StageOrder& order,
                                      const std::vector<std::size_t>& places)
{
    const auto moduleAt = [&](std::size_t place) -> const std::string& {
        return problem.nodes[order.nodes[place]].module;
    };
    std::vector<std::size_t> starts;
    for (const std::size_t place : places) {
        if (place == 0 || place == order.nodes.size() || moduleAt(place) != moduleAt(place - 1))
            starts.push_back(place);
    }
    return starts;
}

// Walks the boundary over all its places once, so that each costs what one node touches.
std::size_t bestPlace(const PartitionProblem& problem, const Partition& partition, const StageOrder& order,
                      const std::vector<std::size_t>& places, BoundaryId boundary)
{
    const StageId above(boundary.index());
    const StageId below(boundary.index() + 1);
    PlanEvaluator evaluator(problem, partition);
    for (std::size_t p = places.front(); p < order.boundaries[boundary.index()]; ++p)
        evaluator.move(order.nodes[p], below);
    for (std::size_t p = order.boundaries[boundary.index()]; p < places.front(); ++p)
        evaluator.move(order.nodes[p], above);
    std::size_t best = places.front();
    Seconds bestLoad = Seconds(infinite);
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

StageOrder stageOrder(const Partition& partition)
{
    StageOrder order;
    std::vector<std::size_t> starts(partition.stageCount + 1, 0);
    for (const StageId stage : partition.stageOf)
        ++starts[stage.index() + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    order.boundaries.assign(starts.begin() + 1, starts.end() - 1);
    order.nodes.assign(partition.stageOf.size(), NodeId(0));
    for (NodeId node : partition.stageOf.ids())
        order.nodes[starts[partition.stageOf[node].index()]++] = node;
    return order;
}

std::vector<std::size_t> legalPositions(const PartitionProblem& problem, const Partition& partition,
                                        BoundaryId boundary)
{
    const StageOrder order = stageOrder(partition);
    const std::size_t b = boundary.index();
    assert(b < order.boundaries.size());
    const std::size_t begin = b == 0 ? 0 : order.boundaries[b - 1];
    const std::size_t end = b + 1 < order.boundaries.size() ? order.boundaries[b + 1] : order.nodes.size();
    const std::span<const NodeId> both(order.nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                                       order.nodes.begin() + static_cast<std::ptrdiff_t>(end));
    CutPositions cuts = cutPositions(problem, both);
    for (const Pin& pin : problem.options.pins) {
        if (cuts.has(pin.node))
            pin.stage.index() == b ? cuts.keepBefore(pin.node) : cuts.keepBehind(pin.node);
    }
    const std::size_t spare = emptyAllowance(problem);
    if (both.size() < 2 * spare)
        return {order.boundaries[b]};
    std::vector<std::size_t> positions = cuts.between(spare, both.size() - spare);
    for (std::size_t& position : positions)
        position += begin;
    return positions;
}

Result<Edit> moveBoundary(const PartitionProblem& problem, const Partition& partition, BoundaryId boundary,
                          std::size_t position)
{
    if (boundary.index() + 1 >= partition.stageCount)
        return Error{ErrorCode::BadUsage, "there is no " + boundaryLabel(boundary)};
    const auto positions = legalPositions(problem, partition, boundary);
    if (positions.empty())
        return refused(boundaryLabel(boundary) + " cannot move");
    const std::size_t target = nearestTo(positions, position);
    const StageOrder order = stageOrder(partition);
    Partition moved = partition;
    const std::size_t here = order.boundaries[boundary.index()];
    for (std::size_t i = std::min(here, target); i < std::max(here, target); ++i)
        moved.stageOf[order.nodes[i]] = StageId(boundary.index() + (target < here ? 1 : 0));
    return finishEdit(problem, partition, std::move(moved));
}

Result<BoundaryMove> stepBoundary(const PartitionProblem& problem, const Partition& partition,
                                  BoundaryId boundary, StageDirection direction, BoundaryStep step)
{
    const Error cannot = refused("the " + boundaryLabel(boundary) + " cannot go further that way");
    if (boundary.index() + 1 >= partition.stageCount)
        return cannot;
    const std::vector<std::size_t> places = legalPositions(problem, partition, boundary);
    if (places.empty())
        return cannot;
    const StageOrder order = stageOrder(partition);
    const std::size_t here = order.boundaries[boundary.index()];
    const auto place =
        step == BoundaryStep::BestNearby
            ? std::optional(bestPlace(problem, partition, order, places, boundary))
            : nextPlace(step == BoundaryStep::OneModule ? moduleStarts(problem, order, places) : places, here,
                        direction);
    if (!place || *place == here)
        return cannot;
    STAGECRAFT_ASSIGN(edit, moveBoundary(problem, partition, boundary, *place));
    return BoundaryMove{here, *place, std::move(edit.partition)};
}

std::optional<std::size_t> middleOfStage(const PartitionProblem& problem, const Partition& partition,
                                         StageId stage)
{
    const StageOrder order = stageOrder(partition);
    const std::size_t begin = stage.index() == 0 ? 0 : order.boundaries[stage.index() - 1];
    const std::size_t end =
        stage.index() < order.boundaries.size() ? order.boundaries[stage.index()] : order.nodes.size();
    if (end - begin < 2)
        return {};
    Seconds total;
    for (std::size_t p = begin; p < end; ++p)
        total += problem.nodes[order.nodes[p]].time();
    Seconds passed;
    std::size_t middle = begin;
    while (middle + 1 < end && passed < total / 2) {
        passed += problem.nodes[order.nodes[middle]].time();
        ++middle;
    }
    return std::max(middle, begin + 1);
}

Result<Edit> sendNodes(const PartitionProblem& problem, const Partition& partition,
                       std::span<const NodeId> nodes, StageId stage)
{
    STAGECRAFT_TRY(checkNodes(problem, nodes));
    if (stage.index() >= partition.stageCount)
        return Error{ErrorCode::BadUsage, "there is no " + stageLabel(stage)};
    Partition moved = partition;
    Followers(problem).send(problem, moved, withoutLookers(problem, nodes), stage);
    return finishEdit(problem, partition, std::move(moved));
}

Result<Edit> sendToNeighbour(const PartitionProblem& problem, const Partition& partition,
                             std::span<const NodeId> nodes, StageDirection direction)
{
    STAGECRAFT_TRY(checkNodes(problem, nodes));
    const bool next = direction == StageDirection::Next;
    const std::size_t edge = next ? partition.stageCount - 1 : 0;
    std::vector<std::vector<NodeId>> byStage(partition.stageCount);
    for (NodeId node : withoutLookers(problem, nodes))
        byStage[partition.stageOf[node].index()].push_back(node);
    if (!byStage[edge].empty())
        return refused(quoted(problem, byStage[edge].front()) + " is in the " + (next ? "last" : "first") +
                       " stage already");
    const Followers followers(problem);
    Partition moved = partition;
    for (std::size_t i = 0; i < byStage.size(); ++i) {
        const std::size_t stage = next ? byStage.size() - 1 - i : i;
        if (!byStage[stage].empty())
            followers.send(problem, moved, byStage[stage], StageId(next ? stage + 1 : stage - 1));
    }
    return finishEdit(problem, partition, std::move(moved));
}

namespace {

// One boundary more or less leaves a device with fewer stages than the others.
Result<void> checkStaging(const PartitionOptions& options)
{
    const std::size_t each = options.stagesEach();
    if (options.stageCount % each == 0)
        return {};
    return refused("each device runs " + std::to_string(each) + " stages, which " +
                   std::to_string(options.stageCount) +
                   " stages do not come to: choose another number of stages, or of stages per device");
}

} // namespace

Result<Restaging> addBoundary(const PartitionProblem& problem, const Partition& partition,
                              std::size_t position)
{
    const StageOrder order = stageOrder(partition);
    if (position > order.nodes.size())
        return Error{ErrorCode::BadUsage, "there is no position " + std::to_string(position)};
    std::size_t stage = 0;
    while (stage + 1 < partition.stageCount && order.boundaries[stage] <= position)
        ++stage;
    const std::size_t begin = stage == 0 ? 0 : order.boundaries[stage - 1];
    const std::size_t end = stage < order.boundaries.size() ? order.boundaries[stage] : order.nodes.size();
    const std::span<const NodeId> nodes(order.nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                                        order.nodes.begin() + static_cast<std::ptrdiff_t>(end));
    const auto positions = nodes.size() < 2 ? std::vector<std::size_t>{}
                                            : cutPositions(problem, nodes).between(1, nodes.size() - 1);
    if (positions.empty())
        return refused(stageLabel(StageId(stage)) + " cannot be split: its nodes belong together");
    const std::size_t cut = begin + nearestTo(positions, std::max(position, begin) - begin);

    Restaging result{withStageCount(problem, partition.stageCount + 1), partition};
    ++result.partition.stageCount;
    for (std::size_t i = cut; i < order.nodes.size(); ++i)
        result.partition.stageOf[order.nodes[i]] = StageId(partition.stageOf[order.nodes[i]].index() + 1);
    for (Pin& pin : result.problem.options.pins)
        pin.stage = result.partition.stageOf[pin.node];
    STAGECRAFT_TRY(checkStaging(result.problem.options));
    STAGECRAFT_TRY(checkProblem(result.problem));
    return result;
}

Result<Restaging> removeBoundary(const PartitionProblem& problem, const Partition& partition,
                                 BoundaryId boundary)
{
    if (boundary.index() + 1 >= partition.stageCount)
        return Error{ErrorCode::BadUsage, "there is no " + boundaryLabel(boundary)};
    const auto joined = [&](StageId stage) {
        return stage.index() > boundary.index() ? StageId(stage.index() - 1) : stage;
    };
    Restaging result{withStageCount(problem, partition.stageCount - 1), partition};
    --result.partition.stageCount;
    for (NodeId node : partition.stageOf.ids())
        result.partition.stageOf[node] = joined(partition.stageOf[node]);
    for (Pin& pin : result.problem.options.pins)
        pin.stage = joined(pin.stage);
    STAGECRAFT_TRY(checkStaging(result.problem.options));
    STAGECRAFT_TRY(checkProblem(result.problem));
    return result;
}

} // namespace stagecraft
