// How much a stage has run at a time, as far as what it holds depends on it.
#pragma once

#include "core/schedule/schedule.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

struct HeldCounts
{
    std::size_t inFlight = 0;  // microbatches between their forward and the end of their backward
    std::size_t forwards = 0;  // microbatches that went forward
    std::size_t backwards = 0; // whose gradients of inputs were made
    std::size_t waiting = 0;   // whose gradients of weights are made later

    friend bool operator==(const HeldCounts&, const HeldCounts&) = default;
};

// Of each stage, while it runs, all counts that no other reaches in all four, those with most in flight
// first: whatever a microbatch leaves in each of these times, the stage holds most in one of them. The order
// of a device alone decides it.
std::vector<std::vector<HeldCounts>> largestCounts(const Schedule& schedule);

} // namespace stagecraft
