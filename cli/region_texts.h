// What the command line and the code of stages say of what backward runs again.
#pragma once

#include "cli/plan_source.h"
#include "core/plan/stage_recomputation.h"
#include "core/stage/stage_program.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace stagecraft::cli {

// What the plan recomputes, stage by stage; empty where nothing is. `model` as it was opened. `without`: its
// profile where nothing runs again.
struct PlanRecomputation
{
    std::vector<StageRecomputation> stages;
    std::optional<Profile> without;
    std::vector<std::string> notes; // where a policy asks for some, and nothing runs again
};
Result<PlanRecomputation> planRecomputation(const Model& model, const ChosenPlan& chosen,
                                            const Progress& progress);

// What --explain says of what is recomputed: each region, and what a GiB more on each device would buy these
// stages under auto. Empty where nothing is.
struct RecomputationExplained
{
    std::string text;
    nlohmann::ordered_json json; // {"stages", "regions", "next_gib": null or {"bottleneck_s", "iteration_s"}}
};
Result<RecomputationExplained> explainRecomputation(const Model& model, const ChosenPlan& chosen,
                                                    const PlanRecomputation& recomputed,
                                                    const Progress& progress);

// What the stages' code says of what runs again in `runs`, which is `model` under a plan: nothing where it
// cannot be profiled. Fails where cancelled.
Result<RegionNotes> notesOnRegions(const Model& model, const Model& runs, const Partition& partition,
                                   const ProfileFlags& flags, const Progress& progress);

} // namespace stagecraft::cli
