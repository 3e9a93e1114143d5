// One node of the graph as nodes of TorchScript.
#include "core/load/target_name.h"
#include "core/run/torch_types.h"
#include "core/stage/torchscript_graph.h"

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft {

namespace {

using ScriptValue = torch::jit::Value;
using c10::TypeKind;

// What a schema asks for, without what may be left out.
struct Asked
{
    c10::TypePtr type; // of the elements of a list
    bool isList = false;
    std::int64_t listLength = 1; // of int[2] given one number
};

Asked askedFor(const c10::Argument& argument)
{
    Asked asked{.type = argument.type()};
    if (const auto optional = asked.type->cast<c10::OptionalType>())
        asked.type = optional->getElementType();
    if (const auto list = asked.type->cast<c10::ListType>()) {
        asked.type = list->getElementType();
        asked.isList = true;
        asked.listLength = argument.N().value_or(1);
    }
    return asked;
}

bool isNumberType(const c10::Type& type)
{
    return type.kind() == TypeKind::IntType || type.kind() == TypeKind::FloatType ||
           type.kind() == TypeKind::BoolType || type.kind() == TypeKind::NumberType;
}

// Thrown where a number stands for a tensor: another overload of the operator takes it.
struct NumberForTensor : std::exception
{
    const char* what() const noexcept override { return "a number stands for a tensor"; }
};

// `value` as one thing of the type that a schema asks for, as Python's operators take it.
ScriptValue* converted(torch::jit::Graph& script, const c10::TypePtr& wanted, ScriptValue* value)
{
    const TypeKind kind = value->type()->kind();
    const bool isTensor = kind == TypeKind::TensorType;
    switch (wanted->kind()) {
    case TypeKind::TensorType:
        if (isNumberType(*value->type()))
            throw NumberForTensor();
        return value;
    case TypeKind::IntType:
        return isTensor || kind == TypeKind::FloatType || kind == TypeKind::BoolType
                   ? script.insert(c10::aten::Int, {value})
                   : value;
    case TypeKind::FloatType:
        return isTensor || kind == TypeKind::IntType || kind == TypeKind::BoolType
                   ? script.insert(c10::aten::Float, {value})
                   : value;
    case TypeKind::BoolType:
        return isTensor || kind == TypeKind::IntType || kind == TypeKind::FloatType
                   ? script.insert(c10::aten::Bool, {value})
                   : value;
    case TypeKind::NumberType:
        TORCH_CHECK(kind != TypeKind::BoolType, "True and False are no numbers there");
        return isTensor ? script.insert(c10::aten::item, {value}) : value;
    default:
        return value;
    }
}

// A literal number of the type that is asked for; calls that convert are for values alone.
c10::IValue literalNumber(const c10::TypePtr& wanted, const c10::Scalar& number)
{
    switch (wanted->kind()) {
    case TypeKind::TensorType:
        throw NumberForTensor();
    case TypeKind::IntType:
        return number.toLong();
    case TypeKind::FloatType:
        return number.toDouble();
    case TypeKind::BoolType:
        return number.toBool();
    default:
        TORCH_CHECK(wanted->kind() != TypeKind::NumberType || !number.isBoolean(),
                    "True and False are no numbers there");
        return number;
    }
}

// Makes the script's value of one argument.
struct ArgumentMaker
{
    torch::jit::Graph& script;
    const Asked& asked;
    const std::function<ScriptValue*(ValueId)>& read;

    ScriptValue* listOf(const std::vector<ScriptValue*>& elements) const
    {
        return script.insertNode(script.createList(asked.type, elements))->output();
    }
    ScriptValue* one(ScriptValue* value) const
    {
        if (!asked.isList)
            return converted(script, asked.type, value);
        return listOf(std::vector<ScriptValue*>(static_cast<std::size_t>(asked.listLength),
                                                converted(script, asked.type, value)));
    }
    ScriptValue* plain(const c10::IValue& value) const { return script.insertConstant(value); }
    ScriptValue* literal(const c10::Scalar& number) const
    {
        ScriptValue* const value = plain(literalNumber(asked.type, number));
        return asked.isList
                   ? listOf(std::vector<ScriptValue*>(static_cast<std::size_t>(asked.listLength), value))
                   : value;
    }
    template <class T>
    ScriptValue* literals(const std::vector<T>& numbers) const
    {
        TORCH_CHECK(asked.isList, "a list is given where it takes none");
        std::vector<ScriptValue*> elements;
        for (const T number : numbers)
            elements.push_back(plain(literalNumber(asked.type, c10::Scalar(number))));
        return listOf(elements);
    }

    ScriptValue* operator()(NoneArgument) const { return plain({}); }
    ScriptValue* operator()(ValueId id) const { return one(read(id)); }
    ScriptValue* operator()(const TensorListArgument& list) const
    {
        TORCH_CHECK(asked.isList, "a list is given where it takes none");
        std::vector<ScriptValue*> elements;
        for (const std::optional<ValueId>& id : list.elements)
            elements.push_back(id ? converted(script, c10::TensorType::get(), read(*id)) : plain({}));
        return listOf(elements);
    }
    ScriptValue* operator()(const IntListArgument& list) const
    {
        TORCH_CHECK(asked.isList, "a list is given where it takes none");
        std::vector<ScriptValue*> elements;
        for (const IntOrValue& element : list.elements)
            if (const auto* id = std::get_if<ValueId>(&element))
                elements.push_back(converted(script, asked.type, read(*id)));
            else
                elements.push_back(plain(literalNumber(asked.type, std::get<std::int64_t>(element))));
        return listOf(elements);
    }
    ScriptValue* operator()(std::int64_t number) const { return literal(number); }
    ScriptValue* operator()(double number) const { return literal(number); }
    ScriptValue* operator()(bool number) const { return literal(number); }
    ScriptValue* operator()(std::complex<double> number) const
    {
        return literal(c10::complex<double>(number));
    }
    ScriptValue* operator()(const std::vector<double>& numbers) const { return literals(numbers); }
    ScriptValue* operator()(const std::vector<bool>& numbers) const { return literals(numbers); }
    ScriptValue* operator()(const std::string& text) const
    {
        return plain(asked.type->kind() == TypeKind::DeviceObjType ? c10::IValue(c10::Device(text))
                                                                   : c10::IValue(text));
    }
    ScriptValue* operator()(const std::vector<std::string>& texts) const
    {
        std::vector<ScriptValue*> elements;
        for (const std::string& text : texts)
            elements.push_back(plain(text));
        return listOf(elements);
    }
    ScriptValue* operator()(DType dtype) const { return plain(std::int64_t{scalarTypeNumber(dtype)}); }
    ScriptValue* operator()(MemoryFormat format) const
    {
        return plain(std::int64_t{memoryFormatNumber(format)});
    }
    ScriptValue* operator()(TensorLayout layout) const { return plain(std::int64_t{layoutNumber(layout)}); }
    ScriptValue* operator()(const Device& device) const
    {
        return plain(c10::Device(device.type + (device.index ? ":" + std::to_string(*device.index) : "")));
    }
    ScriptValue* operator()(SubgraphId) const { TORCH_CHECK(false, "it takes a graph"); }
    ScriptValue* operator()(const OperatorArgument&) const { TORCH_CHECK(false, "it takes an operator"); }
    ScriptValue* operator()(const RawArgument&) const
    {
        TORCH_CHECK(false, "it takes what has no name here");
    }
};

// Where each argument of the schema comes from; null: left out.
std::vector<const Argument*> givenArguments(const Node& node, const c10::FunctionSchema& schema)
{
    std::vector<const Argument*> given(schema.arguments().size(), nullptr);
    for (std::size_t position = 0; position < node.arguments.size(); ++position) {
        const NamedArgument& named = node.arguments[position];
        const auto index = schema.argumentIndexWithName(named.name);
        const bool byPosition = !index && named.passing != ArgumentPassing::Keyword;
        TORCH_CHECK(index || (byPosition && position < given.size() && !given[position]),
                    "it has no argument '", named.name, "' there");
        given[index ? static_cast<std::size_t>(*index) : position] = &named.value;
    }
    return given;
}

// True where a number is asked for: TorchScript has none such there. A tensor of bools takes 1 for it.
Argument withoutTruth(const Node& node, const c10::Argument& asked, const Argument& given)
{
    static constexpr std::array storing{"aten::fill_.Scalar",        "aten::masked_fill.Scalar",
                                        "aten::masked_fill_.Scalar", "aten::full_like.default",
                                        "aten::new_full.default",    "aten::full.default"};
    const auto* truth = std::get_if<bool>(&given);
    if (!truth || askedFor(asked).type->kind() != TypeKind::NumberType)
        return given;
    const Argument* const dtype = node.argument("dtype");
    const bool isMaker = node.target == "aten::full.default"; // takes its type from the number
    const bool isSaid = dtype && !std::holds_alternative<NoneArgument>(*dtype);
    if (std::ranges::find(storing, node.target) == storing.end() || (isMaker && !isSaid))
        return given;
    return std::int64_t{*truth ? 1 : 0};
}

using NumberCall = std::pair<std::string_view, c10::Symbol>;

std::optional<c10::Symbol> numberCall(std::string_view target)
{
    using c10::Symbol;
    static const std::array calls{
        NumberCall{"_operator::add", c10::aten::add},
        NumberCall{"_operator::sub", c10::aten::sub},
        NumberCall{"_operator::mul", c10::aten::mul},
        NumberCall{"_operator::truediv", c10::aten::div},
        NumberCall{"_operator::floordiv", c10::aten::floordiv},
        NumberCall{"_operator::mod", c10::aten::remainder},
        NumberCall{"_operator::neg", c10::aten::neg},
        NumberCall{"_operator::eq", c10::aten::eq},
        NumberCall{"_operator::ne", c10::aten::ne},
        NumberCall{"_operator::lt", c10::aten::lt},
        NumberCall{"_operator::le", c10::aten::le},
        NumberCall{"_operator::gt", c10::aten::gt},
        NumberCall{"_operator::ge", c10::aten::ge},
        NumberCall{"_operator::and_", c10::aten::__and__},
        NumberCall{"_operator::or_", c10::aten::__or__},
        NumberCall{"_operator::xor", c10::aten::__xor__},
        NumberCall{"_operator::not_", c10::aten::__not__},
        NumberCall{"torch::sym_not", c10::aten::__not__},
        NumberCall{"math::floor", c10::aten::floor},
        NumberCall{"math::ceil", c10::aten::ceil},
        NumberCall{"math::sqrt", c10::aten::sqrt},
        NumberCall{"torch::_sym_sqrt", c10::aten::sqrt},
        NumberCall{"torch::sym_sqrt", c10::aten::sqrt},
        NumberCall{"math::trunc", c10::aten::Int},
        NumberCall{"torch::sym_int", c10::aten::Int},
        NumberCall{"torch::sym_float", c10::aten::Float},
        NumberCall{"torch::sym_max", c10::prim::max},
        NumberCall{"torch::sym_min", c10::prim::min},
        NumberCall{"builtins::max", c10::prim::max},
        NumberCall{"builtins::min", c10::prim::min},
    };
    const auto found = std::ranges::find(calls, target, &NumberCall::first);
    return found == calls.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

ScriptValue* TorchScriptGraph::number(const Argument& given)
{
    if (const auto* id = std::get_if<ValueId>(&given)) {
        ScriptValue* const read = value(*id);
        if (read->type()->kind() != TypeKind::TensorType)
            return read;
        const std::string kind = m_kinds.numberKind(*id);
        return m_script.insert(kind == "int"    ? c10::aten::Int
                               : kind == "bool" ? c10::aten::Bool
                                                : c10::aten::Float,
                               {read});
    }
    if (const auto* literal = std::get_if<std::int64_t>(&given))
        return constant(*literal);
    if (const auto* literal = std::get_if<double>(&given))
        return constant(*literal);
    const auto* literal = std::get_if<bool>(&given);
    TORCH_CHECK(literal, "an operand is no number");
    return constant(*literal);
}

// Python's arithmetic on numbers.
bool TorchScriptGraph::addNumber(const Node& node)
{
    const bool isNumber = node.target.starts_with("_operator::") || node.target.starts_with("math::") ||
                          node.target.starts_with("torch::") || node.target.starts_with("builtins::");
    if (!isNumber)
        return false;
    TORCH_CHECK(node.results.size() == 1, "it gives no number");
    std::vector<ScriptValue*> operands;
    for (const NamedArgument& given : node.arguments)
        operands.push_back(number(given.value));
    if (node.target == "_operator::pos") {
        bind(node, operands);
        return true;
    }
    const std::optional<c10::Symbol> call = numberCall(node.target);
    TORCH_CHECK(call, "it has no such function on numbers");
    std::vector<torch::jit::NamedValue> arguments(operands.begin(), operands.end());
    bind(node, {m_script.insert(*call, arguments)});
    return true;
}

// Sizes are numbers there, and what a tensor holds is converted.
bool TorchScriptGraph::addSize(const Node& node)
{
    const auto [name, overload] = operatorNameOf(node.target);
    const auto tensor = [&] { return operand(std::get<ValueId>(node.arguments.at(0).value)); };
    const auto dimension = [&] { return number(node.arguments.at(1).value); };
    if (name == "aten::sym_size" && overload == "int")
        bind(node, {m_script.insert(c10::aten::size, {tensor(), dimension()})});
    else if (name == "aten::sym_stride" && overload == "int")
        bind(node, {m_script.insert(c10::aten::stride, {tensor(), dimension()})});
    else if (name == "aten::sym_numel")
        bind(node, {m_script.insert(c10::aten::numel, {tensor()})});
    else if (name == "aten::sym_storage_offset")
        bind(node, {m_script.insert(c10::aten::storage_offset, {tensor()})});
    else if (name == "aten::item" || name == "aten::_local_scalar_dense") {
        const std::string kind = m_kinds.numberKind(node.results.at(0));
        bind(node, {m_script.insert(kind == "int"    ? c10::aten::Int
                                    : kind == "bool" ? c10::aten::Bool
                                                     : c10::aten::Float,
                                    {tensor()})});
    } else
        return false;
    return true;
}

ScriptValue* TorchScriptGraph::argument(const c10::Argument& asked, const Argument& given)
{
    if (asked.name() == "pin_memory") // memory of this run's device, which the file does not know
        return constant({});
    const Asked slot = askedFor(asked);
    return std::visit(ArgumentMaker{m_script, slot, [this](ValueId id) { return operand(id); }}, given);
}

// Lists are written out, as they are read again.
ScriptValue* TorchScriptGraph::usual(const c10::Argument& asked)
{
    const c10::IValue& value = *asked.default_value();
    if (!value.isList())
        return constant(value);
    std::vector<ScriptValue*> elements;
    for (const c10::IValue& element : value.toListRef())
        elements.push_back(constant(element));
    return m_script.insertNode(m_script.createList(askedFor(asked).type, elements))->output();
}

void TorchScriptGraph::addOperator(const Node& node)
{
    const bool detaches = node.target == "aten::detach_.default"; // refuses views; its result is detach's
    const std::string target = detaches ? "aten::detach.default" : node.target;
    const auto [name, overload] = operatorNameOf(target);
    const auto op = torch::jit::findOperatorFor({std::string(name), std::string(overload)});
    TORCH_CHECK(op && name.starts_with("aten::"), "LibTorch alone does not know the operator ", node.target);
    const c10::FunctionSchema& schema = op->schema();
    const auto hasGradient = [this](ValueId id) { return mayHaveGradient(id); };
    TORCH_CHECK(!m_isDetaching || !schema.is_mutable() || std::ranges::none_of(node.inputs, hasGradient),
                "it writes in place where gradients are off");
    const std::vector<const Argument*> given = givenArguments(node, schema);
    std::vector<torch::jit::NamedValue> positional, named;
    std::vector<ScriptValue*> operands;
    bool isOther = false; // a number for a tensor: the overload that takes it is found by what is given
    for (std::size_t i = 0; i < given.size(); ++i) {
        const c10::Argument& asked = schema.arguments()[i];
        TORCH_CHECK(given[i] || asked.default_value(), "argument '", asked.name(), "' is missing");
        ScriptValue* operand = nullptr;
        try {
            operand = given[i] ? argument(asked, withoutTruth(node, asked, *given[i])) : usual(asked);
        } catch (const NumberForTensor&) {
            operand = number(*given[i]);
            isOther = true;
        }
        operands.push_back(operand);
        if (asked.kwarg_only())
            named.emplace_back(asked.name(), operand);
        else
            positional.emplace_back(operand);
    }
    if (isOther) {
        bind(node, {m_script.insert(c10::Symbol::fromQualString(std::string(name)), positional, named)});
        return;
    }
    torch::jit::Node* const call =
        m_script.insertNode(m_script.create(c10::Symbol::fromQualString(std::string(name)), operands, 0));
    for (const c10::Argument& result : schema.returns())
        call->addOutput()->setType(result.type());
    const torch::jit::Operator* const meant = call->maybeOperator();
    TORCH_CHECK(meant && meant->schema() == schema, "it would be taken for another operator of that name");
    bind(node, call->outputs().vec());
    if (detaches)
        m_values[m_program.resolve(node.inputs.at(0))] = call->output();
}

} // namespace stagecraft
