#include "core/plan/stage_places.h"

#include <algorithm>

namespace stagecraft {

namespace {

template <class T>
std::vector<T> filledIn(std::vector<T> items, std::size_t count, const T& usual)
{
    if (items.size() <= 1)
        return std::vector<T>(count, items.empty() ? usual : items.front());
    items.resize(count, items.back());
    return items;
}

template <class T>
std::vector<T> folded(const std::vector<T>& items, const T& usual)
{
    const bool areAlike = std::ranges::all_of(items, [&](const T& item) { return item == items.front(); });
    if (!areAlike)
        return items;
    return items.empty() || items.front() == usual ? std::vector<T>() : std::vector<T>{items.front()};
}

} // namespace

StagePlaces placesOf(const PartitionOptions& options, const UsualPlace& usual)
{
    const std::size_t stages = options.stageCount;
    return {filledIn(options.speeds, stages, 1.0), filledIn(options.memoryLimits, stages, usual.memoryLimit),
            filledIn(options.links, stages > 0 ? stages - 1 : 0, usual.link)};
}

void setPlaces(PartitionOptions& options, const StagePlaces& places, const UsualPlace& usual)
{
    options.speeds = folded(places.speeds, 1.0);
    options.memoryLimits = folded(places.memoryLimits, usual.memoryLimit);
    options.links = folded(places.links, usual.link);
}

} // namespace stagecraft
