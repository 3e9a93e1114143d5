#include "core/profile/device/accuracy.h"

#include "core/profile/device/shown_accuracy.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

const Accuracy* shownAccuracy(const std::vector<Accuracy>& accuracy)
{
    const auto models = std::ranges::find(accuracy, "whole models", &Accuracy::what);
    if (models != accuracy.end())
        return &*models;
    return accuracy.empty() ? nullptr : &accuracy.front();
}

std::string accuracyText(const std::vector<Accuracy>& accuracy)
{
    const Accuracy* shown = shownAccuracy(accuracy);
    if (!shown)
        return "estimated, not checked against measurements";
    // Tables of operators time them in float32; of other types they say little.
    const std::string sort = shown->what == "operators" ? " in float32"
                             : shown->of.empty()        ? ""
                                                        : ": " + shown->of;
    return "estimated, usually within " + std::to_string(std::lround(100 * shown->usualError)) + " % (" +
           std::to_string(shown->cases) + " " + shown->what + sort + ")";
}

} // namespace stagecraft
