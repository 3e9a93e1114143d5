#include "core/stage/writable.h"

#include "core/base/contains.h"
#include "core/base/json_text.h"
#include "core/graph/functorch_step.h"
#include "core/graph/plain_srepr.h"
#include "core/load/target_name.h"
#include "core/run/number_functions.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/model_interface.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

// Not operators, but attributes of torch.ops and of an operator there; modules whose functions a .pt2 names
// as such; and "prim", which has no operators for models.
constexpr std::array<std::string_view, 9> noLibraries{"import_module", "load_library", "loaded_libraries",
                                                      "_operator",     "operator",     "builtins",
                                                      "math",          "torch",        "prim"};
constexpr std::array<std::string_view, 4> noOverloads{"op", "op_overloads", "overloads", "schemas"};

bool isWordCharacter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Error notWritable(std::string_view target, const std::string& why)
{
    return Error{ErrorCode::Unsupported, "'" + std::string(target) + "', " + why};
}

// ".default", or through getattr() where it is a keyword; none where it is no name.
std::optional<PythonText> memberOf(const PythonText& object, std::string_view name)
{
    if (const std::optional<PythonText> word = pythonWord(name))
        return object + "." + *word;
    const bool isName =
        !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
        std::ranges::all_of(name, [](char c) {
            return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        });
    return isName ? std::optional("getattr(" + object + ", " + pythonString(name) + ")") : std::nullopt;
}

PythonText functionName(std::string_view space, std::string_view name)
{
    if (space == "builtins")
        return *pythonWord(name);
    const PythonText module = space == "_operator" ? PythonText("operator") : *pythonWord(space);
    return module + "." + *pythonWord(name);
}

// The parts of an operator's name that are attributes of something else for sure.
bool isOfLibrary(std::string_view space, std::string_view name, std::string_view overload)
{
    return space != "aten" && !contains(noLibraries, space) && !contains(noOverloads, overload) &&
           !space.starts_with("__") && !name.starts_with("__") && !overload.starts_with('_');
}

// Operators and sizes anywhere inside an argument of a kind that is passed on unread.
Result<void> checkRaw(const nlohmann::json& json, OperatorSchemas& schemas)
{
    for (const auto& [key, item] : json.items()) {
        const bool isTarget = key == "as_operator" || key == "target";
        if (json.is_object() && item.is_string() && isTarget)
            STAGECRAFT_TRY(pythonTarget(targetFromPython(item.get<std::string>()), schemas));
        if (json.is_object() && item.is_string() && key == "expr_str" &&
            !isPlainSrepr(item.get<std::string>()))
            return Error{ErrorCode::Unsupported, "'" + item.get<std::string>() + "', which is no size"};
        if (item.is_structured())
            STAGECRAFT_TRY(checkRaw(item, schemas));
    }
    return {};
}

Result<void> checkArgument(const Argument& argument, OperatorSchemas& schemas)
{
    if (const auto* op = std::get_if<OperatorArgument>(&argument))
        STAGECRAFT_TRY(pythonTarget(op->target, schemas));
    if (const auto* raw = std::get_if<RawArgument>(&argument)) {
        STAGECRAFT_ASSIGN(json, parseJson<nlohmann::json>(raw->json, "an argument"));
        return checkRaw(json, schemas);
    }
    return {};
}

Result<void> checkNode(const Node& node, OperatorSchemas& schemas)
{
    STAGECRAFT_TRY(pythonTarget(node.target, schemas));
    for (const NamedArgument& argument : node.arguments)
        STAGECRAFT_TRY(checkArgument(argument.value, schemas));
    return {};
}

// `checked`, as an error about `what`.
Result<void> inWritten(const std::string& what, const Result<void>& checked)
{
    if (checked.has_value())
        return {};
    return Error{checked.error().code, what + " " + checked.error().message +
                                           "; no stage of this model is written, since PyTorch would run it"};
}

// Of what is kept in a region an inner graph, or casts that autocast remembers, would be kept in part.
Result<void> checkKept(const Graph& graph, const Node& node)
{
    const Context& context = graph.context(node.context);
    if (!isKept(context) || (node.subgraphs.empty() && !context.autocast))
        return {};
    return Error{ErrorCode::Unsupported, "node '" + node.name +
                                             "' is to be kept in a region that runs again in backward, which "
                                             "PyTorch cannot do " +
                                             (context.autocast ? "under autocast" : "of what runs a graph") +
                                             "; leave it to run again"};
}

Result<void> checkSizes(const Value& value)
{
    std::vector<SymInt> sizes;
    if (value.scalar)
        sizes.push_back(*value.scalar);
    if (value.meta) {
        sizes.insert(sizes.end(), value.meta->sizes.begin(), value.meta->sizes.end());
        sizes.insert(sizes.end(), value.meta->strides.begin(), value.meta->strides.end());
        sizes.push_back(value.meta->storageOffset);
    }
    const auto isWritable = [](const SymInt& size) {
        const Result<std::int64_t> exported = size.evaluate({}); // no hints are another matter
        const bool isTooLarge = !exported.has_value() && exported.error().code == ErrorCode::Failed;
        return size.isConstant() || (!isTooLarge && isPlainSrepr(size.srepr()));
    };
    for (const SymInt& size : sizes)
        if (!isWritable(size))
            return Error{ErrorCode::Unsupported,
                         "value '" + value.name + "' has the size " + pythonComment(size.text()).text() +
                             ", which is no arithmetic of 64 bits; PyTorch would run it as code, so no stage "
                             "of this model is written"};
    return {};
}

Result<void> check(const Graph& graph, OperatorSchemas& schemas)
{
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        STAGECRAFT_TRY(inWritten("node '" + node.name + "' calls", checkNode(node, schemas)));
        STAGECRAFT_TRY(checkKept(graph, node));
        for (const std::shared_ptr<const Graph>& subgraph : node.subgraphs)
            STAGECRAFT_TRY(check(*subgraph, schemas));
    }
    for (const Argument& output : graph.outputs())
        STAGECRAFT_TRY(inWritten("an output is", checkArgument(output, schemas)));
    for (const ValueId value : graph.values())
        STAGECRAFT_TRY(checkSizes(graph[value]));
    return {};
}

Result<void> checkWord(std::string_view what, std::string_view name)
{
    if (!name.empty() && std::ranges::all_of(name, isWordCharacter))
        return {};
    return Error{ErrorCode::Unsupported,
                 std::string(what) + " '" + std::string(name) +
                     "' has a name that PyTorch would run as code when it loads a .pt2; "
                     "export with --formats python"};
}

// A weight's name may hold anything that can stand between double quotes.
Result<void> checkTensorName(std::string_view name)
{
    const auto ends = [](char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' ') || c == 0x7f; };
    return std::ranges::none_of(name, ends) ? Result<void>() : checkWord("the weight", name);
}

Result<void> checkNames(const Graph& graph)
{
    for (const ValueId value : graph.values()) {
        STAGECRAFT_TRY(checkWord("value", graph[value].name));
        STAGECRAFT_TRY(checkTensorName(graph[value].target));
    }
    for (const NodeId node : graph.nodes()) {
        STAGECRAFT_TRY(checkWord("node", graph[node].name));
        for (const std::shared_ptr<const Graph>& subgraph : graph[node].subgraphs) {
            STAGECRAFT_TRY(checkWord("the graph", subgraph->name()));
            STAGECRAFT_TRY(checkNames(*subgraph));
        }
    }
    return {};
}

} // namespace

Result<PythonText> pythonTarget(std::string_view target, OperatorSchemas& schemas)
{
    const std::size_t colons = target.find("::");
    if (colons == target.npos)
        return notWritable(target, "which is no operator");
    if (isTransformStep(target))
        return PythonText("torch._functorch.predispatch.") + *pythonWord(target.substr(colons + 2));
    if (isFunctorchStep(target))
        return notWritable(target, "which is no operator; " + std::string(functorchAdvice));
    const std::string_view space = target.substr(0, colons);
    const std::string_view name = target.substr(colons + 2);
    if (findNumberFunction(target))
        return functionName(space, name);
    if (space == "higher_order") {
        const std::optional<PythonText> word = name.starts_with("__") ? std::nullopt : pythonWord(name);
        return word ? Result("torch.ops.higher_order." + *word)
                    : Result<PythonText>(notWritable(target, "which is no operator"));
    }
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string_view overload = name.substr(std::min(dot + 1, name.size()));
    const std::string_view ownName = name.substr(0, dot);
    if (touchesFiles(target))
        return notWritable(target, "which reads or writes files");
    const bool isKnown = schemas.find(std::string(target)) != nullptr;
    if (!isKnown && !isOfLibrary(space, ownName, overload))
        return notWritable(target, "which is no operator that this program knows");
    const std::optional<PythonText> library = memberOf(PythonText("torch.ops"), space);
    const std::optional<PythonText> packet = library ? memberOf(*library, ownName) : std::nullopt;
    const std::optional<PythonText> whole = packet ? memberOf(*packet, overload) : std::nullopt;
    return whole ? Result(*whole) : Result<PythonText>(notWritable(target, "which is no operator"));
}

Result<void> checkWritable(const Model& model)
{
    OperatorSchemas schemas;
    for (const InputSpec& spec : model.signature.inputs)
        STAGECRAFT_TRY(inWritten("input '" + spec.name + "' is", checkArgument(spec.literal, schemas)));
    return check(model.graph, schemas);
}

Result<void> checkScriptable(const Model& model)
{
    const Graph& graph = model.graph;
    const auto keeps = [&](NodeId node) { return isKept(graph.context(graph[node].context)); };
    const auto nodes = graph.nodes();
    const auto isStep = [&](NodeId node) { return isTransformStep(graph[node].target); };
    if (const auto step = std::ranges::find_if(nodes, isStep); step != nodes.end())
        return Error{ErrorCode::Unsupported,
                     "node '" + graph[*step].name +
                         "' is a step of a transform (vmap, jvp), and TorchScript has no such steps; export "
                         "without torchscript"};
    const auto kept = std::ranges::find_if(nodes, keeps);
    if (kept == nodes.end())
        return {};
    return Error{ErrorCode::Unsupported, "node '" + graph[*kept].name +
                                             "' is to be kept in a region that runs again in backward, and "
                                             "TorchScript has no such regions; export without torchscript"};
}

Result<void> checkLoadable(const Model& model)
{
    STAGECRAFT_TRY(checkNames(model.graph));
    const ModelInterface interface = modelInterface(model);
    for (const ModelArgument& argument : interface.arguments)
        STAGECRAFT_TRY(checkWord("argument", argument.name));
    for (const auto* names : {&interface.positionalNames, &interface.keywordNames})
        for (const std::string& name : *names)
            STAGECRAFT_TRY(checkWord("argument", name));
    return {};
}

} // namespace stagecraft
