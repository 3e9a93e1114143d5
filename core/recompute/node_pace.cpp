#include "core/recompute/node_pace.h"

#include "core/profile/device/dispatch_clock.h"
#include "core/recompute/policies.h"

#include <limits>

namespace stagecraft {

Table<NodeId, std::size_t> repeatedBlockOf(const Graph& graph)
{
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    Table<ModuleId, std::size_t> ofModule(graph.modules().size(), none);
    for (const ModuleId block : repeatedBlocks(graph))
        ofModule[block] = block.index();
    Table<NodeId, std::size_t> blocks(graph.nodeCount(), none);
    for (const NodeId node : graph.nodes()) {
        std::optional<ModuleId> around = graph[node].module;
        while (around && ofModule[*around] == none)
            around = graph.modules()[*around].parent;
        blocks[node] = around ? ofModule[*around] : none;
    }
    return blocks;
}

Seconds againWithWaits(const NodePaces& paces, std::span<const NodeId> nodes, std::span<const char> isKept,
                       std::optional<NodeId> behind)
{
    ProgramLead lead(paces.oneOperator);
    std::optional<std::size_t> block;
    if (behind)
        block = paces.ofNodes[*behind].block;
    Seconds taken;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodePace& of = paces.ofNodes[nodes[i]];
        if (block != of.block)
            lead.holdBack();
        block = of.block;
        taken += lead.handOver(of.views);
        if (isKept[i] != 0 || of.alone == Seconds{})
            continue;
        taken += lead.handOver(of.handover) + of.alone;
        lead.run(of.alone);
    }
    return taken;
}

NodePaces nodePaces(const Graph& graph, const Profile& profile)
{
    const DispatchClock clock(profile.options.device, profile.options.mode);
    NodePaces paces{.ofNodes = Table<NodeId, NodePace>(graph.nodeCount()),
                    .oneOperator = clock.dispatchIn(Phase::Forward)};
    const Table<NodeId, std::size_t> blocks = repeatedBlockOf(graph);
    for (const NodeId node : graph.nodes())
        paces.ofNodes[node].block = blocks[node];
    if (profile.options.device.kind == "cpu")
        return paces;
    for (const MemorySample& sample : profile.memory.samples) {
        if (sample.phase != Phase::Forward)
            break;
        if (!sample.node || profile.nodes[*sample.node].origin != CostOrigin::Estimated)
            continue;
        NodePace& of = paces.ofNodes[*sample.node];
        if (sample.alone > Seconds{})
            of.handover += clock.dispatchIn(Phase::Forward) * sample.handovers;
        else
            of.views += clock.viewDispatchIn(Phase::Forward) * sample.handovers;
        of.alone += sample.alone;
    }
    return paces;
}

} // namespace stagecraft
