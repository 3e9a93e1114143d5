// Time against memory, with and without recomputation: plans of one number of stages, of which none is better
// than another in everything.
//
//     nothing recomputed          ─ tradeOffs() ─┐
//     recomputed as policy says   ─ tradeOffs() ─┼─► traced as their boundaries part regions ─► the best
//     auto: under tighter limits  ─ searches ────┘
#pragma once

#include "core/advise/trade_offs.h"
#include "core/recomputed_problem.h"

#include <string>
#include <vector>

namespace stagecraft {

struct RecomputedTradeOffs
{
    std::vector<TradeOff> plans;    // by the time of a step
    std::vector<std::string> notes; // which of the two has no plan, and why
};

// Under Model and None plans of what the model does itself. Under a policy the bounds are of all plans,
// whatever they cut and recompute. Under Auto a few plans are searched for between the least that plans
// without recomputation hold and the least with every block recomputed. Within options.timeLimit; where that
// or `progress` is over, with what there is. Fails where no plan keeps the memory limits either way.
Result<RecomputedTradeOffs> recomputedTradeOffs(const std::shared_ptr<const Model>& model,
                                                PartitionOptions options, const Profiler& profiler,
                                                const Progress& progress = {});

} // namespace stagecraft
