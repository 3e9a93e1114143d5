#include "core/profile/summary.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

std::vector<SummaryRow> byNode(const Graph& graph, const Profile& profile)
{
    std::vector<SummaryRow> rows;
    rows.reserve(graph.nodeCount());
    for (const NodeId id : graph.nodes())
        rows.push_back({graph[id].name, graph[id].target, 1, profile.nodes[id]});
    return rows;
}

// Appends `module` and, parents first, what is below it and has nodes.
void appendModules(const ModuleTree& modules, const Table<ModuleId, SummaryRow>& sums, ModuleId module,
                   int depth, std::vector<SummaryRow>& rows)
{
    if (sums[module].nodes == 0 && module != ModuleTree::root())
        return;
    rows.push_back(sums[module]);
    if (depth == 0)
        return;
    for (const ModuleId child : modules[module].children)
        appendModules(modules, sums, child, depth - 1, rows);
}

std::vector<SummaryRow> byModule(const Graph& graph, const Profile& profile, int depth)
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

std::vector<SummaryRow> summarize(const Graph& graph, const Profile& profile, SummaryKind kind, int depth)
{
    switch (kind) {
    case SummaryKind::Module:
        return byModule(graph, profile, depth);
    case SummaryKind::Op:
        return byOp(graph, profile);
    case SummaryKind::Node:
        break;
    }
    return byNode(graph, profile);
}

NodeCost sumOf(const Profile& profile, std::span<const NodeId> nodes)
{
    NodeCost sum;
    for (const NodeId node : nodes)
        sum += profile.nodes[node];
    return sum;
}

} // namespace stagecraft
