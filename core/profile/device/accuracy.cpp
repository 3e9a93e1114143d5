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
    return "estimated, usually within " + std::to_string(std::lround(100 * best.usualError)) + " % (" +
           std::to_string(best.cases) + " " + best.what + ")";
}

} // namespace stagecraft
