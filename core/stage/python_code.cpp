#include "core/stage/python_code.h"

#include "core/base/contains.h"
#include "core/base/unique_names.h"
#include "core/load/operator_schema.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/code_facts.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_blocks.h"
#include "core/stage/python_body.h"
#include "core/stage/python_containers.h"
#include "core/stage/python_helpers.h"
#include "core/stage/python_text.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

// The names under which forward() takes the arguments of the model.
struct ForwardParameters
{
    std::vector<PythonText> positional;
    // Keywords that forward() cannot list, because of Python's grammar or because a value has the name, are
    // in the dict `named`; an empty text stands for them.
    std::vector<PythonText> keyword;
};

PythonText numbersText(const std::vector<std::int64_t>& numbers)
{
    std::vector<PythonText> texts;
    for (const std::int64_t number : numbers)
        texts.push_back(pythonInt(number));
    return tupleText(texts);
}

// Writes one stage.
class StageWriter
{
public:
    StageWriter(const Model& model, const StageProgram& program, const CodeFacts& facts,
                const RegionNotes& notes)
        : m_model(model),
          m_graph(model.graph),
          m_program(program),
          m_facts(facts),
          m_interface(facts.interface),
          m_scope(facts.scope),
          m_parameters(forwardParameters()),
          m_regions{{}, notes},
          m_body(m_scope, m_schemas, m_lines, &m_regions)
    {
        m_scope.resolve = [&program](ValueId value) { return program.resolve(value); };
        m_scope.readAsCopies = {program.readAsCopies.begin(), program.readAsCopies.end()};
        for (const auto* tensors : {&program.parameters, &program.buffers, &program.constants})
            for (const ValueId tensor : *tensors)
                m_scope.expressions.set(tensor,
                                        readText(m_scope, tensor, m_facts.placed.at(tensor).attribute));
    }

    StageCode write(RepeatedCode repeated) &&
    {
        findBlocks(repeated);
        writeHead();
        writeClassHead();
        writeConstructor();
        writeBlocks(m_stage, m_scope, m_schemas, m_lines, &m_regions);
        writeForward();
        m_body.writeRegions();
        m_lines.outdent();
        m_lines.noteRefusals();
        return std::move(m_lines).take();
    }

private:
    const PythonText& nameOf(ValueId value) const { return m_body.read(value); }
    // Those that are repeated of earlier stages, too.
    bool keepsAny() const
    {
        return std::ranges::any_of(
            m_nodes, [this](NodeId id) { return isKept(m_graph.context(m_graph[id].context)); });
    }

    void findBlocks(RepeatedCode repeated);
    void takeNames();
    PythonText needed() const;
    void writeHead();
    void writeClassHead();
    void writeConstructor();
    void placeTensor(ValueId tensor);
    void writeForward();
    ForwardParameters forwardParameters() const;
    std::vector<PythonText> parameters() const;
    std::vector<PythonText> stageZeroParameters() const;
    void unpackArguments(std::vector<ValueId>& given);
    void unpack(const Pytree& tree, const PythonText& expression, std::size_t& leaf,
                std::vector<ValueId>& given);
    void writeLayout(const ReceivedLayout& layout);
    void writeCopiesAndSizes();
    void writeUpdates();
    void writeReturn();
    std::vector<ValueId> keptValues() const;
    PythonText described(ValueId value) const;

    const Model& m_model;
    const Graph& m_graph;
    const StageProgram& m_program;
    const CodeFacts& m_facts;
    const ModelInterface& m_interface;
    PythonScope m_scope;
    const ForwardParameters m_parameters;
    OperatorSchemas m_schemas;
    PythonLines m_lines;
    RegionMethods m_regions;
    PythonBody m_body;
    std::vector<NodeId> m_nodes;
    RepeatedBlocks m_blocks;
    std::vector<PythonText> m_methods;
    PythonNodes m_stage;
    // Of what this stage reads with other strides than it passes on.
    std::map<ValueId, PythonText> m_relayedNames;
};

// For a docstring, where even the expression that reads a tensor may not stand: its texts may end it.
PythonText StageWriter::described(ValueId value) const
{
    const Value& known = m_graph[value];
    return pythonComment(nameOf(value).text() + ": " + (known.meta ? metaText(*known.meta) : "number"));
}

void StageWriter::findBlocks(RepeatedCode repeated)
{
    m_nodes = m_program.repeated;
    m_nodes.insert(m_nodes.end(), m_program.nodes.begin(), m_program.nodes.end());
    if (repeated == RepeatedCode::Once)
        m_blocks = findRepeatedBlocks(m_graph, m_facts.kinds, m_nodes, m_scope.resolve, keptValues());
    else
        m_blocks.items = unrepeated(m_nodes.size());
    m_methods = methodNames(m_graph, m_facts.stored, m_blocks.blocks);
    takeNames();
    m_stage = {m_nodes, &m_blocks.blocks, &m_methods};
}

// What regions cannot be called: what stands behind "self." already.
void StageWriter::takeNames()
{
    if (std::ranges::none_of(m_nodes, [this](NodeId id) {
            return !m_graph.context(m_graph[id].context).recomputeRegions.empty();
        }))
        return;
    m_regions.taken = m_facts.stored;
    for (const PythonText& method : m_methods)
        m_regions.taken.take(method.text());
}

// Operators that PyTorch does not have are those of a library, which registers them.
PythonText StageWriter::needed() const
{
    std::string names;
    for (const OperatorUse& unknown : m_facts.unknown)
        if (std::ranges::any_of(unknown.nodes, [this](NodeId node) { return contains(m_nodes, node); }))
            names += (names.empty() ? "" : ", ") + unknown.name;
    return names.empty() ? PythonText("PyTorch alone") : "PyTorch and what registers " + pythonComment(names);
}

void StageWriter::writeHead()
{
    // People count from 1, files and classes from 0.
    m_lines.add("\"\"\"Stage " + pythonInt(std::int64_t{m_program.stage.index()} + 1) + " of " +
                pythonInt(static_cast<std::int64_t>(m_program.stageCount)) + " of " +
                pythonComment(m_model.name) + ". Written by Stagecraft; needs " + needed() + ".\"\"\"");
    m_lines.addLines("import collections\nimport math\nimport operator\n");
    if (keepsAny())
        m_lines.add("import threading");
    m_lines.addLines(R"(from math import inf, nan

import torch
import torch.utils.checkpoint


)");
    m_lines.addLines(tensorsClass);
    if (m_program.isFirst())
        for (const PythonLiteral& function : functionsToTakeApart(m_interface.given))
            m_lines.addLines(function);
    if (m_program.isLast())
        for (const PythonLiteral& function : functionsToReturn(m_interface.outputTree))
            m_lines.addLines(function);
    if (!m_program.laidOut.empty())
        m_lines.addLines(laidOutFunction);
    if (!m_program.readAsCopies.empty())
        m_lines.addLines(unwrittenFunction);
    if (std::ranges::any_of(m_program.nodes, [this](NodeId id) { return m_facts.hasControlFlow[id] != 0; }))
        m_lines.addLines(controlFlowFunctions);
    if (keepsAny())
        m_lines.addLines(keepObject);
}

void StageWriter::writeClassHead()
{
    m_lines.add("class Stage" + pythonInt(m_program.stage.index()) + "(Tensors):");
    m_lines.indent();
    m_lines.add("\"\"\"Takes");
    for (const StageInput& input : m_program.inputs)
        m_lines.addDeclaration("    " + described(input.value) +
                                   (input.source == StageInput::Source::Previous
                                        ? PythonText("  from the stage before")
                                        : PythonText("  of the model")),
                               input.value);
    m_lines.add(m_program.isLast() ? PythonText("and returns what the model returns.")
                                   : PythonText("and returns"));
    if (!m_program.isLast())
        for (const ValueId output : m_program.outputs) {
            const bool isRelay = contains(m_program.relays, output);
            m_lines.add("    " + described(output) + (isRelay ? PythonText("  relayed") : PythonText()));
        }
    m_lines.add("\"\"\"");
    m_lines.add("");
}

void StageWriter::placeTensor(ValueId tensor)
{
    const PlacedTensor& placed = m_facts.placed.at(tensor);
    m_lines.setSubject("'" + m_graph[tensor].target + "'");
    for (const std::string& refusal : placed.refusals)
        m_lines.refuse(refusal);
    std::vector<PythonText> also;
    for (const StateAlias& alias : m_program.aliases)
        if (alias.tensor == tensor)
            also.push_back(pythonString(m_graph[alias.name].target));
    m_lines.addDeclaration(placed.call + (also.empty() ? PythonText(")") : ", also=(" + joined(also) + ",))"),
                           tensor);
}

void StageWriter::writeConstructor()
{
    m_lines.add("def __init__(self, device='cpu'):");
    m_lines.indent();
    m_lines.add("super().__init__()");
    m_lines.add("self.device = torch.device(device)");
    for (const auto* tensors : {&m_program.parameters, &m_program.buffers, &m_program.constants})
        for (const ValueId tensor : *tensors)
            placeTensor(tensor);
    m_lines.outdent();
    m_lines.add("");
}

// ---------------------------------------------------------------- forward
ForwardParameters StageWriter::forwardParameters() const
{
    ForwardParameters names;
    if (!m_program.isFirst())
        return names;
    std::optional<UniqueNames> taken; // filled when the first name is made: most models need none
    const auto ownName = [&](const PythonText& name) {
        if (!taken) {
            m_scope.expressions.takeAll(taken.emplace());
            taken->take("range"); // which loops are written with
        }
        return pythonVariable(taken->make(name.text()));
    };
    std::size_t leaf = 0;
    // A leaf is taken under the name that its value has; no other value may have that name.
    const auto claim = [&](const Pytree& tree, const std::string& wanted) {
        const PythonText name = pythonVariable(wanted);
        const ModelArgument* argument = tree.isLeaf() ? &m_interface.arguments[leaf] : nullptr;
        leaf += leafCount(tree);
        const bool isOwn = argument && argument->value && m_scope.expressions[*argument->value] == name;
        return isOwn ? name : ownName(name);
    };
    for (std::size_t i = 0; i < m_interface.positional.size(); ++i)
        names.positional.push_back(claim(m_interface.positional[i], m_interface.positionalNames[i]));
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i) {
        const PythonText name = claim(m_interface.keyword[i], m_interface.keywordNames[i]);
        names.keyword.push_back(name.text() == m_interface.keywordNames[i] ? name : PythonText());
    }
    return names;
}

std::vector<PythonText> StageWriter::stageZeroParameters() const
{
    std::size_t leaf = 0;
    std::vector<PythonText> listed;
    // A literal was fixed when the model was exported; it may be left out where Python allows it.
    std::size_t lastRequired = 0;
    for (std::size_t i = 0, at = 0; i < m_interface.positional.size();
         at += leafCount(m_interface.positional[i++]))
        if (!m_interface.positional[i].isLeaf() || m_interface.arguments[at].value)
            lastRequired = i + 1;
    const auto defaultText = [&] { return "=" + m_body.expression(m_interface.arguments[leaf].literal); };
    for (std::size_t i = 0; i < m_interface.positional.size(); ++i) {
        listed.push_back(m_parameters.positional[i] + (i >= lastRequired ? defaultText() : PythonText()));
        leaf += leafCount(m_interface.positional[i]);
    }
    const auto isAwkward = [](const PythonText& name) { return name.isEmpty(); };
    if (!std::ranges::all_of(m_parameters.keyword, isAwkward))
        listed.push_back(PythonText("*"));
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i) {
        const bool isLiteral = m_interface.keyword[i].isLeaf() && !m_interface.arguments[leaf].value;
        if (!isAwkward(m_parameters.keyword[i]))
            listed.push_back(m_parameters.keyword[i] + (isLiteral ? defaultText() : PythonText()));
        leaf += leafCount(m_interface.keyword[i]);
    }
    if (std::ranges::any_of(m_parameters.keyword, isAwkward))
        listed.push_back(PythonText("**named"));
    return listed;
}

std::vector<PythonText> StageWriter::parameters() const
{
    if (m_program.isFirst())
        return stageZeroParameters();
    std::vector<PythonText> listed;
    bool isAnyKeyword = false;
    for (const StageInput& input : m_program.inputs) {
        if (input.source == StageInput::Source::Model && !isAnyKeyword) {
            listed.push_back(PythonText("*"));
            isAnyKeyword = true;
        }
        listed.push_back(nameOf(input.value));
    }
    return listed;
}

// Nested arguments are taken apart, so that each leaf is a variable under its own name.
void StageWriter::unpack(const Pytree& tree, const PythonText& expression, std::size_t& leaf,
                         std::vector<ValueId>& given)
{
    if (tree.isLeaf()) {
        const ModelArgument& argument = m_interface.arguments[leaf++];
        if (!argument.value)
            return;
        if (nameOf(*argument.value) != expression)
            m_lines.add(nameOf(*argument.value) + " = " + expression);
        given.push_back(*argument.value);
        return;
    }
    for (std::size_t i = 0; i < tree.children.size(); ++i)
        unpack(tree.children[i], partText(tree, expression, i), leaf, given);
}

void StageWriter::unpackArguments(std::vector<ValueId>& given)
{
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < m_interface.positional.size(); ++i)
        unpack(m_interface.given[i], m_parameters.positional[i], leaf, given);
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i) {
        const PythonText& name = m_parameters.keyword[i];
        unpack(m_interface.given[m_interface.positional.size() + i],
               name.isEmpty() ? "named[" + pythonString(m_interface.keywordNames[i]) + "]" : name, leaf,
               given);
    }
}

std::vector<ValueId> StageWriter::keptValues() const
{
    std::vector<ValueId> kept = m_program.outputs;
    for (const StateUpdate& update : m_program.updates) {
        kept.push_back(update.value);
        kept.push_back(update.target);
    }
    return kept;
}

void StageWriter::writeLayout(const ReceivedLayout& layout)
{
    const PythonText& name = nameOf(layout.value);
    if (contains(m_program.relays, layout.value)) { // goes on as it came
        UniqueNames taken;
        m_scope.expressions.takeAll(taken);
        const PythonText received = pythonVariable(taken.make(name.text() + "_received"));
        m_relayedNames.emplace(layout.value, received);
        m_lines.add(received + " = " + name);
    }
    PythonText line = name + " = laid_out(" + name;
    line += layout.strides.empty() ? ", order=" + numbersText(layout.order)
                                   : ", strides=" + numbersText(layout.strides);
    if (!layout.expanded.empty())
        line += ", expanded=" + numbersText(layout.expanded);
    m_lines.add(line + ")");
}

void StageWriter::writeCopiesAndSizes()
{
    for (const ReceivedLayout& layout : m_program.laidOut)
        writeLayout(layout);
    for (const ValueId value : m_program.cloned)
        m_lines.add(nameOf(value) + " = " + nameOf(value) + ".clone()  # is written to below");
    for (const SizeSource& source : m_program.sizes)
        m_lines.add(nameOf(source.scalar) + " = torch.ops.aten.sym_size.int(" + nameOf(source.tensor) + ", " +
                    pythonInt(source.dimension) + ")");
}

void StageWriter::writeForward()
{
    std::vector<PythonText> listed = parameters();
    listed.insert(listed.begin(), PythonText("self"));
    m_lines.add("def forward(" + joined(listed) + "):");
    m_lines.indent();
    std::vector<ValueId> given;
    if (m_program.isFirst())
        unpackArguments(given);
    else
        for (const StageInput& input : m_program.inputs)
            given.push_back(input.value);
    writeCopiesAndSizes();
    m_body.write(m_stage, m_blocks.items, given, keptValues());
    writeUpdates();
    writeReturn();
    m_lines.outdent();
}

void StageWriter::writeUpdates()
{
    if (m_program.updates.empty())
        return;
    m_lines.add("with torch.no_grad():");
    m_lines.indent();
    for (const StateUpdate& update : m_program.updates) {
        const Value& target = m_graph[m_program.resolve(update.target)];
        m_lines.add((target.isStored() ? pythonAttribute(target.target) : nameOf(update.target)) + ".copy_(" +
                    nameOf(update.value) + ")");
    }
    m_lines.outdent();
}

void StageWriter::writeReturn()
{
    m_lines.setSubject("what the model returns");
    if (m_program.isLast()) {
        std::vector<PythonText> leaves;
        for (const Argument& leaf : m_interface.returned)
            leaves.push_back(m_body.expression(leaf));
        m_lines.add("return " + treeText(m_interface.outputTree, leaves));
        return;
    }
    std::vector<PythonText> items;
    for (const ValueId output : m_program.outputs) {
        const auto relayed = m_relayedNames.find(output);
        PythonText item = relayed == m_relayedNames.end() ? nameOf(output) : relayed->second;
        if (contains(m_program.madeContiguous, output))
            item += m_graph[output].meta && isComplex(m_graph[output].meta->dtype)
                        ? PythonText(".contiguous().resolve_conj()")
                        : PythonText(".contiguous()");
        items.push_back(std::move(item));
    }
    m_lines.add(items.size() == 1 ? "return " + items.front() : "return (" + joined(items) + ")");
}

} // namespace

std::string stageClassName(StageId stage)
{
    return "Stage" + std::to_string(stage.index());
}

StageCode stageCode(const Model& model, const StageProgram& program, RepeatedCode repeated,
                    const RegionNotes& notes, const CodeFacts* facts)
{
    if (facts == nullptr)
        return StageWriter(model, program, codeFacts(model), notes).write(repeated);
    return StageWriter(model, program, *facts, notes).write(repeated);
}

} // namespace stagecraft
