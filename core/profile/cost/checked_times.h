// Whether a step is of what its device's times were checked for. Tables of operators time them in float32,
// and whole models are of one element type.
#pragma once

#include "core/profile/device/accuracy.h"
#include "core/profile/profile.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace stagecraft {

// The part of the time, 0 .. 1, that goes to operators of a type or sort that `accuracy` is about; 1 where
// nothing takes any.
double checkedShare(const Trace& trace, const std::vector<OperatorSpan>& times, const Accuracy& accuracy);

// Takes from the device what is about less than half of the step's time. The answer, where nothing is left of
// several: a note on what was checked instead. Empty: nothing was taken, or nothing was there.
std::string keepWhatWasChecked(const Trace& trace, const std::vector<OperatorSpan>& times,
                               DeviceSpec& device);

} // namespace stagecraft
