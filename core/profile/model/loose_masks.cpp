#include "core/profile/model/loose_masks.h"

#include "core/run/interpreter.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace stagecraft {

namespace {

constexpr std::string_view attention = "aten::scaled_dot_product_attention.default";

bool hasLooseMask(const Graph& graph, const Node& node)
{
    const Argument* const argument = node.argument("attn_mask");
    const ValueId* const mask = argument ? std::get_if<ValueId>(argument) : nullptr;
    if (!mask || !graph[*mask].meta || graph[*mask].meta->strides.empty())
        return false;
    return !(graph[*mask].meta->strides.back() == SymInt(1));
}

Table<NodeId, char> fusedNodes(const Graph& graph, const Trace& trace)
{
    Table<NodeId, char> fused(graph.nodeCount(), 0);
    for (const TraceOp& op : trace.ops)
        if (op.node && trace.opNames[op.name].name.starts_with("aten::_scaled_dot_product_"))
            fused[*op.node] = 1;
    return fused;
}

} // namespace

void noteLooseMasks(const Graph& graph, const Trace& trace, Profile& profile)
{
    const LoweringKind lowering = profile.options.lowering;
    if (profile.options.device.kind != "cuda" ||
        (lowering != LoweringKind::Device && lowering != LoweringKind::Compiled))
        return;
    std::vector<NodeId> loose;
    std::ranges::copy_if(graph.nodes(), std::back_inserter(loose), [&](NodeId node) {
        return graph[node].target == attention && hasLooseMask(graph, graph[node]);
    });
    if (loose.empty())
        return;
    const Table<NodeId, char> fused = fusedNodes(graph, trace);
    for (const NodeId node : loose)
        if (fused[node] == 0)
            addNote(
                profile, "loose mask",
                describeNode(graph, node) +
                    " goes as two products and a softmax: its mask is not dense along its last dimension, "
                    "as no fused attention of CUDA takes it; mask.contiguous() in the model lets it",
                node);
}

} // namespace stagecraft
