#include "views/charts/execution_scale.h"

#include <algorithm>

namespace stagecraft {

std::size_t ExecutionScale::nearestPlace(double x) const
{
    const auto after = std::ranges::lower_bound(places, x);
    if (after == places.begin())
        return 0;
    if (after == places.end())
        return opCount();
    const auto before = after - 1;
    return static_cast<std::size_t>((x - *before <= *after - x ? before : after) - places.begin());
}

std::size_t ExecutionScale::opAt(double x) const
{
    const auto after = std::ranges::upper_bound(places, x);
    const auto place = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - places.begin())) - 1;
    return std::min(place, opCount() - 1);
}

ExecutionScale makeScale(ExecutionAxis axis, std::span<const NodeId> order, const Profile* profile)
{
    ExecutionScale scale;
    scale.places.reserve(order.size() + 1);
    if (axis == ExecutionAxis::CumulativeTime && profile) {
        for (const NodeId node : order)
            scale.places.push_back(scale.places.back() + profile->nodes[node].time().value());
        if (scale.end() > 0)
            return scale;
    }
    scale.places = {0};
    for (std::size_t i = 1; i <= order.size(); ++i)
        scale.places.push_back(static_cast<double>(i));
    return scale;
}

std::size_t valleyNear(std::span<const Bytes> bytesAcross, std::size_t at, std::size_t first,
                       std::size_t last)
{
    std::size_t best = at;
    const auto distance = [at](std::size_t place) { return place > at ? place - at : at - place; };
    for (std::size_t place = first; place <= last && place < bytesAcross.size(); ++place) {
        const bool nearer = bytesAcross[place] == bytesAcross[best] && distance(place) < distance(best);
        if (bytesAcross[place] < bytesAcross[best] || nearer)
            best = place;
    }
    return best;
}

std::pair<std::size_t, std::size_t> placesFor(const StageOrder& order, std::size_t index)
{
    const auto& at = order.boundaries;
    const std::size_t first = index == 0 ? 1 : at[index - 1] + 1;
    const std::size_t last = (index + 1 < at.size() ? at[index + 1] : order.nodes.size()) - 1;
    // A plan with an empty stage leaves no room; then the boundary stays.
    return first <= last ? std::pair(first, last) : std::pair(at[index], at[index]);
}

} // namespace stagecraft
