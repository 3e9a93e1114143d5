#include "core/layout/group_tree.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stagecraft {

namespace {

// Where a module is cut: the first node of each part but the first, ascending.
using CutsOfModule = std::map<ModuleId, std::vector<NodeId>>;

std::vector<ModuleId> modulePath(const ModuleTree& modules, ModuleId module)
{
    std::vector<ModuleId> path;
    for (std::optional<ModuleId> at = module; at; at = modules[*at].parent)
        path.push_back(*at);
    std::ranges::reverse(path);
    return path;
}

// How many values made before a node are still read by it or after it, for every node.
std::vector<int> liveValues(const Graph& graph)
{
    std::vector<int> live(graph.nodeCount() + 2, 0);
    for (const ValueId id : graph.values()) {
        const Value& value = graph[id];
        if (!value.producer || value.users.empty())
            continue;
        ++live[value.producer->index() + 1];
        --live[value.users.back().index() + 1];
    }
    for (std::size_t i = 1; i < live.size(); ++i)
        live[i] += live[i - 1];
    return live;
}

// The first node of each thing that a module runs: an operator of its own, or a child module in one go.
std::map<ModuleId, std::vector<NodeId>> thingsRun(const Graph& graph)
{
    std::map<ModuleId, std::vector<NodeId>> things;
    std::map<ModuleId, std::optional<ModuleId>> lastChild;
    for (const NodeId node : graph.nodes()) {
        const std::vector<ModuleId> path = modulePath(graph.modules(), graph[node].module);
        for (std::size_t i = 0; i < path.size(); ++i) {
            const std::optional<ModuleId> child =
                i + 1 < path.size() ? std::optional(path[i + 1]) : std::nullopt;
            auto& last = lastChild[path[i]];
            if (!child || child != last)
                things[path[i]].push_back(node);
            last = child;
        }
    }
    return things;
}

std::vector<NodeId> narrowPlaces(const std::vector<NodeId>& things, const std::vector<int>& live,
                                 const GroupTreeOptions& options)
{
    std::vector<NodeId> cuts;
    std::size_t start = 0;
    while (things.size() - start > options.maxPart) {
        std::size_t best = start + options.minPart;
        const std::size_t last = std::min(start + options.maxPart, things.size() - options.minPart);
        for (std::size_t at = best; at <= last; ++at)
            if (live[things[at].index()] < live[things[best].index()])
                best = at;
        cuts.push_back(things[best]);
        start = best;
    }
    return cuts;
}

CutsOfModule findCuts(const Graph& graph, const GroupTreeOptions& options)
{
    CutsOfModule cuts;
    const std::vector<int> live = liveValues(graph);
    for (const auto& [module, things] : thingsRun(graph))
        if (things.size() > options.maxChildren)
            cuts[module] = narrowPlaces(things, live, options);
    return cuts;
}

std::size_t partOf(const std::vector<NodeId>& cuts, NodeId node)
{
    return static_cast<std::size_t>(std::ranges::upper_bound(cuts, node) - cuts.begin());
}

class GroupMaker
{
public:
    explicit GroupMaker(GroupTree& tree) : m_tree(tree) {}

    GroupId child(GroupId parent, ModuleId module, std::optional<std::size_t> part)
    {
        const auto [entry, isNew] =
            m_known.try_emplace({parent, module, part}, GroupId(m_tree.groups.size()));
        if (isNew) {
            const int depth = m_tree.groups[parent].depth + 1;
            m_tree.groups.add({.module = module, .part = part, .parent = parent, .depth = depth});
        }
        return entry->second;
    }

private:
    GroupTree& m_tree;
    std::map<std::tuple<GroupId, ModuleId, std::optional<std::size_t>>, GroupId> m_known;
};

} // namespace

std::vector<GroupId> GroupTree::path(GroupId group) const
{
    std::vector<GroupId> path;
    for (GroupId at = group; groups[at].parent; at = *groups[at].parent)
        path.push_back(at);
    std::ranges::reverse(path);
    return path;
}

bool GroupTree::contains(GroupId outer, GroupId inner) const
{
    while (groups[inner].depth > groups[outer].depth)
        inner = *groups[inner].parent;
    return inner == outer;
}

GroupTree makeGroupTree(const Graph& graph, const GroupTreeOptions& options)
{
    const CutsOfModule cuts = findCuts(graph, options);
    GroupTree tree;
    tree.groups.add({});
    GroupMaker maker(tree);
    for (const NodeId node : graph.nodes()) {
        GroupId group = GroupTree::root();
        for (const ModuleId module : modulePath(graph.modules(), graph[node].module)) {
            if (module != ModuleTree::root())
                group = maker.child(group, module, {});
            if (const auto found = cuts.find(module); found != cuts.end())
                group = maker.child(group, module, partOf(found->second, node));
        }
        tree.groupOf.add(group);
    }
    return tree;
}

} // namespace stagecraft
