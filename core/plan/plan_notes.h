// What a person has to know beside the figures of a plan: where they are not those of what an export will
// run.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Sends straight to each reader (SendKind::Direct) are made by the run-time of an export alone: what the plan
// takes where others run its stages, from stage to stage. None: it is relayed anyway.
std::optional<PlanCost> relayedCost(const PartitionProblem& problem, const Partition& partition);
// That, in one line. Empty: they are asked to relay.
std::string exportRelaysNote(const PartitionOptions& options);
// What the plan takes so, in one line. Empty: the plan is relayed.
std::string relayNote(const PartitionProblem& problem, const Partition& partition);

// Checkpoint regions whose nodes lie in several stages, and that are run again at all: their outermost ones.
// Each stage keeps the inputs of its part and runs it again alone.
std::size_t countCutRegions(const Graph& graph, const Profile& profile, const Partition& partition);

// All notes on a plan, a line each.
std::vector<std::string> planNotes(const Graph& graph, const Profile& profile,
                                   const PartitionProblem& problem, const Partition& partition);

} // namespace stagecraft
