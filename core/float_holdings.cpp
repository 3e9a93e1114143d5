#include "core/float_holdings.h"

#include "core/base/disjoint_sets.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace stagecraft {

// Fills it in.
class FloatHoldings::Maker
{
public:
    Maker(const RecomputeGround& ground, const ModelChain& chain)
        : m_ground(ground),
          m_linkOf(linksOfNodes(chain, ground.none.nodes.size())),
          m_valuesOf(m_linkOf.size()),
          m_sets(m_linkOf.size()),
          m_state(m_linkOf.size(), 0)
    {
        for (const ProblemValue& value : ground.none.values) {
            m_valuesOf[value.producer].push_back(&value);
            for (const NodeId reader : value.readers)
                join(value.producer, reader);
        }
        for (const Precedence& edge : ground.none.precedences)
            join(edge.before, edge.after);
        for (const NodeId node : m_linkOf.ids())
            m_state[node] = heldBy(ground.none.nodes[node]).always().asDouble();
        for (const SharedState& shared : ground.none.shared)
            if (!shared.users.empty() && areTogether(shared.users))
                m_state[shared.users.front()] += heldBy(shared).always().asDouble();
        for (const NodeId node : m_linkOf.ids())
            for (const NodeNeeds::Made& made : ground.needs[node].made)
                m_keptForOthers.insert(made.keeps.begin(), made.keeps.end());
    }

    void make(FloatHoldings& holdings)
    {
        std::map<std::size_t, Found> found; // by their roots
        for (const NodeId node : m_linkOf.ids())
            if (floats(node))
                found[m_sets.rootOf(node.index())].group.nodes.push_back(node);
        for (const Precedence& edge : m_ground.none.precedences)
            if (floats(edge.before) && !floats(edge.after))
                found[m_sets.rootOf(edge.before.index())].readers.insert(*m_linkOf[edge.after]);
        for (const ProblemValue& value : m_ground.none.values)
            findReaders(value, found);
        std::map<std::set<ValueId>, std::vector<Group>> byRead;
        for (auto& [root, each] : found)
            if (each.readers.size() == 1 && !each.isReturned) {
                each.group.reader = *each.readers.begin();
                describe(each.group);
                if (each.group.sent > 0 && (each.group.state > 0 || !each.group.needs.empty()))
                    byRead[each.read].push_back(std::move(each.group));
            }
        for (auto& [read, groups] : byRead) {
            std::ranges::stable_sort(groups, {}, &Group::reader);
            Alike alike{holdings.m_groups.size(), holdings.m_groups.size() + groups.size()};
            for (const ValueId value : read)
                alike.read += m_read.at(value);
            std::ranges::move(groups, std::back_inserter(holdings.m_groups));
            holdings.m_alike.push_back(alike);
        }
    }

private:
    struct Found
    {
        Group group;
        std::set<std::size_t> readers; // links
        std::set<ValueId> read;        // of links
        bool isReturned = false;
    };

    bool floats(NodeId node) const { return !m_linkOf[node]; }

    void join(NodeId a, NodeId b)
    {
        if (floats(a) && floats(b))
            m_sets.join(a.index(), b.index());
    }

    bool areTogether(const std::vector<NodeId>& nodes)
    {
        return std::ranges::all_of(nodes, [&](NodeId node) {
            return floats(node) && m_sets.rootOf(node.index()) == m_sets.rootOf(nodes.front().index());
        });
    }

    void findReaders(const ProblemValue& value, std::map<std::size_t, Found>& found)
    {
        if (floats(value.producer)) {
            Found& maker = found[m_sets.rootOf(value.producer.index())];
            maker.isReturned = maker.isReturned || value.returned;
            for (const NodeId reader : value.readers)
                if (!floats(reader))
                    maker.readers.insert(*m_linkOf[reader]);
            return;
        }
        for (const NodeId reader : value.readers)
            if (floats(reader)) {
                found[m_sets.rootOf(reader.index())].read.insert(value.value);
                m_read[value.value] = value.forwardBytes.asDouble();
            }
    }

    void describe(Group& group)
    {
        group.sent = infinite;
        std::map<NodeId, double> sent; // of each the widest way to the link: no less crosses where it is cut
        for (auto node = group.nodes.rbegin(); node != group.nodes.rend(); ++node) {
            double widest = 0;
            for (const ProblemValue* const value : m_valuesOf[*node])
                for (const NodeId reader : value->readers)
                    widest = std::max(widest, std::min(value->forwardBytes.asDouble(),
                                                       floats(reader) ? sent[reader] : infinite));
            sent[*node] = widest;
            group.sent = std::min(group.sent, widest);
            group.state += m_state[*node];
        }
        if (areNeedsOfOneStage(group))
            group.needs = m_least.of(group.nodes);
    }

    // Are all who save what it makes in it, or in its reader? And nobody else pays for that.
    bool areNeedsOfOneStage(const Group& group) const
    {
        const auto isThere = [&](NodeId saver) {
            return m_linkOf[saver] ? *m_linkOf[saver] == group.reader
                                   : std::ranges::binary_search(group.nodes, saver);
        };
        return std::ranges::all_of(group.nodes, [&](NodeId node) {
            return std::ranges::all_of(m_ground.needs[node].made, [&](const NodeNeeds::Made& made) {
                return !m_keptForOthers.contains(made.storage) &&
                       (!made.isNeeded ||
                        (!made.savers.empty() && std::ranges::all_of(made.savers, isThere)));
            });
        });
    }

    const RecomputeGround& m_ground;
    Table<NodeId, std::optional<std::size_t>> m_linkOf;         // none: it floats
    Table<NodeId, std::vector<const ProblemValue*>> m_valuesOf; // that it makes
    DisjointSets m_sets;                                        // of floats
    Table<NodeId, double> m_state;       // bytes: of what several users have, if all of them hang together
    std::set<StorageId> m_keptForOthers; // NodeNeeds::Made::keeps
    std::map<ValueId, double> m_read;    // bytes, of what floats read of links
    LeastNeeds m_least{m_ground.needs};
};

FloatHoldings::FloatHoldings(const RecomputeGround& ground, const ModelChain& chain)
{
    if (ground.none.options.send == SendKind::Relay && ground.none.stageCount() > 1)
        Maker(ground, chain).make(*this);
}

// No group costs more than what is sent of it, of each microbatch once at the least.
std::vector<double> FloatHoldings::needsAt(double price) const
{
    std::vector<double> costs{0};
    for (const Group& group : m_groups) {
        const double most = price * std::max(0.0, group.sent - group.state);
        costs.push_back(costs.back() + std::min(most, LeastNeeds::costOf(group.needs, price)));
    }
    return costs;
}

std::vector<FloatHoldings::Held> FloatHoldings::of(std::size_t firstLink, std::size_t endLink,
                                                   const Receives& receives) const
{
    std::vector<Held> all;
    if (firstLink >= endLink ||
        receives.held < receives.inFlight) // the run-time may not hold it till backward
        return all;
    for (const Alike& alike : m_alike) {
        const auto groups = std::span(m_groups).subspan(alike.first, alike.end - alike.first);
        const auto first = std::ranges::lower_bound(groups, firstLink, {}, &Group::reader);
        const auto end = std::ranges::lower_bound(groups, endLink, {}, &Group::reader);
        if (first == end)
            continue;
        double inStage = 0, sent = -alike.read; // bytes: where one of them at least is, and where none is
        for (auto group = first; group != end; ++group) {
            inStage += std::min(group->state, receives.held * group->sent);
            sent += group->sent;
        }
        const double most = std::isinf(receives.held) ? infinite : receives.held * std::max(0.0, sent);
        Held held{.first = static_cast<std::size_t>(first - groups.begin()) + alike.first,
                  .end = static_cast<std::size_t>(end - groups.begin()) + alike.first,
                  .state = std::min(inStage, most)};
        held.mostOfNeeds = (most - held.state) / receives.inFlight;
        all.push_back(held);
    }
    return all;
}

} // namespace stagecraft
