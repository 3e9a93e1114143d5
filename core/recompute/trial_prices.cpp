#include "core/recompute/trial_prices.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::int64_t fewOfAll = 5; // a fifth of the bytes: what is larger does not count
constexpr double stepBetween = 4;    // prices
constexpr double farBetween = stepBetween * 1.5;

// None is more than a few times the one before.
std::vector<double> withStepsBetween(const std::vector<double>& prices)
{
    std::vector<double> all;
    for (const double price : prices) {
        while (!all.empty() && all.back() > 0 && all.back() * farBetween < price)
            all.push_back(all.back() * stepBetween);
        all.push_back(price);
    }
    return all;
}

} // namespace

std::vector<double> pricesOf(const Table<NodeId, NodeNeeds>& needs, std::size_t most)
{
    std::vector<std::pair<double, double>> turns; // prices, and the bytes that turn there
    for (const NodeNeeds& node : needs)
        if (const double bytes = node.needed().asDouble(); bytes > 0 && std::isfinite(node.again.value()))
            turns.emplace_back(node.again.value() / bytes, bytes);
    std::ranges::sort(turns);
    double all = 0, since = 0;
    for (const auto& [price, bytes] : turns)
        all += bytes;
    std::vector<double> prices;
    for (const auto& [price, bytes] : turns) {
        since += bytes;
        const double above = price * (1 + 1e-9);
        if ((prices.empty() || above > prices.back()) && since * static_cast<double>(most) >= all) {
            prices.push_back(above);
            since = 0;
        }
    }
    if (!turns.empty())
        prices.push_back(turns.back().first * 4);
    return withStepsBetween(prices);
}

namespace {

std::vector<Bytes> capsFor(Bytes size, Bytes all)
{
    std::vector<Bytes> caps;
    for (const int quarters : {2, 4, 6, 10, 14, 18, 34})
        caps.push_back(Bytes(size.count() * quarters / 4));
    caps.push_back(std::max(all, size));
    return caps;
}

} // namespace

std::vector<Bytes> capsOf(const Table<NodeId, NodeNeeds>& needs, std::span<const NodeId> nodes)
{
    Bytes largest, all;
    for (const NodeId node : nodes)
        for (const NodeNeeds::Made& made : needs[node].made)
            if (made.isNeeded) {
                largest = std::max(largest, made.bytes);
                all += made.bytes;
            }
    return capsFor(largest, all);
}

std::vector<Bytes> capsOf(const Table<NodeId, NodeNeeds>& needs)
{
    std::vector<Bytes> sizes;
    Bytes all, larger;
    for (const NodeNeeds& node : needs)
        for (const NodeNeeds::Made& made : node.made)
            if (made.isNeeded) {
                sizes.push_back(made.bytes);
                all += made.bytes;
            }
    std::ranges::sort(sizes, std::ranges::greater());
    for (const Bytes size : sizes)
        if ((larger += size) * fewOfAll >= all)
            return capsFor(size, all);
    return capsFor({}, all);
}

} // namespace stagecraft
