// What may be kept in each region of a plan, for how much memory and how much time.
//
//     bytes kept  0 ─────────────► all      choices: the lower hull, from all that may run again
//     time added  all ───────────► least    to the least time; those between are above it
//
// As PyTorch runs regions (plan.h), the time of a node is added in full or not at all, whatever others do; a
// storage is paid for once, and not at all where it is kept anyway; who keeps random numbers keeps the later
// ones, too. So the bytes of a choice are those of a trace of it. Its time is, too, where times of operators
// add up: not quite on a GPU that waits for the host, or where a CPU takes time for views, which run again in
// any case.
#pragma once

#include "core/profile/profile.h"
#include "core/recompute/plan.h"
#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <vector>

namespace stagecraft {

struct RegionChoice
{
    std::vector<std::size_t> kept; // positions in the region's nodes, ascending; besides those kept before
    Bytes keptBytes;               // from forward to backward, for each microbatch
    Seconds added;                 // to the backward pass
    Bytes transient;               // of what the second run makes all that backward has yet to take

    friend bool operator==(const RegionChoice&, const RegionChoice&) = default;
};

struct RegionHull
{
    std::vector<RegionChoice> choices;
};

// Of each region of `plan`. `trace` and `profile` are of withPlan(model, plan), whose regions keep what must
// be kept (withNeededKept()) and may keep more. Regions for which everything is the same share one hull.
std::vector<std::shared_ptr<const RegionHull>> regionHulls(const Model& model, const RecomputePlan& plan,
                                                           const Trace& trace, const Profile& profile,
                                                           OperatorSchemas& schemas);

// Of each node what it would take to keep its results, too; storage that several would keep counts with each.
Table<NodeId, Bytes> bytesOfKeeping(const Graph& graph, const Trace& trace);

// For tests: `plan` with one choice for each of its regions.
RecomputePlan withChoices(RecomputePlan plan, std::span<const RegionChoice* const> choices);

} // namespace stagecraft
