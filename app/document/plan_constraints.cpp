#include "app/document/plan_constraints.h"

#include "app/document/plan_edit.h"
#include "core/plan/editing.h"
#include "core/workflow.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

std::vector<NodeId> nodesOf(const Graph& graph, ModuleId module)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module))
            nodes.push_back(node);
    return nodes;
}

bool isIn(const Blocks& blocks, const std::vector<NodeId>& nodes)
{
    return std::ranges::find(blocks, nodes) != blocks.end();
}

bool isPinned(const std::vector<Pin>& pins, NodeId node)
{
    return std::ranges::find(pins, node, &Pin::node) != pins.end();
}

// Nodes that something depends on which the model is given. The rest, ranges and masks made of nothing, is
// cheap and goes where it is used, so no lock is about it.
Table<NodeId, char> fedByInputs(const Graph& graph)
{
    Table<NodeId, char> isFed(graph.nodeCount(), 0);
    for (const NodeId node : graph.nodes()) {
        for (const ValueId input : graph[node].inputs) {
            const std::optional<NodeId> producer = graph[input].producer;
            const bool feeds = producer ? isFed[*producer] != 0 : graph[input].kind == ValueKind::UserInput;
            isFed[node] = feeds ? 1 : isFed[node];
        }
    }
    return isFed;
}

// The last node above and the first below, if there are both: pinned, they hold the line wherever it is
// dragged.
std::vector<NodeId> nodesBeside(const Partition& partition, BoundaryId boundary,
                                const Table<NodeId, char>& isFed)
{
    std::optional<NodeId> last;
    std::optional<NodeId> first;
    for (const NodeId node : partition.stageOf.ids()) {
        if (isFed[node] == 0)
            continue;
        if (partition.stageOf[node] == StageId(boundary.index()))
            last = node;
        if (partition.stageOf[node] == StageId(boundary.index() + 1) && !first)
            first = node;
    }
    return last && first ? std::vector{*last, *first} : std::vector<NodeId>();
}

// Nodes of the two stages beside a boundary with edges over it and none that end before: between them they
// hold all others on their side.
std::vector<NodeId> frontier(const Graph& graph, const PlanState& state, BoundaryId boundary)
{
    const auto& stageOf = state.partition->stageOf;
    const StageId above(boundary.index());
    const StageId below(boundary.index() + 1);
    const Table<NodeId, char> isFed = fedByInputs(graph);
    Table<NodeId, char> crosses(stageOf.size(), 0);
    Table<NodeId, char> isInside(stageOf.size(), 0);
    for (const Precedence& edge : state.problem->precedences) {
        if (isFed[edge.before] == 0 || isFed[edge.after] == 0)
            continue;
        if (stageOf[edge.before] <= above && stageOf[edge.after] >= below)
            crosses[edge.before] = crosses[edge.after] = 1;
        else
            isInside[stageOf[edge.after] <= above ? edge.before : edge.after] = 1;
    }
    std::vector<NodeId> nodes = nodesBeside(*state.partition, boundary, isFed);
    for (const NodeId node : stageOf.ids())
        if (crosses[node] != 0 && isInside[node] == 0 && (stageOf[node] == above || stageOf[node] == below))
            nodes.push_back(node);
    return nodes;
}

bool isOneOf(std::span<const NodeId> nodes, NodeId node)
{
    return std::ranges::find(nodes, node) != nodes.end();
}

// Which boundary a lock holds; none if that has been removed, or the pins mean nothing for so few stages.
std::optional<BoundaryId> boundaryOf(const PlanState& state, const std::vector<NodeId>& lock)
{
    const auto stageOf = [&](NodeId node) { return state.partition->stageOf[node]; };
    const auto isHeld = [&](NodeId node) {
        return std::ranges::find(state.request.plan.pins, Pin{node, stageOf(node)}) !=
               state.request.plan.pins.end();
    };
    const auto [first, last] = std::ranges::minmax_element(lock, {}, stageOf);
    if (first == lock.end() || stageOf(*first) == stageOf(*last) || !std::ranges::all_of(lock, isHeld))
        return {};
    return BoundaryId(stageOf(*first).index());
}

// What nodes make that others read.
std::vector<ValueId> readResults(const Graph& graph, std::span<const NodeId> nodes)
{
    std::vector<ValueId> values;
    for (const ValueId value : graph.values())
        if (graph[value].producer && !graph[value].users.empty() && isOneOf(nodes, *graph[value].producer))
            values.push_back(value);
    return values;
}

// Where most of a group's time is spent.
StageId homeOf(const PartitionProblem& problem, const Partition& partition, const Colocation& group)
{
    std::vector<Seconds> time(partition.stageCount);
    for (const NodeId node : group.nodes)
        time[partition.stageOf[node].index()] += problem.nodes[node].time();
    return StageId(static_cast<std::size_t>(std::ranges::max_element(time) - time.begin()));
}

// Brings the members of each group of `problem` into one stage: one group after the other, each in a problem
// that says nothing yet of those to come.
Result<Partition> gathered(const PartitionProblem& problem, Partition partition)
{
    const auto isApart = [&](const Colocation& group) {
        const StageId first = partition.stageOf[group.nodes.front()];
        return std::ranges::any_of(group.nodes,
                                   [&](NodeId node) { return partition.stageOf[node] != first; });
    };
    PartitionProblem reached = problem;
    std::erase_if(reached.groups, isApart);
    std::vector<Colocation> apart;
    std::ranges::copy_if(problem.groups, std::back_inserter(apart), isApart);
    for (const Colocation& group : apart) {
        reached.groups.push_back(group);
        if (!isApart(group)) // any more
            continue;
        STAGECRAFT_ASSIGN(edit,
                          sendNodes(reached, partition, group.nodes, homeOf(problem, partition, group)));
        partition = std::move(edit.partition);
    }
    return partition;
}

} // namespace

std::optional<ModuleId> commonModule(const Graph& graph, std::span<const NodeId> nodes)
{
    if (nodes.empty())
        return {};
    const ModuleTree& modules = graph.modules();
    std::optional<ModuleId> common = graph[nodes.front()].module;
    for (const NodeId node : nodes)
        while (common && !modules.contains(*common, graph[node].module))
            common = modules[*common].parent;
    return common == ModuleTree::root() ? std::nullopt : common;
}

Blocks blockOf(const Graph& graph, ModuleId module)
{
    std::vector<NodeId> nodes = nodesOf(graph, module);
    return nodes.size() < 2 ? Blocks() : Blocks{std::move(nodes)};
}

Blocks blocksOfClass(const Graph& graph, const std::string& className)
{
    const ModuleTree& modules = graph.modules();
    Blocks blocks;
    for (const ModuleId module : modules.ids()) {
        if (className.empty() || modules[module].className != className)
            continue;
        auto outer = modules[module].parent;
        while (outer && modules[*outer].className != className)
            outer = modules[*outer].parent;
        std::vector<NodeId> nodes = outer ? std::vector<NodeId>() : nodesOf(graph, module);
        if (nodes.size() > 1)
            blocks.push_back(std::move(nodes));
    }
    return blocks;
}

bool areKept(const PlanState& state, const Blocks& blocks)
{
    return !blocks.empty() && std::ranges::all_of(blocks, [&](const std::vector<NodeId>& nodes) {
        return isIn(state.request.plan.keepTogether, nodes);
    });
}

PlanState withBlocks(PlanState state, const Blocks& blocks)
{
    for (const std::vector<NodeId>& nodes : blocks)
        if (!isIn(state.request.plan.keepTogether, nodes))
            state.request.plan.keepTogether.push_back(nodes);
    return state;
}

PlanState withoutBlocks(PlanState state, const Blocks& blocks)
{
    std::erase_if(state.request.plan.keepTogether,
                  [&](const std::vector<NodeId>& nodes) { return isIn(blocks, nodes); });
    return state;
}

bool arePinned(const PlanState& state, std::span<const NodeId> nodes)
{
    return !nodes.empty() &&
           std::ranges::all_of(nodes, [&](NodeId node) { return isPinned(state.request.plan.pins, node); });
}

bool areKeptTogether(const PlanState& state, std::span<const NodeId> nodes)
{
    return std::ranges::any_of(state.request.plan.keepTogether, [&](const std::vector<NodeId>& group) {
        return std::ranges::any_of(group, [&](NodeId node) { return isOneOf(nodes, node); });
    });
}

bool areResultsKept(const Graph& graph, const PlanState& state, std::span<const NodeId> nodes)
{
    const std::vector<ValueId> values = readResults(graph, nodes);
    return !values.empty() && std::ranges::all_of(values, [&](ValueId value) {
        return std::ranges::find(state.request.plan.neverCut, value) != state.request.plan.neverCut.end();
    });
}

std::shared_ptr<const PlanConstraints> constraintsOf(const Graph& graph, const PlanState& state)
{
    const PartitionOptions& plan = state.request.plan;
    if (plan.pins.empty() && plan.keepTogether.empty() && plan.neverCut.empty())
        return nullptr;
    const std::size_t nodeCount = state.partition->stageOf.size();
    PlanConstraints held{Table<NodeId, char>(nodeCount, 0), Table<NodeId, char>(nodeCount, 0), {}};
    for (const Pin& pin : state.request.plan.pins)
        held.isPinned[pin.node] = 1;
    for (const std::vector<NodeId>& group : state.request.plan.keepTogether)
        for (const NodeId node : group)
            held.isGrouped[node] = 1;
    for (const ValueId value : plan.neverCut) {
        if (const std::optional<NodeId> producer = graph[value].producer) // none: an input
            held.isGrouped[*producer] = 1;
        for (const NodeId reader : graph[value].users)
            held.isGrouped[reader] = 1;
    }
    held.isLocked = Table<BoundaryId, char>(state.partition->stageCount - 1, 0);
    for (const std::vector<NodeId>& lock : state.locks)
        if (const auto boundary = boundaryOf(state, lock))
            held.isLocked[*boundary] = 1;
    return std::make_shared<const PlanConstraints>(std::move(held));
}

PlanState withLock(const Graph& graph, PlanState state, BoundaryId boundary)
{
    std::vector<NodeId> nodes = frontier(graph, state, boundary);
    state = withPins(std::move(state), nodes);
    if (!nodes.empty())
        state.locks.push_back(std::move(nodes));
    return state;
}

PlanState withoutLock(PlanState state, BoundaryId boundary)
{
    std::vector<NodeId> released;
    std::vector<std::vector<NodeId>> kept;
    for (std::vector<NodeId>& lock : state.locks) {
        if (boundaryOf(state, lock) == boundary)
            released.insert(released.end(), lock.begin(), lock.end());
        else
            kept.push_back(std::move(lock));
    }
    for (const std::vector<NodeId>& lock : kept)
        std::erase_if(released, [&](NodeId node) { return isOneOf(lock, node); });
    state.locks = std::move(kept);
    return withoutPins(std::move(state), released);
}

PlanState withPins(PlanState state, std::span<const NodeId> nodes)
{
    for (const NodeId node : nodes)
        if (!isPinned(state.request.plan.pins, node))
            state.request.plan.pins.push_back({node, state.partition->stageOf[node]});
    return state;
}

PlanState withoutPins(PlanState state, std::span<const NodeId> nodes)
{
    std::erase_if(state.request.plan.pins, [&](const Pin& pin) { return isOneOf(nodes, pin.node); });
    // A lock that has lost a pin holds no longer.
    std::erase_if(state.locks, [&](const std::vector<NodeId>& lock) {
        return std::ranges::any_of(lock, [&](NodeId node) { return isOneOf(nodes, node); });
    });
    return state;
}

PlanState withGroup(PlanState state, std::span<const NodeId> nodes)
{
    state.request.plan.keepTogether.emplace_back(nodes.begin(), nodes.end());
    return state;
}

PlanState withResultsKept(const Graph& graph, PlanState state, std::span<const NodeId> nodes)
{
    std::vector<ValueId>& kept = state.request.plan.neverCut;
    for (const ValueId value : readResults(graph, nodes))
        if (std::ranges::find(kept, value) == kept.end())
            kept.push_back(value);
    return state;
}

PlanState withoutResultsKept(const Graph& graph, PlanState state, std::span<const NodeId> nodes)
{
    const std::vector<ValueId> released = readResults(graph, nodes);
    std::erase_if(state.request.plan.neverCut,
                  [&](ValueId value) { return std::ranges::find(released, value) != released.end(); });
    return state;
}

PlanState withoutGroups(PlanState state, std::span<const NodeId> nodes)
{
    std::erase_if(state.request.plan.keepTogether, [&](const std::vector<NodeId>& group) {
        return std::ranges::any_of(group, [&](NodeId node) { return isOneOf(nodes, node); });
    });
    return state;
}

PlanState withLocksOfPins(const Graph& graph, PlanState state)
{
    const Table<NodeId, char> isFed = fedByInputs(graph);
    state.locks.clear();
    for (std::size_t i = 0; i + 1 < state.partition->stageCount; ++i) {
        if (!arePinned(state, nodesBeside(*state.partition, BoundaryId(i), isFed)))
            continue;
        std::vector<NodeId> lock = frontier(graph, state, BoundaryId(i));
        std::erase_if(lock, [&](NodeId node) { return !isPinned(state.request.plan.pins, node); });
        state.locks.push_back(std::move(lock));
    }
    return state;
}

Result<PlanState> underConstraints(const Model& model, PlanState draft, Seconds timeLimit)
{
    STAGECRAFT_ASSIGN(problem,
                      planProblem(model, *draft.profile,
                                  partitionOptions(draft, timeLimit, draft.profile->options.device)));
    STAGECRAFT_ASSIGN(partition, gathered(problem, *draft.partition));
    STAGECRAFT_TRY(checkPartition(problem, partition));
    draft.problem = std::make_shared<const PartitionProblem>(std::move(problem));
    return withPartition(draft, std::move(partition));
}

} // namespace stagecraft
