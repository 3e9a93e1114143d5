#include "core/search/improve/orders.h"

#include "core/base/noise.h"

#include <algorithm>

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
        Table<ReducedGroupId, std::size_t> open;
        std::vector<ReducedGroupId> ready;
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            open.add(inputs(group).size());
            if (open[group] == 0)
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
            const ReducedGroupId group = ready[place];
            ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(place));
            order.push_back(group);
            for (const std::uint32_t value : m_reduced.groups[group].values)
                ++m_placed[value];
            for (const ReducedGroupId next : outputs(group)) {
                if (--open[next] == 0)
                    ready.push_back(next);
            }
        }
        if (!m_forward)
            std::ranges::reverse(order);
        return order;
    }

private:
    const std::vector<ReducedGroupId>& inputs(ReducedGroupId group) const
    {
        return m_forward ? m_reduced.groups[group].before : m_reduced.groups[group].after;
    }
    const std::vector<ReducedGroupId>& outputs(ReducedGroupId group) const
    {
        return m_forward ? m_reduced.groups[group].after : m_reduced.groups[group].before;
    }

    std::size_t choose(const std::vector<ReducedGroupId>& ready)
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

    double priceOf(ReducedGroupId group)
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

GroupOrder inNumericOrder(std::size_t count)
{
    GroupOrder order;
    order.reserve(count);
    for (const ReducedGroupId group : idRange<ReducedGroupId>(count))
        order.push_back(group);
    return order;
}

} // namespace

GroupOrder makeOrder(const ReducedProblem& reduced, OrderRule rule, OrderDirection direction,
                     std::uint64_t seed)
{
    if (rule == OrderRule::Program) // groups are numbered so
        return inNumericOrder(reduced.size());
    return Orderer(reduced, rule, direction, seed).run();
}

GroupOrder orderOfStages(const GroupStages& stages)
{
    GroupOrder order = inNumericOrder(stages.size());
    std::ranges::stable_sort(order, {}, [&](ReducedGroupId group) { return stages[group]; });
    return order;
}

} // namespace stagecraft
