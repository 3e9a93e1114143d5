#include "core/profile/summary.h"

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

std::vector<SummaryRow> byNode(const Graph& graph, const Profile& profile,
                               std::span<const std::string> blocks)
{
    const ModuleTree& modules = graph.modules();
    const Table<ModuleId, std::optional<ModuleId>> blockOf = blockOfModules(modules, blocks);
    Table<ModuleId, std::optional<std::size_t>> rowOf(modules.size());
    std::vector<SummaryRow> rows;
    rows.reserve(graph.nodeCount());
    for (const NodeId id : graph.nodes()) {
        const std::optional<ModuleId> block = blockOf[graph[id].module];
        if (!block) {
            rows.push_back({graph[id].name, graph[id].target, 1, profile.nodes[id]});
            continue;
        }
        if (!rowOf[*block]) {
            rowOf[*block] = rows.size();
            rows.push_back({modules[*block].path, modules[*block].className, 0, {}});
        }
        SummaryRow& row = rows[*rowOf[*block]];
        ++row.nodes;
        row.cost += profile.nodes[id];
    }
    return rows;
}

// Appends `module` and, parents first, what is below it and has nodes; nothing below a block.
void appendModules(const ModuleTree& modules, const Table<ModuleId, SummaryRow>& sums,
                   const Table<ModuleId, std::optional<ModuleId>>& blockOf, ModuleId module, int depth,
                   std::vector<SummaryRow>& rows)
{
    if (sums[module].nodes == 0 && module != ModuleTree::root())
        return;
    rows.push_back(sums[module]);
    if (depth == 0 || blockOf[module])
        return;
    for (const ModuleId child : modules[module].children)
        appendModules(modules, sums, blockOf, child, depth - 1, rows);
}

std::vector<SummaryRow> byModule(const Graph& graph, const Profile& profile, int depth,
                                 std::span<const std::string> blocks)
{
    const ModuleTree& modules = graph.modules();
    Table<ModuleId, SummaryRow> sums(modules.size());
    for (const ModuleId id : modules.ids()) {
        sums[id].name = modules[id].path;
        sums[id].detail = modules[id].className;
    }
    for (const NodeId node : graph.nodes())
        for (std::optional<ModuleId> id = graph[node].module; id; id = modules[*id].parent) {
            ++sums[*id].nodes;
            sums[*id].cost += profile.nodes[node];
        }
    std::vector<SummaryRow> rows;
    appendModules(modules, sums, blockOfModules(modules, blocks), ModuleTree::root(), depth, rows);
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
    std::vector<SummaryRow> rows;
    for (const NodeGroup& group : groups) {
        rows.push_back({group.name, {}, group.nodes.size(), sumOf(profile, group.nodes)});
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
        if (!isOwn(kept.nodes.front()) && std::ranges::any_of(kept.nodes, isOwn))
            saved += kept.bytes;
    return saved;
}

} // namespace stagecraft
