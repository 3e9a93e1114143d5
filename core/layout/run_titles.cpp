#include "core/layout/run_titles.h"

#include "core/base/digits.h"
#include "core/layout/operator_kinds.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

// The operator that most nodes of the part are, leaving out those that only rearrange.
std::string mainOperator(const Graph& graph, const RunTree& tree, GroupId part)
{
    std::map<std::string, int> counts;
    for (const NodeId node : graph.nodes())
        if (tree.groups.groupOf[node] == part && !isMinorOperator(graph[node]))
            ++counts[operatorTitle(graph[node])];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? std::string() : most->first;
}

std::string partTitle(const Graph& graph, const RunTree& tree, GroupId part, const RunRange& range)
{
    std::string title =
        "ops " + std::to_string(range.first.index() + 1) + "-" + std::to_string(range.last.index() + 1);
    const std::string main = mainOperator(graph, tree, part);
    return main.empty() ? title : title + " " + main;
}

// Names of the modules from below `outer` down to `inner`.
std::vector<std::string> namesBelow(const Graph& graph, const GroupTree& groups, GroupId outer, GroupId inner)
{
    std::vector<std::string> names;
    for (GroupId at = inner; at != outer && groups.groups[at].parent; at = *groups.groups[at].parent)
        if (!groups.groups[at].part)
            names.push_back(graph.modules()[groups.groups[at].module].name);
    std::ranges::reverse(names);
    return names;
}

GroupId groupAtDepth(const GroupTree& groups, NodeId node, int depth)
{
    GroupId at = groups.groupOf[node];
    while (groups.groups[at].depth > depth)
        at = *groups.groups[at].parent;
    return at;
}

std::string joinRanges(const std::vector<std::string>& first, const std::vector<std::string>& last)
{
    std::string title;
    for (std::size_t i = 0; i < first.size(); ++i) {
        title += i == 0 ? "" : ".";
        title += first[i];
        if (i < last.size() && last[i] != first[i])
            title += (isDigits(first[i]) && isDigits(last[i]) ? "-" : " ... ") + last[i];
    }
    return title;
}

std::string below(const std::string& path, const std::string& name)
{
    return path.empty() || name.empty() ? path + name : path + "." + name;
}

// Where the names of a title begin: below the box around it, and below what holds everything.
GroupId titleRoot(const RunTree& tree, GroupId around, GroupId inner)
{
    GroupId root = tree.main;
    while (!tree.groups.contains(root, inner))
        root = *tree.groups.groups[root].parent;
    return tree.groups.contains(around, root) ? root : around;
}

// What the first and the last are called: modules where they are ones, else operators.
std::string looseTitle(const Graph& graph, const RunTree& tree, GroupId group, const RunRange& range)
{
    const auto nameOf = [&](NodeId node) {
        const std::vector<std::string> names =
            namesBelow(graph, tree.groups, group, tree.groups.groupOf[node]);
        return names.empty() ? operatorTitle(graph[node]) : names.front();
    };
    const std::string path = joinRanges(namesBelow(graph, tree.groups, range.parent, group), {});
    const std::string first = nameOf(range.first);
    const std::string last = nameOf(range.last);
    return below(path, first) + (first == last ? "" : " ... " + last);
}

} // namespace

std::string operatorModule(const Graph& graph, const RunTree& tree, NodeId node)
{
    const std::optional<BoxId> box = tree.boxOf[node];
    const GroupId outer =
        titleRoot(tree, box ? tree.boxes[*box].group : GroupTree::root(), tree.groups.groupOf[node]);
    const std::vector<std::string> names = namesBelow(graph, tree.groups, outer, tree.groups.groupOf[node]);
    return joinRanges(names, names);
}

std::string boxTitle(const Graph& graph, const RunTree& tree, const RunBox& box, const RunRange& where)
{
    const GroupTree& groups = tree.groups;
    RunRange range = where;
    range.parent = titleRoot(tree, where.parent, box.group);
    const GroupKind kind = groups.groups[box.group].kind;
    if (kind == GroupKind::Part)
        return partTitle(graph, tree, box.group, range);
    if (kind == GroupKind::Loose)
        return looseTitle(graph, tree, box.group, range);
    if (kind == GroupKind::Bookkeeping)
        return below(joinRanges(namesBelow(graph, groups, range.parent, box.group), {}), "bookkeeping");
    const GroupId lastCopy = groupAtDepth(groups, range.last, groups.groups[box.group].depth);
    const std::vector<std::string> first = namesBelow(graph, groups, range.parent, box.group);
    const std::string title = joinRanges(first, namesBelow(graph, groups, range.parent, lastCopy));
    return title.empty() ? graph.modules()[groups.groups[box.group].module].path : title;
}

void numberParts(RunTree& tree)
{
    std::map<GroupId, std::vector<BoxId>> pieces;
    for (const BoxId box : tree.boxes.ids())
        if (tree.boxes[box].depth > 1 && tree.boxes[box].copies == 1)
            pieces[tree.boxes[box].group].push_back(box);
    for (const auto& [group, boxes] : pieces)
        for (std::size_t i = 0; boxes.size() > 1 && i < boxes.size(); ++i)
            tree.boxes[boxes[i]].title +=
                " (" + std::to_string(i + 1) + "/" + std::to_string(boxes.size()) + ")";
}

} // namespace stagecraft
