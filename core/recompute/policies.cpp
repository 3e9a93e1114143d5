#include "core/recompute/policies.h"

#include "core/recompute/second_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// A repeated class covers most of the graph if it covers this share of what the best one covers.
constexpr double nearlyAll = 0.9;

struct ClassUse
{
    std::size_t nodes = 0;
    std::vector<ModuleId> instances; // by their first nodes
};

// Of each node's modules, outermost first, only the first of a class counts: a block inside a block is a part
// of it.
std::map<std::string, ClassUse> classUses(const Graph& graph)
{
    std::map<std::string, ClassUse> uses;
    for (const NodeId node : graph.nodes()) {
        std::vector<ModuleId> path;
        for (std::optional<ModuleId> module = graph[node].module; module;
             module = graph.modules()[*module].parent)
            path.push_back(*module);
        std::vector<std::string> seen;
        for (auto module = path.rbegin(); module != path.rend(); ++module) {
            const std::string& name = graph.modules()[*module].className;
            if (name.empty() || *module == ModuleTree::root() || std::ranges::find(seen, name) != seen.end())
                continue;
            seen.push_back(name);
            ClassUse& use = uses[name];
            ++use.nodes;
            if (std::ranges::find(use.instances, *module) == use.instances.end())
                use.instances.push_back(*module);
        }
    }
    return uses;
}

bool isOf(const Node& node, const std::vector<std::string>& operators)
{
    return std::ranges::any_of(operators, [&](const std::string& name) {
        return node.target == name || node.target.starts_with(name + ".");
    });
}

// The runs of a block's nodes in each stage, in the order of stages.
std::vector<RecomputeRegion> runsOf(const Graph& graph, ModuleId block, const NodeStages* stages)
{
    std::map<std::uint32_t, std::vector<RecomputeRegion>> runs;
    std::map<std::uint32_t, bool> isOpen;
    for (const NodeId node : graph.nodes()) {
        const std::uint32_t stage = stages ? (*stages)[node] : 0;
        const bool isInside = graph.modules().contains(block, graph[node].module);
        if (isInside && !isOpen[stage])
            runs[stage].emplace_back();
        if (isInside)
            runs[stage].back().nodes.push_back(node);
        isOpen[stage] = isInside;
    }
    std::vector<RecomputeRegion> all;
    for (auto& [stage, regions] : runs)
        std::ranges::move(regions, std::back_inserter(all));
    return all;
}

} // namespace

std::vector<ModuleId> repeatedBlocks(const Graph& graph)
{
    const std::map<std::string, ClassUse> uses = classUses(graph);
    std::size_t best = 0;
    for (const auto& [name, use] : uses)
        if (use.instances.size() > 1)
            best = std::max(best, use.nodes);
    const ClassUse* chosen = nullptr;
    for (const auto& [name, use] : uses)
        if (use.instances.size() > 1 &&
            static_cast<double>(use.nodes) >= nearlyAll * static_cast<double>(best) &&
            (!chosen || use.instances.size() > chosen->instances.size()))
            chosen = &use;
    return chosen ? chosen->instances : std::vector<ModuleId>();
}

PolicyPlan blocksPlan(const Model& model, std::size_t every, const std::vector<std::string>& operators,
                      OperatorSchemas& schemas, const NodeStages* stages)
{
    const std::vector<ModuleId> blocks = repeatedBlocks(model.graph);
    std::vector<RecomputeRegion> regions;
    for (std::size_t i = every; i <= blocks.size(); i += every)
        std::ranges::move(runsOf(model.graph, blocks[i - 1], stages), std::back_inserter(regions));
    std::ranges::sort(regions, {}, [&](const RecomputeRegion& region) {
        return std::pair(stages ? (*stages)[region.nodes.front()] : 0, region.nodes.front());
    });
    const SecondRun again(model, schemas);
    PolicyPlan made;
    for (RecomputeRegion& region : regions) {
        for (const NodeId node : region.nodes)
            if (isOf(model.graph[node], operators) && again.mayKeep(node))
                region.kept.push_back(node);
        again.keepNeeded(region);
        const Result<void> checked = again.check(region);
        if (checked.has_value())
            made.plan.regions.push_back(std::move(region));
        else
            made.leftOut.push_back(checked.error().message);
    }
    return made;
}

const std::vector<std::string>& heavyOperators()
{
    static const std::vector<std::string> operators{"aten::mm",
                                                    "aten::bmm",
                                                    "aten::addmm",
                                                    "aten::baddbmm",
                                                    "aten::matmul",
                                                    "aten::linear",
                                                    "aten::conv1d",
                                                    "aten::conv2d",
                                                    "aten::conv3d",
                                                    "aten::convolution",
                                                    "aten::scaled_dot_product_attention"};
    return operators;
}

} // namespace stagecraft
