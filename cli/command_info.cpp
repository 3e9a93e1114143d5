#include "cli/command.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/weights_option.h"
#include "core/load/model.h"
#include "core/plan/split_spec.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct InfoOptions
{
    ModelOption model;
    bool json = false;
};

constexpr std::string_view scriptDialect = "TorchScript";

std::string_view containerName(const Provenance& origin)
{
    if (origin.dialect == scriptDialect)
        return "TorchScript archive";
    switch (origin.container) {
    case ContainerKind::FlatZip:
        return "flat zip (torch 2.5 to 2.7)";
    case ContainerKind::Pt2Archive:
        break;
    }
    return "PT2 archive";
}

// "PT2 archive, torch 2.14.0, schema 8.20, TRAINING".
std::string originText(const Provenance& origin)
{
    const std::string container(containerName(origin));
    if (origin.dialect == scriptDialect)
        return container + ", version " + origin.schemaVersion;
    return container + ", torch " + origin.torchVersion + ", schema " + origin.schemaVersion + ", " +
           origin.dialect;
}

struct TensorSum
{
    std::int64_t tensors = 0;
    std::int64_t elements = 0;
    Bytes bytes;

    Result<void> add(const TensorMeta& meta)
    {
        STAGECRAFT_ASSIGN(count, elementCount(meta, {}));
        STAGECRAFT_ASSIGN(size, byteSize(meta, {}));
        ++tensors;
        elements += count;
        bytes += size;
        return {};
    }
};

// Tied parameters count once.
Result<TensorSum> sumParameters(const Model& model)
{
    TensorSum sum;
    for (const ParameterGroup& group : parameterGroups(model))
        STAGECRAFT_TRY(sum.add(*model.graph[group.values.front()].meta));
    return sum;
}

Result<TensorSum> sumInputs(const Model& model, InputSpec::Kind kind)
{
    TensorSum sum;
    for (const InputSpec& input : model.signature.inputs)
        if (input.kind == kind && input.value && model.graph[*input.value].isTensor())
            STAGECRAFT_TRY(sum.add(*model.graph[*input.value].meta));
    return sum;
}

ordered_json userInputs(const Model& model)
{
    ordered_json inputs = ordered_json::array();
    for (const InputSpec& input : model.signature.inputs) {
        if (input.kind == InputSpec::Kind::Literal)
            inputs.push_back({{"name", input.name}, {"literal", true}});
        if (input.kind != InputSpec::Kind::User || !input.value)
            continue;
        const Value& value = model.graph[*input.value];
        inputs.push_back(
            {{"name", value.name}, {"type", value.isTensor() ? metaText(*value.meta) : "number"}});
    }
    return inputs;
}

ordered_json userOutputs(const Model& model)
{
    ordered_json outputs = ordered_json::array();
    for (std::size_t i = 0; i < model.signature.outputs.size(); ++i) {
        if (!model.signature.isReturned(i))
            continue;
        const auto* id = std::get_if<ValueId>(&model.graph.outputs()[i]);
        if (!id) {
            outputs.push_back({{"literal", true}});
            continue;
        }
        const Value& value = model.graph[*id];
        outputs.push_back(
            {{"name", value.name}, {"type", value.isTensor() ? metaText(*value.meta) : "number"}});
    }
    return outputs;
}

Result<ordered_json> describe(const Model& model)
{
    STAGECRAFT_ASSIGN(parameters, sumParameters(model));
    STAGECRAFT_ASSIGN(buffers, sumInputs(model, InputSpec::Kind::Buffer));
    STAGECRAFT_ASSIGN(constants, sumInputs(model, InputSpec::Kind::Constant));
    const Provenance& origin = model.provenance;
    ordered_json symbols = ordered_json::object();
    for (const auto& [name, range] : model.graph.symbolRanges())
        symbols[name] = {{"min", range.min ? ordered_json(*range.min) : ordered_json()},
                         {"max", range.max ? ordered_json(*range.max) : ordered_json()}};
    return ordered_json{
        {"model", model.name},
        {"file", origin.path.string()},
        {"container", containerName(origin)},
        {"torch_version", origin.torchVersion},
        {"schema_version", origin.schemaVersion},
        {"dialect", origin.dialect},
        {"structure_only", model.structureOnly()},
        {"nodes", origin.fileNodeCount},
        {"operators", model.graph.nodeCount()},
        {"modules", model.graph.modules().size()},
        {"parameters", parameters.elements},
        {"parameter_bytes", parameters.bytes.count()},
        {"parameter_tensors", parameters.tensors},
        {"buffers", buffers.tensors},
        {"buffer_bytes", buffers.bytes.count()},
        {"constants", constants.tensors},
        {"split_marks", markedSplit(model.graph).size()},
        {"symbols", std::move(symbols)},
        {"inputs", userInputs(model)},
        {"outputs", userOutputs(model)},
        {"notes", origin.notes},
    };
}

void printSignature(const char* title, const ordered_json& entries)
{
    for (const ordered_json& entry : entries)
        std::cout << title << entry.value("name", std::string("(literal)")) << "  "
                  << entry.value("type", std::string("fixed at export")) << '\n';
}

// " from 2 to 64"; a side that is null is open.
std::string rangeText(const ordered_json& least, const ordered_json& most)
{
    if (least.is_null())
        return most.is_null() ? " of any size" : " up to " + most.dump();
    return " from " + least.dump() + (most.is_null() ? " on" : " to " + most.dump());
}

void printText(const Model& model, const ordered_json& info)
{
    std::cout << model.name << ": " << model.graph.nodeCount() << " operators in "
              << info["modules"].get<std::size_t>() << " modules\n"
              << "  container   " << originText(model.provenance) << '\n'
              << "  parameters  " << formatCount(info["parameters"].get<double>()) << " in "
              << info["parameter_tensors"] << " tensors, "
              << formatBytes(Bytes(info["parameter_bytes"].get<std::int64_t>()))
              << (model.structureOnly() ? " (structure only: the file holds no weights)" : "") << '\n'
              << "  buffers     " << info["buffers"] << ", "
              << formatBytes(Bytes(info["buffer_bytes"].get<std::int64_t>())) << '\n';
    printSignature("  input       ", info["inputs"]);
    printSignature("  output      ", info["outputs"]);
    for (const auto& [name, range] : info["symbols"].items())
        std::cout << "  symbol      " << name << rangeText(range["min"], range["max"]) << '\n';
    if (const std::size_t marks = info["split_marks"].get<std::size_t>(); marks > 0)
        std::cout << "  split marks " << marks << " (pipe_split)\n";
    for (const std::string& note : model.provenance.notes)
        std::cout << "  note        " << note << '\n';
}

Result<void> info(const InfoOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    STAGECRAFT_ASSIGN(description, describe(model));
    if (options.json)
        printJson(description);
    else
        printText(model, description);
    return {};
}

} // namespace

void addInfoCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "info", "What a file is: operators, parameters, inputs, outputs", info);
    addSizedModel(*command, options->model);
    addWeightsOption(*command, options->model.weights);
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
