#include "core/layout/group_tree.h"

#include "core/layout/bookkeeping.h"
#include "core/layout/hidden_nodes.h"

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

bool isInside(const ModuleTree& modules, ModuleId inner, ModuleId outer)
{
    return std::ranges::count(modulePath(modules, inner), outer) > 0;
}

// The innermost module around `module` that does more than bookkeeping; the root, if none does.
ModuleId ownerOf(const ModuleTree& modules, const Table<ModuleId, char>& isBusy, ModuleId module)
{
    while (isBusy[module] == 0 && modules[module].parent)
        module = *modules[module].parent;
    return module;
}

// The module whose bookkeeping a node is; none if it is none, or reads what else that module makes.
Table<NodeId, std::optional<ModuleId>> bookkeepingOwners(const Graph& graph,
                                                         const Table<NodeId, char>& hidden, std::size_t least)
{
    Table<NodeId, std::optional<ModuleId>> owners(graph.nodeCount());
    if (least == 0)
        return owners;
    const ModuleTree& modules = graph.modules();
    const Table<NodeId, char> marks = bookkeepingNodes(graph);
    Table<ModuleId, char> isBusy(modules.size(), 0);
    for (const NodeId node : graph.nodes())
        if (marks[node] == 0 && hidden[node] == 0)
            for (const ModuleId module : modulePath(modules, graph[node].module))
                isBusy[module] = 1;
    std::map<ModuleId, std::size_t> counts;
    for (const NodeId node : graph.nodes()) {
        if (marks[node] == 0 || hidden[node] != 0)
            continue;
        const ModuleId owner = ownerOf(modules, isBusy, graph[node].module);
        const bool isAlone = std::ranges::all_of(graph[node].inputs, [&](ValueId input) {
            const std::optional<NodeId> producer = graph[input].producer;
            return !producer || owners[*producer] == owner ||
                   !isInside(modules, graph[*producer].module, owner);
        });
        if (isAlone) {
            owners[node] = owner;
            ++counts[owner];
        }
    }
    for (std::optional<ModuleId>& owner : owners)
        if (owner && counts[*owner] < least)
            owner.reset();
    return owners;
}

// Runs of small things of a module, and which of them a node is in.
struct LooseRuns
{
    std::vector<NodeId> starts; // of all runs, ascending; between loose ones lie those that are none
    std::vector<char> isLoose;

    std::optional<std::size_t> runOf(NodeId node) const
    {
        const std::size_t after = partOf(starts, node);
        return after > 0 && isLoose[after - 1] != 0 ? std::optional(after - 1) : std::nullopt;
    }
};

// A thing that a module runs: where it begins, and how many operators of it are drawn.
struct Thing
{
    NodeId first;
    std::size_t size = 0;
};

constexpr std::size_t smallThing = 4;    // operators: a convolution, its norm, its activation
constexpr std::size_t longestLoose = 24; // things; longer runs are cut at narrow places
constexpr GroupTreeOptions looseParts{.minPart = 6, .maxPart = 16};
constexpr GroupTreeOptions partsOfAll{.minPart = 3, .maxPart = 6}; // of a module that runs nothing else
constexpr std::size_t fewThings = 8;                               // that need no parts

void addLoose(LooseRuns& runs, const std::vector<Thing>& things, const std::vector<int>& live, bool isAll)
{
    std::vector<NodeId> firsts;
    for (const Thing& thing : things)
        firsts.push_back(thing.first);
    runs.starts.push_back(firsts.front());
    if (isAll || firsts.size() > longestLoose)
        for (const NodeId cut : narrowPlaces(firsts, live, isAll ? partsOfAll : looseParts))
            runs.starts.push_back(cut);
    runs.isLoose.resize(runs.starts.size(), 1);
}

LooseRuns looseRunsOf(const std::vector<Thing>& things, const std::vector<int>& live, std::size_t least)
{
    LooseRuns runs;
    for (std::size_t i = 0; i < things.size();) {
        std::size_t end = i;
        while (end < things.size() && things[end].size <= smallThing)
            ++end;
        const bool isAll = i == 0 && end == things.size() && end <= longestLoose;
        if (end - i >= least && !(isAll && end <= fewThings)) {
            addLoose(runs,
                     {things.begin() + static_cast<std::ptrdiff_t>(i),
                      things.begin() + static_cast<std::ptrdiff_t>(end)},
                     live, isAll);
        } else {
            runs.starts.push_back(things[i].first);
            runs.isLoose.push_back(0);
        }
        i = std::max(end, i + 1);
    }
    return runs;
}

std::map<ModuleId, LooseRuns> findLoose(const Graph& graph, const Table<NodeId, char>& leftOut,
                                        std::size_t least)
{
    std::map<ModuleId, LooseRuns> found;
    if (least == 0)
        return found;
    std::map<ModuleId, std::vector<Thing>> things;
    std::map<ModuleId, std::optional<ModuleId>> lastChild;
    for (const NodeId node : graph.nodes()) {
        if (leftOut[node] != 0)
            continue;
        const std::vector<ModuleId> path = modulePath(graph.modules(), graph[node].module);
        for (std::size_t i = 0; i < path.size(); ++i) {
            const auto child = i + 1 < path.size() ? std::optional(path[i + 1]) : std::nullopt;
            auto& last = lastChild[path[i]];
            if (!child || child != last)
                things[path[i]].push_back({.first = node});
            ++things[path[i]].back().size;
            last = child;
        }
    }
    const std::vector<int> live = liveValues(graph);
    for (const auto& [module, list] : things)
        found[module] = looseRunsOf(list, live, least);
    return found;
}

class GroupMaker
{
public:
    explicit GroupMaker(GroupTree& tree) : m_tree(tree) {}

    GroupId child(GroupId parent, ModuleId module, GroupKind kind, std::optional<std::size_t> part = {})
    {
        const auto [entry, isNew] =
            m_known.try_emplace({parent, module, kind, part}, GroupId(m_tree.groups.size()));
        if (isNew) {
            const int depth = m_tree.groups[parent].depth + 1;
            m_tree.groups.add(
                {.module = module, .part = part, .kind = kind, .parent = parent, .depth = depth});
        }
        return entry->second;
    }

    // Of many parts the first ones are parts of one, and so on.
    GroupId part(GroupId parent, ModuleId module, const std::vector<NodeId>& cuts, NodeId node,
                 std::size_t most)
    {
        const std::size_t index = partOf(cuts, node);
        const std::size_t count = cuts.size() + 1;
        if (most > 0 && count > most)
            parent = child(parent, module, GroupKind::Part, index / ((count + most - 1) / most));
        return child(parent, module, GroupKind::Part, index);
    }

private:
    GroupTree& m_tree;
    std::map<std::tuple<GroupId, ModuleId, GroupKind, std::optional<std::size_t>>, GroupId> m_known;
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
    const Table<NodeId, char> hidden = hiddenNodes(graph);
    const auto owners = bookkeepingOwners(graph, hidden, options.minBookkeeping);
    Table<NodeId, char> leftOut = hidden;
    for (const NodeId node : graph.nodes())
        if (owners[node])
            leftOut[node] = 1;
    const std::map<ModuleId, LooseRuns> loose = findLoose(graph, leftOut, options.minLoose);
    GroupTree tree;
    tree.groups.add({});
    GroupMaker maker(tree);
    for (const NodeId node : graph.nodes()) {
        GroupId group = GroupTree::root();
        for (const ModuleId module : modulePath(graph.modules(), graph[node].module)) {
            if (module != ModuleTree::root())
                group = maker.child(group, module, GroupKind::Module);
            if (owners[node] == module) {
                group = maker.child(group, module, GroupKind::Bookkeeping, 0);
                break;
            }
            if (const auto found = cuts.find(module); found != cuts.end()) {
                group = maker.part(group, module, found->second, node, options.maxParts);
                continue;
            }
            const auto runs = loose.find(module);
            if (const auto run = runs == loose.end() ? std::nullopt : runs->second.runOf(node))
                group = maker.child(group, module, GroupKind::Loose, *run);
        }
        tree.groupOf.add(group);
    }
    return tree;
}

} // namespace stagecraft
