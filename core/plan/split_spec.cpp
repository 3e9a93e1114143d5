#include "core/plan/split_spec.h"

#include "core/load/split_mark.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace stagecraft {

namespace {

Error badSplit(std::string message)
{
    return Error{ErrorCode::BadUsage, std::move(message)};
}

// Letters to change, add or leave out to come from one word to the other.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
            corner = std::exchange(row[j + 1], std::min({change, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

// ": did you mean 'x', 'y'?", with up to three candidates that come near.
std::string suggestion(std::string_view wanted, const std::vector<std::string>& candidates)
{
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(wanted, candidate);
        if (distance <= std::max<std::size_t>(2, wanted.size() / 3))
            near.emplace_back(distance, candidate);
    }
    std::ranges::sort(near);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, near.size()); ++i)
        text += (i == 0 ? "; did you mean '" : "', '") + near[i].second;
    return text.empty() ? text : text + "'?";
}

Error unknownName(const Graph& graph, const std::string& name)
{
    const ModuleTree& modules = graph.modules();
    ModuleId parent = ModuleTree::root();
    std::size_t begin = 0;
    std::string part;
    while (begin <= name.size()) {
        const std::size_t dot = std::min(name.find('.', begin), name.size());
        part = name.substr(begin, dot - begin);
        const auto next = modules.find(name.substr(0, dot));
        if (!next || *next == ModuleTree::root())
            break;
        parent = *next;
        begin = dot + 1;
    }
    std::vector<std::string> candidates;
    for (ModuleId child : modules[parent].children)
        candidates.push_back(modules[child].name);
    if (parent != ModuleTree::root())
        return Error{ErrorCode::NotFound, "'" + name + "': module '" + modules[parent].path + "' has no '" +
                                              part + "'" + suggestion(part, candidates)};
    for (NodeId node : graph.nodes())
        candidates.push_back(graph[node].name);
    return Error{ErrorCode::NotFound,
                 "'" + name + "' is neither a module nor a node of the model" + suggestion(part, candidates)};
}

// Of those that run any.
std::vector<std::vector<NodeId>> nodesOfModules(const Graph& graph, const std::vector<ModuleId>& modules)
{
    std::vector<std::vector<NodeId>> lists;
    for (ModuleId module : modules) {
        std::vector<NodeId> nodes;
        for (NodeId node : graph.nodes()) {
            if (graph.modules().contains(module, graph[node].module))
                nodes.push_back(node);
        }
        if (!nodes.empty())
            lists.push_back(std::move(nodes));
    }
    return lists;
}

// Raises stages until groups are whole and no edge leads back.
void settle(const PartitionProblem& problem, Partition& partition)
{
    for (bool changed = true; changed;) {
        changed = false;
        const auto raise = [&](NodeId node, StageId stage) {
            if (partition.stageOf[node] < stage) {
                partition.stageOf[node] = stage;
                changed = true;
            }
        };
        for (const Colocation& group : problem.groups) {
            StageId last(0);
            for (NodeId node : group.nodes)
                last = std::max(last, partition.stageOf[node]);
            for (NodeId node : group.nodes)
                raise(node, last);
        }
        for (const Precedence& edge : problem.precedences)
            raise(edge.after, partition.stageOf[edge.before]);
    }
}

} // namespace

Result<std::vector<NodeId>> nodesOfName(const Graph& graph, const std::string& name)
{
    std::vector<NodeId> nodes;
    if (const auto module = name.empty() ? std::nullopt : graph.modules().find(name)) {
        for (NodeId node : graph.nodes()) {
            if (graph.modules().contains(*module, graph[node].module))
                nodes.push_back(node);
        }
        if (nodes.empty())
            return badSplit("module '" + name + "' runs no operator");
        return nodes;
    }
    if (const auto node = graph.findNode(name))
        return std::vector<NodeId>{*node};
    return unknownName(graph, name);
}

Result<std::vector<std::vector<NodeId>>> nodesOfClass(const Graph& graph, const std::string& className)
{
    const ModuleTree& modules = graph.modules();
    std::vector<ModuleId> found;
    std::set<std::string> known;
    for (ModuleId id : modules.ids()) {
        const std::string& name = modules[id].className;
        const std::string last = name.substr(name.rfind('.') + 1);
        if (!last.empty())
            known.insert(last);
        const bool inner =
            std::ranges::any_of(found, [&](ModuleId outer) { return modules.contains(outer, id); });
        if (!className.empty() && !inner && (name == className || last == className))
            found.push_back(id);
    }
    if (found.empty())
        return Error{ErrorCode::NotFound, "no module is of class '" + className + "'" +
                                              suggestion(className, {known.begin(), known.end()})};
    return nodesOfModules(graph, found);
}

Result<std::vector<std::vector<NodeId>>> nodesAtDepth(const Graph& graph, int depth)
{
    std::vector<ModuleId> found;
    int deepest = 0;
    for (ModuleId id : graph.modules().ids()) {
        deepest = std::max(deepest, graph.modules().depth(id));
        if (graph.modules().depth(id) == depth)
            found.push_back(id);
    }
    if (found.empty() || depth < 1)
        return badSplit("there is no module at depth " + std::to_string(depth) +
                        "; the modules are at 1 to " + std::to_string(deepest));
    return nodesOfModules(graph, found);
}

std::vector<SplitPoint> markedSplit(const Graph& graph)
{
    std::vector<SplitPoint> points;
    for (NodeId node : graph.nodes())
        if (node != NodeId(0) && hasSplitMark(graph[node]))
            points.push_back({graph[node].name, SplitPoint::Side::Before, node});
    return points;
}

std::size_t stagesOfSplit(const std::vector<SplitPoint>& points)
{
    return points.size() + 1;
}

Result<Partition> splitAt(const Graph& graph, const PartitionProblem& problem,
                          const std::vector<SplitPoint>& points)
{
    if (problem.stageCount() != stagesOfSplit(points))
        return badSplit(std::to_string(points.size()) + " split points make " +
                        std::to_string(stagesOfSplit(points)) + " stages, not " +
                        std::to_string(problem.stageCount()));
    std::vector<std::pair<std::size_t, std::string>> cuts;
    for (const SplitPoint& point : points) {
        STAGECRAFT_ASSIGN(nodes,
                          point.node ? Result(std::vector{*point.node}) : nodesOfName(graph, point.name));
        const bool before = point.side == SplitPoint::Side::Before;
        const std::size_t cut = before ? nodes.front().index() : nodes.back().index() + 1;
        if (cut == 0 || cut == graph.nodeCount())
            return badSplit("there is nothing " + std::string(before ? "before '" : "after '") + point.name +
                            "'");
        cuts.emplace_back(cut, point.name);
    }
    std::ranges::stable_sort(cuts, {}, &std::pair<std::size_t, std::string>::first);
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        if (cuts[i].first == cuts[i - 1].first)
            return badSplit("'" + cuts[i - 1].second + "' and '" + cuts[i].second +
                            "' split at the same place");
    }
    Partition partition{.stageCount = problem.stageCount(),
                        .stageOf = Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (NodeId node : graph.nodes()) {
        const auto behind =
            std::ranges::upper_bound(cuts, node.index(), {}, [](const auto& cut) { return cut.first; });
        partition.stageOf[node] = StageId(static_cast<std::size_t>(behind - cuts.begin()));
    }
    settle(problem, partition);
    STAGECRAFT_TRY(checkPartition(problem, partition));
    return partition;
}

} // namespace stagecraft
