#include "core/profile/device/accuracy.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

std::string accuracyText(const std::vector<Accuracy>& accuracy)
{
    if (accuracy.empty())
        return "estimated, not checked against measurements";
    const auto models = std::ranges::find(accuracy, "whole models", &Accuracy::what);
    const Accuracy& best = models != accuracy.end() ? *models : accuracy.front();
    // Tables of operators time them in float32; of other types they say little.
    return "estimated, usually within " + std::to_string(std::lround(100 * best.usualError)) + " % (" +
           std::to_string(best.cases) + " " + best.what + (best.what == "operators" ? " in float32)" : ")");
}

} // namespace stagecraft
