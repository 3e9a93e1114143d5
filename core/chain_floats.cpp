#include "core/chain_floats.h"

#include "core/search/bound/min_cut.h"

#include <algorithm>
#include <cstdint>

namespace stagecraft {

ChainFloats::ChainFloats(const PartitionProblem& problem, const std::vector<std::vector<NodeId>>& links)
    : m_problem(problem),
      m_count(links.size()),
      m_linkOf(problem.nodes.size(), 0),
      m_isWithLink(problem.nodes.size(), 0),
      m_before(m_count + 1),
      m_within(m_count + 1)
{
    for (std::size_t link = 0; link < m_count; ++link)
        for (const NodeId node : links[link]) {
            m_linkOf[node] = link + 1;
            m_isWithLink[node] = 1;
        }
    findReaches();
    findWithLinks();
    if (m_problem.options.send != SendKind::Relay || m_problem.stageCount() < 2)
        return; // what is sent to each reader does not add up by places: nothing is counted
    findValues();
    findCrossings();
}

std::size_t ChainFloats::countAt(std::size_t link, At at) const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_problem.nodes.ids(), [&](NodeId node) {
        return m_isWithLink[node] == 0 && sideOf(node, link, at) == Side::Either;
    }));
}

void ChainFloats::findReaches()
{
    Table<NodeId, std::optional<std::size_t>> linkOf(m_linkOf.size());
    for (const NodeId node : m_linkOf.ids())
        if (m_linkOf[node] > 0)
            linkOf[node] = m_linkOf[node];
    m_reach = floatRanges(m_problem.precedences, linkOf, {0, m_count + 1});
}

void ChainFloats::findWithLinks()
{
    const auto isWith = [&](NodeId node) { return m_isWithLink[node] != 0; };
    const auto reaches = [&](const Colocation& group) {
        return std::ranges::any_of(group.nodes, isWith) && !std::ranges::all_of(group.nodes, isWith);
    };
    const std::vector<Colocation>& groups = m_problem.groups;
    for (auto next = std::ranges::find_if(groups, reaches); next != groups.end();
         next = std::ranges::find_if(groups, reaches))
        for (const NodeId node : next->nodes)
            m_isWithLink[node] = 1;
}

void ChainFloats::findValues()
{
    const auto floats = [&](NodeId node) { return m_linkOf[node] == 0; };
    for (const ProblemValue& value : m_problem.values)
        if (floats(value.producer) || std::ranges::any_of(value.readers, floats))
            m_values.push_back(&value);
}

// Anew where it may be another: in and behind links that such values or nodes begin or end in.
void ChainFloats::findCrossings()
{
    if (m_values.empty())
        return;
    std::vector<char> isMark(m_count + 2, 0); // of links, from 1
    const auto mark = [&](NodeId node) {
        isMark[m_reach[node].first] = 1;
        isMark[m_reach[node].last] = 1;
    };
    for (const NodeId node : m_problem.nodes.ids())
        if (m_linkOf[node] == 0)
            mark(node);
    for (const ProblemValue* const value : m_values) {
        mark(value->producer);
        std::ranges::for_each(value->readers, mark);
    }
    for (std::size_t link = 0; link <= m_count; ++link) {
        m_before[link] = link == 0 || isMark[link] ? leastAt(link, At::Before) : m_before[link - 1];
        m_within[link] = isMark[link + 1] ? leastAt(link, At::Within) : m_before[link];
    }
}

ChainFloats::Side ChainFloats::sideOf(NodeId node, std::size_t link, At at) const
{
    const FloatRange& reach = m_reach[node];
    const std::size_t here = link + 1;
    if (reach.last < here)
        return Side::Before;
    return reach.first > here || (reach.first == here && at == At::Before) ? Side::Behind : Side::Either;
}

// Of links' nodes among themselves: may what crosses there have it without what floats?
bool ChainFloats::countsAlready(const ProblemValue& value, std::size_t link, At at) const
{
    if (m_linkOf[value.producer] == 0)
        return false;
    std::size_t last = value.returned ? m_count + 1 : 0;
    for (const NodeId reader : value.readers)
        last = std::max(last, m_linkOf[reader]);
    const std::size_t here = link + 1, first = m_linkOf[value.producer];
    return last >= here && (at == At::Before ? first < here : first <= here);
}

TransferSize ChainFloats::leastAt(std::size_t link, At at) const
{
    TransferSize least;
    std::vector<const ProblemValue*> unsure;
    for (const ProblemValue* const value : m_values) {
        if (countsAlready(*value, link, at))
            continue;
        const Side made = sideOf(value->producer, link, at);
        bool isBehind = value->returned, isBefore = !isBehind; // all who read it
        for (const NodeId reader : value->readers) {
            const Side side = sideOf(reader, link, at);
            isBehind = isBehind || side == Side::Behind;
            isBefore = isBefore && side == Side::Before;
        }
        if (made == Side::Before && isBehind) {
            least += forwardSize(*value);
            least += backwardSize(*value);
        } else if (made != Side::Behind && !isBefore)
            unsure.push_back(value);
    }
    const double gradients = leastBytes(unsure, &ProblemValue::backwardBytes, link, at);
    least.bytes += leastBytes(unsure, &ProblemValue::forwardBytes, link, at) + gradients;
    least.gradientBytes += gradients;
    return least;
}

// That cross of these, of all ways to have either before the place or behind it.
double ChainFloats::leastBytes(const std::vector<const ProblemValue*>& values, Bytes ProblemValue::*bytes,
                               std::size_t link, At at) const
{
    constexpr double rounding = 1e-12;
    ClosureCut cut;
    Table<NodeId, std::uint32_t> itemOf(m_problem.nodes.size(), 0); // from 1
    const auto add = [&](NodeId node, ClosureCut::Edge& edge) {
        const Side side = sideOf(node, link, at);
        edge.hasLeft = edge.hasLeft || side == Side::Before;
        edge.hasRight = edge.hasRight || side == Side::Behind;
        if (side != Side::Either)
            return;
        if (itemOf[node] == 0)
            itemOf[node] = static_cast<std::uint32_t>(++cut.itemCount);
        edge.members.push_back(itemOf[node] - 1);
    };
    for (const ProblemValue* const value : values) {
        if (value->*bytes <= Bytes{})
            continue;
        ClosureCut::Edge edge{.price = (value->*bytes).asDouble(), .members = {}};
        edge.hasRight = value->returned;
        add(value->producer, edge);
        for (const NodeId reader : value->readers)
            add(reader, edge);
        cut.edges.push_back(std::move(edge));
    }
    const auto isLeft = [](const ClosureCut::Edge& edge) { return edge.hasLeft; };
    const auto isRight = [](const ClosureCut::Edge& edge) { return edge.hasRight; };
    if (std::ranges::none_of(cut.edges, isLeft) || std::ranges::none_of(cut.edges, isRight))
        return 0;
    for (const Precedence& edge : m_problem.precedences)
        if (itemOf[edge.before] != 0 && itemOf[edge.after] != 0)
            cut.precedences.emplace_back(itemOf[edge.before] - 1, itemOf[edge.after] - 1);
    return minimumCut(cut) * (1 - rounding);
}

} // namespace stagecraft
