// Reads manifest.json back. It may be anybody's: nothing in it is used before it was checked.
#include "core/base/contains.h"
#include "core/base/text_file.h"
#include "core/stage/manifest.h"
#include "core/stage/python_code.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace stagecraft {

namespace {

using ParsedJson = nlohmann::json;

constexpr const char* scriptName = "pipeline.py";

std::vector<std::string> strings(const ParsedJson& list)
{
    return list.get<std::vector<std::string>>();
}

std::string fileName(const ParsedJson& stage, const char* key)
{
    return stage.at(key).is_null() ? std::string() : stage.at(key).get<std::string>();
}

// A list, and nothing that could be gone through as one.
const ParsedJson::array_t& elements(const ParsedJson& list)
{
    return list.get_ref<const ParsedJson::array_t&>();
}

// "float32[8, s77]", from {"dtype": "float32", "shape": [8, "s77"]}.
std::string typeText(const ParsedJson& value)
{
    if (value.at("dtype").is_null() && value.at("shape").is_null())
        return "number";
    std::string sizes;
    for (const ParsedJson& size : elements(value.at("shape")))
        sizes += (sizes.empty() ? "" : ", ") +
                 (size.is_string() ? size.get<std::string>() : std::to_string(size.get<std::int64_t>()));
    return value.at("dtype").get<std::string>() + '[' + sizes + ']';
}

ManifestStage readStage(const ParsedJson& json)
{
    ManifestStage stage;
    stage.files = {fileName(json, "code"), fileName(json, "program"), fileName(json, "weights")};
    for (const ParsedJson& input : elements(json.at("inputs")))
        stage.inputs.push_back(
            {input.at("name"), input.at("source") == "model", input.at("value"), typeText(input)});
    for (const ParsedJson& output : elements(json.at("outputs"))) {
        stage.outputs.push_back(output.at("name"));
        stage.outputTypes.push_back(typeText(output));
    }
    stage.parameters = strings(json.at("parameters"));
    stage.buffers = strings(json.at("buffers"));
    stage.constants = strings(json.at("constants"));
    return stage;
}

std::vector<WrittenFile> readWritten(const ParsedJson& json)
{
    std::vector<WrittenFile> written;
    if (json.contains("files"))
        for (const ParsedJson& file : json.at("files"))
            written.push_back({file.at("name"), Bytes(file.at("bytes").get<std::int64_t>()),
                               file.value("sha256", std::string())});
    return written;
}

// A negative or broken number is no output of any model.
std::size_t lossOutputOf(const ParsedJson& number)
{
    return number.is_number_unsigned() ? number.get<std::size_t>() : std::numeric_limits<std::size_t>::max();
}

// ---------------------------------------------------------------- is it consistent?
using Contradiction = std::optional<std::string>; // what is wrong; none where all is well

Contradiction filesProblem(const Manifest& manifest, const ParsedJson& json, std::size_t index)
{
    const ManifestStage& stage = manifest.stages[index];
    const std::string stem = "stage_" + std::to_string(index);
    if (json.at("index") != index)
        return "it is number " + json.at("index").dump();
    if (json.at("class") != stageClassName(StageId(index)))
        return "its class is " + json.at("class").dump();
    for (const auto& [name, ending] : {std::pair(&stage.files.code, ".py"),
                                       {&stage.files.program, ".pt2"},
                                       {&stage.files.weights, ".safetensors"}}) {
        if (!name->empty() && *name != stem + ending)
            return "its file is called '" + *name + "', not " + stem + ending;
        const bool isWritten = contains(manifest.written, stem + ending, &WrittenFile::name);
        if (!manifest.written.empty() && isWritten == name->empty())
            return (isWritten ? "it does not name " : "it names ") + stem + ending + ", which 'files' " +
                   (isWritten ? "lists" : "does not list");
    }
    return std::nullopt;
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

Contradiction sourceProblem(const ParsedJson& input)
{
    if (input.at("source") != "model" && input.at("source") != "previous")
        return "'" + input.at("name").get<std::string>() +
               "' comes from neither the model nor the stage before";
    if (input.at("name") != input.at("value"))
        return "it takes '" + input.at("value").get<std::string>() + "' by another name";
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
Contradiction stageProblem(const Manifest& manifest, const ParsedJson& json, std::size_t index)
{
    Contradiction problem = filesProblem(manifest, json, index);
    if (!problem)
        problem = repetition(manifest.stages[index]);
    for (const ParsedJson& input : json.at("inputs"))
        if (!problem)
            problem = sourceProblem(input);
    return problem ? problem : inputsProblem(manifest, index);
}

using StagesOfName = std::map<std::string, std::vector<std::size_t>>;

Contradiction sharedProblem(const Manifest& manifest, const ParsedJson& shared)
{
    StagesOfName users;
    for (std::size_t i = 0; i < manifest.stages.size(); ++i)
        for (const std::string& name : manifest.stages[i].parameters)
            users[name].push_back(i);
    std::erase_if(users, [](const auto& entry) { return entry.second.size() < 2; });
    StagesOfName said;
    for (const ParsedJson& entry : elements(shared))
        said[entry.at("name")] = entry.at("stages").get<std::vector<std::size_t>>();
    if (users != said || said.size() != shared.size())
        return "its shared parameters are not those that several of its stages have";
    return std::nullopt;
}

Contradiction problemOf(const Manifest& manifest, const ParsedJson& json)
{
    if (manifest.stages.empty())
        return "it has no stages";
    for (std::size_t i = 0; i < manifest.stages.size(); ++i) {
        if (const Contradiction problem = stageProblem(manifest, json.at("stages").at(i), i))
            return "the entry of stage " + std::to_string(i + 1) + " contradicts the rest: " + *problem;
    }
    for (const WrittenFile& file : manifest.written)
        if (!isExportFileName(file.name) || file.size < Bytes(0))
            return "it lists '" + file.name + "', which is no file of an export";
    return sharedProblem(manifest, json.at("shared_parameters"));
}

} // namespace

bool isExportFileName(const std::string& name)
{
    if (name == manifestFileName || name == scriptName)
        return true;
    const std::string_view prefix = "stage_";
    const std::size_t dot = name.find('.');
    if (!name.starts_with(prefix) || dot == std::string::npos || dot == prefix.size())
        return false;
    const std::string ending = name.substr(dot);
    const std::string number = name.substr(prefix.size(), dot - prefix.size());
    return number.find_first_not_of("0123456789") == std::string::npos &&
           contains(std::array{".py", ".pt2", ".safetensors"}, ending);
}

Result<Manifest> readManifest(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / manifestFileName;
    constexpr Bytes most(std::int64_t{256} << 20);
    Result<std::string> read = readTextFile(path, most);
    if (!read.has_value() && read.error().code == ErrorCode::Unreadable)
        return Error{ErrorCode::NotFound, folder.string() + ": no export: it has no manifest.json"};
    STAGECRAFT_ASSIGN(text, std::move(read));
    try {
        const ParsedJson json = ParsedJson::parse(text);
        if (json.at("format") != manifestFormat)
            return Error{ErrorCode::Unsupported, path.string() + ": of a format this program does not know"};
        Manifest manifest{json.at("model").at("name"),
                          strings(json.at("model_inputs")),
                          {},
                          readWritten(json),
                          std::move(text)};
        const ParsedJson& model = json.at("model");
        if (model.contains("loss_output") && !model.at("loss_output").is_null())
            manifest.lossOutput = lossOutputOf(model.at("loss_output"));
        for (const ParsedJson& stage : json.at("stages"))
            manifest.stages.push_back(readStage(stage));
        if (const Contradiction problem = problemOf(manifest, json))
            return Error{ErrorCode::BadFormat, path.string() + ": " + *problem + "; export again"};
        return manifest;
    } catch (const ParsedJson::exception& failure) {
        return Error{ErrorCode::BadFormat, path.string() + ": not a manifest: " + failure.what()};
    }
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
        for (const std::string* name : {&stage.files.code, &stage.files.program, &stage.files.weights})
            add(*name);
        if (!stage.files.code.empty())
            add(scriptName);
    }
    return names;
}

} // namespace stagecraft
