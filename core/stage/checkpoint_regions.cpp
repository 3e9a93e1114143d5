#include "core/stage/checkpoint_regions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>

namespace stagecraft {

namespace {

// Arguments that say whether, or how much, an operator draws.
constexpr std::array<std::string_view, 2> switches{"train", "training"};
constexpr std::array<std::string_view, 2> shares{"dropout", "dropout_p"};

// Of an argument that may be left out: what it is then.
double shareOf(const Node& node, const SchemaArgument& argument)
{
    const Argument* const given = node.argument(argument.name);
    if (const auto* share = given ? std::get_if<double>(given) : nullptr)
        return *share;
    if (const auto* share = given ? std::get_if<std::int64_t>(given) : nullptr)
        return static_cast<double>(*share);
    return given ? 1 : std::strtod(argument.defaultText.value_or("1").c_str(), nullptr);
}

bool drawsRandomNumbers(const Node& node, OperatorSchemas& schemas)
{
    for (const std::string_view name : switches)
        if (const Argument* on = node.argument(name); on && std::holds_alternative<bool>(*on))
            if (!std::get<bool>(*on))
                return false;
    const OperatorSchema* const schema = schemas.find(node.target);
    if (!schema)
        return false;
    for (const std::string_view name : shares)
        if (const SchemaArgument* argument = schema->argument(name))
            return shareOf(node, *argument) > 0;
    return schema->isRandom;
}

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

void forEachRegion(const Graph& graph, std::span<const NodeId> nodes, std::size_t depth,
                   const std::function<void(std::span<const NodeId>, std::optional<int>)>& visit)
{
    const auto regionOf = [&](NodeId node) {
        const std::vector<int>& path = graph.context(graph[node].context).recomputeRegions;
        return depth < path.size() ? std::optional(path[depth]) : std::nullopt;
    };
    for (std::size_t begin = 0; begin < nodes.size();) {
        const std::optional<int> region = regionOf(nodes[begin]);
        std::size_t end = begin + 1;
        while (end < nodes.size() && regionOf(nodes[end]) == region)
            ++end;
        visit(nodes.subspan(begin, end - begin), region);
        begin = end;
    }
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

} // namespace stagecraft
