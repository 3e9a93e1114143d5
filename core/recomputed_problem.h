// A model as it runs under a policy of recomputation, what there is to split, and plans of it.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/plan/node_stages.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"
#include "core/recompute/plan.h"
#include "core/workflow.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace stagecraft {

// How a model is profiled: traceAndProfile(), and what a person knows better. `parts`: ProfileOptions::parts.
using Profiler = std::function<Result<Profile>(const Model&, std::shared_ptr<const NodeStages> parts)>;

// A model as it runs under the policy of its options, and what there is to split.
struct RecomputedProblem
{
    std::shared_ptr<const Model> model; // the regions are in its contexts
    Profile profile;                    // of it
    PartitionProblem problem;           // options.recompute.regions: the regions, but of RecomputeKind::Model
    std::vector<std::string> notes;     // what cannot be recomputed as asked, and why
};

// For a plan that there is, whose boundaries part the regions, the model's own too; null: for all plans, with
// whole regions.
// Regions that options.recompute has are taken as they are. Fails as the profiler and planProblem() do.
Result<RecomputedProblem> recomputedProblem(std::shared_ptr<const Model> model, PartitionOptions options,
                                            const Profiler& profiler, const Partition* partition,
                                            const Progress& progress = {});

// First whether it fits, then what its objective says.
bool isBetter(const PlanCost& plan, const PlanCost& other);

struct RecomputedPlan
{
    RecomputedProblem of;
    FoundPlan found;
};

} // namespace stagecraft
