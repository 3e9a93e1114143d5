// Which of a device's accuracies is said beside a time.
#pragma once

#include "core/profile/device/accuracy.h"

namespace stagecraft {

// Whole models go before operators; null: nothing was checked.
const Accuracy* shownAccuracy(const std::vector<Accuracy>& accuracy);

} // namespace stagecraft
