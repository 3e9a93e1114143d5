#include "core/base/contains.h"
#include "core/base/unique_names.h"
#include "core/load/exported_types.h"
#include "core/stage/exported_json.h"
#include "core/stage/model_interface.h"
#include "core/stage/pt2_writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace stagecraft {

namespace {

constexpr int opsetVersion = 10;
constexpr int schemaMajor = 8;
constexpr int schemaMinor = 2;
constexpr std::size_t firstSubstitute = 9000; // beyond the numbers that PyTorch gives to symbols

Json tensorJson(const std::string& name)
{
    return {{"as_tensor", {{"name", name}}}};
}

Json intsJson(const std::vector<std::int64_t>& numbers)
{
    return {{"as_ints", numbers}};
}

Json named(const std::string& name, Json value)
{
    return ExportedJson::namedInput(name, std::move(value));
}

class StageJson
{
public:
    StageJson(const Model& model, const StageProgram& program)
        : m_model(model),
          m_graph(model.graph),
          m_program(program),
          m_interface(modelInterface(model)),
          m_writer(model.graph, [&program](ValueId value) { return program.resolve(value); }),
          m_json(ExportedJson::emptyGraph())
    {
    }

    std::string text() &&
    {
        findSubstitutes();
        addStoredInputs();
        addUserInputs();
        addCopiesOfUpdated();
        addCopiesAndSizes();
        std::vector<NodeId> steps = m_program.repeated;
        steps.insert(steps.end(), m_program.nodes.begin(), m_program.nodes.end());
        std::vector<ValueId> kept = m_program.outputs;
        for (const StateUpdate& update : m_program.updates)
            kept.push_back(update.value);
        m_writer.addNodes(m_json, steps, kept);
        addUpdates();
        addOutputs();
        return jsonText(document());
    }

private:
    void addInput(Json argument, const char* kind, Json spec)
    {
        m_json["inputs"].push_back(std::move(argument));
        m_inputSpecs.push_back({{kind, std::move(spec)}});
    }
    void addOutput(Json argument)
    {
        m_json["outputs"].push_back(argument);
        m_outputSpecs.push_back({{"user_output", {{"arg", std::move(argument)}}}});
    }

    void findSubstitutes();
    void addStoredInputs();
    void addStoredInput(const InputSpec& spec);
    void addCopiesOfUpdated();
    void addUserInputs();
    void addUserInput(ValueId value);
    void addReceived(ValueId value);
    void addLayout(const ReceivedLayout& layout, const Json& received);
    Json addCopyWithStrides(const std::vector<std::int64_t>& strides, const Json& operand,
                            const std::string& name, TensorMeta meta);
    Json addCopyInOrder(const std::vector<std::int64_t>& order, Json operand, const std::string& name,
                        TensorMeta meta);
    Json addStep(const char* target, Json inputs, const std::string& name, const TensorMeta& meta);
    void addCopiesAndSizes();
    void addUpdates();
    void addOutputs();
    std::string addSendable(ValueId value);
    std::string addRowMajor(const std::string& target, Json operand, ValueId value);
    std::string freeName(const std::string& wish);
    Pytree inputTree() const;
    Pytree outputTree() const;
    Json argumentNames() const;
    Json rangeConstraints() const;
    Json document() const;

    const Model& m_model;
    const Graph& m_graph;
    const StageProgram& m_program;
    ModelInterface m_interface;
    ExportedJson m_writer;
    Json m_json;
    Json m_inputSpecs = Json::array();
    Json m_outputSpecs = Json::array();
    UniqueNames m_madeNames;
    SizeSubstitutes m_substitutes;                  // of received tensors
    std::map<ValueId, std::string> m_receivedNames; // of the inputs from the stage before
    std::map<ValueId, std::string> m_updatedNames;  // of buffers whose copies go by their names
};

std::string StageJson::freeName(const std::string& wish)
{
    std::string name = m_madeNames.make(wish);
    while (m_graph.findValue(name))
        name = m_madeNames.make(wish);
    return name;
}

// ---------------------------------------------------------------- inputs
// A size such as s0 + s0//2 + 1 becomes a symbol of its own: PyTorch refuses inputs whose sizes it cannot
// solve.
void StageJson::findSubstitutes()
{
    for (const StageInput& input : m_program.inputs) {
        if (input.source == StageInput::Source::Model)
            continue;
        for (const SymInt& size : m_graph[input.value].meta->sizes) {
            const bool isSymbol = m_graph.symbolRanges().contains(size.text());
            const auto isThis = [&](const auto& known) { return known.first == size; };
            if (size.isConstant() || isSymbol || std::ranges::any_of(m_substitutes, isThis))
                continue;
            const std::string name = "s" + std::to_string(firstSubstitute + m_substitutes.size());
            m_substitutes.emplace_back(size, SymInt::symbol(name, size.hint()));
        }
    }
    m_writer.setSubstitutes(m_substitutes);
}

void StageJson::addStoredInputs()
{
    for (const InputSpec& spec : m_model.signature.inputs)
        if (spec.value)
            addStoredInput(spec);
}

void StageJson::addStoredInput(const InputSpec& spec)
{
    const ValueId value = *spec.value;
    std::string called = m_graph[value].name;
    if (contains(m_program.readAsCopies, value))
        called = m_updatedNames[value] = freeName(called + "_updated");
    const Json name{{"name", called}};
    const bool isAlias = contains(m_program.aliases, value, &StateAlias::name);
    const bool isBuffer = spec.kind == InputSpec::Kind::Buffer;
    if (contains(m_program.parameters, value) || (isAlias && !isBuffer))
        addInput({{"as_tensor", name}}, "parameter", {{"arg", name}, {"parameter_name", spec.target}});
    else if (contains(m_program.buffers, value) || isAlias)
        addInput({{"as_tensor", name}}, "buffer",
                 {{"arg", name}, {"buffer_name", spec.target}, {"persistent", spec.persistent}});
    else if (contains(m_program.constants, value))
        addInput({{"as_tensor", name}}, "tensor_constant",
                 {{"arg", name}, {"tensor_constant_name", spec.target}});
    else
        return;
    if (m_updatedNames.contains(value))
        ExportedJson::describeTensor(m_json, called, *m_graph[value].meta);
    else
        m_writer.describe(m_json, value);
}

// PyTorch goes back through nothing that was written since.
void StageJson::addCopiesOfUpdated()
{
    for (const auto& [value, updated] : m_updatedNames)
        addStep("clone", Json::array({named("self", tensorJson(updated))}), m_graph[value].name,
                *m_graph[value].meta);
}

void StageJson::addUserInput(ValueId value)
{
    Json argument = m_writer.value(value);
    addInput(argument, "user_input", {{"arg", argument}});
    m_writer.describe(m_json, value);
}

void StageJson::addUserInputs()
{
    if (m_program.isFirst()) {
        for (const ModelArgument& argument : m_interface.arguments) {
            if (argument.value)
                addUserInput(*argument.value);
            else
                addInput(m_writer.argument(argument.literal), "constant_input",
                         {{"name", argument.name}, {"value", m_writer.argument(argument.literal)}});
        }
        return;
    }
    for (const StageInput& input : m_program.inputs) {
        if (input.source == StageInput::Source::Model) {
            addUserInput(input.value);
            continue;
        }
        addReceived(input.value);
    }
}

// What is received is row-major, whatever the tensor was where it was made.
void StageJson::addReceived(ValueId id)
{
    const Value& value = m_graph[id];
    TensorMeta meta = contiguousMeta(value.meta->dtype, substituted(*value.meta, m_substitutes).sizes);
    meta.device = value.meta->device;
    const auto layout = std::ranges::find(m_program.laidOut, id, &ReceivedLayout::value);
    const bool isLaidOut = layout != m_program.laidOut.end();
    const bool isCloned = contains(m_program.cloned, id);
    const std::string name = isLaidOut || isCloned ? freeName(value.name + "_received") : value.name;
    m_receivedNames[id] = name;
    ExportedJson::describeTensor(m_json, name, meta);
    const Json argument = tensorJson(name);
    addInput(argument, "user_input", {{"arg", argument}});
    if (isLaidOut)
        addLayout(*layout, argument);
    else if (isCloned)
        addStep("clone", Json::array({named("self", argument)}), value.name, meta);
}

// Adds a node that gives a tensor called `name`; what reads it says this.
Json StageJson::addStep(const char* target, Json inputs, const std::string& name, const TensorMeta& meta)
{
    m_json["nodes"].push_back(ExportedJson::plainNode("torch.ops.aten." + std::string(target) + ".default",
                                                      std::move(inputs), Json::array({tensorJson(name)})));
    ExportedJson::describeTensor(m_json, name, meta);
    return tensorJson(name);
}

// The received tensor with the strides that it has in the model, under its name there.
void StageJson::addLayout(const ReceivedLayout& layout, const Json& received)
{
    const std::string& name = m_graph[layout.value].name;
    const TensorMeta whole = substituted(*m_graph[layout.value].meta, m_substitutes);
    const bool isExpanded = !layout.expanded.empty();
    TensorMeta meta = contiguousMeta(whole.dtype, whole.sizes);
    meta.device = whole.device;
    Json operand = received;
    for (const std::int64_t dimension : layout.expanded) {
        meta.sizes[static_cast<std::size_t>(dimension)] = 1;
        operand = addStep("narrow",
                          Json::array({named("self", operand), named("dim", {{"as_int", dimension}}),
                                       named("start", {{"as_int", 0}}), named("length", {{"as_int", 1}})}),
                          freeName(name + "_once"), meta);
    }
    const std::string copyName = isExpanded ? freeName(name + "_copied") : name;
    operand = layout.strides.empty() ? addCopyInOrder(layout.order, operand, copyName, meta)
                                     : addCopyWithStrides(layout.strides, operand, copyName, meta);
    if (isExpanded)
        addStep("expand_as", Json::array({named("self", operand), named("other", received)}), name, whole);
}

Json StageJson::addCopyWithStrides(const std::vector<std::int64_t>& strides, const Json& operand,
                                   const std::string& name, TensorMeta meta)
{
    std::vector<std::int64_t> sizes;
    for (const SymInt& size : meta.sizes)
        sizes.push_back(size.constant());
    meta.strides.assign(strides.begin(), strides.end());
    const Json empty = addStep("new_empty_strided",
                               Json::array({named("self", operand), named("size", intsJson(sizes)),
                                            named("stride", intsJson(strides))}),
                               freeName(name + "_empty"), meta);
    return addStep("copy_", Json::array({named("self", empty), named("src", operand)}), name, meta);
}

Json StageJson::addCopyInOrder(const std::vector<std::int64_t>& order, Json operand, const std::string& name,
                               TensorMeta meta)
{
    const auto permute = [&](const std::vector<std::int64_t>& dimensions, const std::string& permutedName) {
        const TensorMeta before = meta;
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            meta.sizes[i] = before.sizes[static_cast<std::size_t>(dimensions[i])];
            meta.strides[i] = before.strides[static_cast<std::size_t>(dimensions[i])];
        }
        operand =
            addStep("permute", Json::array({named("self", operand), named("dims", intsJson(dimensions))}),
                    permutedName, meta);
    };
    permute(order, freeName(name + "_permuted"));
    meta.strides = contiguousMeta(meta.dtype, meta.sizes).strides;
    const Json format{{"as_memory_format", schemaNumber(MemoryFormat::Contiguous)}};
    operand = addStep("clone", Json::array({named("self", operand), named("memory_format", format)}),
                      freeName(name + "_row_major"), meta);
    permute(inverseOrder(order), name);
    return operand;
}

void StageJson::addCopiesAndSizes()
{
    for (const SizeSource& source : m_program.sizes) {
        m_json["nodes"].push_back(
            ExportedJson::plainNode("torch.ops.aten.sym_size.int",
                                    Json::array({named("self", m_writer.value(source.tensor)),
                                                 named("dim", {{"as_int", source.dimension}})}),
                                    Json::array({m_writer.value(source.scalar)})));
        m_writer.describe(m_json, source.scalar);
    }
}

// ---------------------------------------------------------------- outputs
void StageJson::addUpdates()
{
    for (const StateUpdate& update : m_program.updates) {
        const Json name{{"name", m_graph[m_program.resolve(update.value)].name}};
        const Value& target = m_graph[m_program.resolve(update.target)];
        m_json["outputs"].push_back({{"as_tensor", name}});
        if (target.kind == ValueKind::Buffer)
            m_outputSpecs.push_back({{"buffer_mutation", {{"arg", name}, {"buffer_name", target.target}}}});
        else if (target.kind == ValueKind::Parameter)
            m_outputSpecs.push_back(
                {{"parameter_mutation", {{"arg", name}, {"parameter_name", target.target}}}});
        else
            m_outputSpecs.push_back(
                {{"user_input_mutation", {{"arg", name}, {"user_input_name", target.name}}}});
    }
}

// The name of `value` made ready to be sent.
std::string StageJson::addSendable(ValueId value)
{
    const std::string name = addRowMajor("torch.ops.aten.contiguous.default", m_writer.value(value), value);
    return isComplex(m_graph[value].meta->dtype)
               ? addRowMajor("torch.ops.aten.resolve_conj.default", {{"as_tensor", {{"name", name}}}}, value)
               : name;
}

// Adds a node that makes a row-major tensor of the size and type of `value`; its name.
std::string StageJson::addRowMajor(const std::string& target, Json operand, ValueId value)
{
    const std::string name = freeName(m_graph[value].name + "_contiguous");
    m_json["nodes"].push_back(ExportedJson::plainNode(target,
                                                      Json::array({named("self", std::move(operand))}),
                                                      Json::array({{{"as_tensor", {{"name", name}}}}})));
    TensorMeta meta = contiguousMeta(m_graph[value].meta->dtype, m_graph[value].meta->sizes);
    meta.device = m_graph[value].meta->device;
    ExportedJson::describeTensor(m_json, name, meta);
    return name;
}

void StageJson::addOutputs()
{
    if (m_program.isLast()) {
        for (const Argument& output : m_interface.returned)
            addOutput(m_writer.argument(output));
        return;
    }
    for (const ValueId output : m_program.outputs)
        addOutput(contains(m_program.madeContiguous, output) ? tensorJson(addSendable(output))
                                                             : tensorJson(m_receivedNames.at(output)));
}

// ---------------------------------------------------------------- the whole
Pytree StageJson::inputTree() const
{
    std::vector<Pytree> positional;
    std::vector<Pytree> keyword;
    std::vector<std::string> keys;
    if (m_program.isFirst()) {
        std::ranges::transform(m_interface.positional, std::back_inserter(positional), withLoadableKeys);
        std::ranges::transform(m_interface.keyword, std::back_inserter(keyword), withLoadableKeys);
        keys = m_interface.keywordNames;
    } else {
        for (const StageInput& input : m_program.inputs) {
            if (input.source == StageInput::Source::Previous) {
                positional.push_back(leafPytree());
            } else {
                keyword.push_back(leafPytree());
                keys.push_back(m_graph[input.value].name);
            }
        }
    }
    return tuplePytree({tuplePytree(std::move(positional)), dictPytree(keys, std::move(keyword))});
}

Pytree StageJson::outputTree() const
{
    if (m_program.isLast())
        return withLoadableKeys(withPlainTypes(m_interface.outputTree));
    if (m_program.outputs.size() == 1)
        return leafPytree();
    return tuplePytree(std::vector<Pytree>(m_program.outputs.size(), leafPytree()));
}

Json StageJson::argumentNames() const
{
    if (m_program.isFirst()) {
        std::vector<std::string> names = m_interface.positionalNames;
        names.insert(names.end(), m_interface.keywordNames.begin(), m_interface.keywordNames.end());
        return names;
    }
    Json names = Json::array();
    for (const StageInput& input : m_program.inputs)
        names.push_back(m_graph[input.value].name);
    return names;
}

Json StageJson::rangeConstraints() const
{
    std::set<std::string> symbols;
    for (const ValueId value : m_graph.values()) {
        if (const std::optional<TensorMeta>& meta = m_graph[value].meta)
            for (const auto* sizes : {&meta->sizes, &meta->strides})
                for (const SymInt& size : *sizes)
                    size.collectSymbols(symbols);
        if (m_graph[value].scalar)
            m_graph[value].scalar->collectSymbols(symbols);
    }
    Json ranges = Json::object();
    for (const auto& [size, symbol] : m_substitutes)
        symbols.insert(symbol.text());
    for (const std::string& symbol : symbols) {
        const auto known = m_graph.symbolRanges().find(symbol);
        const SymbolRange range = known == m_graph.symbolRanges().end() ? SymbolRange{} : known->second;
        ranges[symbol] = {{"min_val", range.min ? Json(*range.min) : Json()},
                          {"max_val", range.max ? Json(*range.max) : Json()}};
    }
    return ranges;
}

Json StageJson::document() const
{
    const Json signature{{"inputs", Json::array()},
                         {"outputs", Json::array()},
                         {"in_spec", pytreeJson(inputTree())},
                         {"out_spec", pytreeJson(outputTree())},
                         {"forward_arg_names", argumentNames()}};
    return {{"graph_module",
             {{"graph", m_json},
              {"signature", {{"input_specs", m_inputSpecs}, {"output_specs", m_outputSpecs}}},
              {"module_call_graph", Json::array({{{"fqn", ""}, {"signature", signature}}})}}},
            {"opset_version", {{"aten", opsetVersion}}},
            {"range_constraints", rangeConstraints()},
            {"schema_version", {{"major", schemaMajor}, {"minor", schemaMinor}}},
            {"verifiers", Json::array({"TRAINING"})},
            {"torch_version", m_model.provenance.torchVersion}};
}

} // namespace

std::string stageJson(const Model& model, const StageProgram& program)
{
    return StageJson(model, program).text();
}

} // namespace stagecraft
