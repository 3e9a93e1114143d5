#include "core/load/operator_aliasing.h"

#include "core/base/contains.h"
#include "core/load/target_name.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

// Is it this literal? An argument that is a value, or is left out, is not.
template <class T>
bool isLiteral(const Node& node, std::string_view name, T literal)
{
    const Argument* argument = node.argument(name);
    const T* value = argument ? std::get_if<T>(argument) : nullptr;
    return value && *value == literal;
}

std::vector<ValueId> valuesOf(const Argument& argument)
{
    std::vector<ValueId> values;
    collectValues(argument, values);
    return values;
}

void share(const NodeOutput& output, const std::vector<ValueId>& inputs, NodeAliasing& effect)
{
    for (const ValueId result : output.values)
        for (const ValueId input : inputs)
            effect.shared.emplace_back(result, input);
}

// ---------------------------------------------------------------- what schemas do not say
// Operators that write arguments without a mark in their schema: running statistics, while training.
struct HiddenWrite
{
    std::string_view operatorName;
    std::string_view trainingFlag; // they are written unless it is False
};

constexpr std::array hiddenWrites{
    HiddenWrite{"aten::batch_norm", "training"},
    HiddenWrite{"aten::native_batch_norm", "training"},
    HiddenWrite{"aten::_batch_norm_impl_index", "training"},
    HiddenWrite{"aten::cudnn_batch_norm", "training"},
    HiddenWrite{"aten::miopen_batch_norm", "training"},
    HiddenWrite{"aten::instance_norm", "use_input_stats"},
    HiddenWrite{"aten::batch_norm_update_stats", ""},
};

constexpr std::array<std::string_view, 2> hiddenlyWritten{"running_mean", "running_var"};

// Operators that may return their first tensor, or a view of it, without a mark in their schema.
constexpr std::array<std::string_view, 24> hiddenViews{"aten::_cast_Byte",
                                                       "aten::_cast_Char",
                                                       "aten::_cast_Double",
                                                       "aten::_cast_Float",
                                                       "aten::_cast_Half",
                                                       "aten::_cast_Int",
                                                       "aten::_cast_Long",
                                                       "aten::_cast_Short",
                                                       "aten::_unsafe_view",
                                                       "aten::atleast_1d",
                                                       "aten::atleast_2d",
                                                       "aten::atleast_3d",
                                                       "aten::broadcast_tensors",
                                                       "aten::cartesian_prod",
                                                       "aten::chain_matmul",
                                                       "aten::einsum",
                                                       "aten::lift",
                                                       "aten::meshgrid",
                                                       "aten::sum_to_size",
                                                       "aten::to_dense",
                                                       "aten::type_as",
                                                       "aten::unsafe_chunk",
                                                       "aten::unsafe_split",
                                                       "aten::unsafe_split_with_sizes"};

constexpr std::array<std::string_view, 4> dropouts{"aten::dropout", "aten::alpha_dropout",
                                                   "aten::feature_dropout", "aten::feature_alpha_dropout"};

// The values of the first argument that has any.
std::vector<ValueId> firstTensors(const Node& node)
{
    for (const NamedArgument& argument : node.arguments)
        if (std::vector<ValueId> values = valuesOf(argument.value); !values.empty())
            return values;
    return {};
}

void addHiddenEffects(const Node& node, NodeAliasing& effect)
{
    const std::string_view name = operatorNameOf(node.target).name;
    const auto write = std::ranges::find(hiddenWrites, name, &HiddenWrite::operatorName);
    if (write != hiddenWrites.end() && !isLiteral(node, write->trainingFlag, false))
        for (const std::string_view written : hiddenlyWritten)
            if (const Argument* argument = node.argument(written))
                collectValues(*argument, effect.written);
    // A dropout that drops nothing returns what it was given.
    const bool isIdentity =
        contains(dropouts, name) && (!isLiteral(node, "train", true) || isLiteral(node, "p", 0.0));
    if (contains(hiddenViews, name) || isIdentity)
        for (const NodeOutput& output : node.outputs)
            share(output, firstTensors(node), effect);
}

// ---------------------------------------------------------------- what schemas say
bool mayMeet(const SchemaAlias& a, const SchemaAlias& b)
{
    const auto isInB = [&](const std::string& set) { return set == "*" || contains(b.sets, set); };
    return !a.sets.empty() && !b.sets.empty() &&
           (std::ranges::any_of(a.sets, isInB) || contains(b.sets, std::string("*")));
}

void addDeclaredEffects(const Node& node, const OperatorSchema& schema, NodeAliasing& effect)
{
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const NamedArgument& argument = node.arguments[i];
        const SchemaArgument* declared = schema.argument(argument.name);
        if (argument.name.empty() && i < schema.arguments.size())
            declared = &schema.arguments[i];
        if (!declared || declared->alias.sets.empty())
            continue;
        const std::vector<ValueId> values = valuesOf(argument.value);
        if (declared->alias.writes)
            effect.written.insert(effect.written.end(), values.begin(), values.end());
        for (std::size_t k = 0; k < std::min(node.outputs.size(), schema.returns.size()); ++k)
            if (mayMeet(declared->alias, schema.returns[k].alias))
                share(node.outputs[k], values, effect);
    }
}

} // namespace

AliasingOf operatorAliasing(OperatorSchemas& schemas)
{
    return [&schemas](const Node& node) {
        NodeAliasing effect;
        if (const OperatorSchema* schema = schemas.find(node.target))
            addDeclaredEffects(node, *schema, effect);
        addHiddenEffects(node, effect);
        return effect;
    };
}

} // namespace stagecraft
