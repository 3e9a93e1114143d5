#include "core/recompute/choice_hull.h"

#include "core/base/flow_network.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stagecraft {

namespace {

using Wide = __int128; // a product of two sums, and sums of those

constexpr double ticksPerSecond = 1e15;
constexpr std::uint32_t source = 0, sink = 1, firstItem = 2;

// What a byte and a unit of time cost.
struct Prices
{
    std::int64_t byte = 0;
    std::int64_t time = 0;
};

Wide costAt(const Prices& prices, std::int64_t bytes, std::int64_t time)
{
    return Wide(prices.byte) * bytes + Wide(prices.time) * time;
}

ChoicePoint bestAt(const ChoiceProblem& problem, const Prices& prices)
{
    FlowNetwork<Wide> network(problem.items.size() + firstItem);
    const auto nodeOf = [](ChoiceItemId item) { return item.index() + firstItem; };
    Wide all = 1;
    for (const ChoiceItemId id : problem.items.ids()) {
        const Wide cost = costAt(prices, problem.items[id].bytes, problem.items[id].time);
        if (cost > 0)
            network.add(nodeOf(id), sink, cost);
        else if (cost < 0)
            network.add(source, nodeOf(id), -cost);
        all += cost > 0 ? cost : -cost;
    }
    for (const auto& [first, second] : problem.needs)
        network.add(nodeOf(first), nodeOf(second), all);
    network.maximumFlow(source, sink, 0, {});
    ChoicePoint point;
    for (const ChoiceItemId id : problem.items.ids())
        if (network.isOnSourceSide(nodeOf(id))) {
            point.bytes += problem.items[id].bytes;
            point.time += problem.items[id].time;
            point.chosen.push_back(id);
        }
    return point;
}

// Points between two neighbours, in order.
void addBetween(const ChoiceProblem& problem, const ChoicePoint& few, const ChoicePoint& fast,
                std::vector<ChoicePoint>& points)
{
    const Prices prices{few.time - fast.time, fast.bytes - few.bytes};
    if (prices.byte <= 0 || prices.time <= 0)
        return;
    const ChoicePoint better = bestAt(problem, prices);
    if (costAt(prices, better.bytes, better.time) >= costAt(prices, few.bytes, few.time))
        return;
    addBetween(problem, few, better, points);
    points.push_back(better);
    addBetween(problem, better, fast, points);
}

} // namespace

std::int64_t ticksOf(Seconds time)
{
    return std::llround(time.value() * ticksPerSecond);
}

Seconds secondsOf(std::int64_t ticks)
{
    return Seconds(static_cast<double>(ticks) / ticksPerSecond);
}

std::vector<ChoicePoint> choiceHull(const ChoiceProblem& problem)
{
    std::int64_t bytes = 1, time = 1;
    for (const ChoiceProblem::Item& item : problem.items) {
        bytes += std::abs(item.bytes);
        time += std::abs(item.time);
    }
    // A byte is worth more than all the time, and the other way round.
    const ChoicePoint few = bestAt(problem, {time, 1});
    const ChoicePoint fast = bestAt(problem, {1, bytes});
    std::vector<ChoicePoint> points{few};
    addBetween(problem, few, fast, points);
    if (fast.bytes != few.bytes || fast.time != few.time)
        points.push_back(fast);
    return points;
}

} // namespace stagecraft
