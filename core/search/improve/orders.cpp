#include "core/search/improve/orders.h"

#include "core/base/noise.h"

#include <algorithm>
#include <numeric>

namespace stagecraft {

namespace {

class Orderer
{
public:
    Orderer(const ReducedProblem& reduced, OrderRule rule, OrderDirection direction, std::uint64_t seed)
        : m_reduced(reduced),
          m_rule(rule),
          m_forward(direction == OrderDirection::Forward),
          m_noise(seed),
          m_placed(reduced.values.size(), 0)
    {
    }

    GroupOrder run()
    {
        std::vector<std::size_t> open;
        std::vector<GroupIndex> ready;
        for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
            open.push_back(inputs(group).size());
            if (open.back() == 0)
                ready.push_back(group);
        }
        if (!m_forward)
            std::ranges::reverse(ready);
        GroupOrder order;
        while (!ready.empty()) {
            // In time or not, it is an order in the end.
            if (order.size() % 64 == 0 && m_rule != OrderRule::DepthFirst && m_reduced.over())
                m_rule = OrderRule::DepthFirst;
            const std::size_t place = choose(ready);
            const GroupIndex group = ready[place];
            ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(place));
            order.push_back(group);
            for (const std::uint32_t value : m_reduced.groups[group].values)
                ++m_placed[value];
            for (const GroupIndex next : outputs(group)) {
                if (--open[next] == 0)
                    ready.push_back(next);
            }
        }
        if (!m_forward)
            std::ranges::reverse(order);
        return order;
    }

private:
    const std::vector<GroupIndex>& inputs(GroupIndex group) const
    {
        return m_forward ? m_reduced.groups[group].before : m_reduced.groups[group].after;
    }
    const std::vector<GroupIndex>& outputs(GroupIndex group) const
    {
        return m_forward ? m_reduced.groups[group].after : m_reduced.groups[group].before;
    }

    std::size_t choose(const std::vector<GroupIndex>& ready)
    {
        if (m_rule == OrderRule::DepthFirst)
            return ready.size() - 1;
        // In very large and wide graphs, the latest of them.
        constexpr std::size_t mostLooks = 50'000'000;
        const std::size_t looks = std::max<std::size_t>(200, mostLooks / m_reduced.size());
        const std::size_t first = ready.size() > looks ? ready.size() - looks : 0;
        std::size_t best = first;
        double least = 0;
        for (std::size_t i = first; i < ready.size(); ++i) {
            const double price = priceOf(ready[i]);
            if (i == first || price < least) {
                least = price;
                best = i;
            }
        }
        return best;
    }

    double priceOf(GroupIndex group)
    {
        double price = 0;
        for (const std::uint32_t v : m_reduced.groups[group].values) {
            const ReducedValue& value = m_reduced.values[v];
            const double transfer = m_reduced.transfer(value.size, 0);
            // Counted from behind, what the model returns is in transit before anything is placed.
            const std::size_t pins = value.pins.size() + (value.returned ? 1 : 0);
            const std::size_t placed = m_placed[v] + (value.returned && !m_forward ? 1 : 0);
            if (placed == 0)
                price += transfer;
            if (placed + 1 == pins)
                price -= transfer;
        }
        return m_rule == OrderRule::NoisyCut ? price * (0.7 + 0.6 * m_noise.unit()) : price;
    }

    const ReducedProblem& m_reduced;
    OrderRule m_rule;
    bool m_forward;
    Noise m_noise;
    std::vector<std::size_t> m_placed; // pins of each value that are in the order
};

} // namespace

GroupOrder makeOrder(const ReducedProblem& reduced, OrderRule rule, OrderDirection direction,
                     std::uint64_t seed)
{
    if (rule == OrderRule::Program) { // groups are numbered so
        GroupOrder order(reduced.size());
        std::iota(order.begin(), order.end(), GroupIndex{0});
        return order;
    }
    return Orderer(reduced, rule, direction, seed).run();
}

GroupOrder orderOfStages(const GroupStages& stages)
{
    GroupOrder order(stages.size());
    std::iota(order.begin(), order.end(), GroupIndex{0});
    std::ranges::stable_sort(order, {}, [&](GroupIndex group) { return stages[group]; });
    return order;
}

} // namespace stagecraft
