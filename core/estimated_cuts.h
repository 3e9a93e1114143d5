// Where to cut when each stage recomputes as little as its memory demands, as far as estimates say.
//
//     slice ──► cuts ──► what stages choose there ──► slice for what the first was off by ──► ...
//
// Slicing (recompute_cuts.h) knows less of a stage than who chooses for it (recompute_choice.h): each next
// slicing is corrected by what was chosen for the one before.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_cuts.h"
#include "core/traced_choice.h"

#include <vector>

namespace stagecraft {

struct EstimatedCuts
{
    double slowness = 0; // slownessOf() what is chosen for them
    Partition partition;
};

// What stages may hold, and how they choose.
struct CutsAsked
{
    std::vector<Bytes> rooms;
    RecomputeChooser::Ways ways = RecomputeChooser::Ways::Any;
};

// When a slicing has to end, and when none is begun any more.
struct CutsOver
{
    IsOver slicing;
    IsOver rounds;
};

// Those that were found, the fastest first: some may be over the rooms. None: slicing finds none.
std::vector<EstimatedCuts> estimatedCuts(const RecomputedCuts& cuts, const RecomputeChooser& chooser,
                                         const TracedChoice& choice, const CutsAsked& asked,
                                         RecomputeChooser::Known& known, const CutsOver& over);

} // namespace stagecraft
