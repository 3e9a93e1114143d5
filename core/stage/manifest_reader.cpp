// Reads manifest.json back. It may be anybody's: nothing in it is used before it was checked.
#include "core/base/contains.h"
#include "core/base/json_entry.h"
#include "core/base/text_file.h"
#include "core/load/weight_files.h"
#include "core/stage/manifest.h"
#include "core/stage/python_code.h"
#include "core/stage/weight_shards.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace stagecraft {

namespace {

constexpr const char* scriptName = "pipeline.py";

// Null: there is none.
Result<std::string> fileName(const JsonEntry& entry)
{
    return entry.isNull() ? std::string() : entry.text();
}

// "float32[8, s77]", from {"dtype": "float32", "shape": [8, "s77"]}.
Result<std::string> typeText(const JsonEntry& value)
{
    if (value["dtype"].isNull() && value["shape"].isNull())
        return std::string("number");
    STAGECRAFT_ASSIGN(dtype, value["dtype"].text());
    STAGECRAFT_ASSIGN(shape, value["shape"].elements());
    std::string sizes;
    for (const JsonEntry& size : shape) {
        sizes += sizes.empty() ? "" : ", ";
        if (size.isText()) {
            STAGECRAFT_ASSIGN(symbol, size.text());
            sizes += symbol;
        } else {
            STAGECRAFT_ASSIGN(number, size.integer());
            sizes += std::to_string(number);
        }
    }
    return dtype + '[' + sizes + ']';
}

Result<ManifestStage::Input> readInput(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(name, entry["name"].text());
    STAGECRAFT_ASSIGN(source, entry["source"].text());
    STAGECRAFT_ASSIGN(value, entry["value"].text());
    STAGECRAFT_ASSIGN(type, typeText(entry));
    if (source != "model" && source != "previous")
        return entry["source"].wrong("\"model\" or \"previous\": a stage takes nothing from elsewhere");
    if (name != value)
        return entry["value"].wrong("'" + name + "': the stage would take it by another name");
    const JsonEntry gradient = entry["requires_grad"]; // exports of earlier versions do not say
    bool hasGradient = false;
    if (!gradient.isNull()) {
        STAGECRAFT_ASSIGN(said, gradient.truth());
        hasGradient = said;
    }
    return ManifestStage::Input{std::move(name), source == "model", std::move(value), std::move(type),
                                hasGradient};
}

// Exports of earlier versions do not say.
Result<std::vector<ManifestStage::StateEntry>> readState(const JsonEntry& entry)
{
    std::vector<ManifestStage::StateEntry> state;
    if (entry.isNull())
        return state;
    STAGECRAFT_ASSIGN(elements, entry.elements());
    for (const JsonEntry& element : elements) {
        STAGECRAFT_ASSIGN(name, element["name"].text());
        STAGECRAFT_ASSIGN(type, typeText(element));
        STAGECRAFT_ASSIGN(aliasOf, fileName(element["alias_of"]));
        state.push_back({std::move(name), std::move(type), std::move(aliasOf)});
    }
    return state;
}

// Exports of earlier versions do not say.
Result<std::vector<ManifestStage::Region>> readRegions(const JsonEntry& entry)
{
    std::vector<ManifestStage::Region> regions;
    if (entry.isNull())
        return regions;
    STAGECRAFT_ASSIGN(list, entry.elements());
    for (const JsonEntry& one : list) {
        ManifestStage::Region region;
        STAGECRAFT_ASSIGN(first, one["first"].text());
        STAGECRAFT_ASSIGN(last, one["last"].text());
        STAGECRAFT_ASSIGN(nodes, one["nodes"].count());
        STAGECRAFT_ASSIGN(kept, one["kept"].texts());
        STAGECRAFT_ASSIGN(inProgram, one["in_program"].truth());
        regions.push_back({std::move(first), std::move(last), nodes, std::move(kept), inProgram});
    }
    return regions;
}

Result<ManifestStage> readStage(const JsonEntry& entry, std::size_t number)
{
    STAGECRAFT_ASSIGN(index, entry["index"].count());
    STAGECRAFT_ASSIGN(className, entry["class"].text());
    if (index != number)
        return entry["index"].wrong(std::to_string(number) + ", its place in the list");
    if (className != stageClassName(StageId(number)))
        return entry["class"].wrong("'" + stageClassName(StageId(number)) + "'");
    ManifestStage stage;
    for (const auto& [name, key] : {std::pair(&stage.files.code, "code"),
                                    {&stage.files.program, "program"},
                                    {&stage.files.script, "torchscript"},
                                    {&stage.files.weights, "weights"}}) {
        STAGECRAFT_ASSIGN(file, fileName(entry[key]));
        *name = std::move(file);
    }
    STAGECRAFT_ASSIGN(inputs, entry["inputs"].elements());
    for (const JsonEntry& input : inputs) {
        STAGECRAFT_ASSIGN(read, readInput(input));
        stage.inputs.push_back(std::move(read));
    }
    STAGECRAFT_ASSIGN(outputs, entry["outputs"].elements());
    for (const JsonEntry& output : outputs) {
        STAGECRAFT_ASSIGN(name, output["name"].text());
        STAGECRAFT_ASSIGN(type, typeText(output));
        stage.outputs.push_back(std::move(name));
        stage.outputTypes.push_back(std::move(type));
    }
    STAGECRAFT_ASSIGN(regions, readRegions(entry["regions"]));
    stage.regions = std::move(regions);
    if (!entry["saved_bytes"].isNull()) {
        STAGECRAFT_ASSIGN(saved, entry["saved_bytes"].count());
        stage.files.savedBytes = Bytes(static_cast<std::int64_t>(saved));
    }
    STAGECRAFT_ASSIGN(state, readState(entry["state"]));
    stage.state = std::move(state);
    for (const auto& [names, key] : {std::pair(&stage.parameters, "parameters"),
                                     {&stage.buffers, "buffers"},
                                     {&stage.constants, "constants"}}) {
        STAGECRAFT_ASSIGN(listed, entry[key].texts());
        *names = std::move(listed);
    }
    return stage;
}

// "train.py": letters, a dot, letters. Other versions may have other files.
bool isPlainName(const std::string& name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    const std::size_t dot = name.find('.');
    return dot != 0 && dot != std::string::npos && dot + 1 < name.size() &&
           std::ranges::count_if(name, isLetter) + 1 == std::ssize(name);
}

// Exports of earlier versions do not say.
Result<std::vector<WrittenFile>> readWritten(const JsonEntry& entry)
{
    std::vector<WrittenFile> written;
    if (entry.isNull())
        return written;
    STAGECRAFT_ASSIGN(files, entry.elements());
    for (const JsonEntry& file : files) {
        STAGECRAFT_ASSIGN(name, file["name"].text());
        STAGECRAFT_ASSIGN(bytes, file["bytes"].integer());
        STAGECRAFT_ASSIGN(sha256, fileName(file["sha256"]));
        if (!isExportFileName(name))
            return file["name"].wrong("a file of an export: '" + name + "'");
        if (bytes < 0)
            return file["bytes"].wrong("0 or more");
        written.push_back({std::move(name), Bytes(bytes), std::move(sha256)});
    }
    return written;
}

// Exports of earlier versions do not say.
Result<std::optional<RunPlan>> readRun(const JsonEntry& entry)
{
    if (entry["schedule"].isNull())
        return std::optional<RunPlan>();
    STAGECRAFT_ASSIGN(name, entry["schedule"].text());
    STAGECRAFT_ASSIGN(microbatches, entry["microbatches"].count());
    STAGECRAFT_ASSIGN(sends, entry["send"].text());
    STAGECRAFT_ASSIGN(schedule, parseSchedule(name));
    STAGECRAFT_ASSIGN(send, parseName(sendKinds, sends));
    return std::optional(RunPlan{schedule, microbatches, send});
}

using StagesOfName = std::map<std::string, std::vector<std::size_t>>;

// Fails where a name is there twice.
Result<StagesOfName> readShared(const JsonEntry& entry)
{
    StagesOfName shared;
    STAGECRAFT_ASSIGN(list, entry.elements());
    for (const JsonEntry& parameter : list) {
        STAGECRAFT_ASSIGN(name, parameter["name"].text());
        STAGECRAFT_ASSIGN(stages, parameter["stages"].elements());
        std::vector<std::size_t> numbers;
        for (const JsonEntry& stage : stages) {
            STAGECRAFT_ASSIGN(number, stage.count());
            numbers.push_back(number);
        }
        if (!shared.emplace(name, std::move(numbers)).second)
            return parameter["name"].wrong("new: '" + name + "' is there twice");
    }
    return shared;
}

// ---------------------------------------------------------------- is it consistent?
using Contradiction = std::optional<std::string>; // what is wrong; none where all is well

bool isWritten(const Manifest& manifest, const std::string& name)
{
    return contains(manifest.written, name, &WrittenFile::name);
}

// The shards of a stage, all of them, are listed where their index is, and else none.
Contradiction shardsProblem(const Manifest& manifest, const ManifestStage& stage, const std::string& stem)
{
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        manifest.written, [&](const WrittenFile& file) { return file.name.starts_with(stem + "-"); }));
    const bool isSharded = stage.files.weights == stem + shardIndexEnding;
    if (isSharded == (count == 0))
        return isSharded ? "'files' lists no shards of its weights" : "'files' lists shards without an index";
    for (std::size_t i = 1; i <= count; ++i)
        if (!isWritten(manifest, shardFileName(stem, i, count)))
            return "'files' does not list " + shardFileName(stem, i, count);
    return std::nullopt;
}

Contradiction filesProblem(const Manifest& manifest, std::size_t index)
{
    const ManifestStage& stage = manifest.stages[index];
    const std::string stem = "stage_" + std::to_string(index);
    const bool isSharded = stage.files.weights == stem + shardIndexEnding;
    for (const auto& [name, ending] :
         {std::pair(&stage.files.code, ".py"),
          {&stage.files.program, ".pt2"},
          {&stage.files.script, ".ts.pt"},
          {&stage.files.weights, isSharded ? shardIndexEnding : ".safetensors"}}) {
        if (!name->empty() && *name != stem + ending)
            return "its file is called '" + *name + "', not " + stem + ending;
        const bool isListed = isWritten(manifest, stem + ending);
        if (!manifest.written.empty() && isListed == name->empty())
            return (isListed ? "it does not name " : "it names ") + stem + ending + ", which 'files' " +
                   (isListed ? "lists" : "does not list");
    }
    return shardsProblem(manifest, stage, stem);
}

Contradiction repetition(const ManifestStage& stage)
{
    std::set<std::string> names;
    for (const auto* list : {&stage.parameters, &stage.buffers, &stage.constants})
        for (const std::string& name : *list)
            if (!names.insert(name).second)
                return "it lists '" + name + "' twice";
    return std::nullopt;
}

// What is received is what the stage before returns, in its order; then come inputs of the model.
Contradiction inputsProblem(const Manifest& manifest, std::size_t index)
{
    const ManifestStage& stage = manifest.stages[index];
    const ManifestStage nothing;
    const ManifestStage& before = index == 0 ? nothing : manifest.stages[index - 1];
    std::set<std::string> names;
    std::size_t received = 0;
    for (const ManifestStage::Input& input : stage.inputs) {
        if (!names.insert(input.name).second)
            return "it takes '" + input.name + "' twice";
        if (input.fromModel && !contains(manifest.modelInputs, input.value))
            return "it takes '" + input.value + "', which is no input of the model";
        if (input.fromModel)
            continue;
        if (received == before.outputs.size())
            return "it takes more than the stage before returns";
        if (before.outputs[received] != input.value || before.outputTypes[received] != input.type)
            return "it takes '" + input.value + "' (" + input.type + ") where the stage before returns '" +
                   before.outputs[received] + "' (" + before.outputTypes[received] + ")";
        ++received;
    }
    if (received != before.outputs.size())
        return "it takes " + std::to_string(received) + " of the " + std::to_string(before.outputs.size()) +
               " values that the stage before returns";
    return std::nullopt;
}

// Of one stage's entry, looked at from all sides.
Contradiction stageProblem(const Manifest& manifest, std::size_t index)
{
    Contradiction problem = filesProblem(manifest, index);
    if (!problem)
        problem = repetition(manifest.stages[index]);
    return problem ? problem : inputsProblem(manifest, index);
}

Contradiction sharedProblem(const Manifest& manifest, const StagesOfName& said)
{
    StagesOfName users;
    for (std::size_t i = 0; i < manifest.stages.size(); ++i)
        for (const std::string& name : manifest.stages[i].parameters)
            users[name].push_back(i);
    std::erase_if(users, [](const auto& entry) { return entry.second.size() < 2; });
    if (users != said)
        return "its shared parameters are not those that several of its stages have";
    return std::nullopt;
}

Contradiction problemOf(const Manifest& manifest, const StagesOfName& shared)
{
    if (manifest.stages.empty())
        return "it has no stages";
    for (std::size_t i = 0; i < manifest.stages.size(); ++i) {
        if (const Contradiction problem = stageProblem(manifest, i))
            return "the entry of stage " + std::to_string(i + 1) + " contradicts the rest: " + *problem;
    }
    return sharedProblem(manifest, shared);
}

Result<Manifest> readDocument(const JsonEntry& document)
{
    const JsonEntry model = document["model"];
    Manifest manifest;
    STAGECRAFT_ASSIGN(name, model["name"].text());
    manifest.modelName = std::move(name);
    STAGECRAFT_ASSIGN(inputs, document["model_inputs"].texts());
    manifest.modelInputs = std::move(inputs);
    STAGECRAFT_ASSIGN(written, readWritten(document["files"]));
    manifest.written = std::move(written);
    if (!model["loss_output"].isNull()) {
        STAGECRAFT_ASSIGN(loss, model["loss_output"].count());
        manifest.lossOutput = loss;
    }
    STAGECRAFT_ASSIGN(run, readRun(document["plan"]));
    manifest.run = run;
    STAGECRAFT_ASSIGN(stages, document["stages"].elements());
    for (std::size_t i = 0; i < stages.size(); ++i) {
        STAGECRAFT_ASSIGN(stage, readStage(stages[i], i));
        manifest.stages.push_back(std::move(stage));
    }
    STAGECRAFT_ASSIGN(shared, readShared(document["shared_parameters"]));
    if (const Contradiction problem = problemOf(manifest, shared))
        return document.wrong("consistent: " + *problem);
    return manifest;
}

// "-00001-of-00003.safetensors"
bool isShardEnding(std::string ending)
{
    for (char& c : ending)
        c = c >= '0' && c <= '9' ? '0' : c;
    return ending == shardFileName("", 0, 0);
}

} // namespace

bool isExportFolderName(const std::string& name)
{
    return contains(std::array{"stagecraft_runtime", "examples"}, name);
}

bool isExportFileName(const std::string& name)
{
    if (contains(std::array{manifestFileName, scriptName, "README.md"}, name))
        return true;
    if (const std::size_t slash = name.find('/'); slash != std::string::npos)
        return isExportFolderName(name.substr(0, slash)) && isPlainName(name.substr(slash + 1));
    const std::string_view prefix = "stage_";
    const std::size_t end = std::min(name.find_first_not_of("0123456789", prefix.size()), name.size());
    if (!name.starts_with(prefix) || end == prefix.size())
        return false;
    const std::string ending = name.substr(end);
    return contains(std::array{".py", ".pt2", ".ts.pt", ".safetensors", shardIndexEnding}, ending) ||
           isShardEnding(ending);
}

Result<Manifest> readManifest(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / manifestFileName;
    constexpr Bytes most(std::int64_t{256} << 20);
    Result<std::string> read = readTextFile(path, most);
    if (!read.has_value() && read.error().code == ErrorCode::Unreadable)
        return Error{ErrorCode::NotFound, folder.string() + ": no export: it has no manifest.json"};
    STAGECRAFT_ASSIGN(text, std::move(read));
    STAGECRAFT_ASSIGN(json, parseJson<nlohmann::json>(text, path.string()));
    const JsonEntry document(json, path.string());
    STAGECRAFT_ASSIGN(format, document["format"].integer());
    if (format != manifestFormat)
        return Error{ErrorCode::Unsupported, path.string() + ": of a format this program does not know"};
    Result<Manifest> manifest = readDocument(document);
    if (!manifest.has_value())
        return Error{manifest.error().code, manifest.error().message + "; export again"};
    manifest->text = std::move(text);
    return manifest;
}

Result<std::vector<std::string>> exportedFiles(const std::filesystem::path& folder)
{
    STAGECRAFT_ASSIGN(manifest, readManifest(folder));
    std::vector<std::string> names{manifestFileName};
    const auto add = [&names](const std::string& name) {
        if (!name.empty() && !contains(names, name))
            names.push_back(name);
    };
    for (const WrittenFile& file : manifest.written)
        add(file.name);
    for (const ManifestStage& stage : manifest.stages) {
        for (const std::string* name :
             {&stage.files.code, &stage.files.program, &stage.files.script, &stage.files.weights})
            add(*name);
        if (!stage.files.code.empty())
            add(scriptName);
    }
    return names;
}

} // namespace stagecraft
