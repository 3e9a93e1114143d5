// --recompute: which policy is meant, and what it makes of a model.
#pragma once

#include "cli/profile_options.h"
#include "core/recompute/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace stagecraft::cli {

// Reads --recompute, which may name a plan file, into what the plan says; empty and "plan": that stands.
// Fails, listing what there is.
Result<void> readRecompute(const std::string& text, const Model& model, RecomputePolicy& policy);

// Where nothing goes backward, nothing is recomputed: the policy says so then, and a note. `text`: what was
// given; empty: it is a plan's.
void withoutBackward(const ProfileFlags& profile, const std::string& text, RecomputePolicy& policy,
                     std::vector<std::string>& notes);

struct RecomputedModel
{
    std::shared_ptr<const Model> model;
    RecomputePlan regions; // its own, or those of the policy
};
// What a policy makes of a model that is not otherwise planned: no plan file, boundaries or search. Fails for
// policies that need a plan. `stages` of a plan part its regions; null: one stage.
Result<RecomputedModel> recomputedModel(const Model& model, const RecomputePolicy& policy,
                                        const NodeStages* stages, std::vector<std::string>& notes);

} // namespace stagecraft::cli
