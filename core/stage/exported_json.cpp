#include "core/stage/exported_json.h"

#include "core/base/contains.h"
#include "core/base/overloaded.h"
#include "core/load/bare_return.h"
#include "core/load/exported_types.h"
#include "core/load/split_mark.h"
#include "core/load/target_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace stagecraft {

namespace {

Json deviceJson(const Device& device)
{
    Json json{{"type", device.type}};
    if (device.index)
        json["index"] = *device.index;
    return json;
}

Json single(const char* kind, Json content)
{
    Json json = Json::object();
    json[kind] = std::move(content);
    return json;
}

bool isComparison(std::string_view target)
{
    constexpr std::array<std::string_view, 9> comparisons{
        "_operator::eq", "_operator::ne",   "_operator::lt",  "_operator::le", "_operator::gt",
        "_operator::ge", "_operator::and_", "_operator::or_", "torch::sym_not"};
    return contains(comparisons, target);
}

} // namespace

// ---------------------------------------------------------------- numbers
std::string jsonText(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json floatJson(double number)
{
    if (std::isfinite(number))
        return number;
    return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

Json sizeJson(const SymInt& size)
{
    if (size.isConstant())
        return single("as_int", size.constant());
    Json expression{{"expr_str", size.srepr()}};
    if (const std::optional<std::int64_t> hint = size.hint())
        expression["hint"] = single("as_int", *hint);
    return single("as_expr", std::move(expression));
}

Json tensorMetaJson(const TensorMeta& meta)
{
    Json sizes = Json::array();
    Json strides = Json::array();
    for (const SymInt& size : meta.sizes)
        sizes.push_back(sizeJson(size));
    for (const SymInt& stride : meta.strides)
        strides.push_back(sizeJson(stride));
    return {{"dtype", schemaNumber(meta.dtype)},  {"sizes", std::move(sizes)},
            {"requires_grad", meta.requiresGrad}, {"device", deviceJson(meta.device)},
            {"strides", std::move(strides)},      {"storage_offset", sizeJson(meta.storageOffset)},
            {"layout", schemaNumber(meta.layout)}};
}

TensorMeta substituted(const TensorMeta& meta, const SizeSubstitutes& substitutes)
{
    TensorMeta result = meta;
    for (std::vector<SymInt>* sizes : {&result.sizes, &result.strides})
        for (SymInt& size : *sizes)
            for (const auto& [from, to] : substitutes)
                if (!size.isConstant() && size == from)
                    size = to;
    return result;
}

// ---------------------------------------------------------------- arguments
ExportedJson::ExportedJson(const Graph& graph, Resolve resolve)
    : m_graph(graph), m_resolve(std::move(resolve))
{
}

// The file says of whole numbers which expression they are; of others the operator tells.
std::string ExportedJson::numberKind(ValueId id) const
{
    const Value& number = m_graph[id];
    if (number.scalar || !number.producer)
        return "int";
    const Node& producer = m_graph[*number.producer];
    if (isComparison(producer.target))
        return "bool";
    if (producer.target == "_operator::truediv" || producer.target == "torch::sym_float" ||
        producer.target == "torch::_sym_sqrt")
        return "float";
    for (const ValueId input : producer.inputs) {
        if (m_graph[input].meta && m_graph[input].meta->dtype == DType::Bool)
            return "bool";
        if (m_graph[input].meta ? isDifferentiable(m_graph[input].meta->dtype)
                                : input != id && numberKind(input) == "float")
            return "float";
    }
    return "int";
}

Json ExportedJson::value(ValueId id) const
{
    const ValueId resolved = m_resolve(id);
    const Value& described = m_graph[resolved];
    if (described.kind == ValueKind::SizeScalar)
        return single(("as_sym_" + numberKind(resolved)).c_str(), {{"as_name", described.name}});
    if (described.kind == ValueKind::Opaque)
        return single("as_custom_obj", {{"name", described.name}, {"class_fqn", ""}});
    return single("as_tensor", {{"name", described.name}});
}

Json ExportedJson::tensorList(const TensorListArgument& list) const
{
    const bool isOptional = contains(list.elements, std::optional<ValueId>());
    Json elements = Json::array();
    for (const std::optional<ValueId>& element : list.elements) {
        if (!element) {
            elements.push_back(single("as_none", true));
            continue;
        }
        const Json name{{"name", m_graph[m_resolve(*element)].name}};
        elements.push_back(isOptional ? single("as_tensor", name) : name);
    }
    return single(isOptional ? "as_optional_tensors" : "as_tensors", std::move(elements));
}

Json ExportedJson::intList(const IntListArgument& list) const
{
    const bool isSymbolic = std::ranges::any_of(
        list.elements, [](const IntOrValue& e) { return std::holds_alternative<ValueId>(e); });
    Json elements = Json::array();
    for (const IntOrValue& element : list.elements) {
        if (const auto* value = std::get_if<ValueId>(&element))
            elements.push_back(single("as_name", m_graph[m_resolve(*value)].name));
        else if (isSymbolic)
            elements.push_back(single("as_int", std::get<std::int64_t>(element)));
        else
            elements.push_back(std::get<std::int64_t>(element));
    }
    return single(isSymbolic ? "as_sym_ints" : "as_ints", std::move(elements));
}

Json ExportedJson::argument(const Argument& argument, const Node* node) const
{
    const auto tensors = [&](const TensorListArgument& list) { return tensorList(list); };
    const auto ints = [&](const IntListArgument& list) { return intList(list); };
    return std::visit(
        Overloaded{
            [](const NoneArgument&) { return single("as_none", true); },
            [&](ValueId id) { return value(id); },
            tensors,
            [](std::int64_t number) { return single("as_int", number); },
            ints,
            [&](double number) { return single("as_float", floatJson(number)); },
            [&](const std::vector<double>& numbers) {
                Json elements = Json::array();
                for (const double number : numbers)
                    elements.push_back(floatJson(number));
                return single("as_floats", std::move(elements));
            },
            [](bool truth) { return single("as_bool", truth); },
            [](const std::vector<bool>& truths) { return single("as_bools", Json(truths)); },
            [](const std::string& text) { return single("as_string", text); },
            [](const std::vector<std::string>& texts) { return single("as_strings", Json(texts)); },
            [&](const std::complex<double>& number) {
                return single("as_complex",
                              {{"real", floatJson(number.real())}, {"imag", floatJson(number.imag())}});
            },
            [](DType dtype) { return single("as_scalar_type", schemaNumber(dtype)); },
            [](MemoryFormat format) { return single("as_memory_format", schemaNumber(format)); },
            [](TensorLayout layout) { return single("as_layout", schemaNumber(layout)); },
            [](const Device& device) { return single("as_device", deviceJson(device)); },
            [&](SubgraphId id) {
                const Graph& subgraph = *node->subgraphs[id.index()];
                const ExportedJson inner(subgraph, [](ValueId v) { return v; });
                return single("as_graph", {{"name", subgraph.name()}, {"graph", inner.wholeGraph()}});
            },
            [](const OperatorArgument& op) { return single("as_operator", targetToPython(op.target)); },
            [](const RawArgument& raw) { return Json::parse(raw.json, nullptr, false); },
        },
        argument);
}

// ---------------------------------------------------------------- graphs
Json ExportedJson::emptyGraph()
{
    return {{"inputs", Json::array()},          {"outputs", Json::array()},
            {"nodes", Json::array()},           {"tensor_values", Json::object()},
            {"sym_int_values", Json::object()}, {"sym_bool_values", Json::object()}};
}

void ExportedJson::describeTensor(Json& graph, const std::string& name, const TensorMeta& meta)
{
    graph["tensor_values"][name] = tensorMetaJson(meta);
}

void ExportedJson::describe(Json& graph, ValueId id) const
{
    const Value& described = m_graph[id];
    if (described.meta) {
        describeTensor(graph, described.name, substituted(*described.meta, m_substitutes));
        return;
    }
    if (described.kind == ValueKind::Opaque) {
        graph["custom_obj_values"][described.name] = {{"name", described.name}, {"class_fqn", ""}};
        return;
    }
    const std::string kind = numberKind(id);
    if (kind == "int")
        graph["sym_int_values"][described.name] = sizeJson(described.scalar.value_or(SymInt(0)));
    else if (kind == "bool")
        graph["sym_bool_values"][described.name] = single("as_bool", true);
    else
        graph["sym_float_values"][described.name] = single("as_float", 1.0);
}

Json ExportedJson::wholeGraph() const
{
    Json graph = emptyGraph();
    for (const ValueId input : m_graph.inputs()) {
        graph["inputs"].push_back(value(input));
        describe(graph, input);
    }
    std::vector<ValueId> kept;
    for (const Argument& output : m_graph.outputs()) {
        collectValues(output, kept);
        graph["outputs"].push_back(argument(output));
    }
    std::vector<NodeId> steps;
    for (const NodeId node : m_graph.nodes())
        steps.push_back(node);
    addNodes(graph, steps, kept);
    graph["is_single_tensor_return"] = m_graph.returnsBareValue();
    return graph;
}

void ExportedJson::addNodes(Json& graph, Steps steps, std::span<const ValueId> kept) const
{
    addLevel(graph, steps, kept, {});
}

// ---------------------------------------------------------------- nodes
Json ExportedJson::namedInput(const std::string& name, Json argument)
{
    return {{"name", name}, {"arg", std::move(argument)}};
}

Json ExportedJson::plainNode(const std::string& target, Json inputs, Json outputs)
{
    return {{"target", target},
            {"inputs", std::move(inputs)},
            {"outputs", std::move(outputs)},
            {"metadata", Json::object()}};
}

Json ExportedJson::outputsOf(const Node& node) const
{
    Json outputs = Json::array();
    for (const NodeOutput& output : node.outputs) {
        if (output.kind == NodeOutput::Kind::None) {
            outputs.push_back(single("as_none", true));
        } else if (output.kind == NodeOutput::Kind::Value) {
            outputs.push_back(value(output.values.front()));
        } else {
            Json names = Json::array();
            for (const ValueId id : output.values)
                names.push_back({{"name", m_graph[id].name}});
            outputs.push_back(single("as_tensors", std::move(names)));
        }
    }
    return outputs;
}

Json ExportedJson::node(const Node& node) const
{
    Json inputs = Json::array();
    for (const NamedArgument& named : node.arguments)
        inputs.push_back(namedInput(named.name, argument(named.value, &node)));
    Json json = plainNode(targetToPython(node.target), std::move(inputs), outputsOf(node));
    for (const auto& [key, text] : node.metadata)
        if (key != splitMarkNote && key != bareReturnNote)
            json["metadata"][key] = text;
    if (node.target.starts_with("higher_order::"))
        json["is_hop_single_tensor_return"] = returnsBareTensor(node);
    return json;
}

} // namespace stagecraft
