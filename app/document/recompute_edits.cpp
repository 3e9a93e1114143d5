#include "app/document/recompute_edits.h"

#include "core/base/sort_unique.h"
#include "core/recompute/plan.h"
#include "core/recompute/policies.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

using Nodes = std::vector<NodeId>;

bool isWithin(const Nodes& inner, std::span<const NodeId> outer)
{
    return std::ranges::includes(outer, inner);
}

Nodes without(const Nodes& nodes, std::span<const NodeId> others)
{
    Nodes rest;
    std::ranges::set_difference(nodes, others, std::back_inserter(rest));
    return rest;
}

// Of each module the block that it is, or is in, by its position.
Table<ModuleId, std::optional<std::size_t>> blockOfModule(const ModuleTree& modules,
                                                          std::span<const ModuleBlock> blocks)
{
    Table<ModuleId, std::optional<std::size_t>> blockOf(modules.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blockOf[blocks[i].module] = i;
    for (const ModuleId module : modules.ids())
        for (auto around = modules[module].parent; around && !blockOf[module];
             around = modules[*around].parent)
            blockOf[module] = blockOf[*around];
    return blockOf;
}

} // namespace

RecomputePlan regionsOf(const Graph& graph, const PlanState& state)
{
    return regionsThatRun(graph, state.request.plan.recompute);
}

std::vector<ModuleBlock> repeatedBlocksOf(const Graph& graph)
{
    std::vector<ModuleBlock> blocks;
    for (const ModuleId module : repeatedBlocks(graph))
        blocks.push_back({module, {}});
    const auto blockOf = blockOfModule(graph.modules(), blocks);
    for (const NodeId node : graph.nodes())
        if (const auto block = blockOf[graph[node].module])
            blocks[*block].nodes.push_back(node);
    return blocks;
}

Blocks regionsFor(const Graph& graph, std::span<const ModuleBlock> blocks, std::span<const NodeId> nodes)
{
    Blocks whole;
    for (const ModuleBlock& block : blocks)
        if (isWithin(block.nodes, nodes))
            whole.push_back(block.nodes);
    if (!whole.empty() || nodes.empty())
        return whole;
    const auto module = nodes.size() == 1 ? commonModule(graph, nodes) : std::nullopt;
    Blocks around = module ? blockOf(graph, *module) : Blocks();
    return around.empty() ? Blocks{Nodes(nodes.begin(), nodes.end())} : around;
}

std::string classToRunAgain(const Graph& graph, std::span<const ModuleBlock> blocks,
                            std::span<const NodeId> nodes)
{
    const auto first =
        std::ranges::find_if(blocks, [&](const ModuleBlock& block) { return isWithin(block.nodes, nodes); });
    const auto module = first != blocks.end() ? std::optional(first->module) : commonModule(graph, nodes);
    return module ? graph.modules()[*module].className : std::string();
}

RecomputePlan withRegions(RecomputePlan plan, const Blocks& blocks)
{
    for (const Nodes& block : blocks) {
        const auto around = std::ranges::find_if(
            plan.regions, [&](const RecomputeRegion& region) { return isWithin(block, region.nodes); });
        if (around != plan.regions.end()) {
            around->kept = without(around->kept, block);
            continue;
        }
        for (RecomputeRegion& region : plan.regions) {
            region.nodes = without(region.nodes, block);
            region.kept = without(region.kept, block);
        }
        std::erase_if(plan.regions, [](const RecomputeRegion& region) { return region.nodes.empty(); });
        plan.regions.push_back({block, {}});
    }
    return plan;
}

RecomputePlan withoutRegions(RecomputePlan plan, std::span<const NodeId> nodes)
{
    for (RecomputeRegion& region : plan.regions)
        std::ranges::set_intersection(region.nodes, nodes, std::back_inserter(region.kept));
    for (RecomputeRegion& region : plan.regions)
        sortUnique(region.kept);
    std::erase_if(plan.regions, [](const RecomputeRegion& region) { return region.kept == region.nodes; });
    return plan;
}

PlanRequest withRecomputed(PlanRequest request, RecomputePlan plan)
{
    const RecomputeKind kind = plan.regions.empty() ? RecomputeKind::None : RecomputeKind::Plan;
    request.plan.recompute = {.kind = kind, .regions = std::move(plan)};
    return request;
}

} // namespace stagecraft
