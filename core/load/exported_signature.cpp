#include "core/load/exported_signature.h"

#include "core/load/error_context.h"
#include "core/load/exported_argument.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

template <class Kind>
struct KindRow
{
    std::string_view key;
    Kind kind;
    std::string_view targetKey; // which field is the fully qualified name
};

constexpr std::array<KindRow<InputSpec::Kind>, 7> inputKinds{{
    {"parameter", InputSpec::Kind::Parameter, "parameter_name"},
    {"buffer", InputSpec::Kind::Buffer, "buffer_name"},
    {"tensor_constant", InputSpec::Kind::Constant, "tensor_constant_name"},
    {"user_input", InputSpec::Kind::User, ""},
    {"constant_input", InputSpec::Kind::Literal, ""},
    {"custom_obj", InputSpec::Kind::CustomObject, "custom_obj_name"},
    {"token", InputSpec::Kind::Token, ""},
}};

constexpr std::array<KindRow<OutputSpec::Kind>, 8> outputKinds{{
    {"user_output", OutputSpec::Kind::User, ""},
    {"loss_output", OutputSpec::Kind::Loss, ""},
    {"buffer_mutation", OutputSpec::Kind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputSpec::Kind::ParameterMutation, "parameter_name"},
    {"user_input_mutation", OutputSpec::Kind::InputMutation, "user_input_name"},
    {"token", OutputSpec::Kind::Token, ""},
    {"gradient_to_parameter", OutputSpec::Kind::Gradient, "parameter_name"},
    {"gradient_to_user_input", OutputSpec::Kind::Gradient, "user_input_name"},
}};

// The one member of `json`, whose key is the kind: the kind and the target go to `spec`. `what`: "an input".
template <class Spec, class Kinds>
Result<JsonView> readKind(const JsonView& json, const Kinds& kinds, const std::string& what, Spec& spec)
{
    STAGECRAFT_ASSIGN(member, json.onlyMember());
    const auto row =
        std::ranges::find_if(kinds, [&](const auto& known) { return known.key == member.key(); });
    if (row == kinds.end())
        return Error{ErrorCode::Unsupported,
                     what + " of the kind '" + std::string(member.key()) + "' is not known"};
    spec.kind = row->kind;
    if (!row->targetKey.empty()) {
        STAGECRAFT_ASSIGN(target, member[row->targetKey].string());
        spec.target = target;
    }
    return member;
}

Result<InputSpec> readInputSpec(const JsonView& json)
{
    InputSpec spec;
    STAGECRAFT_ASSIGN(member, readKind(json, inputKinds, "an input", spec));
    if (member["persistent"].isBool())
        spec.persistent = *member["persistent"].boolean();
    // Lifted inputs name their value directly, the user's as an Argument, literals beside their value.
    if (const JsonView name = member["arg"]["name"]; name.isString())
        spec.name = *name.string();
    else if (const auto referred = referredName(member["arg"]))
        spec.name = *referred;
    else if (member["name"].isString())
        spec.name = *member["name"].string();
    return spec;
}

Result<OutputSpec> readOutputSpec(const JsonView& json)
{
    OutputSpec spec;
    STAGECRAFT_TRY(readKind(json, outputKinds, "an output", spec));
    return spec;
}

// "input 3: ..." where one cannot be read.
template <class Spec>
Result<std::vector<Spec>> readSpecs(const JsonView& list, Result<Spec> (*readOne)(const JsonView&),
                                    const std::string& what)
{
    STAGECRAFT_ASSIGN(elements, list.elements());
    std::vector<Spec> specs;
    specs.reserve(elements.size());
    for (const JsonView& element : elements) {
        Result<Spec> spec = readOne(element);
        if (!spec.has_value())
            return inside(what + " " + std::to_string(specs.size()), spec.error());
        specs.push_back(std::move(*spec));
    }
    return specs;
}

// A tree for a program that gives none: all inputs positional, a lone output bare.
Pytree plainTree(std::size_t leaves)
{
    return tuplePytree(std::vector<Pytree>(leaves, leafPytree()));
}

} // namespace

Result<std::vector<InputSpec>> readInputSpecs(const JsonView& signature)
{
    return readSpecs(signature["input_specs"], readInputSpec, "input");
}

Result<std::vector<OutputSpec>> readOutputSpecs(const JsonView& signature)
{
    return readSpecs(signature["output_specs"], readOutputSpec, "output");
}

Result<void> readCallingConvention(const JsonView& moduleCallGraph, Signature& signature)
{
    const auto inputCount =
        static_cast<std::size_t>(std::ranges::count_if(signature.inputs, &InputSpec::isArgument));
    const auto outputCount =
        static_cast<std::size_t>(std::ranges::count_if(signature.outputs, &OutputSpec::isReturned));
    signature.inputTree = tuplePytree({plainTree(inputCount), dictPytree({}, {})});
    signature.outputTree = outputCount == 1 ? leafPytree() : plainTree(outputCount);

    STAGECRAFT_ASSIGN(calls, moduleCallGraph.elements());
    for (const JsonView& call : calls) {
        const JsonView convention = call["signature"];
        const auto path = call["fqn"].string();
        if (!path.has_value() || !path->empty() || convention.isNull())
            continue;
        STAGECRAFT_ASSIGN(inputText, convention["in_spec"].string());
        STAGECRAFT_ASSIGN(outputText, convention["out_spec"].string());
        STAGECRAFT_ASSIGN(inputTree, parsePytree(inputText));
        STAGECRAFT_ASSIGN(outputTree, parsePytree(outputText));
        STAGECRAFT_ASSIGN(names, convention["forward_arg_names"].elements());
        signature.inputTree = std::move(inputTree);
        signature.outputTree = std::move(outputTree);
        for (const JsonView& name : names)
            if (name.isString())
                signature.forwardArgumentNames.emplace_back(*name.string());
        break;
    }
    if (leafCount(signature.inputTree) != inputCount)
        return Error{ErrorCode::BadFormat, "the signature nests " +
                                               std::to_string(leafCount(signature.inputTree)) +
                                               " inputs, the graph has " + std::to_string(inputCount)};
    if (leafCount(signature.outputTree) != outputCount)
        return Error{ErrorCode::BadFormat, "the signature nests " +
                                               std::to_string(leafCount(signature.outputTree)) +
                                               " outputs, the graph has " + std::to_string(outputCount) +
                                               ": PyTorch cannot call such a program either; that of a model "
                                               "that returns a tensor subclass is so after "
                                               "run_decompositions(): return its parts, or save the export "
                                               "as it is"};
    return {};
}

} // namespace stagecraft
