#include "core/cut_order.h"

#include "core/plan/stage_cost.h"
#include "core/search/improve/orders.h"
#include "core/search/reduce/reduction.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// Of a stage: branches that are shorter lie in one or two in any order.
constexpr double farAway = 0.9, much = 0.5, littleTime = 0.02;
constexpr double muchState = 0.05; // of a limit

CutOrder ofNodes(const ReducedProblem& reduced, const GroupOrder& order)
{
    std::vector<NodeId> nodes;
    for (const ReducedGroupId group : order)
        for (const NodeId node : reduced.groups[group].nodes)
            nodes.push_back(node);
    return CutOrder(std::move(nodes));
}

// What is before each node, in seconds.
Table<NodeId, double> secondsBefore(const PartitionProblem& problem, const CutOrder& order)
{
    Table<NodeId, double> before(problem.nodes.size(), 0);
    double seconds = 0;
    for (const NodeId node : order.nodes()) {
        before[node] = seconds;
        seconds += problem.nodes[node].time().value();
    }
    return before;
}

// Of all nodes, parted evenly.
double secondsOfStage(const PartitionProblem& problem)
{
    double all = 0;
    for (const ProblemNode& node : problem.nodes)
        all += node.time().value();
    return all / static_cast<double>(problem.stageCount());
}

// Does much of a stage lie far away?
bool isOther(const PartitionProblem& problem, const CutOrder& order, const CutOrder& than)
{
    const Table<NodeId, double> here = secondsBefore(problem, order), there = secondsBefore(problem, than);
    const double stage = secondsOfStage(problem);
    double elsewhere = 0;
    for (const NodeId node : problem.nodes.ids())
        if (std::abs(here[node] - there[node]) > farAway * stage)
            elsewhere += problem.nodes[node].time().value();
    return elsewhere > much * stage;
}

// Of each node, bytes that a stage with it has for its sake.
Table<NodeId, Bytes> stateOf(const PartitionProblem& problem)
{
    Table<NodeId, Bytes> state(problem.nodes.size(), Bytes{});
    for (const NodeId node : problem.nodes.ids())
        state[node] = heldBy(problem.nodes[node]).always();
    for (const SharedState& shared : problem.shared)
        for (const NodeId user : shared.users)
            state[user] += heldBy(shared).always();
    return state;
}

// A node, and all that is before it.
std::vector<char> withAllBefore(const PartitionProblem& problem, NodeId node)
{
    std::vector<char> isWith(problem.nodes.size(), 0);
    isWith[node.index()] = 1;
    for (auto edge = problem.precedences.rbegin(); edge != problem.precedences.rend(); ++edge)
        isWith[edge->before.index()] |= isWith[edge->after.index()];
    return isWith;
}

// In the same order, but first what holds much, takes little with all that it needs, and is far behind: the
// table of a decoder's words has room in any stage of the encoder.
std::optional<CutOrder> tablesFirst(const PartitionProblem& problem, const CutOrder& order)
{
    const auto& limits = problem.options.memoryLimits;
    if (limits.empty())
        return std::nullopt;
    const Bytes least = std::ranges::min(limits);
    const Table<NodeId, Bytes> state = stateOf(problem);
    const Table<NodeId, double> before = secondsBefore(problem, order);
    const double stage = secondsOfStage(problem);
    std::vector<char> isFirst(problem.nodes.size(), 0);
    for (const NodeId node : problem.nodes.ids()) {
        if (state[node].asDouble() < muchState * least.asDouble() || before[node] < farAway * stage)
            continue;
        const std::vector<char> isWith = withAllBefore(problem, node);
        double takes = 0;
        for (const NodeId other : problem.nodes.ids())
            takes += isWith[other.index()] != 0 ? problem.nodes[other].time().value() : 0;
        for (std::size_t i = 0; i < isWith.size() && takes < littleTime * stage; ++i)
            isFirst[i] |= isWith[i];
    }
    if (std::ranges::find(isFirst, 1) == isFirst.end())
        return std::nullopt;
    std::vector<NodeId> nodes = order.nodes();
    std::ranges::stable_partition(nodes, [&](NodeId node) { return isFirst[node.index()] != 0; });
    return CutOrder(std::move(nodes));
}

} // namespace

CutOrder::CutOrder(std::vector<NodeId> nodes) : m_nodes(std::move(nodes)), m_places(m_nodes.size(), 0)
{
    for (std::size_t place = 0; place < m_nodes.size(); ++place)
        m_places[m_nodes[place]] = place;
}

CutOrder programOrder(const PartitionProblem& problem)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : problem.nodes.ids())
        nodes.push_back(node);
    return CutOrder(std::move(nodes));
}

std::vector<CutOrder> otherOrders(const PartitionProblem& problem)
{
    const Result<ReducedProblem> reduced = reduceProblem(problem, Joining::None);
    if (!reduced.has_value())
        return {};
    std::vector<CutOrder> all{programOrder(problem)};
    const auto add = [&](const GroupOrder& groups) {
        CutOrder order = ofNodes(*reduced, groups);
        if (std::ranges::all_of(all, [&](const CutOrder& than) { return isOther(problem, order, than); }))
            all.push_back(std::move(order));
    };
    add(makeOrder(*reduced, OrderRule::DepthFirst, OrderDirection::Forward));
    add(makeOrder(*reduced, OrderRule::DepthFirst, OrderDirection::Backward));
    if (std::optional<CutOrder> order = tablesFirst(problem, all.front()))
        all.push_back(*std::move(order));
    all.erase(all.begin());
    return all;
}

CutOrder orderOfStages(const Partition& partition, const CutOrder& order)
{
    std::vector<NodeId> nodes = order.nodes();
    std::ranges::stable_sort(nodes, {}, [&](NodeId node) { return partition.stageOf[node]; });
    return CutOrder(std::move(nodes));
}

} // namespace stagecraft
