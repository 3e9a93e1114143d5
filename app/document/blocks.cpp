#include "app/document/blocks.h"

#include <algorithm>

namespace stagecraft {

namespace {

std::vector<NodeId> nodesOf(const Graph& graph, ModuleId module)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module))
            nodes.push_back(node);
    return nodes;
}

bool isIn(const Blocks& blocks, const std::vector<NodeId>& nodes)
{
    return std::ranges::find(blocks, nodes) != blocks.end();
}

} // namespace

std::optional<ModuleId> commonModule(const Graph& graph, std::span<const NodeId> nodes)
{
    if (nodes.empty())
        return {};
    const ModuleTree& modules = graph.modules();
    std::optional<ModuleId> common = graph[nodes.front()].module;
    for (const NodeId node : nodes)
        while (common && !modules.contains(*common, graph[node].module))
            common = modules[*common].parent;
    return common == ModuleTree::root() ? std::nullopt : common;
}

Blocks blockOf(const Graph& graph, ModuleId module)
{
    std::vector<NodeId> nodes = nodesOf(graph, module);
    return nodes.size() < 2 ? Blocks() : Blocks{std::move(nodes)};
}

Blocks blocksOfClass(const Graph& graph, const std::string& className)
{
    const ModuleTree& modules = graph.modules();
    Blocks blocks;
    for (const ModuleId module : modules.ids()) {
        if (className.empty() || modules[module].className != className)
            continue;
        auto outer = modules[module].parent;
        while (outer && modules[*outer].className != className)
            outer = modules[*outer].parent;
        std::vector<NodeId> nodes = outer ? std::vector<NodeId>() : nodesOf(graph, module);
        if (nodes.size() > 1)
            blocks.push_back(std::move(nodes));
    }
    return blocks;
}

bool areKept(const PlanState& state, const Blocks& blocks)
{
    return !blocks.empty() && std::ranges::all_of(blocks, [&](const std::vector<NodeId>& nodes) {
        return isIn(state.request.plan.keepTogether, nodes);
    });
}

PlanState withBlocks(PlanState state, const Blocks& blocks)
{
    for (const std::vector<NodeId>& nodes : blocks)
        if (!isIn(state.request.plan.keepTogether, nodes))
            state.request.plan.keepTogether.push_back(nodes);
    return state;
}

PlanState withoutBlocks(PlanState state, const Blocks& blocks)
{
    std::erase_if(state.request.plan.keepTogether,
                  [&](const std::vector<NodeId>& nodes) { return isIn(blocks, nodes); });
    return state;
}

} // namespace stagecraft
