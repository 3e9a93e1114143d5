// What each region that a plan recomputes brings and costs.
#pragma once

#include "core/load/model.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"
#include "core/stage/stage_program.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace stagecraft {

struct RegionFigures
{
    std::size_t stage = 0;
    std::string place; // its innermost module: "model.layers.0"
    std::size_t nodes = 0;
    std::size_t kept = 0; // of these
    Bytes saved;          // of one microbatch
    Bytes without;        // what its nodes save where nothing runs again
    Seconds added;        // to the backward pass of one microbatch
    int inFlight = 1;     // microbatches that save it at once
    Bytes atOnce;         // the most that is alive besides while it, or its backward pass, runs
};

// Of problem.options.recompute.regions, in their order. `profile` is of the model with them, `plain` of that
// without. What several nodes keep counts with the first of the stage, so that bytes add up to the stage's.
std::vector<RegionFigures> regionFigures(const Model& model, const Profile& profile, const Profile& plain,
                                         const PartitionProblem& problem, const Solution& solution);
// What stands in the stages' code above the call of each region of `model`, by its nodes: "keeps 4 MiB of a
// microbatch instead of 32 MiB; backward takes 2 ms longer on h100-sxm". Of nested ones only the outermost,
// parted where the partition parts them; of none that the profile has otherwise (ProfileOptions::parts).
RegionNotes regionNotes(const Model& model, const Profile& profile, const Profile& plain,
                        const Partition& partition);
std::string regionsText(const std::vector<RegionFigures>& regions);
// [{"stage", "module", "nodes", "kept_nodes", "saved_bytes", "saved_without_bytes", "in_flight",
//   "at_once_bytes", "recomputed_s"}]
nlohmann::ordered_json regionsJson(const std::vector<RegionFigures>& regions);

} // namespace stagecraft
