#include "core/stage/manifest.h"

#include "core/base/contains.h"
#include "core/run/index_bounds.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_code.h"
#include "core/stage/python_scope.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

std::string plainDType(DType dtype)
{
    const std::string_view name = torchName(dtype); // "torch.float32"
    return std::string(name.substr(name.find('.') + 1));
}

// Numbers, and the expressions of sizes that vary as texts: [8, "s77"].
Json shapeJson(const TensorMeta& meta)
{
    Json shape = Json::array();
    for (const SymInt& size : meta.sizes)
        shape.push_back(size.isConstant() ? Json(size.constant()) : Json(size.text()));
    return shape;
}

Json numberJson(const std::optional<std::int64_t>& number)
{
    Json json;
    if (number)
        json = *number;
    return json;
}

Json literalJson(const Argument& literal)
{
    if (const auto* number = std::get_if<std::int64_t>(&literal))
        return *number;
    if (const auto* number = std::get_if<double>(&literal))
        return *number;
    if (const auto* truth = std::get_if<bool>(&literal))
        return *truth;
    if (const auto* text = std::get_if<std::string>(&literal))
        return *text;
    return nullptr;
}

bool isText(const PytreeKey& key)
{
    return key.kind == PytreeKey::Kind::Text || key.kind == PytreeKey::Kind::Member;
}

// A tuple as a list.
Json keyJson(const PytreeKey& key)
{
    Json elements = Json::array();
    switch (key.kind) {
    case PytreeKey::Kind::Number:
        return Json::parse(key.text, nullptr, false);
    case PytreeKey::Kind::Truth:
        return key.text == "true";
    case PytreeKey::Kind::None:
        return nullptr;
    case PytreeKey::Kind::Tuple:
        for (const PytreeKey& element : key.elements)
            elements.push_back(keyJson(element));
        return elements;
    case PytreeKey::Kind::Text:
    case PytreeKey::Kind::Member:
        break;
    }
    return key.text;
}

// The symbol that is the batch size of the inputs: the only one that is the first size of some, and no later
// size of any. None where there is no such symbol, or several.
std::optional<std::string> batchSymbol(const Graph& graph, const ModelInterface& interface)
{
    std::set<std::string> first;
    std::set<std::string> later;
    for (const ModelArgument& argument : interface.arguments) {
        if (!argument.value || !graph[*argument.value].meta)
            continue;
        const std::vector<SymInt>& sizes = graph[*argument.value].meta->sizes;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::set<std::string> symbols;
            sizes[i].collectSymbols(symbols);
            if (symbols.contains(sizes[i].text()))
                (i == 0 ? first : later).insert(sizes[i].text());
        }
    }
    std::erase_if(first, [&](const std::string& symbol) { return later.contains(symbol); });
    return first.size() == 1 ? std::optional(*first.begin()) : std::nullopt;
}

class ManifestWriter
{
public:
    ManifestWriter(const Model& model, const std::vector<StageProgram>& programs,
                   const std::vector<StageFiles>& files, const TrainingPlan& training)
        : m_model(model),
          m_graph(model.graph),
          m_programs(programs),
          m_files(files),
          m_training(training),
          m_needsGradient(valuesWithGradient(model.graph)),
          m_gradientsWritten(gradientsWritten(model.graph)),
          m_interface(modelInterface(model)),
          m_batch(batchSymbol(model.graph, m_interface)),
          m_names(pythonNames(model.graph)),
          m_stageOf(model.graph.nodeCount())
    {
        for (const StageProgram& program : programs)
            for (const NodeId node : program.nodes)
                m_stageOf[node] = program.stage;
        findMakers();
    }

    std::string text(const std::vector<WrittenFile>& written) const
    {
        Json json{{"format", manifestFormat}, {"plan", planJson()}, {"model", modelJson()}};
        json["model_inputs"] = Json::array();
        for (const ModelArgument& argument : m_interface.arguments)
            if (argument.value)
                json["model_inputs"].push_back(m_names[*argument.value]);
        json["shared_parameters"] = Json::array();
        for (const SharedParameter& shared : sharedParameters(m_model, m_programs)) {
            Json stages = Json::array();
            for (const StageId stage : shared.stages)
                stages.push_back(stage.index());
            json["shared_parameters"].push_back({{"name", shared.name}, {"stages", stages}});
        }
        json["stages"] = Json::array();
        for (const StageProgram& program : m_programs)
            json["stages"].push_back(stageJson(program));
        json["files"] = Json::array();
        for (const WrittenFile& file : written) {
            json["files"].push_back({{"name", file.name}, {"bytes", file.size.count()}});
            if (!file.sha256.empty())
                json["files"].back()["sha256"] = file.sha256;
        }
        return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    }

private:
    Json planJson() const;
    Json modelJson() const;
    void findMakers();
    Json crossingJson(ValueId value, StageId sender) const;
    Json stateJson(const StageProgram& program) const;
    Json inputJson(ValueId value) const;
    Json callJson(const Pytree& tree, std::size_t& leaf) const;
    Json stageJson(const StageProgram& program) const;
    Json regionsJson(const StageProgram& program) const;
    Json describedJson(ValueId value) const;

    const Model& m_model;
    const Graph& m_graph;
    const std::vector<StageProgram>& m_programs;
    const std::vector<StageFiles>& m_files;
    const TrainingPlan& m_training;
    const Table<ValueId, char> m_needsGradient;
    const Table<ValueId, std::optional<NodeId>> m_gradientsWritten;
    const ModelInterface m_interface;
    const std::optional<std::string> m_batch;
    const Table<ValueId, std::string> m_names;
    Table<NodeId, std::optional<StageId>> m_stageOf;
    std::vector<std::map<ValueId, StageId>> m_makers; // by stage, of what it returns: who gave it its content
};

// A nested argument: {"input": name}, {"literal": 2.0}, {"list": [...]}, {"tuple": [...]}, {"dict": {...}};
// of a dict with keys that are no texts {"items": [[key, ...], ...]}.
Json ManifestWriter::callJson(const Pytree& tree, std::size_t& leaf) const
{
    if (tree.isLeaf()) {
        const ModelArgument& argument = m_interface.arguments[leaf++];
        return argument.value ? Json{{"input", m_names[*argument.value]}}
                              : Json{{"literal", literalJson(argument.literal)}};
    }
    const std::vector<PytreeKey> keys = tree.keys();
    if (keys.empty() || keys.size() != tree.children.size()) {
        Json items = Json::array();
        for (const Pytree& child : tree.children)
            items.push_back(callJson(child, leaf));
        return {{tree.type == "builtins.list" ? "list" : "tuple", items}};
    }
    if (!std::ranges::all_of(keys, isText)) {
        Json items = Json::array();
        for (std::size_t i = 0; i < keys.size(); ++i)
            items.push_back(Json::array({keyJson(keys[i]), callJson(tree.children[i], leaf)}));
        return {{"items", items}};
    }
    Json items = Json::object();
    for (std::size_t i = 0; i < keys.size(); ++i)
        items[keys[i].text] = callJson(tree.children[i], leaf);
    return {{"dict", items}};
}

Json ManifestWriter::inputJson(ValueId value) const
{
    Json json = describedJson(value);
    const Value& described = m_graph[value];
    if (described.meta && !described.meta->sizes.empty() && described.meta->sizes.front().text() == m_batch)
        json["batch_dimension"] = 0; // cut there in microbatches; an input without goes to each of them
    // Integers that choose among so many rows or classes.
    if (described.meta && !isDifferentiable(described.meta->dtype))
        if (const std::optional<std::int64_t> bound = indexBound(m_graph, value, {}))
            json["below"] = *bound;
    const auto isNumber = [](const SymInt& stride) { return stride.isConstant(); };
    if (described.meta && !isRowMajor(*described.meta) &&
        std::ranges::all_of(described.meta->strides, isNumber))
        for (const SymInt& stride : described.meta->strides)
            json["strides"].push_back(stride.constant());
    return json;
}

Json ManifestWriter::modelJson() const
{
    Json json{{"name", m_model.name},
              {"torch_version", m_model.provenance.torchVersion},
              {"has_weights", !m_model.structureOnly()}};
    json["inputs"] = Json::array();
    for (const ModelArgument& argument : m_interface.arguments)
        if (argument.value)
            json["inputs"].push_back(inputJson(*argument.value));
    std::size_t leaf = 0;
    json["arguments"] = Json::array();
    for (const Pytree& tree : m_interface.positional)
        json["arguments"].push_back(callJson(tree, leaf));
    json["keyword_arguments"] = Json::object();
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i)
        json["keyword_arguments"][m_interface.keywordNames[i]] = callJson(m_interface.keyword[i], leaf);
    // The output that is the loss, among the leaves of what the model returns; null: the sum of all.
    const LossOutput& loss = m_training.loss;
    const std::optional<LossFunction>& function = m_training.function;
    json["loss_output"] = loss.index && !function ? Json(*loss.index) : Json(nullptr);
    json["loss_function"] = nullptr;
    if (function)
        json["loss_function"] = {{"name", function->name}, {"output", function->output}};
    json["loss"] = function ? lossText(*function) : lossText(loss);
    std::set<std::string> symbols;
    for (const ValueId value : m_graph.values())
        if (m_graph[value].meta)
            for (const SymInt& size : m_graph[value].meta->sizes)
                size.collectSymbols(symbols);
    json["symbols"] = Json::object(); // with the values they had when the model was exported
    json["ranges"] = Json::object();  // least and most, null where there is none
    for (const std::string& symbol : symbols) {
        const auto range = m_graph.symbolRanges().find(symbol);
        const bool isKnown = range != m_graph.symbolRanges().end();
        json["symbols"][symbol] = isKnown ? numberJson(range->second.hint) : Json(nullptr);
        json["ranges"][symbol] = Json::array();
        for (const auto bound : {&SymbolRange::min, &SymbolRange::max})
            json["ranges"][symbol].push_back(isKnown ? numberJson(range->second.*bound) : Json(nullptr));
    }
    json["batch_symbol"] = m_batch ? Json(*m_batch) : Json(nullptr);
    return json;
}

Json ManifestWriter::describedJson(ValueId value) const
{
    Json json{{"name", m_names[value]}};
    if (const std::optional<TensorMeta>& meta = m_graph[value].meta) {
        json["dtype"] = plainDType(meta->dtype);
        json["shape"] = shapeJson(*meta);
    } else {
        json["dtype"] = nullptr; // a plain number
        json["shape"] = nullptr;
    }
    return json;
}

Json ManifestWriter::planJson() const
{
    if (!m_training.run)
        return Json::object();
    return {{"schedule", scheduleName(m_training.run->schedule)},
            {"microbatches", m_training.run->microbatches},
            {"send", sendName(m_training.run->send)}};
}

// A stage that writes to what it received gives it a new content, under the same name.
void ManifestWriter::findMakers()
{
    for (const StageProgram& program : m_programs) {
        const std::map<ValueId, StageId> received =
            m_makers.empty() ? std::map<ValueId, StageId>() : m_makers.back();
        std::map<ValueId, StageId>& makers = m_makers.emplace_back();
        for (const ValueId output : program.outputs) {
            const auto before = received.find(output);
            const bool passesOn = contains(program.relays, output) || program.isLast();
            if (before != received.end() && passesOn)
                makers.emplace(output, before->second);
            else if (m_graph[output].producer)
                makers.emplace(output, program.stage);
        }
    }
}

// A value behind the stage that sends it.
Json ManifestWriter::crossingJson(ValueId value, StageId sender) const
{
    Json json = describedJson(value);
    const std::optional<NodeId>& written = m_gradientsWritten[value];
    const bool isWritten = written && m_stageOf[*written] && *m_stageOf[*written] <= sender;
    const std::map<ValueId, StageId>& makers = m_makers[sender.index()];
    const auto maker = makers.find(value);
    json["requires_grad"] = m_needsGradient[value] != 0 || isWritten;
    json["made_by"] = maker == makers.end() ? Json(nullptr) : Json(maker->second.index());
    return json;
}

// What state_dict() has: parameters and persistent buffers, each under all of its names.
Json ManifestWriter::stateJson(const StageProgram& program) const
{
    Json state = Json::array();
    const auto add = [&](ValueId tensor, const Json& aliasOf) {
        const std::vector<InputSpec>& inputs = m_model.signature.inputs;
        const auto spec = std::ranges::find(inputs, std::optional(tensor), &InputSpec::value);
        if (spec != inputs.end() && !spec->persistent)
            return;
        Json entry = describedJson(tensor);
        entry["name"] = m_graph[tensor].target;
        entry["alias_of"] = aliasOf;
        state.push_back(std::move(entry));
    };
    for (const auto* tensors : {&program.parameters, &program.buffers})
        for (const ValueId tensor : *tensors)
            add(tensor, nullptr);
    for (const StateAlias& alias : program.aliases)
        add(alias.name, m_graph[alias.tensor].target);
    return state;
}

Json ManifestWriter::regionsJson(const StageProgram& program) const
{
    const bool hasProgram = !m_files[program.stage.index()].program.empty();
    OperatorSchemas schemas;
    Json regions = Json::array();
    for (const StageRegion& region : stageRegions(m_graph, program.nodes, schemas)) {
        Json kept = Json::array();
        for (const NodeId node : region.kept)
            kept.push_back(m_graph[node].name);
        regions.push_back({{"first", m_graph[region.nodes.front()].name},
                           {"last", m_graph[region.nodes.back()].name},
                           {"nodes", region.nodes.size()},
                           {"kept", std::move(kept)},
                           {"in_program", hasProgram && region.isInPrograms}});
    }
    return regions;
}

Json ManifestWriter::stageJson(const StageProgram& program) const
{
    const StageFiles& files = m_files[program.stage.index()];
    Json json{{"index", program.stage.index()}, {"class", stageClassName(program.stage)}};
    const auto addFile = [&](const char* key, const std::string& name) {
        json[key] = name.empty() ? Json(nullptr) : Json(name);
    };
    addFile("code", files.code);
    addFile("program", files.program);
    if (!files.script.empty())
        addFile("torchscript", files.script);
    addFile("weights", files.weights);
    for (const auto& [line, nodes] : files.sharedLines)
        json["shared_lines"][std::to_string(line)] = nodes;
    json["inputs"] = Json::array();
    for (const StageInput& input : program.inputs) {
        const bool isPrevious = input.source == StageInput::Source::Previous;
        const Json described = isPrevious ? crossingJson(input.value, StageId(program.stage.index() - 1))
                                          : describedJson(input.value);
        Json entry{{"name", described["name"]},
                   {"source", isPrevious ? "previous" : "model"},
                   {"value", described["name"]}};
        entry.update(described);
        json["inputs"].push_back(std::move(entry));
    }
    json["outputs"] = Json::array();
    for (const ValueId output : program.outputs)
        json["outputs"].push_back(crossingJson(output, program.stage));
    const auto namesOf = [&](const std::vector<ValueId>& tensors) {
        Json names = Json::array();
        for (const ValueId tensor : tensors)
            names.push_back(m_graph[tensor].target);
        return names;
    };
    const auto isRecomputed = [&](NodeId node) {
        return !m_graph.context(m_graph[node].context).recomputeRegions.empty();
    };
    json["recomputes"] = std::ranges::any_of(program.nodes, isRecomputed);
    if (json["recomputes"]) {
        json["regions"] = regionsJson(program);
        json["saved_bytes"] = files.savedBytes ? Json(files.savedBytes->count()) : Json(nullptr);
    }
    json["parameters"] = namesOf(program.parameters);
    json["buffers"] = namesOf(program.buffers);
    json["constants"] = namesOf(program.constants);
    json["state"] = stateJson(program);
    json["relays"] = Json::array();
    for (const ValueId relay : program.relays)
        json["relays"].push_back(m_names[relay]);
    return json;
}

} // namespace

std::vector<SharedParameter> sharedParameters(const Model& model, const std::vector<StageProgram>& programs)
{
    std::map<ValueId, std::vector<StageId>> stages;
    for (const StageProgram& program : programs)
        for (const ValueId parameter : program.parameters)
            stages[parameter].push_back(program.stage);
    std::vector<SharedParameter> shared;
    for (const auto& [parameter, users] : stages)
        if (users.size() > 1)
            shared.push_back({model.graph[parameter].target, users});
    return shared;
}

std::string describedType(const Value& value)
{
    if (!value.meta)
        return "number";
    std::string sizes;
    for (const SymInt& size : value.meta->sizes)
        sizes += (sizes.empty() ? "" : ", ") + size.text();
    return plainDType(value.meta->dtype) + '[' + sizes + ']';
}

std::string manifestJson(const Model& model, const std::vector<StageProgram>& programs,
                         const std::vector<StageFiles>& files, const TrainingPlan& training,
                         const std::vector<WrittenFile>& written)
{
    return ManifestWriter(model, programs, files, training).text(written);
}

} // namespace stagecraft
