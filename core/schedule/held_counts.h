// How much a stage has run at a time, as far as what it holds depends on it.
#pragma once

#include "core/schedule/schedule.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

struct HeldCounts
{
    std::size_t inFlight = 0;              // microbatches between their forward and the end of their backward
    std::size_t forwards = 0;              // microbatches that went forward
    std::size_t backwards = 0;             // whose gradients of inputs were made
    std::size_t waiting = 0;               // whose gradients of weights are made later, or now
    ActionKind kind = ActionKind::Forward; // that it runs

    // Of those that wait the microbatch that is in one of the parts is counted apart.
    std::size_t others() const { return waiting - (isPart(kind) ? 1 : 0); }
    // Of how many the first part has ended.
    std::size_t released() const { return waiting - (kind == ActionKind::BackwardInput ? 1 : 0); }

    friend bool operator==(const HeldCounts&, const HeldCounts&) = default;
};

// Of each stage, while it runs, all counts that no other of their kind reaches in all, those with most in
// flight first: whatever a microbatch leaves in each of these times, the stage holds most in one of them. The
// order of a device alone decides it.
std::vector<std::vector<HeldCounts>> largestCounts(const Schedule& schedule);

} // namespace stagecraft
