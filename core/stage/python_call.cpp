// The right-hand sides of PythonBody: calls, operators and arguments.
#include "core/base/overloaded.h"
#include "core/stage/python_body.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

struct PythonOperator
{
    std::string_view target;
    std::string_view text;
};

constexpr std::array binaryOperators{
    PythonOperator{"_operator::add", " + "},       PythonOperator{"_operator::sub", " - "},
    PythonOperator{"_operator::mul", " * "},       PythonOperator{"_operator::truediv", " / "},
    PythonOperator{"_operator::floordiv", " // "}, PythonOperator{"_operator::mod", " % "},
    PythonOperator{"_operator::pow", " ** "},      PythonOperator{"_operator::eq", " == "},
    PythonOperator{"_operator::ne", " != "},       PythonOperator{"_operator::lt", " < "},
    PythonOperator{"_operator::le", " <= "},       PythonOperator{"_operator::gt", " > "},
    PythonOperator{"_operator::ge", " >= "},       PythonOperator{"_operator::and_", " & "},
    PythonOperator{"_operator::or_", " | "},       PythonOperator{"_operator::lshift", " << "},
    PythonOperator{"_operator::rshift", " >> "},   PythonOperator{"_operator::xor", " ^ "},
};

template <class Items, class Text>
std::string bracketed(const Items& items, const Text& text)
{
    std::string list = "[";
    for (const auto& item : items) {
        if (list.size() > 1)
            list += ", ";
        list += text(item);
    }
    return list + "]";
}

// Negative numbers in parentheses, so that an operator may stand before or after.
std::string operand(const std::string& text)
{
    return text.starts_with('-') ? "(" + text + ")" : text;
}

std::string truth(bool value)
{
    return value ? "True" : "False";
}

} // namespace

std::string PythonBody::expression(const Argument& argument) const
{
    const auto number = [&](const IntOrValue& element) {
        const auto* value = std::get_if<ValueId>(&element);
        return value ? read(*value) : std::to_string(std::get<std::int64_t>(element));
    };
    const auto tensor = [&](const std::optional<ValueId>& element) {
        return element ? read(*element) : "None";
    };
    return std::visit(
        Overloaded{
            [](const NoneArgument&) -> std::string { return "None"; },
            [&](ValueId value) -> std::string { return read(value); },
            [&](const TensorListArgument& list) { return bracketed(list.elements, tensor); },
            [](std::int64_t value) { return std::to_string(value); },
            [&](const IntListArgument& list) { return bracketed(list.elements, number); },
            [](double value) { return pythonFloat(value); },
            [](const std::vector<double>& values) { return bracketed(values, pythonFloat); },
            [](bool value) { return truth(value); },
            [](const std::vector<bool>& values) { return bracketed(values, truth); },
            [](const std::string& text) { return pythonString(text); },
            [](const std::vector<std::string>& texts) { return bracketed(texts, pythonString); },
            [](const std::complex<double>& value) {
                return "complex(" + pythonFloat(value.real()) + ", " + pythonFloat(value.imag()) + ")";
            },
            [](DType dtype) { return std::string(torchName(dtype)); },
            [](MemoryFormat format) { return std::string(pythonName(format)); },
            [](TensorLayout layout) { return std::string(pythonName(layout)); },
            [&](const Device&) { return m_scope.device; },
            [](SubgraphId) -> std::string { return "None"; }, // named by its node: see argumentList()
            [](const OperatorArgument& op) { return pythonTarget(op.target); },
            [](const RawArgument& raw) { return "__import__('json').loads(" + pythonString(raw.json) + ")"; },
        },
        argument);
}

std::string PythonBody::call(const Node& node) const
{
    const auto argument = [&](std::size_t i) { return operand(expression(node.arguments[i].value)); };
    const auto binary = std::ranges::find(binaryOperators, node.target, &PythonOperator::target);
    if (binary != binaryOperators.end() && node.arguments.size() == 2)
        return argument(0) + std::string(binary->text) + argument(1);
    if (node.target == "_operator::neg" && node.arguments.size() == 1)
        return "-" + argument(0);
    if (node.target == "_operator::pos" && node.arguments.size() == 1)
        return argument(0);
    if (!node.subgraphs.empty())
        return higherOrderCall(node);
    return pythonTarget(node.target) + "(" + argumentList(node) + ")";
}

// Control flow as Python's own: what PyTorch does too when nothing is being traced, and gradients flow
// through.
std::string PythonBody::higherOrderCall(const Node& node) const
{
    const auto argument = [&](std::size_t i) { return argumentText(node, node.arguments[i].value); };
    if (node.target == "higher_order::cond" && node.arguments.size() >= 3) {
        const std::string taken = node.arguments.size() > 3 ? "(*" + argument(3) + ")" : "()";
        return "(" + argument(1) + " if " + argument(0) + " else " + argument(2) + ")" + taken;
    }
    if (node.target == "higher_order::map_impl" && node.arguments.size() >= 2) {
        const std::string extra = node.arguments.size() > 2 ? ", *" + argument(2) : "";
        return "(torch.stack(rows) for rows in zip(*[" + argument(0) + "(*row" + extra +
               ") for row in zip(*" + argument(1) + ")]))";
    }
    return pythonTarget(node.target) + "(" + argumentList(node) + ")";
}

std::string PythonBody::argumentText(const Node& node, const Argument& argument) const
{
    if (const auto* subgraph = std::get_if<SubgraphId>(&argument))
        return subgraphName(node, *subgraph);
    return expression(argument);
}

std::string PythonBody::argumentList(const Node& node) const
{
    const OperatorSchema* schema = nullptr;
    std::string text;
    std::string awkward; // keywords that Python's grammar does not take as such
    bool keywordsOnly = false;
    for (const NamedArgument& argument : node.arguments) {
        bool isKeyword = argument.passing == ArgumentPassing::Keyword;
        if (argument.passing == ArgumentPassing::Unsaid && !argument.name.empty()) {
            if (!schema)
                schema = m_schemas.find(node.target);
            const SchemaArgument* declared = schema ? schema->argument(argument.name) : nullptr;
            isKeyword = !declared || !declared->isRequired() || declared->keywordOnly;
        }
        keywordsOnly = (keywordsOnly || isKeyword) && !argument.name.empty();
        const std::string value = argumentText(node, argument.value);
        if (keywordsOnly && !isPythonIdentifier(argument.name)) {
            (awkward += awkward.empty() ? "" : ", ") += pythonString(argument.name) + ": " + value;
            continue;
        }
        text += text.empty() ? "" : ", ";
        if (keywordsOnly)
            (text += argument.name) += '=';
        text += value;
    }
    if (!awkward.empty())
        text += (text.empty() ? "**{" : ", **{") + awkward + "}";
    return text;
}

} // namespace stagecraft
