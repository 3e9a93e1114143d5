// Orders in which each item stands behind all those it needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stagecraft {

// Items 0 .. count-1, numbers or ids; `after(item)` lists those that need it, as often as they do. Of those
// that may come next, the one that `comesLater(a, b)` says of no other. What lies on a cycle, or behind one,
// is left out.
template <class Item, class After, class ComesLater>
std::vector<Item> topologicalOrder(std::size_t count, After&& after, ComesLater&& comesLater)
{
    const auto placeOf = [](const Item& item) -> std::size_t {
        if constexpr (requires { item.index(); })
            return item.index();
        else
            return item;
    };
    std::vector<std::size_t> open(count, 0);
    for (std::size_t item = 0; item < count; ++item) {
        for (const Item next : after(static_cast<Item>(item)))
            ++open[placeOf(next)];
    }
    std::vector<Item> ready; // a heap
    for (std::size_t item = 0; item < count; ++item) {
        if (open[item] == 0)
            ready.push_back(static_cast<Item>(item));
    }
    std::ranges::make_heap(ready, comesLater);
    std::vector<Item> order;
    while (!ready.empty()) {
        std::ranges::pop_heap(ready, comesLater);
        order.push_back(ready.back());
        ready.pop_back();
        for (const Item next : after(order.back())) {
            if (--open[placeOf(next)] > 0)
                continue;
            ready.push_back(next);
            std::ranges::push_heap(ready, comesLater);
        }
    }
    return order;
}

} // namespace stagecraft
