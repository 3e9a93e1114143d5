// What each stage holds over a step, as the simulator runs it.
//
//     state ─────────────────────────────────────────────   always
//           ┌saved┐      ┌─────┐                            of each microbatch, from its forward to the end
//       ┌───┘     └──────┘     └───                         of its backward
//       ╻╻  ╻╻    ╻╻                                        transient: while the stage runs
//                    ┌────────────                          sent: from then on to the end
//
// At any time the stages of a device hold together what Timeline::memory says of the device.
#pragma once

#include "core/schedule/simulate.h"

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

struct StageMoment
{
    Seconds time; // what follows holds from then on
    Bytes bytes;
    std::size_t kept = 0;          // microbatches whose activations it keeps
    std::optional<Action> running; // none: it waits
};

// By stage, then by time; the first is at 0. `stages` are those of the costs that `timeline` was simulated
// with.
std::vector<std::vector<StageMoment>> memoryByStage(const Timeline& timeline,
                                                    std::span<const StageTimes> stages);

// What holds at `time`: of several that begin then, the last. `moments` are of a stage, as above.
const StageMoment& momentAt(std::span<const StageMoment> moments, Seconds time);

// The first at which it holds most.
const StageMoment& peakOf(std::span<const StageMoment> moments);

} // namespace stagecraft
