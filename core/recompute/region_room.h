// What a stage may hold beside what it holds always, and what its regions come to in that.
#pragma once

#include "core/recompute/region_estimate.h"

#include <algorithm>

namespace stagecraft {

// What the regions of a stage come to: over what it may hold, and then the time they add.
struct RegionWorth
{
    Bytes over;
    Seconds added;

    friend auto operator<=>(const RegionWorth&, const RegionWorth&) = default;
};

// What a stage may hold beside what it holds always.
struct RegionRoom
{
    Bytes bytes;
    std::int64_t inFlight = 1;
    Bytes transient;      // at least
    Bytes saved;          // of one microbatch, besides what the estimate counts
    bool isSplit = false; // its backward pass, where nothing runs again

    // Alive besides as the stage goes back; 0 where it does so in parts.
    Bytes backward(const RegionEstimate::Figures& figures) const
    {
        return isSplit && figures.added == Seconds{} ? Bytes{} : figures.backward;
    }
    Bytes held(const RegionEstimate::Figures& figures) const
    {
        return (figures.saved + saved) * inFlight +
               std::max({transient, figures.transient, figures.forward, backward(figures)});
    }
    RegionWorth worth(const RegionEstimate::Figures& figures) const
    {
        return {std::max(Bytes{}, held(figures) - bytes), figures.added};
    }
};

} // namespace stagecraft
