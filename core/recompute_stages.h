// Plans under policies of single stages ("auto,0-1:full,3:none"): which regions the stages of a plan have,
// and where to cut for them.
#pragma once

#include "core/recompute_choice.h"
#include "core/recomputed_problem.h"

namespace stagecraft {

// As findRecomputedPlan(): from `first`, a plan for what all stages do, on, cuts for what each stage
// recomputes, and again what each recomputes for these cuts, while that is better. Its bound is
// left out. `chooser` as below; null: no stage chooses.
Result<RecomputedPlan> findPlanOfStages(const Solution& first, const RecomputeChooser* chooser,
                                        const std::shared_ptr<const Model>& model, PartitionOptions options,
                                        const Profiler& profiler, OverLimit overLimit,
                                        const Progress& progress = {});

// As evaluateRecomputedPlan(): stages that choose do as little as their memory demands, the others what they
// are told; where one that chooses cannot fit, it holds the least that was found, and a note says so.
// `chooser` is of that model and these options.
Result<RecomputedPlan> chooseForStages(const RecomputeChooser& chooser,
                                       const std::shared_ptr<const Model>& model, PartitionOptions options,
                                       const Partition& partition, const Profiler& profiler,
                                       const Progress& progress = {});

} // namespace stagecraft
