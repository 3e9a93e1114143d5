#include "core/load/first_ten.h"

#include <algorithm>

namespace stagecraft {

std::string firstTen(const std::vector<std::string>& items, std::string_view between)
{
    constexpr std::size_t most = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
        text.append(i > 0 ? between : "").append(items[i]);
    return items.size() > most ? text + " and " + std::to_string(items.size() - most) + " more" : text;
}

} // namespace stagecraft
