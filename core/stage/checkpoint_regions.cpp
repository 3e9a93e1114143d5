#include "core/stage/checkpoint_regions.h"

#include "core/load/random_operator.h"

#include <algorithm>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

// Does the value lie in storage that one of the nodes made?
bool isMadeBy(const Graph& graph, ValueId value, const std::set<NodeId>& nodes, OperatorSchemas& schemas)
{
    const std::optional<NodeId> producer = graph[value].producer;
    if (!producer || !nodes.contains(*producer))
        return false;
    const Node& node = graph[*producer];
    const OperatorSchema* const schema = schemas.find(node.target);
    if (!schema)
        return false;
    for (const SchemaArgument& argument : schema->arguments) {
        const Argument* const given = argument.alias.sets.empty() ? nullptr : node.argument(argument.name);
        if (const auto* base = given ? std::get_if<ValueId>(given) : nullptr)
            return isMadeBy(graph, *base, nodes, schemas);
    }
    return true;
}

} // namespace

void forEachRegion(std::size_t count, const std::function<std::span<const int>(std::size_t)>& regionsOf,
                   std::size_t depth,
                   const std::function<void(std::size_t begin, std::size_t end, std::optional<int>)>& visit)
{
    const auto regionAt = [&](std::size_t i) {
        const std::span<const int> path = regionsOf(i);
        return depth < path.size() ? std::optional(path[depth]) : std::nullopt;
    };
    for (std::size_t begin = 0; begin < count;) {
        const std::optional<int> region = regionAt(begin);
        std::size_t end = begin + 1;
        while (end < count && regionAt(end) == region)
            ++end;
        visit(begin, end, region);
        begin = end;
    }
}

void forEachRegion(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth,
                   const std::function<void(std::span<const NodeId>, std::optional<int>)>& visit)
{
    const auto regionsOf = [&](std::size_t i) -> std::span<const int> {
        return graph.context(graph[nodes[i]].context).recomputeRegions;
    };
    forEachRegion(nodes.size(), regionsOf, depth,
                  [&](std::size_t begin, std::size_t end, std::optional<int> region) {
                      visit(nodes.subspan(begin, end - begin), region);
                  });
}

std::span<const int> regionsAround(const Graph& graph, std::span<const NodeId> nodes, std::size_t begin,
                                   std::size_t end)
{
    ContextId last = graph[nodes[begin]].context;
    std::span<const int> around = graph.context(last).recomputeRegions;
    for (const NodeId node : nodes.subspan(begin, end - begin))
        if (const ContextId context = graph[node].context; std::exchange(last, context) != context) {
            const auto differs = std::ranges::mismatch(around, graph.context(context).recomputeRegions).in1;
            around = around.first(static_cast<std::size_t>(differs - around.begin()));
        }
    return around;
}

bool isKept(const Context& context)
{
    return context.keepsResults && !context.recomputeRegions.empty();
}

bool keepsSome(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth)
{
    return std::ranges::any_of(nodes, [&](NodeId node) {
        const Context& context = graph.context(graph[node].context);
        return isKept(context) && context.recomputeRegions.size() == depth + 1;
    });
}

bool runsAgainAlike(const Graph& graph, std::span<const NodeId> nodes, OperatorSchemas& schemas)
{
    const std::set<NodeId> inside(nodes.begin(), nodes.end());
    return std::ranges::none_of(nodes, [&](NodeId id) {
        const Node& node = graph[id];
        const OperatorSchema* const schema = schemas.find(node.target);
        if (!node.subgraphs.empty() || !schema)
            return !node.subgraphs.empty(); // what an inner graph does is not looked at
        const bool writesOutside =
            std::ranges::any_of(schema->arguments, [&](const SchemaArgument& argument) {
                const Argument* const given = argument.alias.writes ? node.argument(argument.name) : nullptr;
                const auto* value = given ? std::get_if<ValueId>(given) : nullptr;
                return value && !isMadeBy(graph, *value, inside, schemas);
            });
        return writesOutside || drawsRandomNumbers(node, schemas);
    });
}

std::vector<StageRegion> stageRegions(const Graph& graph, std::span<const NodeId> stage,
                                      OperatorSchemas& schemas)
{
    std::vector<StageRegion> regions;
    forEachRegion(graph, stage, 0, [&](std::span<const NodeId> nodes, std::optional<int> number) {
        if (!number)
            return;
        StageRegion region{.nodes = nodes, .isInPrograms = runsAgainAlike(graph, nodes, schemas)};
        for (const NodeId node : nodes) {
            const Context& context = graph.context(graph[node].context);
            region.isNested = region.isNested || context.recomputeRegions.size() > 1;
            if (isKept(context))
                region.kept.push_back(node);
        }
        regions.push_back(std::move(region));
    });
    return regions;
}

} // namespace stagecraft
