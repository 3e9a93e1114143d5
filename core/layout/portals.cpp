#include "core/layout/visible_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace stagecraft {

namespace {

using End = VisibleEnd;

// Ranks of both ends of every edge; the box's own ports lie before the first and behind the last.
struct Ranks
{
    explicit Ranks(const VisibleBox& box) : items(itemRanks(box))
    {
        for (const int rank : items)
            last = std::max(last, rank);
    }

    int tail(const End& end) const { return end.item ? items[*end.item] : -1; }
    int head(const End& end) const { return end.item ? items[*end.item] : last + 1; }
    int span(const VisibleEdge& edge) const { return head(edge.head) - tail(edge.tail); }

    std::vector<int> items;
    int last = 0;
};

// Which edges the rule makes portals of.
std::vector<char> chooseEdges(const VisibleBox& box, const Ranks& ranks, const PortalRule& rule)
{
    std::map<End, std::size_t> fanOut;
    std::map<std::size_t, std::size_t> fanIn; // by item: many values may come through different ports
    for (const VisibleEdge& edge : box.edges) {
        ++fanOut[edge.tail];
        if (edge.head.item)
            ++fanIn[*edge.head.item];
    }
    std::vector<char> chosen;
    for (const VisibleEdge& edge : box.edges) {
        const bool isBusy =
            fanOut[edge.tail] >= rule.fanOut || (edge.head.item && fanIn[*edge.head.item] >= rule.fanIn);
        chosen.push_back(isBusy && ranks.span(edge) > rule.span ? 1 : 0);
    }
    return chosen;
}

int spanOfRest(const VisibleBox& box, const Ranks& ranks, const std::vector<char>& chosen)
{
    int span = 0;
    for (std::size_t i = 0; i < box.edges.size(); ++i)
        span += chosen[i] != 0 ? 0 : ranks.span(box.edges[i]);
    return span;
}

// Tightens one step: shorter spans first, then values that fewer read.
void tighten(PortalRule& rule)
{
    if (rule.span > 2 && rule.fanOut > 1)
        rule.span -= 1;
    else if (rule.fanOut > 1)
        rule = {.span = 24, .fanOut = 1, .fanIn = 1, .spanBudget = rule.spanBudget};
    else
        rule.span = rule.span / 2;
}

std::vector<char> chooseWithinBudget(const VisibleBox& box, const Ranks& ranks, PortalRule rule)
{
    std::vector<char> chosen = chooseEdges(box, ranks, rule);
    while (spanOfRest(box, ranks, chosen) > rule.spanBudget && rule.span > 1) {
        tighten(rule);
        chosen = chooseEdges(box, ranks, rule);
    }
    return chosen;
}

// Makes portal items, one for each value at an item, or one for all where there are many.
class PortalMaker
{
public:
    PortalMaker(VisibleBox& box, const std::vector<char>& chosen) : m_box(box)
    {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (chosen[i] == 0)
                continue;
            const VisibleEdge& edge = box.edges[i];
            m_values[{VisibleItem::Kind::PortalOut, edge.tail.item}].insert(edge.values.front());
            m_values[{VisibleItem::Kind::PortalIn, edge.head.item}].insert(edge.values.front());
        }
    }

    // The portal that has to be connected with `end`; none if it already is.
    std::optional<std::size_t> connect(VisibleItem::Kind kind, const End& end, ValueId value)
    {
        constexpr std::size_t few = 3;
        const std::size_t count = m_values[{kind, end.item}].size();
        const bool isShared = count > few;
        const auto [portal, isNew] =
            m_portals.try_emplace({kind, end.item, isShared ? ValueId(0) : value}, m_box.items.size());
        if (isNew)
            m_box.items.push_back(
                {.kind = kind, .value = value, .anchor = end.item, .valueCount = isShared ? count : 1});
        const bool isFirst = m_connected.insert({portal->second, end}).second;
        return isFirst ? std::optional(portal->second) : std::nullopt;
    }

private:
    VisibleBox& m_box;
    std::map<std::pair<VisibleItem::Kind, std::optional<std::size_t>>, std::set<ValueId>> m_values;
    std::map<std::tuple<VisibleItem::Kind, std::optional<std::size_t>, ValueId>, std::size_t> m_portals;
    std::set<std::pair<std::size_t, End>> m_connected;
};

} // namespace

std::vector<int> itemRanks(const VisibleBox& box)
{
    std::vector<std::vector<std::size_t>> sources(box.items.size());
    for (const VisibleEdge& edge : box.edges)
        if (edge.tail.item && edge.head.item)
            sources[*edge.head.item].push_back(*edge.tail.item);
    std::vector<int> ranks(box.items.size(), 0);
    for (std::size_t i = 0; i < box.items.size(); ++i)
        for (const std::size_t source : sources[i])
            ranks[i] = std::max(ranks[i], ranks[source] + 1);
    return ranks;
}

void addPortals(VisibleBox& box, const PortalRule& rule)
{
    const std::vector<char> chosen = chooseWithinBudget(box, Ranks(box), rule);
    PortalMaker maker(box, chosen);
    std::vector<VisibleEdge> kept;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const VisibleEdge edge = box.edges[i];
        if (chosen[i] == 0) {
            kept.push_back(edge);
            continue;
        }
        if (const auto out = maker.connect(VisibleItem::Kind::PortalOut, edge.tail, edge.values.front()))
            kept.push_back({edge.tail, {.item = out}, edge.values});
        if (const auto in = maker.connect(VisibleItem::Kind::PortalIn, edge.head, edge.values.front()))
            kept.push_back({{.item = in}, edge.head, edge.values});
    }
    box.edges = std::move(kept);
}

} // namespace stagecraft
