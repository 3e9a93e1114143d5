// Regions of a stage changed a little, as long as it gets faster by estimate.
//
//     regions     a [b c d] e [f g]            a region left out, parted, begun, made shorter or longer at an
//     changed     a [b c] d e [f g]            end, or one with its neighbour; a node kept or let go
//     and again   a [b c] d [e f g]
//
// One change at a time while one helps; else what makes the most room for its time, and a change behind it.
#pragma once

#include "core/recompute/region_room.h"

namespace stagecraft {

// The shapes with what must be kept; those that can be no regions are left out.
RegionEstimate::Shapes legalShapes(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes);
// None has nodes of several blocks of those that repeat: where one ends, the device waits for the program.
RegionEstimate::Shapes partedAtBlocks(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes);

// From `start` on; `most`: estimates to make, about. Returns what is best.
RegionEstimate::Shapes climbedRegions(const RegionEstimate& estimate, const RegionRoom& room,
                                      RegionEstimate::Shapes start, std::size_t most);

} // namespace stagecraft
