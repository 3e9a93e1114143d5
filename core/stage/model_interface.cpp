#include "core/stage/model_interface.h"

#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

constexpr std::array plainTypes{"builtins.tuple", "builtins.list", "builtins.dict",
                                "collections.OrderedDict"};

std::vector<ModelArgument> argumentsOf(const Model& model)
{
    std::vector<ModelArgument> arguments;
    for (const InputSpec& spec : model.signature.inputs)
        if (spec.isArgument())
            arguments.push_back({spec.name, spec.value, spec.literal});
    if (!model.signature.inputs.empty())
        return arguments;
    for (const ValueId input : model.graph.inputs())
        if (model.graph[input].kind == ValueKind::UserInput ||
            model.graph[input].kind == ValueKind::SizeScalar)
            arguments.push_back({model.graph[input].name, input, {}});
    return arguments;
}

// tuple(positional tuple, keyword dict), and as many leaves as there are?
bool fits(const Pytree& tree, std::size_t leaves)
{
    return tree.children.size() == 2 && tree.children[0].type == "builtins.tuple" &&
           tree.children[1].type == "builtins.dict" && leafCount(tree) == leaves &&
           tree.children[1].dictKeys().size() == tree.children[1].children.size();
}

// The name of a positional tree: the model's own, else that of its only leaf.
std::string positionalName(const Model& model, const ModelInterface& interface, std::size_t index,
                           std::size_t leaf)
{
    if (index < model.signature.forwardArgumentNames.size())
        return model.signature.forwardArgumentNames[index];
    if (interface.positional[index].isLeaf())
        return interface.arguments[leaf].name;
    return "argument_" + std::to_string(index);
}

void addTrees(const Model& model, ModelInterface& interface)
{
    const Pytree& tree = model.signature.inputTree;
    if (fits(tree, interface.arguments.size())) {
        interface.positional = withPlainTypes(tree.children[0]).children;
        interface.keyword = withPlainTypes(tree.children[1]).children;
        interface.keywordNames = tree.children[1].dictKeys();
        for (const Pytree& side : tree.children)
            interface.given.insert(interface.given.end(), side.children.begin(), side.children.end());
    } else {
        interface.positional.assign(interface.arguments.size(), leafPytree());
        interface.given = interface.positional;
    }
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < interface.positional.size(); ++i) {
        interface.positionalNames.push_back(positionalName(model, interface, i, leaf));
        leaf += leafCount(interface.positional[i]);
    }
}

} // namespace

ModelInterface modelInterface(const Model& model)
{
    ModelInterface interface;
    interface.arguments = argumentsOf(model);
    addTrees(model, interface);
    const std::span<const Argument> outputs = model.graph.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (model.signature.isReturned(i))
            interface.returned.push_back(outputs[i]);
    interface.outputTree = model.signature.outputTree;
    const bool isGiven = !model.signature.outputs.empty();
    if (!isGiven || leafCount(interface.outputTree) != interface.returned.size())
        interface.outputTree =
            interface.returned.size() == 1
                ? leafPytree()
                : tuplePytree(std::vector<Pytree>(interface.returned.size(), leafPytree()));
    return interface;
}

Pytree withPlainTypes(const Pytree& tree)
{
    Pytree plain = tree;
    for (Pytree& child : plain.children)
        child = withPlainTypes(child);
    if (tree.isLeaf() || std::ranges::find(plainTypes, tree.type) != plainTypes.end())
        return plain;
    const std::vector<std::string> names = tree.fieldNames();
    if (!names.empty() && names.size() == tree.children.size())
        return dictPytree(names, std::move(plain.children));
    return tuplePytree(std::move(plain.children));
}

Pytree withLoadableKeys(const Pytree& tree)
{
    Pytree loadable = tree;
    for (Pytree& child : loadable.children)
        child = withLoadableKeys(child);
    const std::vector<PytreeKey> keys = tree.keys();
    const auto isLoadable = [](const PytreeKey& key) {
        return key.kind != PytreeKey::Kind::Tuple && key.kind != PytreeKey::Kind::Member;
    };
    if (std::ranges::all_of(keys, isLoadable))
        return loadable;
    Result<nlohmann::json> context = parseJson<nlohmann::json>(tree.context, "context");
    if (!context.has_value() || !context->is_array())
        return loadable;
    for (std::size_t i = 0; i < std::min(keys.size(), context->size()); ++i)
        if (!isLoadable(keys[i]))
            (*context)[i] = keys[i].text;
    loadable.context = context->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return loadable;
}

std::vector<ValueId> userInputs(const Model& model)
{
    std::vector<ValueId> inputs;
    for (const ModelArgument& argument : modelInterface(model).arguments)
        if (argument.value)
            inputs.push_back(*argument.value);
    return inputs;
}

bool hasKeys(const Pytree& tree, PytreeKey::Kind kind)
{
    return std::ranges::any_of(tree.keys(), [&](const PytreeKey& key) { return key.kind == kind; }) ||
           std::ranges::any_of(tree.children, [&](const Pytree& child) { return hasKeys(child, kind); });
}

} // namespace stagecraft
