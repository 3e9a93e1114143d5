#include "core/forms/network.h"

#include "core/load/operator_aliasing.h"

#include <algorithm>
#include <cassert>

namespace stagecraft {

namespace {

std::string withUnderscores(std::string text)
{
    std::ranges::replace(text, '.', '_');
    return text;
}

std::string joinedPath(const std::string& path, std::string_view name)
{
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

InputSpec::Kind specKind(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Parameter:
        return InputSpec::Kind::Parameter;
    case ValueKind::Buffer:
        return InputSpec::Kind::Buffer;
    default:
        return InputSpec::Kind::User;
    }
}

// "linear" of "linear" and of "add.Tensor".
std::string baseName(const std::string& name)
{
    return name.substr(0, name.find('.'));
}

} // namespace

SymInt product(const Sizes& sizes)
{
    return sizes.empty() ? SymInt(1) : SymInt::make(SymOp::Mul, sizes);
}

SymInt sum(const SymInt& a, const SymInt& b)
{
    return SymInt::make(SymOp::Add, {a, b});
}

Network::Network(const std::string& name, const std::string& rootClass, DType dtype)
    : m_name(name), m_dtype(dtype), m_builder(name)
{
    m_scopes.push_back({"", m_builder.addModule("", rootClass), "L__self__,," + rootClass});
}

SymInt Network::symbol(const std::string& name, std::int64_t usual, std::int64_t least, std::int64_t most)
{
    m_builder.setSymbolRange(name, {least, most, usual});
    return SymInt::symbol(name, usual);
}

Network::Scope Network::enter(std::string_view path, const std::string& className)
{
    const Level& outer = m_scopes.back();
    const std::string inner = joinedPath(outer.path, path);
    m_scopes.push_back({inner, m_builder.addModule(inner, className),
                        outer.stack + ";L__self__" + inner + "," + inner + "," + className});
    return Scope(*this);
}

std::string Network::target(const std::string& name) const
{
    return joinedPath(m_scopes.back().path, name);
}

ValueId Network::input(const std::string& name, const Sizes& sizes, DType dtype)
{
    Value value{.name = m_names.make(name), .kind = ValueKind::UserInput};
    value.meta = contiguousMeta(dtype, sizes);
    const ValueId id = m_builder.addInput(std::move(value));
    m_inputs.push_back(id);
    readSizes(id);
    return id;
}

void Network::readSizes(ValueId value)
{
    const Sizes sizes = this->sizes(value);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].isConstant() || m_sizeValues.contains(sizes[i].text()))
            continue;
        Value scalar{.name = m_names.make("sym_size_int"), .kind = ValueKind::SizeScalar};
        scalar.scalar = sizes[i];
        Node reading = node("sym_size.int", {{"self", value}, {"dim", static_cast<std::int64_t>(i)}});
        reading.name = scalar.name;
        const ValueId size = m_builder.addValue(std::move(scalar));
        reading.outputs.push_back({NodeOutput::Kind::Value, {size}});
        m_builder.addNode(std::move(reading));
        m_sizeValues.emplace(sizes[i].text(), size);
    }
}

ValueId Network::stored(ValueKind kind, const std::string& name, const Sizes& sizes,
                        const InitialValues& initial, DType dtype)
{
    const std::string full = target(name);
    if (const auto known = m_stored.find(full); known != m_stored.end())
        return known->second;
    const char* prefix = kind == ValueKind::Parameter ? "p_" : "b_";
    Value value{.name = m_names.make(prefix + withUnderscores(full)), .kind = kind, .target = full};
    value.meta = contiguousMeta(dtype, sizes);
    value.meta->requiresGrad = kind == ValueKind::Parameter;
    const ValueId id = m_builder.addInput(std::move(value));
    m_stored.emplace(full, id);
    m_initial.emplace(full, initial);
    return id;
}

ValueId Network::parameter(const std::string& name, const Sizes& sizes, const InitialValues& initial)
{
    return stored(ValueKind::Parameter, name, sizes, initial, m_dtype);
}

ValueId Network::parameter(const std::string& name, const Sizes& sizes, const InitialValues& initial,
                           DType dtype)
{
    return stored(ValueKind::Parameter, name, sizes, initial, dtype);
}

ValueId Network::buffer(const std::string& name, const Sizes& sizes, const InitialValues& initial,
                        DType dtype, bool persistent)
{
    m_notPersistent[target(name)] = !persistent;
    return stored(ValueKind::Buffer, name, sizes, initial, dtype);
}

void Network::alias(const std::string& name, ValueId parameter)
{
    aliasOf(target(name), parameter);
}

void Network::aliasOf(const std::string& target, ValueId parameter)
{
    m_aliases.emplace_back(target, parameter);
}

Node Network::node(const std::string& name, const Arguments& arguments) const
{
    Node made{.target = "aten::" + name + (name.find('.') == name.npos ? ".default" : "")};
    for (const auto& [argument, value] : arguments) {
        const bool isKeyword = argument.starts_with('=');
        made.arguments.push_back({std::string(isKeyword ? argument.substr(1) : argument), value,
                                  isKeyword ? ArgumentPassing::Keyword : ArgumentPassing::Positional});
    }
    const Level& level = m_scopes.back();
    made.module = level.module;
    made.metadata.emplace_back("nn_module_stack", level.stack);
    return made;
}

ValueId Network::op(const std::string& name, const Arguments& arguments, TensorMeta result)
{
    return ops(name, arguments, {std::move(result)}, NodeOutput::Kind::Value).front();
}

std::vector<ValueId> Network::ops(const std::string& name, const Arguments& arguments,
                                  const std::vector<TensorMeta>& results, NodeOutput::Kind kind)
{
    Node made = node(name, arguments);
    made.name = m_names.make(baseName(name));
    std::vector<ValueId> values;
    for (const TensorMeta& result : results) {
        Value value{.name = results.size() == 1 ? made.name : m_names.make("getitem")};
        value.meta = result;
        values.push_back(m_builder.addValue(std::move(value)));
    }
    if (kind == NodeOutput::Kind::List)
        made.outputs.push_back({kind, values});
    else
        for (const ValueId value : values)
            made.outputs.push_back({kind, {value}});
    m_builder.addNode(std::move(made));
    return values;
}

ValueId Network::sizeValue(const SymInt& size)
{
    const std::string text = size.text();
    if (const auto known = m_sizeValues.find(text); known != m_sizeValues.end())
        return known->second;
    assert(!"a size that no input has is written as -1");
    return m_sizeValues.begin()->second;
}

Argument Network::size(const SymInt& size)
{
    return size.isConstant() ? Argument(size.constant()) : Argument(sizeValue(size));
}

Argument Network::sizeList(const Sizes& sizes)
{
    IntListArgument list;
    for (const SymInt& size : sizes) {
        if (size.isConstant())
            list.elements.emplace_back(size.constant());
        else
            list.elements.emplace_back(sizeValue(size));
    }
    return list;
}

void Network::output(ValueId value)
{
    m_builder.addOutput(value);
    ++m_outputs;
}

Signature Network::signature(const Graph& graph) const
{
    Signature signature;
    for (const ValueId id : graph.inputs()) {
        const Value& value = graph[id];
        InputSpec spec{.kind = specKind(value.kind), .name = value.name, .value = id, .target = value.target};
        const auto found = m_notPersistent.find(value.target);
        spec.persistent = found == m_notPersistent.end() || !found->second;
        signature.inputs.push_back(std::move(spec));
    }
    // Lifted ones come first, as torch.export has them.
    std::ranges::stable_sort(signature.inputs, {}, &InputSpec::kind);
    signature.outputs.assign(m_outputs, {});
    for (const ValueId input : m_inputs)
        signature.forwardArgumentNames.push_back(graph[input].name);
    const std::vector<Pytree> arguments(m_inputs.size(), leafPytree());
    signature.inputTree = tuplePytree({tuplePytree(arguments), dictPytree({}, {})});
    signature.outputTree =
        m_outputs == 1 ? leafPytree() : tuplePytree(std::vector<Pytree>(m_outputs, leafPytree()));
    return signature;
}

Result<WrittenModel> Network::finish() &&
{
    std::map<std::string, std::string> tied;
    for (const auto& [name, parameter] : m_aliases) {
        tied.emplace(name, m_builder.value(parameter).target);
        Value value{
            .name = m_names.make("p_" + withUnderscores(name)), .kind = ValueKind::Parameter, .target = name};
        value.meta = meta(parameter);
        m_builder.addInput(std::move(value));
    }
    OperatorSchemas schemas;
    STAGECRAFT_ASSIGN(graph, std::move(m_builder).finish(operatorAliasing(schemas)));
    Signature callable = signature(graph);
    WeightStore weights;
    for (const InputSpec& spec : callable.inputs)
        if (spec.isStored())
            weights.addShape(spec.target, *graph[*spec.value].meta);
    Provenance provenance{.torchVersion = "2.9.0", .schemaVersion = "8.2", .dialect = "TRAINING"};
    provenance.fileNodeCount = graph.nodeCount();
    WrittenModel written{
        {m_name, std::move(graph), std::move(callable), std::move(weights), std::move(provenance)},
        std::move(m_initial),
        std::move(tied)};
    return written;
}

} // namespace stagecraft
