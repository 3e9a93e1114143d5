#include "core/profile/summary.h"

#include "core/graph/module_containers.h"

#include <algorithm>
#include <map>
#include <set>

namespace stagecraft {

namespace {

bool isCalled(const Module& module, const std::string& name)
{
    return module.path == name || module.className == name || module.className.ends_with("." + name);
}

// For each module the outermost block that it is in, or is; none: in no block.
Table<ModuleId, std::optional<ModuleId>> blockOfModules(const ModuleTree& modules,
                                                        std::span<const std::string> blocks)
{
    Table<ModuleId, std::optional<ModuleId>> block(modules.size());
    for (const ModuleId id : modules.ids()) {
        if (modules[id].parent)
            block[id] = block[*modules[id].parent];
        const auto names = [&](const std::string& name) { return isCalled(modules[id], name); };
        if (!block[id] && std::ranges::any_of(blocks, names))
            block[id] = id;
    }
    return block;
}

void measureAsOne(const BlockMeter& meter, std::span<const NodeId> nodes, SummaryRow& row)
{
    row.block = meter.figuresOf(nodes);
    row.cost.outputBytes = row.block->output;
}

std::vector<SummaryRow> byNode(const Graph& graph, const Profile& profile,
                               std::span<const std::string> blocks)
{
    const ModuleTree& modules = graph.modules();
    const Table<ModuleId, std::optional<ModuleId>> blockOf = blockOfModules(modules, blocks);
    Table<ModuleId, std::optional<std::size_t>> rowOf(modules.size());
    const BlockMeter meter(graph, profile);
    std::vector<SummaryRow> rows;
    std::vector<std::vector<NodeId>> ofBlock;
    rows.reserve(graph.nodeCount());
    for (const NodeId id : graph.nodes()) {
        const std::optional<ModuleId> block = blockOf[graph[id].module];
        if (!block) {
            rows.push_back(
                {graph[id].name, graph[id].target, 1, profile.nodes[id], meter.figuresOf(std::span(&id, 1))});
            ofBlock.emplace_back();
            continue;
        }
        if (!rowOf[*block]) {
            rowOf[*block] = rows.size();
            rows.push_back({modules[*block].path, modules[*block].className, 0, {}});
            ofBlock.emplace_back();
        }
        SummaryRow& row = rows[*rowOf[*block]];
        ++row.nodes;
        row.cost += profile.nodes[id];
        ofBlock[*rowOf[*block]].push_back(id);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!ofBlock[i].empty())
            measureAsOne(meter, ofBlock[i], rows[i]);
    return rows;
}

struct ModuleSums
{
    Table<ModuleId, SummaryRow> rows;
    Table<ModuleId, std::optional<ModuleId>> blockOf;
    Table<ModuleId, char> isContainer;
};

// Appends `module` and, parents first, what is below it and has nodes; nothing below a block.
void appendModules(const ModuleTree& modules, const ModuleSums& sums, ModuleId module, int depth,
                   std::vector<SummaryRow>& rows)
{
    if (sums.rows[module].nodes == 0 && module != ModuleTree::root())
        return;
    rows.push_back(sums.rows[module]);
    const int below = depth - (sums.isContainer[module] ? 0 : 1);
    if (below < 0 || sums.blockOf[module])
        return;
    for (const ModuleId child : modules[module].children)
        appendModules(modules, sums, child, below, rows);
}

std::vector<SummaryRow> byModule(const Graph& graph, const Profile& profile, int depth,
                                 std::span<const std::string> blocks)
{
    const ModuleTree& modules = graph.modules();
    ModuleSums sums{Table<ModuleId, SummaryRow>(modules.size()), blockOfModules(modules, blocks),
                    containersOf(graph)};
    Table<ModuleId, std::vector<NodeId>> nodes(modules.size());
    for (const NodeId node : graph.nodes())
        for (std::optional<ModuleId> id = graph[node].module; id; id = modules[*id].parent) {
            nodes[*id].push_back(node);
            sums.rows[*id].cost += profile.nodes[node];
        }
    const BlockMeter meter(graph, profile);
    for (const ModuleId id : modules.ids()) {
        SummaryRow& row = sums.rows[id];
        row.name = modules[id].path;
        row.detail = modules[id].className;
        row.nodes = nodes[id].size();
        measureAsOne(meter, nodes[id], row);
    }
    std::vector<SummaryRow> rows;
    appendModules(modules, sums, ModuleTree::root(), depth, rows);
    return rows;
}

std::vector<SummaryRow> byOp(const Graph& graph, const Profile& profile)
{
    std::map<std::string, SummaryRow> sums;
    for (const NodeId node : graph.nodes()) {
        SummaryRow& row = sums[graph[node].target];
        row.name = graph[node].target;
        ++row.nodes;
        row.cost += profile.nodes[node];
    }
    std::vector<SummaryRow> rows;
    for (auto& [name, row] : sums)
        rows.push_back(std::move(row));
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const SummaryRow& row) { return row.cost.time(); });
    return rows;
}

} // namespace

std::vector<SummaryRow> summarize(const Graph& graph, const Profile& profile, SummaryKind kind, int depth,
                                  std::span<const std::string> blocks)
{
    switch (kind) {
    case SummaryKind::Module:
        return byModule(graph, profile, depth, blocks);
    case SummaryKind::Op:
        return byOp(graph, profile);
    case SummaryKind::Node:
    case SummaryKind::Group:
        break;
    }
    return byNode(graph, profile, blocks);
}

std::vector<SummaryRow> summarizeGroups(const Graph& graph, const Profile& profile,
                                        std::span<const NodeGroup> groups)
{
    const BlockMeter meter(graph, profile);
    std::vector<SummaryRow> rows;
    for (const NodeGroup& group : groups) {
        rows.push_back({group.name, {}, group.nodes.size(), sumOf(profile, group.nodes)});
        measureAsOne(meter, group.nodes, rows.back());
        NodeCost& sum = rows.back().cost;
        sum.savedBytes = keptByStage(profile, group.nodes);
        sum.parameterBytes = sum.bufferBytes = Bytes{};
        std::set<ValueId> counted;
        for (const NodeId node : group.nodes) {
            for (const ValueId input : graph[node].inputs) {
                if (graph[input].kind == ValueKind::Parameter && counted.insert(input).second)
                    sum.parameterBytes += profile.valueBytes[input];
                else if (graph[input].kind == ValueKind::Buffer && counted.insert(input).second)
                    sum.bufferBytes += profile.valueBytes[input];
            }
        }
    }
    return rows;
}

std::vector<std::string> unknownBlocks(const ModuleTree& modules, std::span<const std::string> blocks)
{
    std::vector<std::string> unknown;
    for (const std::string& name : blocks)
        if (std::ranges::none_of(modules.ids(), [&](ModuleId id) { return isCalled(modules[id], name); }))
            unknown.push_back(name);
    return unknown;
}

NodeCost sumOf(const Profile& profile, std::span<const NodeId> nodes)
{
    NodeCost sum;
    for (const NodeId node : nodes)
        sum += profile.nodes[node];
    return sum;
}

Bytes keptByStage(const Profile& profile, std::span<const NodeId> nodes)
{
    Bytes saved;
    for (const NodeId node : nodes)
        saved += profile.nodes[node].savedBytes;
    const std::set<NodeId> own(nodes.begin(), nodes.end());
    const auto isOwn = [&](NodeId node) { return own.contains(node); };
    for (const KeptTogether& kept : profile.keptTogether)
        saved += kept.heldIn(isOwn) - (isOwn(kept.nodes.front()) ? kept.bytes : Bytes{});
    return saved;
}

} // namespace stagecraft
