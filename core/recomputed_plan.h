// Plans of a model together with what it recomputes: one way for the window and the command line.
//
//     Model ─policy─► regions ─► Model with them ─profiler─► Profile ─► PartitionProblem ─► plan
//                        ▲                                                                  │
//                        └───────── parted where its boundaries part them ◄─────────────────┘
//
// Saved bytes, peaks, FLOPs and times are those of a trace of the model with its regions, stage by stage
// where a boundary parts one: what the plan's stages will run.
#pragma once

#include "core/recompute_choice.h"
#include "core/recomputed_problem.h"

namespace stagecraft {

// findPlan(): under a policy the regions that options.recompute has are made anew, but those of "plan". Where
// nothing fits, it says what "auto" would come to.
Result<RecomputedPlan> findRecomputedPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, OverLimit overLimit,
                                          const Progress& progress = {});

// The same of all stages and as they are told: no auto, neither asked for nor said.
Result<RecomputedPlan> findPlanAsTold(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                      const Profiler& profiler, OverLimit overLimit,
                                      const Progress& progress = {});

// Does a boundary of the plan part what runs again? Then the plan has other figures than with all regions
// whole.
bool partsRegions(const Graph& graph, const RecomputePolicy& policy, const Partition& partition);

// evaluatePlan() of a plan drawn by hand or read from a file. Where stages choose or do otherwise than
// others, the bound is of all plans, whatever they recompute.
Result<RecomputedPlan> evaluateRecomputedPlan(const std::shared_ptr<const Model>& model,
                                              PartitionOptions options, Partition partition,
                                              const Profiler& profiler, const Progress& progress = {});

// Gives the solution the bound of all plans of the model, whatever they cut and recompute (bound_of_all.h),
// in the place of its own. `ground` is the model's under these options; null: it is made, where memory is
// limited.
Result<void> takeBoundOfAll(const RecomputeGround* ground, const std::shared_ptr<const Model>& model,
                            PartitionOptions options, const Profiler& profiler, Solution& solution,
                            const Progress& progress = {});

} // namespace stagecraft
