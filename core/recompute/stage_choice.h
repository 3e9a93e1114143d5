// The choice for the regions of one stage: the least time within its memory.
//
//     in flight x bytes kept + the largest transient <= room
//
// A multiple-choice knapsack over hulls. Along their edges, steepest first, the linear relaxation is solved
// (Sinha and Zoltners, 1979), which is the bound; a plan stops before the edge that does not fit, and takes
// later ones that do. So the two differ by less than one edge: a step of one region.
// The largest transient is given: each that any choice has is tried, with only the choices within it.
#pragma once

#include "core/recompute/region_hulls.h"

#include <optional>
#include <span>

namespace stagecraft {

struct StageChoice
{
    std::vector<std::size_t> choices; // of each region which of its hull's
    Bytes keptBytes;                  // of one microbatch
    Bytes transient;                  // the largest
    Seconds added;
    Seconds bound; // no selection of choices, or of what lies on edges between, adds less

    Bytes of(std::int64_t inFlight) const { return keptBytes * inFlight + transient; }
};

// None where not even the fewest bytes fit; `room` is then below leastRoom().
std::optional<StageChoice> chooseWithin(std::span<const std::shared_ptr<const RegionHull>> hulls, Bytes room,
                                        std::int64_t inFlight);

// The least room for which chooseWithin() has an answer.
Bytes leastRoom(std::span<const std::shared_ptr<const RegionHull>> hulls, std::int64_t inFlight);

} // namespace stagecraft
