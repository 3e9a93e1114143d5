#include "core/stage/cut.h"

#include "core/graph/functorch_step.h"
#include "core/load/storage_use.h"
#include "core/plan/stage_labels.h"
#include "core/stage/stage_cutter.h"

#include <algorithm>
#include <numeric>

namespace stagecraft {

namespace {

Error badPartition(const std::string& why)
{
    return {ErrorCode::BadUsage, "this partition cannot be cut: " + why};
}

Result<void> checkPartition(const Graph& graph, const CutFacts& facts, const Partition& partition)
{
    if (partition.stageOf.size() != graph.nodeCount())
        return badPartition("it is of a graph of " + std::to_string(partition.stageOf.size()) +
                            " nodes, the model has " + std::to_string(graph.nodeCount()));
    if (partition.stageCount == 0)
        return badPartition("it has no stage");
    for (const NodeId node : graph.nodes())
        if (partition.stageOf[node].index() >= partition.stageCount)
            return badPartition("node '" + graph[node].name + "' is in " +
                                stageLabel(partition.stageOf[node]) + " of " +
                                std::to_string(partition.stageCount));
    for (const auto& [node, after] : facts.edges)
        if (partition.stageOf[after] < partition.stageOf[node])
            return badPartition("node '" + graph[after].name + "' needs '" + graph[node].name +
                                "', which is in a later stage");
    return {};
}

// Joins nodes into groups.
class NodeGroups
{
public:
    explicit NodeGroups(std::size_t count) : m_parents(count)
    {
        std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
    }
    void join(NodeId a, NodeId b)
    {
        const auto [low, high] = std::minmax({find(a.index()), find(b.index())});
        m_parents[high] = low;
    }
    std::vector<std::vector<NodeId>> groups()
    {
        std::map<std::size_t, std::vector<NodeId>> byRoot;
        for (std::size_t i = 0; i < m_parents.size(); ++i)
            byRoot[find(i)].emplace_back(i);
        std::vector<std::vector<NodeId>> groups;
        for (auto& [root, nodes] : byRoot)
            if (nodes.size() > 1)
                groups.push_back(std::move(nodes));
        return groups;
    }

private:
    std::size_t find(std::size_t i)
    {
        while (m_parents[i] != i)
            i = m_parents[i] = m_parents[m_parents[i]];
        return i;
    }
    std::vector<std::size_t> m_parents;
};

// Everything that touches written storage up to the last write: afterwards its content may be sent on.
void joinUsersOfStorage(const Graph& graph, const StorageUse& storage, ValueId state, NodeGroups& groups)
{
    const NodeId lastWriter = storage.sets.writers(state).back();
    for (const ValueId member : graph.values())
        if (storage.sets.mayShare(member, state))
            for (const NodeId user : graph[member].users)
                if (user < lastWriter)
                    groups.join(user, lastWriter);
}

void joinUsersOfUpdatedBuffers(const Model& model, NodeGroups& groups)
{
    const Graph& graph = model.graph;
    for (std::size_t i = 0; i < model.signature.outputs.size() && i < graph.outputs().size(); ++i) {
        const OutputSpec& spec = model.signature.outputs[i];
        const auto* value = std::get_if<ValueId>(&graph.outputs()[i]);
        if (!value || !graph[*value].producer || !spec.isStateUpdate())
            continue;
        for (const InputSpec& input : model.signature.inputs)
            if (input.target == spec.target && input.value)
                for (const NodeId user : graph[*input.value].users)
                    groups.join(user, *graph[*value].producer);
    }
}

// What a region of vmap or jvp makes has a batch dimension or a tangent of which only operators within know.
void joinTransformRegions(const Graph& graph, NodeGroups& groups)
{
    std::vector<NodeId> opened;
    for (const NodeId node : graph.nodes()) {
        if (opensTransform(graph[node].target))
            opened.push_back(node);
        if (!opened.empty())
            groups.join(opened.front(), node);
        if (closesTransform(graph[node].target) && !opened.empty())
            opened.pop_back();
    }
}

} // namespace

Result<std::vector<StageProgram>> cutStages(const Model& model, const Partition& partition,
                                            const Progress& progress)
{
    return cutStages(model, partition, cutFacts(model), progress);
}

Result<std::vector<StageProgram>> cutStages(const Model& model, const Partition& partition,
                                            const CutFacts& facts, const Progress& progress)
{
    STAGECRAFT_TRY(checkPartition(model.graph, facts, partition));
    return StageCutter(model, partition, facts).cut(progress);
}

std::vector<std::vector<NodeId>> inseparableNodes(const Model& model)
{
    const Graph& graph = model.graph;
    const StorageUse storage = findStorageUse(graph);
    NodeGroups groups(graph.nodeCount());
    for (const ValueId input : graph.inputs())
        if (graph[input].kind != ValueKind::UserInput && storage.isWritten(input))
            joinUsersOfStorage(graph, storage, input, groups);
    joinUsersOfUpdatedBuffers(model, groups);
    joinTransformRegions(graph, groups);
    return groups.groups();
}

Partition withInseparableNodesTogether(const Model& model, Partition partition)
{
    const std::vector<std::vector<NodeId>> groups = inseparableNodes(model);
    Table<NodeId, StageId>& stageOf = partition.stageOf;
    for (bool isMoving = true; isMoving;) { // stages only grow
        isMoving = false;
        const auto raise = [&](NodeId node, StageId stage) {
            if (stageOf[node] < stage) {
                stageOf[node] = stage;
                isMoving = true;
            }
        };
        for (const NodeId node : model.graph.nodes())
            for (const NodeId before : model.graph.predecessors(node))
                raise(node, stageOf[before]);
        for (const std::vector<NodeId>& group : groups) {
            const auto stage = [&](NodeId node) { return stageOf[node]; };
            const StageId last = stageOf[std::ranges::max(group, {}, stage)];
            for (const NodeId node : group)
                raise(node, last);
        }
    }
    return partition;
}

} // namespace stagecraft
