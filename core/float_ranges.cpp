#include "core/float_ranges.h"

#include <algorithm>
#include <functional>

namespace stagecraft {

Table<NodeId, FloatRange> floatRanges(const std::vector<Precedence>& precedences,
                                      const Table<NodeId, std::optional<std::size_t>>& placeOf,
                                      FloatRange all)
{
    Table<NodeId, FloatRange> ranges(placeOf.size(), all);
    for (const NodeId node : placeOf.ids())
        if (const auto place = placeOf[node])
            ranges[node] = {*place, *place};
    std::vector<Precedence> edges = precedences;
    std::erase_if(edges, [](const Precedence& edge) { return edge.before >= edge.after; });
    std::ranges::stable_sort(edges, {}, &Precedence::after);
    for (const Precedence& edge : edges)
        if (!placeOf[edge.after])
            ranges[edge.after].first = std::max(ranges[edge.after].first, ranges[edge.before].first);
    std::ranges::stable_sort(edges, std::ranges::greater(), &Precedence::before);
    for (const Precedence& edge : edges)
        if (!placeOf[edge.before])
            ranges[edge.before].last = std::min(ranges[edge.before].last, ranges[edge.after].last);
    return ranges;
}

} // namespace stagecraft
