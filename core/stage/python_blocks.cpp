#include "core/stage/python_blocks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace stagecraft {

namespace {

constexpr std::size_t mostListed = 2; // modules that a method says it is for

// Python's own functions and types, which read badly as variables.
constexpr std::array<std::string_view, 34> builtinNames{
    "abs",    "all",   "any",    "bool",   "bytes",  "chr",   "compile", "eval",  "exec",
    "filter", "float", "format", "hash",   "hex",    "id",    "input",   "int",   "iter",
    "len",    "list",  "map",    "next",   "object", "open",  "pow",     "print", "repr",
    "round",  "set",   "slice",  "sorted", "sum",    "tuple", "type"};

// "linear" of "linear_31": what it is, in whatever block.
std::string_view withoutNumbers(std::string_view name)
{
    const std::string_view whole = name;
    for (;;) {
        const std::size_t digits = name.find_last_not_of("0123456789");
        if (digits == name.npos || digits == 0 || digits + 1 == name.size() || name[digits] != '_')
            break;
        name = name.substr(0, digits);
    }
    return name.empty() ? whole : name;
}

// Gives the values of a block the names that they have in its method.
class BlockNames
{
public:
    BlockNames(const PythonNodes& stage, const PythonScope& scope, const RepeatedBlock& block)
        : m_stage(stage), m_scope(scope), m_graph(*scope.graph), m_block(block)
    {
        for (const std::string_view name : builtinNames)
            m_taken.take(name);
        m_names.block = &block;
        m_names.module = PythonText("module");
        for (const char* own : {"module", "layer", "range"})
            m_taken.take(own);
        nameInputs();
        nameResults();
    }

    BlockScope take() && { return std::move(m_names); }

private:
    void nameInputs();
    void nameResults();
    bool isVariable(std::size_t input) const
    {
        return m_block.inputs[input].kind == BlockInput::Kind::Given &&
               !m_graph[m_block.calls.front().inputs[input]].isStored();
    }
    void name(ValueId value, std::string_view wanted)
    {
        const PythonText known = pythonVariable(wanted);
        m_names.expressions.emplace(value, pythonVariable(m_taken.make(known.text())));
    }

    const PythonNodes& m_stage;
    const PythonScope& m_scope;
    const Graph& m_graph;
    const RepeatedBlock& m_block;
    UniqueNames m_taken;
    BlockScope m_names;
};

// What is one value in all calls keeps its name; the one tensor that is not is x.
void BlockNames::nameInputs()
{
    const std::vector<ValueId>& inputs = m_block.calls.front().inputs;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const BlockInput& input = m_block.inputs[i];
        if (input.kind == BlockInput::Kind::OfModule)
            m_names.expressions.emplace(
                inputs[i], readText(m_scope, inputs[i], pythonAttribute(input.path, m_names.module)));
        else if (isVariable(i) && input.isSame)
            name(inputs[i], m_scope.expressions[inputs[i]].text());
        else if (isVariable(i))
            ++differing;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Value& value = m_graph[inputs[i]];
        if (m_block.inputs[i].kind != BlockInput::Kind::Given || (isVariable(i) && m_block.inputs[i].isSame))
            continue;
        if (value.isStored())
            name(inputs[i], std::string_view(value.target).substr(value.target.rfind('.') + 1));
        else
            name(inputs[i], differing == 1 ? "x" : withoutNumbers(value.name));
    }
}

void BlockNames::nameResults()
{
    for (const BodyItem& item : m_block.items) {
        std::vector<ValueId> results = m_graph[m_stage.nodes[item.begin]].results;
        if (item.block) {
            const RepeatedBlock& inner = (*m_stage.blocks)[*item.block];
            results = returnedBy(m_graph, m_stage.nodes, inner, inner.calls[item.call]);
        }
        for (const ValueId result : results)
            name(result, withoutNumbers(m_graph[result].name));
    }
}

// "LlamaMLP: layers.4.mlp, layers.5.mlp and 2 more."
PythonText description(const Graph& graph, const RepeatedBlock& block)
{
    std::vector<ModuleId> modules;
    std::set<ModuleId> known;
    for (const BlockCall& call : block.calls)
        if (known.insert(call.module).second)
            modules.push_back(call.module);
    std::string text;
    for (std::size_t i = 0; i < std::min(modules.size(), mostListed); ++i) {
        const std::string& path = graph.modules()[modules[i]].path;
        text += (i == 0 ? "" : ", ") + (path.empty() ? "the model itself" : path);
    }
    if (modules.size() > mostListed)
        text += " and " + std::to_string(modules.size() - mostListed) + " more";
    const std::string_view kind = lastPartOfClass(graph.modules()[modules.front()]);
    return pythonComment((kind.empty() ? std::string() : std::string(kind) + ": ") + text);
}

void writeBlock(const PythonNodes& stage, const PythonScope& scope, const PythonText& method,
                const RepeatedBlock& block, OperatorSchemas& schemas, PythonLines& lines,
                RegionMethods* regions)
{
    const BlockScope names = BlockNames(stage, scope, block).take();
    PythonBody body(scope, schemas, lines, regions, &names);
    std::vector<PythonText> parameters{PythonText("self")};
    if (block.takesModule())
        parameters.push_back(names.module);
    std::vector<ValueId> given;
    for (std::size_t i = 0; i < block.inputs.size(); ++i) {
        const ValueId value = block.calls.front().inputs[i];
        if (block.inputs[i].kind != BlockInput::Kind::Given)
            continue;
        parameters.push_back(names.expressions.at(value));
        if (!(*scope.graph)[value].isStored())
            given.push_back(value);
    }
    const std::vector<ValueId> returned = returnedBy(*scope.graph, stage.nodes, block, block.calls.front());
    lines.add("def " + method + "(" + joined(parameters) + "):");
    lines.indent();
    lines.add("\"\"\"" + description(*scope.graph, block) + ".\"\"\"");
    body.write(stage, block.items, given, returned);
    std::vector<PythonText> results;
    for (const ValueId value : returned)
        results.push_back(body.read(value));
    if (results.size() == 1)
        lines.add("return " + results.front());
    else if (!results.empty())
        lines.add("return " + joined(results));
    lines.outdent();
    body.writeRegions();
    lines.add("");
}

} // namespace

std::vector<PythonText> methodNames(const Graph& graph, const UniqueNames& stored,
                                    const std::vector<RepeatedBlock>& blocks)
{
    UniqueNames taken = stored;
    taken.take("run_branch");
    taken.take("run_loop");
    std::vector<PythonText> names;
    for (const RepeatedBlock& block : blocks) {
        const Module& module = graph.modules()[block.calls.front().module];
        std::string name = snakeCaseOfClass(module);
        if (name.empty())
            name = "block";
        names.push_back(pythonVariable(taken.make(pythonVariable("run_" + name).text())));
    }
    return names;
}

void writeBlocks(const PythonNodes& stage, const PythonScope& scope, OperatorSchemas& schemas,
                 PythonLines& lines, RegionMethods* regions)
{
    for (std::size_t i = 0; i < stage.blocks->size(); ++i)
        writeBlock(stage, scope, (*stage.methods)[i], (*stage.blocks)[i], schemas, lines, regions);
}

} // namespace stagecraft
