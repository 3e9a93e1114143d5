// WholeStep: what the passes of a probe take as a whole, their operators and what is between them.
#pragma once

#include "core/measure/device_fit.h"

#include <algorithm>

namespace stagecraft {

// What a pass of a probe takes as a whole, and in its operators, which are handed over so many times; views
// are beside them.
struct WholePass
{
    double seconds = 0;
    double inOperators = 0;
    double operators = 0;
    double views = 0;

    double handedOver() const { return operators + views; }
    double betweenOperators() const
    {
        return std::max(0.0, seconds - inOperators) / std::max(handedOver(), 1.0);
    }
};

struct WholeStep
{
    WholePass forward;
    WholePass backward;

    double seconds() const { return forward.seconds + backward.seconds; }
    double inOperators() const { return forward.inOperators + backward.inOperators; }
};

// Of a probe whose operators on the device have been matched with those that were timed. A convolution is
// handed over several times (DispatchClock).
WholeStep sumOverOperators(const Trace& trace, const MatchedProbe& matched, const ProbeTimes& probe,
                           const DeviceSpec& device);

} // namespace stagecraft
