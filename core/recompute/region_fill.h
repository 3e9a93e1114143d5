// Regions of a stage that leave room in it: what takes long is not run again, as far as there is room.
//
//     regions    a [b c d e f] g
//     filled     a [b c] d [e f] g      left out, where its region is parted; or kept within it
#pragma once

#include "core/recompute/region_room.h"

namespace stagecraft {

// Takes no longer than `start`, which fits.
RegionEstimate::Shapes filledRegions(const RegionEstimate& estimate, const RegionRoom& room,
                                     const RegionEstimate::Shapes& start);

} // namespace stagecraft
