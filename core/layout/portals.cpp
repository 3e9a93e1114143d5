#include "core/layout/visible_graph.h"

#include <algorithm>
#include <map>

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
    std::vector<VisibleEdge> kept;
    std::map<End, std::size_t> outOf; // portal items by what they are attached to
    std::map<std::pair<End, ValueId>, std::size_t> into;
    const auto addItem = [&](VisibleItem::Kind kind, ValueId value, const End& end) {
        box.items.push_back({.kind = kind, .value = value, .anchor = end.item});
        return box.items.size() - 1;
    };
    for (std::size_t i = 0; i < box.edges.size(); ++i) {
        VisibleEdge& edge = box.edges[i];
        if (chosen[i] == 0) {
            kept.push_back(std::move(edge));
            continue;
        }
        const ValueId value = edge.values.front();
        if (!outOf.contains(edge.tail)) {
            outOf[edge.tail] = addItem(VisibleItem::Kind::PortalOut, value, edge.tail);
            kept.push_back({edge.tail, {.item = outOf[edge.tail]}, edge.values});
        }
        if (!into.contains({edge.head, value})) {
            into[{edge.head, value}] = addItem(VisibleItem::Kind::PortalIn, value, edge.head);
            kept.push_back({{.item = into[{edge.head, value}]}, edge.head, edge.values});
        }
    }
    box.edges = std::move(kept);
}

} // namespace stagecraft
