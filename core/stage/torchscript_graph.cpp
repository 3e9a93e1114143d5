#include "core/stage/torchscript_graph.h"

#include "core/base/contains.h"
#include "core/run/interpreter.h"
#include "core/run/torch_types.h"
#include "core/stage/python_scope.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace stagecraft {

namespace {

using ScriptValue = torch::jit::Value;

c10::IValue memoryFormat(MemoryFormat format)
{
    return std::int64_t{memoryFormatNumber(format)};
}

// None, or the same type for all: what a list or dict holds.
c10::TypePtr elementType(const std::vector<ScriptValue*>& values)
{
    if (values.empty())
        return c10::TensorType::get();
    const c10::TypePtr first = values.front()->type();
    const bool isOne =
        std::ranges::all_of(values, [&](ScriptValue* value) { return *value->type() == *first; });
    return isOne ? first : c10::TypePtr(c10::AnyType::get());
}

// Does it only look at what others made, and fail where that is not as it was exported?
bool isCheck(const std::string& target)
{
    return target.starts_with("aten::_assert_") || target.starts_with("aten::sym_constrain_range");
}

bool isPlainContext(const Context& context)
{
    return !context.autocast || !context.autocast->enabled;
}

} // namespace

TorchScriptGraph::TorchScriptGraph(const Model& model, const StageProgram& program, torch::jit::Graph& script,
                                   Stored stored)
    : m_graph(model.graph),
      m_interface(modelInterface(model)),
      m_program(program),
      m_script(script),
      m_stored(std::move(stored)),
      m_kinds(model.graph, [](ValueId value) { return value; }),
      m_values(model.graph.valueCount(), nullptr)
{
}

Result<void> TorchScriptGraph::fill()
{
    try {
        addInputs();
        addSizes();
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported,
                     "TorchScript cannot say what the stage takes: " + exceptionReason(exception)};
    }
    for (const auto* nodes : {&m_program.repeated, &m_program.nodes})
        for (const NodeId node : *nodes)
            STAGECRAFT_TRY(addNode(node));
    try {
        addUpdates();
        addOutputs();
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported,
                     "TorchScript cannot say what the stage returns: " + exceptionReason(exception)};
    }
    return {};
}

// ---------------------------------------------------------------- values
ScriptValue* TorchScriptGraph::value(ValueId id)
{
    const ValueId resolved = m_program.resolve(id);
    ScriptValue*& known = m_values[resolved];
    if (!known && m_graph[resolved].isStored())
        known = contains(m_program.readAsCopies, resolved)
                    ? m_script.insert(c10::aten::clone, {m_stored(resolved)})
                    : m_stored(resolved);
    TORCH_CHECK(known, "'", m_graph[resolved].name, "' is nothing that TorchScript knows");
    return known;
}

// Without gradients what a node reads has none; its results then have none either.
ScriptValue* TorchScriptGraph::operand(ValueId id)
{
    ScriptValue* const read = value(id);
    return m_isDetaching && mayHaveGradient(id) ? m_script.insert(c10::aten::detach, {read}) : read;
}

bool TorchScriptGraph::mayHaveGradient(ValueId id) const
{
    const Value& read = m_graph[m_program.resolve(id)];
    const bool isMadeWithout = read.producer && isWithoutGradient(m_graph[*read.producer]);
    return read.meta && isDifferentiable(read.meta->dtype) && !isMadeWithout &&
           read.kind != ValueKind::Buffer && read.kind != ValueKind::Constant;
}

ScriptValue* TorchScriptGraph::constant(const c10::IValue& value)
{
    return m_script.insertConstant(value);
}

bool TorchScriptGraph::isWithoutGradient(const Node& node) const
{
    return !m_graph.context(node.context).gradEnabled.value_or(true);
}

// ---------------------------------------------------------------- inputs
void TorchScriptGraph::addInputs()
{
    const Table<ValueId, std::string> names = pythonNames(m_graph);
    for (const StageInput& input : m_program.inputs) {
        const Value& described = m_graph[input.value];
        TORCH_CHECK(described.meta || described.kind == ValueKind::SizeScalar, "'", described.name,
                    "' is no tensor and no number");
        ScriptValue* const given = m_script.addInput(names[input.value]);
        given->setType(described.meta ? c10::TypePtr(c10::TensorType::get()) : c10::IntType::get());
        m_values[input.value] = given;
    }
    for (const StageInput& input : m_program.inputs)
        if (input.source == StageInput::Source::Previous)
            addReceived(input.value);
}

// What is received is row-major and nobody may write to it.
void TorchScriptGraph::addReceived(ValueId id)
{
    ScriptValue*& received = m_values[id];
    const auto layout = std::ranges::find(m_program.laidOut, id, &ReceivedLayout::value);
    if (layout != m_program.laidOut.end())
        received = laidOut(*layout, received);
    else if (contains(m_program.cloned, id))
        received = m_script.insert(c10::aten::clone, {received});
}

// A list, written out as it is read again.
ScriptValue* TorchScriptGraph::numbers(const std::vector<std::int64_t>& list)
{
    std::vector<ScriptValue*> elements;
    for (const std::int64_t number : list)
        elements.push_back(constant(number));
    return m_script.insertNode(m_script.createList(c10::IntType::get(), elements))->output();
}

ScriptValue* TorchScriptGraph::laidOut(const ReceivedLayout& layout, ScriptValue* received)
{
    ScriptValue* once = received;
    for (const std::int64_t dimension : layout.expanded)
        once = m_script.insert(c10::aten::narrow, {once, dimension, 0, 1});
    if (!layout.strides.empty()) {
        std::vector<std::int64_t> sizes;
        const std::vector<SymInt>& whole = m_graph[layout.value].meta->sizes;
        for (std::size_t i = 0; i < whole.size(); ++i)
            sizes.push_back(contains(layout.expanded, static_cast<std::int64_t>(i)) ? 1
                                                                                    : whole[i].constant());
        ScriptValue* const empty =
            m_script.insert(c10::aten::new_empty_strided, {once, numbers(sizes), numbers(layout.strides)});
        once = m_script.insert(c10::aten::copy_, {empty, once});
    } else {
        once = m_script.insert(c10::aten::permute, {once, numbers(layout.order)});
        once = m_script.insert(c10::aten::clone, {once},
                               {{"memory_format", memoryFormat(MemoryFormat::Contiguous)}});
        once = m_script.insert(c10::aten::permute, {once, numbers(inverseOrder(layout.order))});
    }
    return layout.expanded.empty() ? once : m_script.insert(c10::aten::expand_as, {once, received});
}

void TorchScriptGraph::addSizes()
{
    for (const SizeSource& source : m_program.sizes)
        m_values[source.scalar] = m_script.insert(c10::aten::size, {value(source.tensor), source.dimension});
}

// ---------------------------------------------------------------- outputs
void TorchScriptGraph::addUpdates()
{
    for (const StateUpdate& update : m_program.updates) {
        const ValueId written = m_program.resolve(update.target);
        ScriptValue* const target = m_script.insert(
            c10::aten::detach, {m_graph[written].isStored() ? m_stored(written) : value(written)});
        m_script.insert(c10::aten::copy_,
                        {target, m_script.insert(c10::aten::detach, {value(update.value)})});
    }
}

ScriptValue* TorchScriptGraph::leafValue(const Argument& leaf)
{
    if (const auto* id = std::get_if<ValueId>(&leaf))
        return value(*id);
    if (const auto* number = std::get_if<std::int64_t>(&leaf))
        return constant(*number);
    if (const auto* number = std::get_if<double>(&leaf))
        return constant(*number);
    if (const auto* truth = std::get_if<bool>(&leaf))
        return constant(*truth);
    if (const auto* text = std::get_if<std::string>(&leaf))
        return constant(*text);
    TORCH_CHECK(std::holds_alternative<NoneArgument>(leaf), "it returns what is no value");
    return constant({});
}

ScriptValue* TorchScriptGraph::returned(const Pytree& tree, std::size_t& leaf)
{
    if (tree.isLeaf())
        return leafValue(m_interface.returned.at(leaf++));
    std::vector<ScriptValue*> children;
    for (const Pytree& child : tree.children)
        children.push_back(returned(child, leaf));
    const std::vector<PytreeKey> keys = tree.keys();
    if (tree.type == "builtins.list")
        return m_script.insertNode(m_script.createList(elementType(children), children))->output();
    if (keys.size() != children.size() || keys.empty())
        return m_script.insertNode(m_script.createTuple(children))->output();
    std::vector<ScriptValue*> names;
    for (const PytreeKey& key : keys) {
        TORCH_CHECK(key.kind == PytreeKey::Kind::Text, "a key of its dict is no text");
        names.push_back(constant(key.text));
    }
    torch::jit::Node* const dict =
        m_script.createDict(c10::StringType::get(), elementType(children), names, children);
    return m_script.insertNode(dict)->output();
}

void TorchScriptGraph::addOutputs()
{
    if (m_program.isLast()) {
        std::size_t leaf = 0;
        const Pytree tree = withLoadableKeys(withPlainTypes(m_interface.outputTree));
        m_script.registerOutput(returned(tree, leaf));
        return;
    }
    std::vector<ScriptValue*> outputs;
    for (const ValueId id : m_program.outputs) {
        ScriptValue* sent = value(id);
        if (contains(m_program.madeContiguous, id)) {
            sent = m_script.insert(c10::aten::contiguous, {sent});
            if (isComplex(m_graph[id].meta->dtype))
                sent = m_script.insert(c10::Symbol::aten("resolve_conj"), {sent});
        }
        outputs.push_back(sent);
    }
    m_script.registerOutput(
        outputs.size() == 1 ? outputs.front() : m_script.insertNode(m_script.createTuple(outputs))->output());
}

// ---------------------------------------------------------------- nodes
Result<void> TorchScriptGraph::addNode(NodeId id)
{
    const Node& node = m_graph[id];
    const auto refused = [&](const std::string& why) {
        return Error{ErrorCode::Unsupported, "TorchScript cannot say " + describeNode(m_graph, id) + ": " +
                                                 why + "; leave torchscript out of the formats"};
    };
    if (!isPlainContext(m_graph.context(node.context)))
        return refused("it runs under autocast, which would be another one there");
    if (node.target.starts_with("higher_order::"))
        return refused("it runs graphs of its own");
    if (isCheck(node.target))
        return {};
    const auto isComplexValue = [&](ValueId value) {
        return m_graph[value].meta && isComplex(m_graph[value].meta->dtype);
    };
    if (std::ranges::any_of(node.inputs, isComplexValue) || std::ranges::any_of(node.results, isComplexValue))
        return refused("TorchScript's derivatives of complex numbers are not PyTorch's");
    try {
        m_isDetaching = isWithoutGradient(node);
        addCall(node);
        return {};
    } catch (const std::exception& exception) {
        return refused(exceptionReason(exception));
    }
}

void TorchScriptGraph::addCall(const Node& node)
{
    if (!addNumber(node) && !addSize(node))
        addOperator(node);
}

void TorchScriptGraph::bind(const Node& node, const std::vector<ScriptValue*>& results)
{
    TORCH_CHECK(node.outputs.size() <= results.size(), "it gives other results there");
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const std::vector<ValueId>& names = node.outputs[i].values;
        if (node.outputs[i].kind == NodeOutput::Kind::None)
            continue;
        if (results[i]->type()->kind() != c10::TypeKind::ListType) {
            m_values[names.front()] = results[i];
            continue;
        }
        torch::jit::Node* const unpack =
            m_script.insertNode(m_script.createListUnpack(results[i], names.size()));
        for (std::size_t k = 0; k < names.size(); ++k)
            m_values[names[k]] = unpack->output(k);
    }
}

} // namespace stagecraft
