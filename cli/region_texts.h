// What the command line and the code of stages say of what backward runs again.
#pragma once

#include "cli/plan_source.h"
#include "core/stage/stage_program.h"

#include <nlohmann/json.hpp>

#include <string>

namespace stagecraft::cli {

// What --explain says of what is recomputed: each region, and what a GiB more on each device would buy these
// stages under auto. Empty where nothing is.
struct RecomputationExplained
{
    std::string text;
    nlohmann::ordered_json json; // {"regions": [...], "next_gib": null or {"bottleneck_s", "iteration_s"}}
};
Result<RecomputationExplained> explainRecomputation(const Model& model, const ChosenPlan& chosen,
                                                    const Progress& progress);

// What the stages' code says of what runs again in `runs`, which is `model` under a plan: nothing where it
// cannot be profiled. Fails where cancelled.
Result<RegionNotes> notesOnRegions(const Model& model, const Model& runs, const Partition& partition,
                                   const ProfileFlags& flags, const Progress& progress);

} // namespace stagecraft::cli
