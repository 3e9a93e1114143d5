// TimeOverrides: how long nodes take as somebody found out, in the place of what is estimated.
#pragma once

#include "core/measure/imported_times.h"
#include "core/measure/measure.h"

#include <variant>

namespace stagecraft {

struct TimeOverrides
{
    Bindings sizes; // that they are of
    std::variant<MeasuredTimes, ImportedTimes> times;
};

// Puts them into a profile of the same model.
void applyTimeOverrides(const TimeOverrides& given, Profile& profile);

} // namespace stagecraft
