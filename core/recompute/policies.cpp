#include "core/recompute/policies.h"

#include "core/base/sort_unique.h"
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

// The runs in each stage of the nodes that are inside, in the order of stages.
template <class IsInside>
std::vector<RecomputeRegion> runsOf(const Graph& graph, const NodeStages* stages, IsInside&& isInside)
{
    std::map<std::uint32_t, std::vector<RecomputeRegion>> runs;
    std::map<std::uint32_t, bool> isOpen;
    for (const NodeId node : graph.nodes()) {
        const std::uint32_t stage = stages ? (*stages)[node] : 0;
        const bool is = isInside(node);
        if (is && !isOpen[stage])
            runs[stage].emplace_back();
        if (is)
            runs[stage].back().nodes.push_back(node);
        isOpen[stage] = is;
    }
    std::vector<RecomputeRegion> all;
    for (auto& [stage, regions] : runs)
        std::ranges::move(regions, std::back_inserter(all));
    return all;
}

void sortByStage(std::vector<RecomputeRegion>& regions, const NodeStages* stages)
{
    std::ranges::sort(regions, {}, [&](const RecomputeRegion& region) {
        return std::pair(stages ? (*stages)[region.nodes.front()] : 0, region.nodes.front());
    });
}

// Makes a plan region by region, of what can run again.
class PlanMaker
{
public:
    PlanMaker(const Model& model, OperatorSchemas& schemas, const NodeStages* stages,
              std::vector<std::string> keptOperators)
        : m_graph(model.graph), m_again(model, schemas, stages), m_keptOperators(std::move(keptOperators))
    {
    }

    // The region, or where it cannot be one, its parts: each as long as can be.
    void add(RecomputeRegion region)
    {
        keep(region);
        const Result<void> checked = m_again.check(region);
        if (checked.has_value())
            return take(std::move(region));
        const std::size_t before = m_made.plan.regions.size();
        addParts(region);
        const std::size_t parts = m_made.plan.regions.size() - before;
        m_reasons.push_back(checked.error().message);
        m_parts += parts;
    }

    PolicyPlan finish()
    {
        if (!m_reasons.empty())
            m_made.leftOut.push_back(leftOutText());
        if (m_notKept > 0)
            m_made.leftOut.push_back(std::to_string(m_notKept) +
                                     " of the operators to keep run again, as none can be kept that runs "
                                     "under autocast or has an inner graph");
        return std::move(m_made);
    }

private:
    void keep(RecomputeRegion& region)
    {
        for (const NodeId node : region.nodes) {
            if (!isOf(m_graph[node], m_keptOperators))
                continue;
            if (m_again.mayKeep(node))
                region.kept.push_back(node);
            else
                ++m_notKept;
        }
        sortUnique(region.kept);
        m_again.keepNeeded(region);
    }

    void take(RecomputeRegion region)
    {
        if (region.kept.size() < region.nodes.size()) // else nothing of it runs again
            m_made.plan.regions.push_back(std::move(region));
    }

    RecomputeRegion partOf(const RecomputeRegion& region, std::size_t first, std::size_t count) const
    {
        const auto begin = region.nodes.begin() + static_cast<std::ptrdiff_t>(first);
        RecomputeRegion part{{begin, begin + static_cast<std::ptrdiff_t>(count)}, {}};
        std::ranges::set_intersection(region.kept, part.nodes, std::back_inserter(part.kept));
        m_again.keepNeeded(part);
        return part;
    }

    // From that node on as many as can be, about: where a shorter run cannot be, no longer one is tried.
    std::size_t longestFrom(const RecomputeRegion& region, std::size_t first) const
    {
        std::size_t possible = 0, impossible = region.nodes.size() - first + 1;
        while (possible + 1 < impossible) {
            const std::size_t middle = (possible + impossible) / 2;
            const bool is = m_again.check(partOf(region, first, middle)).has_value();
            (is ? possible : impossible) = middle;
        }
        return possible;
    }

    // Is there a result that nobody outside reads? Else all that it makes is kept anyway.
    bool letsGo(const RecomputeRegion& part) const
    {
        const auto isInside = [&](NodeId node) { return std::ranges::binary_search(part.nodes, node); };
        return std::ranges::any_of(part.nodes, [&](NodeId node) {
            return !std::ranges::binary_search(part.kept, node) &&
                   std::ranges::any_of(m_graph[node].results, [&](ValueId result) {
                       const std::vector<NodeId>& users = m_graph[result].users;
                       return !users.empty() && std::ranges::all_of(users, isInside);
                   });
        });
    }

    void addParts(const RecomputeRegion& region)
    {
        for (std::size_t first = 0; first < region.nodes.size();) {
            const std::size_t count = longestFrom(region, first);
            if (RecomputeRegion part = partOf(region, first, count); count > 0 && letsGo(part))
                take(std::move(part));
            first += std::max<std::size_t>(1, count);
        }
    }

    std::string leftOutText() const
    {
        const std::size_t count = m_reasons.size();
        const std::string blocks = count == 1 ? std::string("a block") : std::to_string(count) + " blocks";
        const std::string parts =
            m_parts == 0 ? "" : ", but in " + std::to_string(m_parts) + (m_parts == 1 ? " part" : " parts");
        return blocks + " cannot run again whole" + parts + ": " + m_reasons.front() +
               (count == 1 ? "" : "; likewise the others");
    }

    const Graph& m_graph;
    SecondRun m_again;
    std::vector<std::string> m_keptOperators;
    PolicyPlan m_made;
    std::vector<std::string> m_reasons; // of each block that is parted
    std::size_t m_parts = 0;
    std::size_t m_notKept = 0;
};

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
    const Graph& graph = model.graph;
    const std::vector<ModuleId> blocks = repeatedBlocks(graph);
    std::vector<RecomputeRegion> regions;
    for (std::size_t i = every; i <= blocks.size(); i += every)
        std::ranges::move(
            runsOf(graph, stages,
                   [&](NodeId node) { return graph.modules().contains(blocks[i - 1], graph[node].module); }),
            std::back_inserter(regions));
    sortByStage(regions, stages);
    PlanMaker maker(model, schemas, stages, operators);
    for (RecomputeRegion& region : regions)
        maker.add(std::move(region));
    PolicyPlan made = maker.finish();
    if (blocks.empty())
        made.leftOut.emplace_back("no class of modules repeats in this model, so that nothing is a block");
    else if (regions.empty())
        made.leftOut.push_back("the model has " + std::to_string(blocks.size()) +
                               " blocks: none is the last of " + std::to_string(every));
    return made;
}

PolicyPlan partedPlan(const Model& model, const RecomputePlan& plan, OperatorSchemas& schemas,
                      const NodeStages* stages)
{
    std::vector<RecomputeRegion> regions;
    Table<NodeId, char> isTaken(model.graph.nodeCount(), 0);
    for (const RecomputeRegion& region : plan.regions)
        for (RecomputeRegion& run : runsOf(model.graph, stages, [&](NodeId node) {
                 return isTaken[node] == 0 && std::ranges::binary_search(region.nodes, node);
             })) {
            std::ranges::set_intersection(region.kept, run.nodes, std::back_inserter(run.kept));
            for (const NodeId node : run.nodes)
                isTaken[node] = 1;
            regions.push_back(std::move(run));
        }
    sortByStage(regions, stages);
    PlanMaker maker(model, schemas, stages, {});
    for (RecomputeRegion& region : regions)
        maker.add(std::move(region));
    return maker.finish();
}

namespace {

// What was named to be kept, and is not there.
PolicyPlan keepingOperators(const Model& model, const std::vector<std::string>& operators,
                            OperatorSchemas& schemas, const NodeStages* stages)
{
    if (operators.empty())
        return blocksPlan(model, 1, heavyOperators(), schemas, stages);
    PolicyPlan made = blocksPlan(model, 1, operators, schemas, stages);
    for (const std::string& name : operators)
        if (std::ranges::none_of(model.graph.nodes(),
                                 [&](NodeId node) { return isOf(model.graph[node], {name}); }))
            made.leftOut.push_back("nothing is kept of '" + name +
                                   "': the model has no such operator; they are called as in 'aten::addmm'");
    return made;
}

} // namespace

namespace {

// Of all stages.
PolicyPlan planOfAll(const Model& model, const RecomputePolicy& policy, OperatorSchemas& schemas,
                     const NodeStages* stages)
{
    switch (policy.kind) {
    case RecomputeKind::Model:
    case RecomputeKind::None:
        return {};
    case RecomputeKind::Full:
    case RecomputeKind::Auto:
        return blocksPlan(model, 1, {}, schemas, stages);
    case RecomputeKind::Every:
        return blocksPlan(model, policy.every, {}, schemas, stages);
    case RecomputeKind::Operators:
        return keepingOperators(model, policy.operators, schemas, stages);
    case RecomputeKind::Plan:
        return partedPlan(model, policy.regions, schemas, stages);
    }
    return {};
}

// What choosing stages have chosen, where they have, stays.
RecomputePolicy asChosen(RecomputePolicy policy, const RecomputePlan& chosen)
{
    if (policy.kind == RecomputeKind::Auto && !chosen.regions.empty())
        policy.kind = RecomputeKind::Plan;
    if (policy.kind == RecomputeKind::Plan)
        policy.regions = chosen;
    return policy;
}

// Each stage by its own policy: a plan for each policy, of which its stages' regions are taken.
PolicyPlan planOfStages(const Model& model, const RecomputePolicy& policy, OperatorSchemas& schemas,
                        const NodeStages& stages)
{
    const std::size_t count = stages.empty() ? 0 : std::ranges::max(stages) + std::size_t{1};
    std::vector<RecomputePolicy> ways;
    std::vector<std::size_t> wayOf;
    for (std::size_t stage = 0; stage < count; ++stage) {
        const RecomputePolicy way = asChosen(policyOf(policy, stage), policy.regions);
        const auto known = std::ranges::find(ways, way);
        wayOf.push_back(static_cast<std::size_t>(known - ways.begin()));
        if (known == ways.end())
            ways.push_back(way);
    }
    PolicyPlan made;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        PolicyPlan of = planOfAll(model, ways[i], schemas, &stages);
        std::erase_if(of.plan.regions, [&](const RecomputeRegion& region) {
            return wayOf[stages[region.nodes.front()]] != i;
        });
        std::ranges::move(of.plan.regions, std::back_inserter(made.plan.regions));
        for (std::string& note : of.leftOut)
            if (std::ranges::find(made.leftOut, note) == made.leftOut.end())
                made.leftOut.push_back(std::move(note));
    }
    sortByStage(made.plan.regions, &stages);
    return made;
}

} // namespace

PolicyPlan policyPlan(const Model& model, const RecomputePolicy& policy, OperatorSchemas& schemas,
                      const NodeStages* stages)
{
    return policy.ofStages.empty() || !stages ? planOfAll(model, policy, schemas, stages)
                                              : planOfStages(model, policy, schemas, *stages);
}

const std::vector<std::string>& heavyOperators()
{
    static const std::vector<std::string> operators{"aten::mm",
                                                    "aten::bmm",
                                                    "aten::addmm",
                                                    "aten::baddbmm",
                                                    "aten::matmul",
                                                    "aten::linear",
                                                    "aten::einsum",
                                                    "aten::bilinear",
                                                    "aten::mv",
                                                    "aten::addmv",
                                                    "aten::_scaled_mm",
                                                    "aten::_grouped_mm",
                                                    "aten::conv1d",
                                                    "aten::conv2d",
                                                    "aten::conv3d",
                                                    "aten::conv_transpose1d",
                                                    "aten::conv_transpose2d",
                                                    "aten::conv_transpose3d",
                                                    "aten::convolution",
                                                    "aten::_convolution",
                                                    "aten::convolution_overrideable",
                                                    "aten::scaled_dot_product_attention",
                                                    "aten::_scaled_dot_product_flash_attention",
                                                    "aten::_scaled_dot_product_efficient_attention",
                                                    "aten::_scaled_dot_product_cudnn_attention",
                                                    "aten::_scaled_dot_product_flash_attention_for_cpu",
                                                    "aten::_scaled_dot_product_attention_math"};
    return operators;
}

} // namespace stagecraft
