#include "core/trace/substitute_kinds.h"

#include "core/graph/called_operator.h"
#include "core/graph/functorch_step.h"
#include "core/load/operator_schema.h"
#include "core/run/number_functions.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace stagecraft {

namespace {

struct NamedTensor
{
    std::string name;
    ValueId value;
};

// As files of other programs than PyTorch may not.
bool isName(std::string_view text)
{
    const auto isLetter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
    const auto isOfName = [&](unsigned char c) { return isLetter(c) || std::isdigit(c); };
    return !text.empty() && isLetter(static_cast<unsigned char>(text.front())) &&
           std::ranges::all_of(text, isOfName);
}

// Tensors that expressions can name, in the order of the arguments.
std::vector<NamedTensor> tensorsOf(const Graph& graph, const Node& node)
{
    std::vector<NamedTensor> tensors;
    for (const NamedArgument& argument : node.arguments)
        if (const auto* value = std::get_if<ValueId>(&argument.value))
            if (graph[*value].isTensor() && isName(argument.name))
                tensors.push_back({argument.name, *value});
    return tensors;
}

std::size_t dimensionsOf(const Graph& graph, ValueId value)
{
    return graph[value].meta ? graph[value].meta->sizes.size() : 0;
}

Substitute withFlops(const std::string& forward, const std::string& input, const std::string& weight)
{
    const auto work = [](const std::string& flops) {
        SubstituteWork made;
        if (!flops.empty())
            made.flops = Expression::parse(flops).value();
        return made;
    };
    return {.forward = work(forward), .backwardInput = work(input), .backwardWeight = work(weight)};
}

std::optional<Substitute> elementwise(const Graph& graph, const Node& node)
{
    std::string elements;
    for (std::size_t i = 0; i < node.results.size(); ++i)
        if (graph[node.results[i]].isTensor())
            elements += (elements.empty() ? "numel(out" : " + numel(out") + std::to_string(i) + ")";
    return elements.empty() ? std::nullopt : std::optional(withFlops(elements, elements, {}));
}

// numel(a) / size(a, -1) rows, each with every column of b.
std::optional<Substitute> matrixProduct(const Graph& graph, const Node& node)
{
    const std::vector<NamedTensor> tensors = tensorsOf(graph, node);
    if (tensors.size() < 2 || node.results.empty() || !graph[node.results.front()].isTensor() ||
        dimensionsOf(graph, tensors[0].value) == 0)
        return std::nullopt;
    const std::string product = "2 * numel(out0) * size(" + tensors[0].name + ", -1)";
    const bool isWeight = graph[tensors[1].value].kind == ValueKind::Parameter;
    return isWeight ? withFlops(product, product, product) : withFlops(product, "2 * " + product, {});
}

// Two products of all queries with all keys forward; backward five, as flash attention has them.
std::optional<Substitute> attention(const Graph& graph, const Node& node)
{
    const std::vector<NamedTensor> tensors = tensorsOf(graph, node);
    if (tensors.size() < 3 || dimensionsOf(graph, tensors[1].value) < 2)
        return std::nullopt;
    const std::string product = "numel(" + tensors[0].name + ") * size(" + tensors[1].name + ", -2)";
    return withFlops("4 * " + product, "10 * " + product, {});
}

bool isUnknown(const Node& node, OperatorSchemas& schemas)
{
    const std::string& target = calledOperator(node);
    return isFunctionalized(node) || (!target.starts_with("higher_order::") && !isFunctorchStep(target) &&
                                      !findNumberFunction(target) && !schemas.find(target));
}

} // namespace

std::optional<Substitute> substituteOf(SubstituteKind kind, const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    std::optional<Substitute> made;
    switch (kind) {
    case SubstituteKind::Elementwise:
        made = elementwise(graph, node);
        break;
    case SubstituteKind::MatrixProduct:
        made = matrixProduct(graph, node);
        break;
    case SubstituteKind::Attention:
        made = attention(graph, node);
    }
    if (made)
        made->where = substituteName(calledOperator(node));
    return made;
}

bool isUnknownOperator(const Node& node)
{
    OperatorSchemas schemas;
    return isUnknown(node, schemas);
}

std::vector<OperatorUse> unknownOperators(const Graph& graph)
{
    OperatorSchemas schemas;
    std::vector<OperatorUse> unknown;
    for (const NodeId id : graph.nodes()) {
        if (!isUnknown(graph[id], schemas))
            continue;
        const std::string name = substituteName(calledOperator(graph[id]));
        auto entry = std::ranges::find(unknown, name, &OperatorUse::name);
        if (entry == unknown.end())
            entry = unknown.insert(unknown.end(), {name, {}});
        entry->nodes.push_back(id);
    }
    return unknown;
}

std::string substituteName(const std::string& target)
{
    constexpr std::string_view usual = ".default";
    return target.ends_with(usual) ? target.substr(0, target.size() - usual.size()) : target;
}

} // namespace stagecraft
