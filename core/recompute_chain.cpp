#include "core/recompute_chain.h"

#include "core/base/sort_unique.h"
#include "core/chain_places.h"
#include "core/float_ranges.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

namespace stagecraft {

namespace {

// Of the nodes on the longest path, what passes by more than so many floats.
constexpr std::size_t manyAtLeast = 24;
constexpr std::size_t manyShare = 40;

Table<NodeId, ChainNode> nodesOf(const RecomputeGround& ground)
{
    const PartitionProblem& problem = ground.none;
    Table<NodeId, ChainNode> nodes(problem.nodes.size());
    for (const NodeId node : problem.nodes.ids()) {
        const ProblemNode& cost = problem.nodes[node];
        // In a region it has at least what its forward pass has: of what backward has besides, less may be
        // above what was alive before the region. One that saves nothing counts nothing.
        const Bytes transient =
            ground.moments[node].saves ? std::min(cost.transient, ground.moments[node].forwardPeak) : Bytes{};
        nodes[node] = {computeOf(cost).total().value(), heldBy(cost).always().asDouble(),
                       transient.asDouble(), cost.transient.asDouble()};
    }
    for (const SharedState& shared : problem.shared) // every stage of a user has it: that of one, too
        if (!shared.users.empty())
            nodes[shared.users.front()].state += heldBy(shared).always().asDouble();
    return nodes;
}

class ChainMaker
{
public:
    explicit ChainMaker(const RecomputeGround& ground)
        : m_nodes(nodesOf(ground)), m_before(m_nodes.size()), m_holds(m_nodes.size(), 0)
    {
        for (const NodeId node : m_nodes.ids())
            m_holds[node.index()] = m_nodes[node].state > 0 || ground.moments[node].saves ||
                                    ground.moments[node].hasBackward || ground.needs[node].needed() > Bytes{};
        for (const Precedence& edge : ground.none.precedences)
            if (edge.before < edge.after)
                m_before[edge.after.index()].push_back(edge.before.index());
        findPath();
        Table<NodeId, std::optional<std::size_t>> placeOf(m_nodes.size());
        for (std::size_t i = 0; i < m_path.size(); ++i)
            placeOf[NodeId(m_path[i])] = i + 1;
        m_reach = floatRanges(ground.none.precedences, placeOf, {0, m_path.size() + 1});
    }

    ModelChain make() &&
    {
        const std::vector<char> isPivot = pivots();
        // Of each place on the path its link: pivots have their own, behind one for what lies between.
        std::vector<std::size_t> linkAt(m_path.size() + 2, 0);
        std::size_t count = 0;
        for (std::size_t i = 1; i <= m_path.size(); ++i) {
            count += isPivot[i] ? 1 : 0;
            linkAt[i] = count;
            count += isPivot[i] ? 1 : 0;
        }
        linkAt.back() = count;
        std::vector<std::vector<NodeId>> links(count + 1);
        std::vector<ChainFloat> floats;
        for (std::size_t node = 0; node < m_nodes.size(); ++node) {
            const std::size_t place = m_place[node];
            const std::size_t after =
                place > 0 ? linkAt[place]
                          : behind(linkAt[m_reach[NodeId(node)].first], isPivot[m_reach[NodeId(node)].first]);
            const std::size_t before =
                place > 0 ? linkAt[place]
                          : ahead(linkAt[m_reach[NodeId(node)].last], isPivot[m_reach[NodeId(node)].last]);
            if (after == before)
                links[after].push_back(NodeId(node));
            else if (m_nodes[NodeId(node)].seconds > 0)
                floats.push_back({m_nodes[NodeId(node)].seconds, after, before});
        }
        std::vector<std::size_t> renumbered;
        std::size_t kept = 0;
        for (std::size_t link = 0; link < links.size(); ++link) {
            renumbered.push_back(kept);
            kept += links[link].empty() ? 0 : 1;
        }
        for (ChainFloat& each : floats)
            each = {each.seconds, renumbered[each.ready], std::min(kept, renumbered[each.due] + 2)};
        std::erase_if(links, [](const std::vector<NodeId>& link) { return link.empty(); });
        return {std::move(m_nodes), std::move(links), std::move(floats), {}};
    }

private:
    static std::size_t behind(std::size_t link, char isPivot) { return link + (isPivot ? 1 : 0); }
    static std::size_t ahead(std::size_t link, char isPivot) { return link - (isPivot ? 1 : 0); }

    // A path of as many nodes as can be that hold something: those on it are in stages that never fall.
    void findPath()
    {
        const std::size_t count = m_nodes.size();
        std::vector<std::size_t> length(count, 0), from(count, count);
        for (std::size_t node = 0; node < count; ++node) {
            for (const std::size_t other : m_before[node])
                if (length[other] > length[node]) {
                    length[node] = length[other];
                    from[node] = other;
                }
            length[node] += m_holds[node] != 0 ? count + 1 : 1;
        }
        for (auto node = static_cast<std::size_t>(std::ranges::max_element(length) - length.begin());
             node < count; node = from[node])
            m_path.push_back(node);
        std::ranges::reverse(m_path);
        m_place.assign(count, 0);
        for (std::size_t i = 0; i < m_path.size(); ++i)
            m_place[m_path[i]] = i + 1;
    }

    // Those on the path that nothing passes by, but what passes by many, and what holds nothing (masks,
    // counters).
    std::vector<char> pivots() const
    {
        const std::size_t many = std::max(manyAtLeast, m_path.size() / manyShare);
        std::vector<int> passing(m_path.size() + 2, 0);
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
            if (m_place[node] == 0 && m_holds[node] != 0 &&
                m_reach[NodeId(node)].last > m_reach[NodeId(node)].first + 1 &&
                m_reach[NodeId(node)].last - m_reach[NodeId(node)].first <= many) {
                ++passing[m_reach[NodeId(node)].first + 1];
                --passing[m_reach[NodeId(node)].last];
            }
        std::vector<char> isPivot(m_path.size() + 2, 0);
        for (std::size_t i = 1; i <= m_path.size(); ++i) {
            passing[i] += passing[i - 1];
            isPivot[i] = passing[i] == 0;
        }
        return isPivot;
    }

    Table<NodeId, ChainNode> m_nodes;
    std::vector<std::vector<std::size_t>> m_before;
    std::vector<char> m_holds; // of each node: state, or anything for backward
    std::vector<std::size_t> m_path;
    std::vector<std::size_t> m_place; // of each node on the path, from 1; 0: not on it
    // Likewise, of who is not on it: the last that it needs, and the first that needs it.
    Table<NodeId, FloatRange> m_reach;
};

} // namespace

Table<NodeId, std::optional<std::size_t>> linksOfNodes(const ModelChain& chain, std::size_t count)
{
    Table<NodeId, std::optional<std::size_t>> linkOf(count);
    for (std::size_t link = 0; link < chain.links.size(); ++link)
        for (const NodeId node : chain.links[link])
            linkOf[node] = link;
    return linkOf;
}

ModelChain chainOf(const RecomputeGround& ground, Members members)
{
    ModelChain chain = ChainMaker(ground).make();
    addPlaces(ground.none, members, chain);
    return chain;
}

} // namespace stagecraft
