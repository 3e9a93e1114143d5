#include "core/base/contains.h"
#include "core/base/unique_names.h"
#include "core/stage/exported_json.h"
#include "core/stage/model_interface.h"
#include "core/stage/pt2_writer.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

constexpr int opsetVersion = 10;
constexpr int schemaMajor = 8;
constexpr int schemaMinor = 2;
constexpr std::size_t firstSubstitute = 9000; // beyond the numbers that PyTorch gives to symbols

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
    void addUserInputs();
    void addUserInput(ValueId value);
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
    SizeSubstitutes m_substitutes; // of received tensors
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
    for (const InputSpec& spec : m_model.signature.inputs) {
        if (!spec.value)
            continue;
        const Json name{{"name", m_graph[*spec.value].name}};
        if (contains(m_program.parameters, *spec.value))
            addInput({{"as_tensor", name}}, "parameter", {{"arg", name}, {"parameter_name", spec.target}});
        else if (contains(m_program.buffers, *spec.value))
            addInput({{"as_tensor", name}}, "buffer",
                     {{"arg", name}, {"buffer_name", spec.target}, {"persistent", spec.persistent}});
        else if (contains(m_program.constants, *spec.value))
            addInput({{"as_tensor", name}}, "tensor_constant",
                     {{"arg", name}, {"tensor_constant_name", spec.target}});
        else
            continue;
        m_writer.describe(m_json, *spec.value);
    }
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
        // What is received is row-major, whatever the tensor was where it was made.
        const Value& value = m_graph[input.value];
        TensorMeta meta = contiguousMeta(value.meta->dtype, substituted(*value.meta, m_substitutes).sizes);
        meta.device = value.meta->device;
        const std::string name =
            contains(m_program.cloned, input.value) ? freeName(value.name + "_received") : value.name;
        ExportedJson::describeTensor(m_json, name, meta);
        const Json argument{{"as_tensor", {{"name", name}}}};
        addInput(argument, "user_input", {{"arg", argument}});
        if (name == value.name)
            continue;
        m_json["nodes"].push_back(ExportedJson::plainNode(
            "torch.ops.aten.clone.default", Json::array({ExportedJson::namedInput("self", argument)}),
            Json::array({m_writer.value(input.value)})));
        ExportedJson::describeTensor(m_json, value.name, meta);
    }
}

void StageJson::addCopiesAndSizes()
{
    for (const SizeSource& source : m_program.sizes) {
        m_json["nodes"].push_back(ExportedJson::plainNode(
            "torch.ops.aten.sym_size.int",
            Json::array({ExportedJson::namedInput("self", m_writer.value(source.tensor)),
                         ExportedJson::namedInput("dim", {{"as_int", source.dimension}})}),
            Json::array({m_writer.value(source.scalar)})));
        m_writer.describe(m_json, source.scalar);
    }
}

// ---------------------------------------------------------------- outputs
void StageJson::addUpdates()
{
    for (const StateUpdate& update : m_program.updates) {
        const Json name{{"name", m_graph[m_program.resolve(update.value)].name}};
        const Value& target = m_graph[update.target];
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
    m_json["nodes"].push_back(
        ExportedJson::plainNode(target, Json::array({ExportedJson::namedInput("self", std::move(operand))}),
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
        addOutput(contains(m_program.madeContiguous, output)
                      ? Json{{"as_tensor", {{"name", addSendable(output)}}}}
                      : m_writer.value(output));
}

// ---------------------------------------------------------------- the whole
Pytree StageJson::inputTree() const
{
    std::vector<Pytree> positional;
    std::vector<Pytree> keyword;
    std::vector<std::string> keys;
    if (m_program.isFirst()) {
        positional = m_interface.positional;
        keyword = m_interface.keyword;
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
        return withPlainTypes(m_interface.outputTree);
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
