#include "core/graph/functorch_step.h"
#include "core/load/target_name.h"
#include "core/run/call_check.h"
#include "core/run/node_action.h"
#include "core/run/number_functions.h"
#include "core/run/prepared_call.h"
#include "core/run/torch_types.h"

#include <ATen/OpMathType.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <ATen/native/TypeProperties.h>

#include <algorithm>
#include <array>
#include <memory>

namespace stagecraft {

namespace {

Result<c10::OperatorHandle> findOperator(const std::string& target)
{
    if (touchesFiles(target))
        return Error{ErrorCode::Unsupported,
                     "the operator " + target + " reads or writes files: it is not run"};
    const auto [name, overload] = operatorNameOf(target);
    const std::optional<c10::OperatorHandle> found =
        c10::Dispatcher::singleton().findSchema({std::string(name), std::string(overload)});
    if (!found && isFunctorchStep(target))
        return Error{ErrorCode::NotFound,
                     "the operator " + target + " is not known here; " + std::string(functorchAdvice)};
    if (!found)
        return Error{
            ErrorCode::NotFound,
            "the operator " + target +
                " is not known here; load the library that defines it (--op-library FILE), or, where "
                "Python alone has it, say its costs (--substitutes FILE)"};
    if (isOffLimits(name))
        return Error{ErrorCode::Unsupported,
                     "the operator " + target + " is not for models: it trusts its caller, or touches files"};
    return *found;
}

// Where each argument of the schema comes from in the node; none: left out.
Result<std::vector<const Argument*>> matchArguments(const Node& node, const c10::FunctionSchema& schema)
{
    std::vector<const Argument*> matched(schema.arguments().size(), nullptr);
    for (std::size_t position = 0; position < node.arguments.size(); ++position) {
        const NamedArgument& given = node.arguments[position];
        const auto index = schema.argumentIndexWithName(given.name);
        // Files of other versions may have other names for the same position.
        const bool byPosition = !index && given.passing != ArgumentPassing::Keyword;
        if (!index && (!byPosition || position >= matched.size() || matched[position]))
            return Error{ErrorCode::BadFormat, "the operator has no argument '" + given.name + "'"};
        matched[index ? static_cast<std::size_t>(*index) : position] = &given.value;
    }
    return matched;
}

Result<std::vector<ArgumentSource>> prepareArguments(const Node& node, const c10::FunctionSchema& schema,
                                                     RunDevice device)
{
    STAGECRAFT_ASSIGN(matched, matchArguments(node, schema));
    std::vector<ArgumentSource> sources;
    sources.reserve(matched.size());
    for (std::size_t i = 0; i < matched.size(); ++i) {
        const c10::Argument& asked = schema.arguments()[i];
        STAGECRAFT_ASSIGN(source, matched[i] ? prepareArgument(asked, *matched[i], device)
                                             : prepareDefault(asked, device));
        sources.push_back(std::move(source));
    }
    return sources;
}

// A size that an operator returned, as the plain number that it is.
c10::IValue plainNumber(c10::IValue value)
{
    if (value.isSymInt())
        return value.toSymInt().guard_int(__FILE__, __LINE__);
    if (value.isSymFloat())
        return value.toSymFloat().guard_float(__FILE__, __LINE__);
    if (value.isSymBool())
        return value.toSymBool().guard_bool(__FILE__, __LINE__);
    return value;
}

std::vector<c10::IValue> listElements(const c10::IValue& value)
{
    if (!value.isList())
        return {value};
    const c10::List<c10::IValue> list = value.toList();
    return {list.begin(), list.end()};
}

PythonNumber numberOf(const c10::IValue& value)
{
    if (value.isTensor())
        return numberOf(value.toTensor().item());
    if (value.isDouble())
        return value.toDouble();
    if (value.isBool())
        return value.toBool();
    TORCH_CHECK(value.isInt(), "a number that the data decide is not known here");
    return value.toInt();
}

// As torch/_higher_order_ops/out_dtype.py: what the operands and the result promote to, and of small floats
// the type that is computed in.
at::ScalarType promotedType(const std::vector<c10::IValue>& operands, at::ScalarType result)
{
    at::native::ResultTypeState state{.dimResult = result};
    for (const c10::IValue& operand : operands) {
        if (operand.isTensor() && operand.toTensor().defined())
            state = at::native::update_result_type_state(operand.toTensor(), state);
        else if (operand.isScalar())
            state = at::native::update_result_type_state(operand.toScalar(), state);
    }
    return at::toOpMathType(at::native::result_type(state));
}

bool needsGradient(const c10::IValue& operand)
{
    return operand.isTensor() && operand.toTensor().defined() && operand.toTensor().requires_grad();
}

// Those that out_dtype is for (torch/_higher_order_ops/out_dtype.py, ALLOWABLE_OPS). None writes to what it
// reads.
constexpr std::array<std::string_view, 8> typedOperators{
    "aten::linear.default", "aten::mm.default", "aten::conv2d.default", "aten::convolution.default",
    "aten::mul.Tensor",     "aten::mul.Scalar", "aten::div.Tensor",     "aten::div.Scalar"};

using NumberSource = std::function<PythonNumber(const ValueTable&)>;

Result<NumberSource> prepareNumber(const Argument& given)
{
    if (const auto* id = std::get_if<ValueId>(&given))
        return NumberSource([value = *id](const ValueTable& values) { return numberOf(values[value]); });
    if (const auto* number = std::get_if<std::int64_t>(&given))
        return NumberSource([number = *number](const ValueTable&) { return PythonNumber(number); });
    if (const auto* number = std::get_if<double>(&given))
        return NumberSource([number = *number](const ValueTable&) { return PythonNumber(number); });
    if (const auto* number = std::get_if<bool>(&given))
        return NumberSource([number = *number](const ValueTable&) { return PythonNumber(number); });
    return Error{ErrorCode::Unsupported, "an operand is not a number"};
}

} // namespace

struct PreparedCall::State
{
    c10::OperatorHandle op;
    CallCheck check;
    std::vector<ArgumentSource> sources;
};

PreparedCall::PreparedCall(std::shared_ptr<const State> state) : m_state(std::move(state)) {}

Result<PreparedCall> PreparedCall::prepare(const Node& node, const std::string& target, RunDevice device)
{
    STAGECRAFT_ASSIGN(op, findOperator(target));
    STAGECRAFT_ASSIGN(sources, prepareArguments(node, op.schema(), device));
    return PreparedCall(std::make_shared<State>(op, CallCheck(op.schema()), std::move(sources)));
}

std::vector<c10::IValue> PreparedCall::operands(const ValueTable& values) const
{
    std::vector<c10::IValue> stack;
    stack.reserve(m_state->sources.size());
    for (const ArgumentSource& source : m_state->sources)
        stack.push_back(source(values));
    return stack;
}

std::vector<c10::IValue> PreparedCall::run(std::vector<c10::IValue> stack) const
{
    m_state->check(stack);
    m_state->op.callBoxed(stack);
    return stack;
}

Result<const c10::FunctionSchema*> schemaOf(const std::string& target)
{
    STAGECRAFT_ASSIGN(op, findOperator(target));
    return &op.schema();
}

Result<void> bindResults(const Node& node, std::vector<c10::IValue> results, ValueTable& values)
{
    if (node.outputs.size() > results.size())
        return Error{ErrorCode::BadFormat, "the operator returns " + std::to_string(results.size()) +
                                               " results, the file lists " +
                                               std::to_string(node.outputs.size())};
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const std::vector<ValueId>& names = node.outputs[i].values;
        if (node.outputs[i].kind == NodeOutput::Kind::None)
            continue;
        if (node.outputs[i].kind == NodeOutput::Kind::Value && !results[i].isList()) {
            values.set(names.front(), plainNumber(std::move(results[i])));
            continue;
        }
        std::vector<c10::IValue> elements = listElements(results[i]);
        if (elements.size() != names.size())
            return Error{ErrorCode::BadFormat, "a result is a list of " + std::to_string(elements.size()) +
                                                   ", the file lists " + std::to_string(names.size())};
        for (std::size_t k = 0; k < names.size(); ++k)
            values.set(names[k], plainNumber(std::move(elements[k])));
    }
    return {};
}

Result<NodeAction> prepareOperatorCall(const Graph& graph, NodeId id, RunDevice device)
{
    const Node& node = graph[id];
    // detach_ refuses views, and exports ask for it on them all the same; as a value, its result is detach's.
    const bool detaches = node.target == "aten::detach_.default";
    STAGECRAFT_ASSIGN(call,
                      PreparedCall::prepare(node, detaches ? "aten::detach.default" : node.target, device));
    return NodeAction(
        [&node, detaches, call = std::move(call)](ValueTable& values, const Progress&) -> Result<void> {
            STAGECRAFT_TRY(bindResults(node, call.run(call.operands(values)), values));
            if (detaches && !node.inputs.empty() && !node.results.empty())
                values.set(node.inputs.front(), values[node.results.front()]);
            return {};
        });
}

Result<NodeAction> prepareTypedCall(const Graph& graph, NodeId id, RunDevice device)
{
    const Node& node = graph[id];
    const auto argument = [&](std::size_t i) {
        return i < node.arguments.size() ? &node.arguments[i].value : nullptr;
    };
    const auto* called = std::get_if<OperatorArgument>(argument(0));
    const auto* type = std::get_if<DType>(argument(1));
    if (!called || !type)
        return Error{ErrorCode::BadFormat, node.target + " names no operator and element type"};
    if (std::ranges::find(typedOperators, called->target) == typedOperators.end())
        return Error{ErrorCode::BadFormat, node.target + " is not for " + called->target};
    auto inner = std::make_shared<Node>(node); // the operator's own
    inner->target = called->target;
    inner->arguments.erase(inner->arguments.begin(), inner->arguments.begin() + 2);
    STAGECRAFT_ASSIGN(call, PreparedCall::prepare(*inner, inner->target, device));
    const auto result = at::ScalarType(scalarTypeNumber(*type));
    return NodeAction(
        [inner, result, call = std::move(call)](ValueTable& values, const Progress&) -> Result<void> {
            std::vector<c10::IValue> operands = call.operands(values);
            if (at::GradMode::is_enabled() && std::ranges::any_of(operands, needsGradient))
                return Error{ErrorCode::Unsupported, "PyTorch has no derivative of out_dtype"};
            const at::ScalarType computed = promotedType(operands, result);
            for (c10::IValue& operand : operands)
                if (operand.isTensor() && operand.toTensor().defined())
                    operand = operand.toTensor().to(computed);
            std::vector<c10::IValue> results = call.run(std::move(operands));
            for (c10::IValue& made : results)
                if (made.isTensor())
                    made = made.toTensor().to(result);
            return bindResults(*inner, std::move(results), values);
        });
}

Result<NodeAction> prepareNumberCall(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const NumberFunctionEntry* entry = findNumberFunction(node.target);
    if (!entry)
        return Error{ErrorCode::NotFound, "the function " + node.target + " is not known here"};
    if (node.arguments.size() != entry->operandCount || node.results.size() != 1)
        return Error{ErrorCode::BadFormat, node.target + " takes " + std::to_string(entry->operandCount) +
                                               " operands and gives one result"};
    std::vector<NumberSource> sources;
    for (const NamedArgument& argument : node.arguments) {
        STAGECRAFT_ASSIGN(source, prepareNumber(argument.value));
        sources.push_back(std::move(source));
    }
    const ValueId result = node.results.front();
    return NodeAction(
        [entry, sources = std::move(sources), result](ValueTable& values, const Progress&) -> Result<void> {
            std::vector<PythonNumber> operands;
            for (const NumberSource& source : sources)
                operands.push_back(source(values));
            STAGECRAFT_ASSIGN(number, entry->function(operands));
            values.set(result, std::visit([](auto value) { return c10::IValue(value); }, number));
            return {};
        });
}

} // namespace stagecraft
