// Plans beside the document's: found under another question, or read from a file. For any thread.
#pragma once

#include "app/document/recomputed_plans.h"
#include "app/document/tried_plan.h"

#include <filesystem>

namespace stagecraft {

struct OtherPlan
{
    PlanState state; // with costs
    KnownBounds bounds;
    std::vector<std::string> notes; // what a person should know of it
};

// The best plan of `target`, whose question it is; what the window would make of it.
Result<OtherPlan> bestPlan(PlanState target, const PlanQuestion& question, const Progress& progress);
// That with the cuts of `target`. Fails where they are none of the question's plans.
Result<OtherPlan> planWithCuts(PlanState target, const PlanQuestion& question, const Progress& progress);
// The plan of a *.stagecraft file on the open model, whose file `modelPath` is, for what it was made for, as
// far as that is known; else under the device and measures of `target`. Fails as readPlan() and applyPlan()
// do, and where it is no plan of the model.
Result<OtherPlan> planOfFile(const std::filesystem::path& path, const std::filesystem::path& modelPath,
                             PlanState target, PlanQuestion question, const Progress& progress);
// The plan that `problem` and `partition` are with a bound: of all plans, whatever they recompute, where that
// was for the search to choose.
Result<Solution> boundedPlan(const PlanQuestion& question, const PartitionProblem& problem,
                             const Partition& partition, const Progress& progress);
// A plan of that problem with a bound that a search gave; of the given one, with the bound of all plans,
// where stages choose what they recompute.
Result<FoundPlan> searchedBound(const PlanQuestion& question, const PartitionProblem& problem,
                                const Partition& partition, const Progress& progress);

} // namespace stagecraft
