// The calls of PythonBody: of operators with their arguments, and of blocks.
#include "core/base/overloaded.h"
#include "core/stage/python_body.h"
#include "core/stage/writable.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

struct PythonOperator
{
    std::string_view target;
    PythonLiteral text;
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
PythonText bracketed(const Items& items, const Text& text)
{
    std::vector<PythonText> parts;
    for (const auto& item : items)
        parts.push_back(text(item));
    return "[" + joined(parts) + "]";
}

// Negative numbers in parentheses, so that an operator may stand before or after.
PythonText operand(const PythonText& text)
{
    return text.text().starts_with('-') ? "(" + text + ")" : text;
}

// "range(5, 8)"; where a value has that name "(5, 6, 7)".
PythonText countedText(const Graph& graph, std::int64_t first, std::size_t count)
{
    const std::int64_t end = first + static_cast<std::int64_t>(count);
    if (!graph.findValue("range"))
        return "range(" + (first == 0 ? PythonText() : pythonInt(first) + ", ") + pythonInt(end) + ")";
    std::vector<PythonText> numbers;
    for (std::int64_t number = first; number < end; ++number)
        numbers.push_back(pythonInt(number));
    return "(" + joined(numbers) + ")";
}

} // namespace

bool isControlFlow(const Node& node)
{
    return (node.target == "higher_order::cond" || node.target == "higher_order::while_loop") &&
           node.arguments.size() >= 3;
}

PythonText PythonBody::expression(const Argument& argument) const
{
    const auto number = [&](const IntOrValue& element) {
        const auto* value = std::get_if<ValueId>(&element);
        return value ? read(*value) : pythonInt(std::get<std::int64_t>(element));
    };
    const auto tensor = [&](const std::optional<ValueId>& element) {
        return element ? read(*element) : PythonText("None");
    };
    return std::visit(
        Overloaded{
            [](const NoneArgument&) { return PythonText("None"); },
            [&](ValueId value) { return read(value); },
            [&](const TensorListArgument& list) { return bracketed(list.elements, tensor); },
            [](std::int64_t value) { return pythonInt(value); },
            [&](const IntListArgument& list) { return bracketed(list.elements, number); },
            [](double value) { return pythonFloat(value); },
            [](const std::vector<double>& values) { return bracketed(values, pythonFloat); },
            [](bool value) { return pythonBool(value); },
            [](const std::vector<bool>& values) { return bracketed(values, pythonBool); },
            [](const std::string& text) { return pythonString(text); },
            [](const std::vector<std::string>& texts) { return bracketed(texts, pythonString); },
            [](const std::complex<double>& value) {
                return "complex(" + pythonFloat(value.real()) + ", " + pythonFloat(value.imag()) + ")";
            },
            [](DType dtype) { return pythonName(dtype); },
            [](MemoryFormat format) { return pythonName(format); },
            [](TensorLayout layout) { return pythonName(layout); },
            [](const Device&) { return PythonText("self.device"); },
            [](SubgraphId) { return PythonText("None"); }, // named by its node: see argumentText()
            [&](const OperatorArgument& op) { return target(op.target); },
            [&](const RawArgument& raw) {
                m_lines.refuse("Python code cannot have an argument of the kind " +
                               pythonComment(raw.json.substr(0, 60)).text() + "; export with --formats pt2");
                return PythonText("NotImplemented");
            },
        },
        argument);
}

// What may not be called is not named either.
PythonText PythonBody::target(std::string_view target) const
{
    if (const PythonText* const known = m_scope.texts->find(target))
        return *known;
    const Result<PythonText> name = pythonTarget(target, m_schemas);
    if (name.has_value())
        return *name;
    m_lines.refuse(name.error().message);
    return PythonText("NotImplemented");
}

PythonText PythonBody::call(const Node& node) const
{
    const auto argument = [&](std::size_t i) { return operand(expression(node.arguments[i].value)); };
    const auto binary = std::ranges::find(binaryOperators, node.target, &PythonOperator::target);
    if (binary != binaryOperators.end() && node.arguments.size() == 2)
        return argument(0) + binary->text + argument(1);
    if (node.target == "_operator::neg" && node.arguments.size() == 1)
        return "-" + argument(0);
    if (node.target == "_operator::pos" && node.arguments.size() == 1)
        return argument(0);
    if (!node.subgraphs.empty())
        return higherOrderCall(node);
    const PythonText callee = target(node.target);
    return callee == PythonText("NotImplemented") ? callee : callee + "(" + argumentList(node) + ")";
}

// Control flow and plain calls as Python's own: what PyTorch does too when nothing is being traced, and
// gradients flow through.
PythonText PythonBody::higherOrderCall(const Node& node) const
{
    std::vector<PythonText> given;
    for (const NamedArgument& argument : node.arguments)
        given.push_back(argumentText(node, argument.value));
    if (isControlFlow(node))
        return (node.target == "higher_order::cond" ? PythonText("run_branch(") : PythonText("run_loop(")) +
               joined({given.begin(), given.begin() + std::min<std::ptrdiff_t>(std::ssize(given), 4)}) + ")";
    if (node.target == "higher_order::map_impl" && given.size() >= 2) {
        const PythonText extra = given.size() > 2 ? ", *" + given[2] : PythonText();
        return "(torch.stack(rows) for rows in zip(*[" + given[0] + "(*row" + extra + ") for row in zip(*" +
               given[1] + ")]))";
    }
    if (node.target == "higher_order::invoke_subgraph" && given.size() >= 2) // behind the graph's name
        return given[0] + "(" + joined({given.begin() + 2, given.end()}) + ")";
    const PythonText callee = target(node.target);
    return callee == PythonText("NotImplemented") ? callee : callee + "(" + argumentList(node) + ")";
}

PythonText PythonBody::argumentText(const Node& node, const Argument& argument) const
{
    if (const auto* subgraph = std::get_if<SubgraphId>(&argument))
        return m_bodies.at(node.subgraphs[subgraph->index()].get());
    return expression(argument);
}

PythonText PythonBody::argumentList(const Node& node) const
{
    const OperatorSchema* schema = nullptr;
    std::vector<PythonText> given;
    given.reserve(node.arguments.size());
    std::vector<PythonText> awkward; // keywords that Python's grammar does not take as such
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
        const PythonText value = argumentText(node, argument.value);
        if (!keywordsOnly)
            given.push_back(value);
        else if (const std::optional<PythonText> keyword = pythonWord(argument.name))
            given.push_back(*keyword + "=" + value);
        else
            awkward.push_back(pythonString(argument.name) + ": " + value);
    }
    if (!awkward.empty())
        given.push_back("**{" + joined(awkward) + "}");
    return joined(given);
}

// ---------------------------------------------------------------- blocks
// Of a module in the one that this code is for.
PythonText PythonBody::moduleExpression(ModuleId module) const
{
    const std::string& around = m_graph.modules()[moduleAround()].path;
    const std::string& path = m_graph.modules()[module].path;
    const PythonText whole = m_block ? m_block->module : PythonText("self");
    if (path.size() == around.size())
        return whole;
    return pythonAttribute(std::string_view(path).substr(around.empty() ? 0 : around.size() + 1), whole);
}

// "self.run_block(module, x)", or that under a checkpoint.
PythonText PythonBody::callOf(const Step& step, const PythonText& module) const
{
    const auto number = static_cast<std::size_t>(step.block - m_stage.blocks->data());
    std::vector<PythonText> given;
    if (step.block->takesModule())
        given.push_back(module);
    for (std::size_t i = 0; i < step.block->inputs.size(); ++i) {
        if (step.block->inputs[i].kind != BlockInput::Kind::Given)
            continue;
        const bool isCarried = step.rounds > 1 && step.carried[i];
        given.push_back(nameOf(isCarried ? step.returned[*step.carried[i]] : step.round(0).inputs[i]));
    }
    const PythonText method = "self." + (*m_stage.methods)[number];
    const PythonText targets = step.returned.empty() ? PythonText() : names(step.returned) + " = ";
    if (!step.isCheckpointed)
        return targets + method + "(" + joined(given) + ")";
    given.insert(given.begin(), method);
    return targets + "torch.utils.checkpoint.checkpoint(" + joined(given) +
           checkpointEnd(keepsSome(m_graph, nodesOf({&step, 1}), step.regions.size()));
}

void PythonBody::writeCall(const Step& step)
{
    const ModuleId module = step.round(0).module;
    const std::optional<ModuleId>& parent = m_graph.modules()[module].parent;
    writeSection(parent && module != moduleAround() ? *parent : module);
    if (m_regions)
        m_regions->writeNote(step, m_stage, m_lines);
    m_lines.addCall(callOf(step, moduleExpression(module)) + deletions(m_uses.deletedAfter[indexOf(step)]) +
                        shapesComment(m_scope, m_uses.isRead, step.returned),
                    nodesRun(step.begin, step.end), step.returned);
}

void PythonBody::writeLoop(const Step& step)
{
    const ModuleTree& modules = m_graph.modules();
    const ModuleId module = step.round(0).module;
    const std::optional<ModuleId>& parent = modules[module].parent;
    writeSection(parent && module != moduleAround() ? *parent : module);
    std::vector<ValueId> deleted = m_uses.deletedAfter[indexOf(step)];
    for (std::size_t i = 0; i < step.carried.size(); ++i) {
        if (!step.carried[i])
            continue;
        const ValueId first = step.round(0).inputs[i];
        const bool isLast = std::erase(deleted, first) > 0;
        m_lines.add(nameOf(step.returned[*step.carried[i]]) + " = " + nameOf(first) +
                    (isLast && isVariable(first) ? deletions({first}) : PythonText()));
    }
    const auto counted = countsUp(modules[module].path, modules[step.round(1).module].path);
    const PythonText variable = m_graph.findValue("layer") ? ownName("layer") : PythonText("layer");
    PythonText called = moduleExpression(module);
    if (counted && step.block->takesModule()) {
        const std::size_t around = modules[moduleAround()].path.size();
        const std::string_view before = counted->before.substr(around == 0 ? 0 : around + 1);
        called = m_block ? m_block->module : PythonText("self");
        if (!before.empty()) // but for its dot
            called = pythonAttribute(before.substr(0, before.size() - 1), called);
        called += "[" + variable + "]";
        if (!counted->after.empty())
            called = pythonAttribute(counted->after.substr(1), called);
        m_lines.add("for " + variable + " in " + countedText(m_graph, counted->number, step.rounds) + ":");
    } else {
        m_lines.add("for _ in " + countedText(m_graph, 0, step.rounds) + ":");
    }
    m_lines.indent();
    if (m_regions)
        m_regions->writeNote(step, m_stage, m_lines);
    m_lines.addCall(callOf(step, called) + shapesComment(m_scope, m_uses.isRead, step.returned),
                    nodesRun(step.begin, step.end), step.returned);
    m_lines.outdent();
    if (!deleted.empty())
        m_lines.add("del " + names(deleted));
}

} // namespace stagecraft
