// sortUnique(items): ascending, each once.
#pragma once

#include <algorithm>
#include <vector>

namespace stagecraft {

template <class T>
void sortUnique(std::vector<T>& items)
{
    std::ranges::sort(items);
    const auto repeated = std::ranges::unique(items);
    items.erase(repeated.begin(), repeated.end());
}

} // namespace stagecraft
