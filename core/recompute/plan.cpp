#include "core/recompute/plan.h"

#include "core/graph/graph_builder.h"
#include "core/recompute/second_run.h"
#include "core/run/interpreter.h"
#include "core/trace/region_runs.h"

#include <algorithm>

namespace stagecraft {

namespace {

Error refused(std::string what)
{
    return {ErrorCode::BadUsage, std::move(what)};
}

std::string numbered(std::size_t region)
{
    return "region " + std::to_string(region) + " of the recompute plan";
}

std::size_t stageOf(const NodeStages* stages, NodeId node)
{
    return stages ? (*stages)[node] : 0;
}

// Its nodes exist, ascend, and are a run of one stage.
Result<void> checkRun(const Graph& graph, const RecomputeRegion& region, const std::string& name,
                      const NodeStages* stages)
{
    if (region.nodes.empty())
        return refused(name + " has no nodes");
    if (region.nodes.back().index() >= graph.nodeCount())
        return refused(name + " has a node that the model does not have");
    const auto ascend = [](const std::vector<NodeId>& nodes) {
        return std::ranges::adjacent_find(nodes, std::ranges::greater_equal()) == nodes.end();
    };
    if (!ascend(region.nodes) || !ascend(region.kept))
        return refused(name + " has nodes that are not in the order of the graph");
    if (!std::ranges::includes(region.nodes, region.kept))
        return refused(name + " keeps the results of a node that is not in it");
    const std::size_t stage = stageOf(stages, region.nodes.front());
    for (const NodeId node : region.nodes)
        if (stageOf(stages, node) != stage)
            return refused(name + " lies in two stages: " + describeNode(graph, node));
    auto next = region.nodes.begin();
    for (std::size_t i = region.nodes.front().index(); i <= region.nodes.back().index(); ++i) {
        if (*next == NodeId(i))
            ++next;
        else if (stageOf(stages, NodeId(i)) == stage)
            return refused(name + " leaves out " + describeNode(graph, NodeId(i)));
    }
    return {};
}

} // namespace

Result<void> checkPlan(const Model& model, const RecomputePlan& plan, OperatorSchemas& schemas,
                       const NodeStages* stages)
{
    const Graph& graph = model.graph;
    const SecondRun again(model, schemas, stages);
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
        const RecomputeRegion& region = plan.regions[i];
        STAGECRAFT_TRY(checkRun(graph, region, numbered(i), stages));
        if (i > 0) {
            const NodeId before = plan.regions[i - 1].nodes.back(), first = region.nodes.front();
            if (std::pair(stageOf(stages, before), before) >= std::pair(stageOf(stages, first), first))
                return refused(numbered(i) + " does not come behind the one before it");
        }
        STAGECRAFT_TRY(again.check(region));
    }
    return {};
}

RecomputePlan withNeededKept(const Model& model, RecomputePlan plan, OperatorSchemas& schemas)
{
    const SecondRun again(model, schemas);
    for (RecomputeRegion& region : plan.regions)
        again.keepNeeded(region);
    return plan;
}

Model withPlan(const Model& model, const RecomputePlan& plan)
{
    Table<NodeId, Context> contexts(model.graph.nodeCount());
    for (const NodeId node : model.graph.nodes()) {
        contexts[node] = model.graph.context(model.graph[node].context);
        contexts[node].recomputeRegions.clear();
        contexts[node].keepsResults = false;
    }
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
        for (const NodeId node : plan.regions[i].nodes)
            contexts[node].recomputeRegions = {static_cast<int>(i)};
        for (const NodeId node : plan.regions[i].kept)
            contexts[node].keepsResults = true;
    }
    Model changed = model;
    changed.graph = GraphBuilder::inContexts(std::move(changed.graph), contexts);
    return changed;
}

RecomputePlan ownPlan(const Graph& graph, const NodeStages* stages)
{
    const RegionRuns runs = regionRuns(graph, stages);
    RecomputePlan plan;
    std::uint32_t last = 0;
    for (const NodeId node : runs.order) {
        const std::uint32_t run = runs.around[node].empty() ? 0 : runs.around[node].front();
        if (run != 0 && run != last)
            plan.regions.emplace_back();
        if (run != 0) {
            plan.regions.back().nodes.push_back(node);
            if (graph.context(graph[node].context).keepsResults)
                plan.regions.back().kept.push_back(node);
        }
        last = run;
    }
    return plan;
}

RecomputePlan regionsThatRun(const Graph& graph, const RecomputePolicy& policy, const NodeStages* stages)
{
    return policy.kind == RecomputeKind::Model ? ownPlan(graph, stages) : policy.regions;
}

} // namespace stagecraft
