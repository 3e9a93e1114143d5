// Regions of a stage within its room: runs of nodes at prices of a byte (stage_regions.h), by estimate the
// fastest of those that fit, changed a little as long as that helps.
#pragma once

#include "core/recompute/region_climb.h"
#include "core/recompute/stage_regions.h"

#include <span>

namespace stagecraft {

struct RegionTrials
{
    std::span<const double> prices; // ascending
    std::span<const Bytes> caps;
    std::size_t estimates = 0; // for changes, about
    StageRegions::Stop stop = StageRegions::Stop::AtLastSaved;
};

// Where nothing is within the room, what is over by the least.
RegionEstimate::Shapes chooseRegions(const RegionEstimate& estimate, const StageRegions& runs,
                                     const RegionRoom& room, const RegionTrials& trials);

} // namespace stagecraft
