// What a name that nobody knows may have been meant to be.
#pragma once

#include "core/base/text.h"

namespace stagecraft {

// Those candidates that come near it, the nearest first.
inline std::vector<std::string> nearNames(std::string_view wanted, const std::vector<std::string>& candidates)
{
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(wanted, candidate);
        if (distance <= std::max<std::size_t>(2, wanted.size() / 3))
            near.emplace_back(distance, candidate);
    }
    std::ranges::sort(near);
    std::vector<std::string> names;
    for (auto& [distance, candidate] : near)
        names.push_back(std::move(candidate));
    return names;
}

// "; did you mean 'x', 'y'?", with up to three; empty for none.
inline std::string didYouMean(const std::vector<std::string>& meant)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, meant.size()); ++i)
        text += (i == 0 ? "; did you mean '" : "', '") + meant[i];
    return text.empty() ? text : text + "'?";
}

} // namespace stagecraft
