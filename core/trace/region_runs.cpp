#include "core/trace/region_runs.h"

#include <algorithm>

namespace stagecraft {

RegionRuns regionRuns(const Graph& graph, const Table<NodeId, std::uint32_t>* parts)
{
    RegionRuns runs{.order = {},
                    .positions = Table<NodeId, std::size_t>(graph.nodeCount(), 0),
                    .around = Table<NodeId, std::vector<std::uint32_t>>(graph.nodeCount())};
    for (const NodeId node : graph.nodes())
        runs.order.push_back(node);
    const auto partOf = [&](NodeId node) { return parts ? (*parts)[node] : 0; };
    std::ranges::stable_sort(runs.order, {}, partOf);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < runs.order.size(); ++i) {
        const NodeId node = runs.order[i];
        runs.positions[node] = i;
        const std::vector<int>& regions = graph.context(graph[node].context).recomputeRegions;
        std::size_t common = 0;
        if (i > 0 && partOf(runs.order[i - 1]) == partOf(node)) {
            const NodeId before = runs.order[i - 1];
            const std::vector<int>& others = graph.context(graph[before].context).recomputeRegions;
            while (common < std::min(regions.size(), others.size()) && regions[common] == others[common])
                ++common;
            const auto& same = runs.around[before];
            runs.around[node].assign(same.begin(), same.begin() + static_cast<std::ptrdiff_t>(common));
        }
        while (runs.around[node].size() < regions.size())
            runs.around[node].push_back(++count);
    }
    return runs;
}

} // namespace stagecraft
