// RecomputeKind::Auto: cuts and recomputation found together, as little of the latter as memory demands.
//
//     a plan without recomputation keeps the limits, and none is faster without them ─yes─► that
//             │ no
//     cuts (learned_cuts.h) ─► choice of each stage (traced_choice.h) ─► trace ─► does it keep them?
//             ▲                                                                │ room corrected by what the
//             └──── search with what is recomputed as it is ◄── best plan ◄────┘ trace says
//                        climbs by estimates (recompute_climb.h), from all cuts tried, then from others near,
//                        and cuts in other orders than the program's (other_orders.h)
//
// What is shown is always what a trace of the plan says. Never worse than with every block recomputed.
#pragma once

#include "core/recompute_choice.h"
#include "core/recomputed_plan.h"

namespace stagecraft {

// As findRecomputedPlan(). Its bound is of all plans, whatever they recompute. Where none is found
// that keeps the limits: the one that holds the least, and of plans that recompute every block what would.
Result<RecomputedPlan> findAutoPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                    const Profiler& profiler, OverLimit overLimit,
                                    const Progress& progress = {});

// What the choices of this are made from, for who weighs memory against time by hand.
Result<RecomputeChooser> recomputeChooser(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, const Progress& progress = {});

// The same for stages that are there: as little as each demands. Where one does not fit, a note says so.
Result<RecomputedPlan> chooseForPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                     Partition partition, const Profiler& profiler,
                                     const Progress& progress = {});

} // namespace stagecraft
