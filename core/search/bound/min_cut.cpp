#include "core/search/bound/min_cut.h"

#include "core/base/flow_network.h"
#include "core/plan/problem.h"

#include <algorithm>

namespace stagecraft {

double minimumCut(const ClosureCut& problem, const IsOver& isOver)
{
    double certain = 0;
    double largest = 0;
    std::vector<const ClosureCut::Edge*> open;
    for (const ClosureCut::Edge& edge : problem.edges) {
        if (edge.hasLeft && edge.hasRight)
            certain += edge.price;
        else if (edge.members.size() + (edge.hasLeft || edge.hasRight ? 1 : 0) >= 2)
            open.push_back(&edge);
        largest = std::max(largest, edge.price);
    }
    const bool anyLeft = std::ranges::any_of(open, [](const auto* edge) { return edge->hasLeft; });
    const bool anyRight = std::ranges::any_of(open, [](const auto* edge) { return edge->hasRight; });
    if (!anyLeft || !anyRight)
        return certain; // everything free to one side
    constexpr std::uint32_t left = 0;
    constexpr std::uint32_t right = 1;
    FlowNetwork<double> network(2 + problem.itemCount + 2 * open.size());
    const auto node = [](std::uint32_t item) { return item + 2; };
    for (const auto& [first, second] : problem.precedences)
        network.add(node(second), node(first), infinite);
    for (std::size_t e = 0; e < open.size(); ++e) {
        const auto in = static_cast<std::uint32_t>(2 + problem.itemCount + 2 * e);
        const std::uint32_t out = in + 1;
        network.add(in, out, open[e]->price);
        const auto join = [&](std::uint32_t member) {
            network.add(member, in, infinite);
            network.add(out, member, infinite);
        };
        for (const std::uint32_t member : open[e]->members)
            join(node(member));
        if (open[e]->hasLeft)
            join(left);
        if (open[e]->hasRight)
            join(right);
    }
    return certain + network.maximumFlow(left, right, largest * 1e-12, isOver);
}

} // namespace stagecraft
