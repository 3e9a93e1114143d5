// RecomputePlan: what backward runs again instead of having it kept.
//
//     a step      a   b   c   d   e   f
//     region         [b   c   d   e]        runs under torch.utils.checkpoint(use_reentrant=False): its
//     kept                c                 inputs are kept, and what c makes; b, d and e run again
//
// Of a kept node every operator's results are kept that are no views, whoever needs them, as
// create_selective_checkpoint_contexts() does when it is told so (allow_cache_entry_mutation=True: batch
// norms count their batches in a buffer that the next microbatch writes). All others run again in the graph's
// order up to the last tensor that the region's backward needs, whoever needs theirs.
#pragma once

#include "core/base/id.h"
#include "core/load/model.h"
#include "core/load/operator_schema.h"
#include "core/recompute/recompute_policy.h"

#include <cstdint>
#include <vector>

namespace stagecraft {

// Of each node its stage; null: all is one.
using NodeStages = Table<NodeId, std::uint32_t>;

// Can PyTorch run the plan, and is every second run like the first? Fails, naming the node and what it does:
//   - a region that is empty, out of order, over two stages, with a gap, or that shares a node with another;
//   - a node that writes a parameter or buffer and is not kept: it would do so twice;
//   - a node that reads one which is written before a second run (running averages of a batch norm that is
//     kept left out): it, or its gradient, would find another value;
//   - a region one of whose own inputs is written later, or in it: PyTorch refuses that;
//   - a kept node whose result lies in storage that is written, unless the region makes it and keeps all that
//     write it: it would come back changed;
//   - a node that runs again and reads such storage before it is written;
//   - a node that draws random numbers behind a kept one that does: it would draw the other's;
//   - an operator that is not known, and is not kept;
//   - a kept node with an inner graph, or in a context with autocast, whose casts are not the same twice.
Result<void> checkPlan(const Model& model, const RecomputePlan& plan, OperatorSchemas& schemas,
                       const NodeStages* stages = nullptr);

// The plan with those nodes kept, too, that must be: they write what lasts or what is kept, are not known, or
// draw random numbers behind a kept one. checkPlan() may still refuse it for other reasons. For tests.
RecomputePlan withNeededKept(const Model& model, RecomputePlan plan, OperatorSchemas& schemas);

// The model with the plan's regions in the place of its own; `plan` was checked.
Model withPlan(const Model& model, const RecomputePlan& plan);

// The regions that the model brings along, the outermost where they are nested; parted where stages part
// them, for each stage keeps the inputs of its part and runs it again alone.
RecomputePlan ownPlan(const Graph& graph, const NodeStages* stages = nullptr);

// What runs again under a policy: the model's own regions, or those that came of it for those stages.
RecomputePlan regionsThatRun(const Graph& graph, const RecomputePolicy& policy,
                             const NodeStages* stages = nullptr);

} // namespace stagecraft
