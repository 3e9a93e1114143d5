// What choosing and bounding recomputation stand on: one model, planned without it and with every block
// recomputed.
#pragma once

#include "core/plan/problem.h"
#include "core/recompute/activation_uses.h"
#include "core/recompute/node_moments.h"
#include "core/recompute/node_needs.h"
#include "core/recompute/node_pace.h"
#include "core/recompute/region_hulls.h"

#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

// What is known of a model: planned without recomputation, and with every block recomputed.
struct RecomputeGround
{
    PartitionProblem none;
    PartitionProblem full;
    RecomputePlan blocks; // of `full`; whole
    std::vector<std::shared_ptr<const RegionHull>> hulls;
    // What each node is the first to keep, of `none` and of `full`: what several keep counts once.
    Table<NodeId, Bytes> saved;
    Table<NodeId, Bytes> savedInBlocks;
    Table<NodeId, Bytes> keeping;                       // bytesOfKeeping()
    Table<NodeId, NodeNeeds> needs;                     // of `none`
    Table<NodeId, NodeMoments> moments;                 // likewise
    NodePaces paces;                                    // likewise
    ActivationUses storages;                            // likewise
    Table<ValueId, std::optional<StorageId>> storageOf; // of values, likewise
    Table<ValueId, char> isCopied; // is what is sent of a value another tensor than what is kept of it?
};

// One way to run a model, and what there is to split.
struct PosedModel
{
    const Model& model;
    const Profile& profile;
    const PartitionProblem& problem;
};
// Of one model: without recomputation, and with every block recomputed.
Result<RecomputeGround> recomputeGround(const PosedModel& none, const PosedModel& full,
                                        const Progress& progress = {});

// More than any stage of any plan takes: all nodes, each run again, on the slowest device, with all values
// sent and received.
Seconds slowestOf(const RecomputeGround& ground);

} // namespace stagecraft
