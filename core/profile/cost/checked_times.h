// Whether a step is of what its device's times were checked for. Tables of operators time them in float32;
// whole models may be of one element type, which of a model is told by what multiplies in it.
#pragma once

#include "core/profile/device/accuracy.h"
#include "core/profile/profile.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace stagecraft {

// The part of the time, 0 .. 1, that goes to operators of a type or sort that `accuracy` is about. Where
// nothing takes any: 1; where models of one type were checked, and nothing multiplies: 0.
double checkedShare(const Trace& trace, const std::vector<OperatorSpan>& times, const Accuracy& accuracy);

// Takes from the device what is about less than half of the step's time. The answer, where nothing is left:
// a note on what was checked instead. Empty: nothing was taken, or what was checked are models of another
// type altogether.
std::string keepWhatWasChecked(const Trace& trace, const std::vector<OperatorSpan>& times,
                               DeviceSpec& device);

} // namespace stagecraft
