#include "core/load/exported_graph.h"

#include "core/load/effects.h"
#include "core/load/error_context.h"
#include "core/load/region.h"
#include "core/load/split_mark.h"
#include "core/load/target_name.h"

namespace stagecraft {

namespace {

// Graphs inside graphs; models have two or three.
constexpr int maxNesting = 32;

// Where results of regions and operands of one argument become a plain list of values and literals.
void flattenInto(const Argument& argument, std::vector<Argument>& flat)
{
    if (const auto* list = std::get_if<TensorListArgument>(&argument)) {
        for (const std::optional<ValueId>& element : list->elements)
            flat.push_back(element ? Argument(*element) : Argument(NoneArgument{}));
        return;
    }
    flat.push_back(argument);
}

// As hints_wrapper has in the place of keyword arguments, which it does not take.
bool isEmptyMapping(const JsonView& argument)
{
    const JsonView mapping = argument["as_string_to_argument"];
    return mapping.isObject() && mapping.members()->empty();
}

// "topk" of "aten::topk.default".
std::string_view shortTarget(std::string_view target)
{
    const std::string_view name = operatorNameOf(target).name;
    const std::size_t colons = name.find("::");
    return colons == name.npos ? name : name.substr(colons + 2);
}

// The one result of a node that has exactly one.
std::optional<std::string_view> onlyResultName(const JsonView& node)
{
    const auto outputs = node["outputs"].elements();
    if (!outputs.has_value() || outputs->size() != 1)
        return std::nullopt;
    return referredName(outputs->front());
}

} // namespace

Result<void> ExportedGraphReader::read(const JsonView& graph, std::vector<InputSpec>* specs)
{
    STAGECRAFT_ASSIGN(scope, openScope(graph));
    STAGECRAFT_TRY(reserveNames(graph, scope));
    STAGECRAFT_TRY(readInputs(scope, graph, specs));
    STAGECRAFT_TRY(readNodes(scope, graph));
    STAGECRAFT_ASSIGN(outputs, readOutputs(scope, graph));
    for (Argument& output : outputs)
        m_builder.addOutput(std::move(output));
    if (graph["is_single_tensor_return"].isBool() && *graph["is_single_tensor_return"].boolean())
        m_builder.markBareReturn();
    return {};
}

Result<ExportedGraphReader::Scope> ExportedGraphReader::openScope(const JsonView& graph)
{
    if (!graph.isObject())
        return graph.wrong("a graph");
    Scope scope;
    STAGECRAFT_ASSIGN(tensors, graph["tensor_values"].members());
    STAGECRAFT_ASSIGN(numbers, graph["sym_int_values"].members());
    scope.tensors.reserve(tensors.size());
    scope.tensors.insert(tensors.begin(), tensors.end());
    scope.numbers.insert(numbers.begin(), numbers.end());
    return scope;
}

// Names of the outermost graph stay as they are, so those of regions must keep clear of them.
Result<void> ExportedGraphReader::reserveNames(const JsonView& graph, const Scope& scope)
{
    for (const auto& [name, meta] : scope.tensors)
        m_valueNames.take(name);
    for (const char* table : {"sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values"}) {
        STAGECRAFT_ASSIGN(members, graph[table].members());
        for (const auto& [name, meta] : members)
            m_valueNames.take(name);
    }
    STAGECRAFT_ASSIGN(nodes, graph["nodes"].elements());
    for (const JsonView& node : nodes) {
        if (node["name"].isString())
            m_nodeNames.take(*node["name"].string());
        else if (const auto result = onlyResultName(node))
            m_nodeNames.take(*result);
    }
    return {};
}

Result<void> ExportedGraphReader::readInputs(Scope& scope, const JsonView& graph,
                                             std::vector<InputSpec>* specs)
{
    STAGECRAFT_ASSIGN(inputs, graph["inputs"].elements());
    if (specs && specs->size() != inputs.size())
        return Error{ErrorCode::BadFormat, "the graph has " + std::to_string(inputs.size()) +
                                               " inputs, its signature " + std::to_string(specs->size())};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        InputSpec plain;
        InputSpec& spec = specs ? (*specs)[i] : plain;
        const std::optional<std::string_view> name = referredName(inputs[i]);
        if (!name) { // a literal takes a place, but is no value
            const ArgumentScope nothing{[&](std::string_view text) { return lookUp(scope, text); },
                                        [&](const JsonView& json) { return json.wrong("an input"); }};
            STAGECRAFT_ASSIGN(literal, readArgument(inputs[i], nothing));
            spec.literal = std::move(literal);
            spec.kind = InputSpec::Kind::Literal;
            if (!spec.name.empty())
                STAGECRAFT_TRY(define(scope, spec.name, spec.literal));
            continue;
        }
        if (spec.kind == InputSpec::Kind::Token) {
            STAGECRAFT_TRY(defineToken(scope, *name));
            continue;
        }
        if (specs && spec.name != *name)
            return Error{ErrorCode::BadFormat, "the graph's input '" + std::string(*name) + "' is called '" +
                                                   spec.name + "' in the signature"};
        STAGECRAFT_ASSIGN(value, describeValue(scope, inputs[i], *name));
        value.target = spec.target;
        switch (spec.kind) {
        case InputSpec::Kind::Parameter:
            value.kind = ValueKind::Parameter;
            break;
        case InputSpec::Kind::Buffer:
            value.kind = ValueKind::Buffer;
            break;
        case InputSpec::Kind::Constant:
            value.kind = ValueKind::Constant;
            break;
        case InputSpec::Kind::CustomObject:
            value.kind = ValueKind::Opaque;
            break;
        case InputSpec::Kind::User:
        case InputSpec::Kind::Literal:
        case InputSpec::Kind::Token: // it is no value
            if (value.isTensor())
                value.kind = ValueKind::UserInput;
        }
        spec.value = m_builder.addInput(std::move(value));
        STAGECRAFT_TRY(define(scope, *name, *spec.value));
    }
    if (specs)
        std::erase_if(*specs, [](const InputSpec& spec) { return spec.kind == InputSpec::Kind::Token; });
    return {};
}

Result<void> ExportedGraphReader::readNodes(Scope& scope, const JsonView& graph)
{
    STAGECRAFT_ASSIGN(nodes, graph["nodes"].elements());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        STAGECRAFT_TRY(m_progress.step("Reading operators", i, nodes.size()));
        const Result<void> read = readNode(scope, nodes[i]);
        if (read.has_value())
            continue;
        const JsonView& node = nodes[i];
        const auto name = node["name"].isString() ? *node["name"].string()
                                                  : onlyResultName(node).value_or(std::string_view());
        return inside(name.empty() ? "node " + std::to_string(i) : "node '" + std::string(name) + "'",
                      read.error());
    }
    return {};
}

Result<void> ExportedGraphReader::readNode(Scope& scope, const JsonView& json)
{
    Node node;
    STAGECRAFT_ASSIGN(target, json["target"].string());
    node.target = targetFromPython(target);
    if (node.target == splitMarkTarget) {
        m_innerMarks += m_subgraphDepth > 0;
        if (m_subgraphDepth == 0)
            m_mark = json["name"].isString() ? std::string(*json["name"].string()) : std::string();
        return {};
    }
    if (const std::string_view why = whyLeftOut(node.target); !why.empty())
        return leaveOut(why);
    if (isRegion(node.target))
        return inlineRegion(scope, json, node.target);
    STAGECRAFT_ASSIGN(arguments, readArguments(scope, json, node));
    node.arguments = std::move(arguments);
    STAGECRAFT_ASSIGN(results, json["outputs"].elements());
    if (const std::optional<ValueId> same = m_versions.copiedToItself(node))
        return bindResult(scope, json, *same);
    STAGECRAFT_ASSIGN(token, takeOutToken(node, results, m_schemas));
    if (token)
        STAGECRAFT_TRY(defineToken(scope, *token));
    if (const std::string_view why = whyLeftOut(node.target); !why.empty())
        return leaveOut(why);
    STAGECRAFT_ASSIGN(outputs, readResults(scope, results));
    node.outputs = std::move(outputs);
    STAGECRAFT_ASSIGN(name, nodeName(json, node));
    node.name = std::move(name);
    node.context = scope.context;
    m_notes.read(json, node);
    if (const std::optional<std::string> mark = std::exchange(m_mark, std::nullopt)) {
        node.metadata.emplace_back(splitMarkNote, "");
        namePlace(*mark, {m_builder.nodeCount(), m_builder.nodeCount()});
    }
    m_versions.note(m_aliasing(node));
    m_builder.addNode(std::move(node));
    return {};
}

// Of a node that is left out: what its result is.
Result<void> ExportedGraphReader::bindResult(Scope& scope, const JsonView& json, ValueId value)
{
    const auto name = onlyResultName(json);
    return name ? define(scope, *name, value) : Result<void>();
}

Result<std::vector<Argument>> ExportedGraphReader::readOutputs(Scope& scope, const JsonView& graph)
{
    const ArgumentScope reading{
        [&](std::string_view name) { return lookUp(scope, name); },
        [&](const JsonView& json) -> Result<SubgraphId> { return json.wrong("an output"); }};
    STAGECRAFT_ASSIGN(elements, graph["outputs"].elements());
    std::vector<Argument> outputs;
    for (const JsonView& element : elements) {
        if (const auto name = referredName(element); name && scope.tokens.contains(*name))
            continue;
        Result<Argument> output = readArgument(element, reading);
        if (!output.has_value())
            return inside("output " + std::to_string(outputs.size()), output.error());
        outputs.push_back(std::move(*output));
    }
    return outputs;
}

Result<std::vector<NamedArgument>> ExportedGraphReader::readArguments(Scope& scope, const JsonView& json,
                                                                      Node& node)
{
    const ArgumentScope reading{[&](std::string_view name) { return lookUp(scope, name); },
                                [&](const JsonView& graph) -> Result<SubgraphId> {
                                    STAGECRAFT_ASSIGN(subgraph, readSubgraph(graph));
                                    node.subgraphs.push_back(std::move(subgraph));
                                    return SubgraphId(node.subgraphs.size() - 1);
                                }};
    STAGECRAFT_ASSIGN(elements, json["inputs"].elements());
    std::vector<NamedArgument> arguments;
    arguments.reserve(elements.size());
    for (const JsonView& element : elements) {
        NamedArgument argument;
        if (!element["name"].isNull()) {
            STAGECRAFT_ASSIGN(name, element["name"].string());
            argument.name = name;
        }
        Result<Argument> value = readArgument(element["arg"], reading);
        if (!value.has_value())
            return inside("argument '" + argument.name + "'", value.error());
        argument.value = std::move(*value);
        if (element["kind"].isInteger())
            argument.passing =
                *element["kind"].integer() == 2 ? ArgumentPassing::Keyword : ArgumentPassing::Positional;
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

Result<std::vector<NodeOutput>> ExportedGraphReader::readResults(Scope& scope,
                                                                 std::span<const JsonView> elements)
{
    std::vector<NodeOutput> outputs;
    outputs.reserve(elements.size());
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(output, readResult(scope, element));
        outputs.push_back(std::move(output));
    }
    return outputs;
}

Result<NodeOutput> ExportedGraphReader::readResult(Scope& scope, const JsonView& json)
{
    if (const std::optional<std::string_view> name = referredName(json)) {
        STAGECRAFT_ASSIGN(value, defineResult(scope, json, *name));
        return NodeOutput{NodeOutput::Kind::Value, {value}};
    }
    NodeOutput output{NodeOutput::Kind::None, {}};
    const bool isTensorList = json["as_tensors"].isList();
    const JsonView list = isTensorList ? json["as_tensors"] : json["as_optional_tensors"];
    if (!list.isList())
        return output; // as_none, or a literal that an inner graph returned
    output.kind = NodeOutput::Kind::List;
    STAGECRAFT_ASSIGN(elements, list.elements());
    for (const JsonView& element : elements) {
        const JsonView reference = isTensorList ? element : element["as_tensor"];
        if (reference.isNull())
            continue;
        STAGECRAFT_ASSIGN(name, reference["name"].string());
        STAGECRAFT_ASSIGN(value, defineResult(scope, json, name));
        output.values.push_back(value);
    }
    return output;
}

// ---------------------------------------------------------------- regions and subgraphs
Result<void> ExportedGraphReader::inlineRegion(Scope& scope, const JsonView& json, const std::string& target)
{
    if (m_regionDepth + m_subgraphDepth >= maxNesting)
        return Error{ErrorCode::BadFormat, "its graphs are nested too deeply"};
    const ArgumentScope reading{
        [&](std::string_view name) { return lookUp(scope, name); },
        [&](const JsonView& graph) -> Result<SubgraphId> { return graph.wrong("an operand"); }};
    STAGECRAFT_ASSIGN(elements, json["inputs"].elements());
    std::vector<Argument> modeArguments;
    std::vector<Argument> operands;
    JsonView body("graph");
    for (const JsonView& element : elements) {
        if (const JsonView graph = element["arg"]["as_graph"]; body.isNull() && !graph.isNull()) {
            body = graph["graph"];
            continue;
        }
        const JsonView kind = element["kind"];
        if (!body.isNull() && kind.isInteger() && *kind.integer() == 2)
            continue; // options of a checkpoint, or hints, not operands of its body
        if (isEmptyMapping(element["arg"]))
            continue;
        STAGECRAFT_ASSIGN(argument, readArgument(element["arg"], reading));
        if (body.isNull())
            modeArguments.push_back(std::move(argument));
        else
            flattenInto(argument, operands);
    }
    if (hasHints(target))
        m_leftOut.insert(
            "hints for compilers (hints_wrapper) change nothing here and are in no stage that is "
            "written");
    STAGECRAFT_ASSIGN(inner, openScope(body));
    STAGECRAFT_ASSIGN(mode, modeInRegion(target, modeArguments, scope.mode, m_regionCount));
    inner.mode = mode;
    inner.context = m_builder.addContext(mode);
    STAGECRAFT_ASSIGN(inputs, body["inputs"].elements());
    if (inputs.size() != operands.size())
        return Error{ErrorCode::BadFormat, target + " gives " + std::to_string(operands.size()) +
                                               " operands to a graph of " + std::to_string(inputs.size()) +
                                               " inputs"};
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const std::optional<std::string_view> name = referredName(inputs[i]))
            STAGECRAFT_TRY(define(inner, *name, operands[i]));
    const std::size_t begin = m_builder.nodeCount();
    ++m_regionDepth;
    STAGECRAFT_TRY(readNodes(inner, body));
    --m_regionDepth;
    if (json["name"].isString())
        namePlace(*json["name"].string(), {begin, m_builder.nodeCount()});
    inner.tokens.clear(); // in their places among the results they are values, which are none
    STAGECRAFT_ASSIGN(results, readOutputs(inner, body));
    return bindRegion(scope, json, results);
}

// Lets the names that the region's node would have made stand for what its body returned.
Result<void> ExportedGraphReader::bindRegion(Scope& scope, const JsonView& json,
                                             const std::vector<Argument>& results)
{
    std::vector<Argument> flat;
    for (const Argument& result : results)
        flattenInto(result, flat);
    std::vector<std::optional<std::string_view>> names;
    STAGECRAFT_ASSIGN(outputs, json["outputs"].elements());
    for (const JsonView& output : outputs) {
        if (!output["as_tensors"].isList()) {
            names.push_back(referredName(output));
            continue;
        }
        STAGECRAFT_ASSIGN(elements, output["as_tensors"].elements());
        for (const JsonView& element : elements) {
            STAGECRAFT_ASSIGN(name, element["name"].string());
            names.push_back(name);
        }
    }
    if (names.size() > flat.size())
        return Error{ErrorCode::BadFormat, "it has " + std::to_string(names.size()) +
                                               " outputs, but its graph returns " +
                                               std::to_string(flat.size())};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i]) {
            STAGECRAFT_TRY(define(scope, *names[i], flat[i]));
            namePlace(*names[i], {m_builder.nodeCount(), m_builder.nodeCount()});
        }
    return {};
}

Result<std::shared_ptr<const Graph>> ExportedGraphReader::readSubgraph(const JsonView& json)
{
    if (m_regionDepth + m_subgraphDepth >= maxNesting)
        return Error{ErrorCode::BadFormat, "its graphs are nested too deeply"};
    std::string_view name = "graph";
    if (json["name"].isString())
        name = *json["name"].string();
    GraphBuilder builder{std::string(name)};
    ExportedGraphReader reader(builder, m_sizes, m_aliasing, m_progress);
    reader.m_subgraphDepth = m_subgraphDepth + m_regionDepth + 1;
    const Result<void> read = reader.read(json["graph"], nullptr);
    if (!read.has_value())
        return inside("graph '" + std::string(name) + "'", read.error());
    m_innerMarks += reader.m_innerMarks;
    m_leftOut.insert(reader.m_leftOut.begin(), reader.m_leftOut.end());
    STAGECRAFT_ASSIGN(graph, std::move(builder).finish(m_aliasing));
    return std::make_shared<const Graph>(std::move(graph));
}

Result<void> ExportedGraphReader::defineToken(Scope& scope, std::string_view name)
{
    scope.tokens.insert(name);
    return define(scope, name, NoneArgument{});
}

// ---------------------------------------------------------------- names
Result<Argument> ExportedGraphReader::lookUp(const Scope& scope, std::string_view name) const
{
    const auto found = scope.names.find(name);
    if (found == scope.names.end())
        return Error{ErrorCode::BadFormat,
                     "reads '" + std::string(name) + "', which nothing before it makes"};
    return found->second;
}

Result<void> ExportedGraphReader::define(Scope& scope, std::string_view name, Argument meaning)
{
    if (!scope.names.emplace(name, std::move(meaning)).second)
        return Error{ErrorCode::BadFormat, "makes '" + std::string(name) + "', which is there already"};
    return {};
}

Result<ValueId> ExportedGraphReader::defineResult(Scope& scope, const JsonView& json, std::string_view name)
{
    STAGECRAFT_ASSIGN(value, describeValue(scope, json, name));
    const ValueId id = m_builder.addValue(std::move(value));
    STAGECRAFT_TRY(define(scope, name, id));
    return id;
}

// Those of the outermost graph come first.
void ExportedGraphReader::namePlace(std::string_view name, NodeSpan place)
{
    if (!name.empty())
        m_builder.namePlace(name, place, m_regionDepth == 0 ? SameName::Replaces : SameName::Stays);
}

std::string ExportedGraphReader::valueName(std::string_view name)
{
    return m_regionDepth > 0 ? m_valueNames.make(name) : std::string(name);
}

// `json` is the Argument that names the value: its kind says what the value is.
Result<Value> ExportedGraphReader::describeValue(const Scope& scope, const JsonView& json,
                                                 std::string_view name)
{
    Value value;
    value.name = valueName(name);
    STAGECRAFT_ASSIGN(member, json.onlyMember());
    if (member.key().starts_with("as_sym_")) {
        value.kind = ValueKind::SizeScalar;
        const auto number = scope.numbers.find(name);
        if (member.key() == "as_sym_int" && number != scope.numbers.end()) {
            STAGECRAFT_ASSIGN(size, m_sizes.readSize(number->second));
            value.scalar = std::move(size);
        }
        return value;
    }
    const auto meta = scope.tensors.find(name);
    if (meta == scope.tensors.end()) {
        if (member.key() == "as_tensor" || member.key().ends_with("tensors"))
            return Error{ErrorCode::BadFormat, "nothing says what tensor '" + std::string(name) + "' is"};
        value.kind = ValueKind::Opaque;
        return value;
    }
    Result<TensorMeta> tensor = m_sizes.readTensorMeta(meta->second);
    if (!tensor.has_value())
        return inside("tensor '" + std::string(name) + "'", tensor.error());
    value.meta = std::move(*tensor);
    return value;
}

Result<std::string> ExportedGraphReader::nodeName(const JsonView& json, const Node& node)
{
    const std::optional<std::string_view> result = onlyResultName(json);
    if (json["name"].isNull() && !result)
        return m_nodeNames.make(shortTarget(node.target));
    std::string_view name = result.value_or(std::string_view());
    if (!json["name"].isNull()) {
        STAGECRAFT_ASSIGN(own, json["name"].string());
        name = own;
    }
    return m_regionDepth > 0 ? m_nodeNames.make(name) : std::string(name);
}

} // namespace stagecraft
