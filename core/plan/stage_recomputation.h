// What each stage of a plan has run again in backward instead of keeping it: what it keeps, what that frees,
// and what it takes.
#pragma once

#include "core/plan/options.h"
#include "core/plan/partition.h"
#include "core/profile/profile.h"
#include "core/recompute/recompute_policy.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Of one microbatch, but where it says otherwise.
struct StageRecomputation
{
    std::size_t regions = 0;      // that have nodes in the stage
    std::size_t nodes = 0;        // in regions
    std::size_t kept = 0;         // of these: their results are kept, they do not run again
    Bytes saved;                  // what the stage keeps for backward
    std::optional<Bytes> without; // what it would keep if nothing ran again; none: not known
    int inFlight = 1;             // microbatches that are kept at once
    Bytes transient;              // the most that is alive besides: mostly what a region makes again
    Bytes transientWithout;       // the same if nothing ran again; 0 where that is not known
    Flops flops;                  // that are run again
    Seconds time;                 // that backward takes longer

    // How much less the stage holds at its peak: of all microbatches in flight, less what is alive at once as
    // regions run again; none: not known. Negative where that, and the inputs of regions, are more.
    std::optional<Bytes> freed() const;
};

// Stage by stage; empty where nothing runs again. `profile` is of the model with these regions, `without` of
// that without; null: not known. `options`: of the plan, which say what of a stage goes back at once.
std::vector<StageRecomputation> stageRecomputations(const RecomputePlan& plan, const Profile& profile,
                                                    const Profile* without, const Partition& partition,
                                                    const PartitionOptions& options, const PlanCost& cost);
// The same for who has no costs: times of one device, one microbatch in flight.
std::vector<StageRecomputation> stageRecomputations(const RecomputePlan& plan, const Profile& profile,
                                                    const Profile* without, const Partition& partition,
                                                    const PartitionOptions& options);

// A table; empty where nothing runs again.
std::string recomputationText(const std::vector<StageRecomputation>& stages);
// [{"stage", "regions", "region_nodes", "kept_nodes", "saved_bytes", "saved_without_bytes" (null: not known),
//   "in_flight", "transient_bytes", "freed_bytes" (null likewise), "flops_recomputed", "recomputed_s"}]; null
// where nothing runs again.
nlohmann::ordered_json recomputationJson(const std::vector<StageRecomputation>& stages);

} // namespace stagecraft
