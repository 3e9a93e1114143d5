#include "core/roaming_state.h"

#include "core/base/sort_unique.h"
#include "core/float_ranges.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// Of each node that floats the first link that reads it; of the others none.
class Dues
{
public:
    Dues(const PartitionProblem& problem, const ModelChain& chain)
        : m_linkOf(linksOfNodes(chain, problem.nodes.size())),
          m_reach(floatRanges(problem.precedences, m_linkOf, {0, chain.links.size()}))
    {
    }

    std::optional<std::size_t> linkOf(NodeId node) const { return m_linkOf[node]; }
    // Beyond all: no link reads it, and it may be behind all.
    std::size_t of(NodeId node) const { return m_reach[node].last + 1; }

private:
    Table<NodeId, std::optional<std::size_t>> m_linkOf;
    Table<NodeId, FloatRange> m_reach;
};

// What several nodes have; of no bytes where a stage of links before it is due has it in any case.
RoamingState ofShared(const SharedState& shared, const Dues& dues)
{
    RoamingState state{.bytes = heldBy(shared).always().asDouble()};
    std::optional<std::size_t> due;
    for (const NodeId user : shared.users) {
        if (const std::optional<std::size_t> link = dues.linkOf(user))
            state.users.push_back(*link);
        else
            due = std::min(due.value_or(dues.of(user)), dues.of(user));
    }
    if (!due)
        return {};
    sortUnique(state.users);
    state.due = *due;
    const bool isThere = !state.users.empty() && state.users.front() + 1 < state.due;
    return isThere ? RoamingState{} : state;
}

} // namespace

bool RoamingState::isUsed(const ChainPlace& begin, const ChainPlace& end) const
{
    const auto user = std::ranges::lower_bound(users, begin.link);
    return user != users.end() && *user <= end.link;
}

RoamingState roamingState(const PartitionProblem& problem, const ModelChain& chain)
{
    RoamingState largest;
    const Dues dues(problem, chain);
    const auto offer = [&](RoamingState state) {
        if (state.bytes > largest.bytes)
            largest = std::move(state);
    };
    for (const NodeId node : problem.nodes.ids())
        if (!dues.linkOf(node))
            offer({.bytes = heldBy(problem.nodes[node]).always().asDouble(), .due = dues.of(node)});
    for (const SharedState& shared : problem.shared)
        offer(ofShared(shared, dues));
    return largest;
}

} // namespace stagecraft
