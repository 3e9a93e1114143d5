// Regions of a stage within its room: runs of nodes at prices of a byte (stage_regions.h), by estimate the
// fastest of those that fit, changed a little as long as that helps.
#pragma once

#include "core/recompute/region_climb.h"
#include "core/recompute/stage_regions.h"

#include <optional>
#include <span>

namespace stagecraft {

struct RegionTrials
{
    std::span<const double> prices; // ascending, and not none
    std::span<const Bytes> caps;    // likewise
    std::size_t estimates = 0;      // for changes, about
    StageRegions::Stop stop = StageRegions::Stop::AtLastSaved;
    std::size_t firstPrice = 0; // of `prices`, from which on they are tried
    int sharpenings = 0;        // prices between these, tried under each cap
    bool keepsForCaps = false;  // regions that would make more again than a cap have some of it kept
    bool fills = false;         // the room that is left (region_fill.h)
};

struct ChosenRegions
{
    RegionEstimate::Shapes shapes;
    RegionWorth worth;
    std::size_t price = 0; // at which it was found
};

// Where nothing is within the room, what is over by the least. `atHand`: if nothing better is found, that.
ChosenRegions chooseRegions(const RegionEstimate& estimate, const StageRegions& runs, const RegionRoom& room,
                            const RegionTrials& trials, std::optional<ChosenRegions> atHand = {});

} // namespace stagecraft
