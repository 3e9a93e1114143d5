#include "core/recompute_ground.h"

#include "core/graph/received_layout.h"
#include "core/plan/stage_cost.h"
#include "core/profile/model/profile_model.h"
#include "core/trace/trace_model.h"

#include <algorithm>

namespace stagecraft {

namespace {

Table<NodeId, Bytes> savedBy(const Profile& profile)
{
    Table<NodeId, Bytes> saved(profile.nodes.size());
    for (const NodeId node : saved.ids())
        saved[node] = profile.nodes[node].savedBytes;
    return saved;
}

} // namespace

Result<RecomputeGround> recomputeGround(const PosedModel& none, const PosedModel& full,
                                        const Progress& progress)
{
    STAGECRAFT_ASSIGN(plain, traceModel(none.model, traceOptions(none.profile.options), progress));
    STAGECRAFT_ASSIGN(trace, traceModel(full.model, traceOptions(full.profile.options), progress));
    RecomputeGround ground{.none = none.problem, .full = full.problem};
    ground.saved = savedBy(none.profile);
    ground.savedInBlocks = savedBy(full.profile);
    OperatorSchemas schemas;
    ground.needs = nodeNeeds(none.model, plain, none.profile, schemas);
    ground.moments = nodeMoments(none.model.graph, plain);
    ground.paces = nodePaces(none.model.graph, none.profile);
    ground.storages = activationUses(ground.needs);
    for (const TraceValue& value : plain.values)
        ground.storageOf.add(value.tensor ? std::optional(plain[*value.tensor].storage) : std::nullopt);
    for (const ValueId value : none.model.graph.values()) {
        const std::optional<TensorMeta>& meta = none.model.graph[value].meta;
        ground.isCopied.add(meta && !isRowMajor(*meta));
        if (const auto storage = ground.storageOf[value]; storage && ground.storages.contains(*storage))
            ground.storages[*storage].isCopied |= ground.isCopied[value] != 0;
    }
    ground.blocks = ground.full.options.recompute.regions;
    ground.hulls = regionHulls(full.model, ground.blocks, trace, full.profile, schemas);
    ground.keeping = bytesOfKeeping(full.model.graph, trace);
    return ground;
}

Seconds slowestOf(const RecomputeGround& ground)
{
    const PartitionOptions& options = ground.none.options;
    Seconds compute, transfer;
    for (const ProblemNode& node : ground.none.nodes)
        compute += computeOf(node).total() + node.forward;
    TransferSize all;
    for (const ProblemValue& value : ground.none.values) {
        all += forwardSize(value);
        all += backwardSize(value);
    }
    for (std::size_t boundary = 0; boundary + 1 < options.stageCount; ++boundary)
        transfer = std::max(transfer, linkTime(options, all, boundary));
    return (compute / std::ranges::min(options.speeds) + transfer * 2) * 2;
}

} // namespace stagecraft
