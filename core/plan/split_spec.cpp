#include "core/plan/split_spec.h"

#include "core/base/contains.h"
#include "core/base/json_text.h"
#include "core/base/near_names.h"
#include "core/load/node_origin.h"
#include "core/load/split_mark.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace stagecraft {

namespace {

Error badSplit(std::string message)
{
    return Error{ErrorCode::BadUsage, std::move(message)};
}

// Modules of that name inside others: what was exported is often wrapped in a module of its own.
std::vector<std::string> pathsThatEndIn(const ModuleTree& modules, const std::string& name)
{
    std::vector<std::string> paths;
    for (const ModuleId module : modules.ids())
        if (modules[module].path.ends_with("." + name))
            paths.push_back(modules[module].path);
    return paths;
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
                                              part + "'" + didYouMean(nearNames(part, candidates))};
    for (NodeId node : graph.nodes())
        candidates.push_back(graph[node].name);
    const std::vector<std::string> inside = pathsThatEndIn(modules, name);
    return Error{ErrorCode::NotFound,
                 "'" + name + "' is neither a module nor a node of the model" +
                     (inside.empty() ? didYouMean(nearNames(part, candidates)) : didYouMean(inside))};
}

// "block@1": the module and the number of the call.
std::optional<std::pair<ModuleId, std::size_t>> moduleCall(const Graph& graph, std::string_view name)
{
    const std::size_t at = name.rfind('@');
    if (at == name.npos)
        return std::nullopt;
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    const auto [read, failure] = std::from_chars(name.data() + at + 1, end, number);
    const std::optional<ModuleId> module = graph.modules().find(name.substr(0, at));
    if (failure != std::errc() || read != end || !module || module == ModuleTree::root())
        return std::nullopt;
    return std::pair(*module, number);
}

// In which call of `module` a node of it runs.
std::size_t callOf(const Graph& graph, ModuleId module, const Node& node)
{
    const auto isStack = [](const auto& note) { return note.first == "nn_module_stack"; };
    const auto stack = std::ranges::find_if(node.metadata, isStack);
    if (stack != node.metadata.end())
        for (const ModuleCall& call : parseModuleStack(stack->second))
            if (call.path == graph.modules()[module].path)
                return call.number;
    return 0;
}

std::map<std::size_t, std::vector<NodeId>> callsOf(const Graph& graph, ModuleId module)
{
    std::map<std::size_t, std::vector<NodeId>> calls;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module))
            calls[callOf(graph, module, graph[node])].push_back(node);
    return calls;
}

Result<std::vector<NodeId>> nodesOfCall(const Graph& graph, ModuleId module, std::size_t number)
{
    std::map<std::size_t, std::vector<NodeId>> calls = callsOf(graph, module);
    if (const auto call = calls.find(number); call != calls.end())
        return std::move(call->second);
    const std::string& path = graph.modules()[module].path;
    return badSplit("module '" + path + "' has no call " + std::to_string(number) + "; the last is '" + path +
                    "@" + std::to_string(calls.empty() ? 0 : calls.rbegin()->first) + "'");
}

// A name of the file that is no node's here.
std::optional<NodeSpan> placeOf(const Graph& graph, const std::string& name)
{
    if (const auto place = graph.findPlace(name))
        return place;
    const std::optional<ValueId> value = graph.findValue(name);
    if (!value || !graph[*value].producer)
        return std::nullopt;
    const std::size_t behind = graph[*value].producer->index() + 1;
    return NodeSpan{behind, behind};
}

std::vector<NodeId> nodesAt(NodeSpan place)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = place.begin; i < place.end; ++i)
        nodes.emplace_back(i);
    if (nodes.empty() && place.begin > 0)
        nodes.emplace_back(place.begin - 1);
    return nodes;
}

// The number of nodes before the boundary.
Result<std::size_t> cutOf(const Graph& graph, const SplitPoint& point)
{
    const bool isBefore = point.side == SplitPoint::Side::Before;
    if (!point.node && !graph.modules().find(point.name) && !graph.findNode(point.name))
        if (const auto place = placeOf(graph, point.name))
            return isBefore ? place->begin : place->end;
    STAGECRAFT_ASSIGN(nodes, point.node ? Result(std::vector{*point.node}) : nodesOfName(graph, point.name));
    return isBefore ? nodes.front().index() : nodes.back().index() + 1;
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

// Checks go to the last stage that makes something they look at.
void keepLookersWithMakers(const Graph& graph, Partition& partition)
{
    for (const NodeId node : graph.nodes()) {
        if (!onlyLooks(graph, node))
            continue;
        StageId last(0);
        for (const NodeId before : graph.predecessors(node))
            last = std::max(last, partition.stageOf[before]);
        partition.stageOf[node] = last;
    }
}

using Cut = std::pair<std::size_t, std::string>; // how many nodes are before it, and its name

// In program order.
Result<std::vector<Cut>> cutsOf(const Graph& graph, const std::vector<SplitPoint>& points)
{
    std::vector<Cut> cuts;
    for (const SplitPoint& point : points) {
        STAGECRAFT_ASSIGN(cut, cutOf(graph, point));
        const char* const side = point.side == SplitPoint::Side::Before ? "before '" : "after '";
        if (cut == 0 || cut == graph.nodeCount())
            return badSplit("there is nothing " + std::string(side) + point.name + "'");
        cuts.emplace_back(cut, point.name);
    }
    std::ranges::stable_sort(cuts, {}, &Cut::first);
    for (std::size_t i = 1; i < cuts.size(); ++i)
        if (cuts[i].first == cuts[i - 1].first)
            return badSplit("'" + cuts[i - 1].second + "' and '" + cuts[i].second +
                            "' split at the same place");
    return cuts;
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
    if (const auto call = moduleCall(graph, name))
        return nodesOfCall(graph, call->first, call->second);
    if (const auto place = placeOf(graph, name))
        if (std::vector<NodeId> found = nodesAt(*place); !found.empty())
            return found;
    if (graph.findValue(name))
        return badSplit("'" + name + "' is given to the model, and made by none of its nodes");
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
                                              didYouMean(nearNames(className, {known.begin(), known.end()}))};
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

Result<std::vector<SplitPoint>> splitPointsOfSpec(const Graph& graph, std::string_view json,
                                                  const std::string& fileName)
{
    STAGECRAFT_ASSIGN(spec, parseJson<nlohmann::ordered_json>(json, fileName));
    if (!spec.is_object() || spec.empty())
        return badSplit(fileName + ": a split specification is {\"module\": \"beginning\" or \"end\", ...}");
    std::vector<SplitPoint> points;
    for (const auto& [path, where] : spec.items()) {
        const bool isEnd = where == "end";
        if (!isEnd && where != "beginning")
            return badSplit(fileName + ": '" + path + "' is neither \"beginning\" nor \"end\"");
        const auto side = isEnd ? SplitPoint::Side::After : SplitPoint::Side::Before;
        const std::optional<ModuleId> module = graph.modules().find(path);
        if (!module || module == ModuleTree::root() || callsOf(graph, *module).size() < 2) {
            STAGECRAFT_TRY(nodesOfName(graph, path));
            points.push_back({path, side});
            continue;
        }
        for (const auto& [number, nodes] : callsOf(graph, *module))
            points.push_back({path + "@" + std::to_string(number), side});
    }
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
    STAGECRAFT_ASSIGN(cuts, cutsOf(graph, points));
    Partition partition{.stageCount = problem.stageCount(),
                        .stageOf = Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (NodeId node : graph.nodes()) {
        const auto behind =
            std::ranges::upper_bound(cuts, node.index(), {}, [](const auto& cut) { return cut.first; });
        partition.stageOf[node] = StageId(static_cast<std::size_t>(behind - cuts.begin()));
    }
    keepLookersWithMakers(graph, partition);
    settle(problem, partition);
    const Result<void> checked = checkPartition(problem, partition);
    if (checked.has_value())
        return partition;
    const std::vector<std::string> moved = movedBoundaries(graph, problem, points, partition);
    return Error{checked.error().code,
                 checked.error().message + (moved.empty() ? std::string() : ": " + moved.front())};
}

std::vector<std::string> movedBoundaries(const Graph& graph, const PartitionProblem& problem,
                                         const std::vector<SplitPoint>& points, const Partition& partition)
{
    std::vector<std::string> notes;
    const Result<std::vector<Cut>> cuts = cutsOf(graph, points);
    for (std::size_t i = 0; cuts.has_value() && i < cuts->size(); ++i) {
        const auto& [cut, name] = (*cuts)[i];
        NodeId first(0);
        while (first.index() < cut && partition.stageOf[first].index() <= i)
            first = NodeId(first.index() + 1);
        if (first.index() == cut)
            continue;
        std::string why = "something before it is needed there";
        for (const Colocation& group : problem.groups)
            if (contains(group.nodes, first))
                why = group.reason;
        notes.push_back("the boundary at '" + name + "' is before '" + graph[first].name + "': " + why);
    }
    return notes;
}

} // namespace stagecraft
