#include "core/stage/python_run.h"

#include "core/base/child_process.h"
#include "core/base/output_file.h"
#include "core/base/python_program.h"
#include "core/base/scratch_folder.h"
#include "core/load/mapped_file.h"
#include "core/stage/pipeline_script.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

// Exit status, as in the script.
constexpr int hasNoTorch = 3;
constexpr int hasNoOperator = 4;

Error notAsExpected()
{
    return {ErrorCode::BadFormat, "what Python wrote of its results cannot be read"};
}

Result<void> addTensor(const std::string& name, const PickleValue& value, const TorchSave& file,
                       WeightStore& tensors)
{
    if (value.kind == PickleValue::Kind::None)
        return {};
    if (!value.tensor || !value.tensor->storage)
        return notAsExpected();
    const OwnedBytes& storage = file.storages[*value.tensor->storage];
    const StorageKey key = tensors.addStorage(storage.bytes, storage.owner);
    return tensors.addTensor(name, value.tensor->meta, key);
}

Result<WeightStore> tensorsOf(const PickleValue& dict, const TorchSave& file)
{
    WeightStore tensors;
    for (std::size_t i = 0; i + 1 < dict.elements.size(); i += 2)
        STAGECRAFT_TRY(addTensor(dict.elements[i]->text, *dict.elements[i + 1], file, tensors));
    return tensors;
}

Result<PythonResults> readResults(const std::filesystem::path& path)
{
    STAGECRAFT_ASSIGN(bytes, MappedFile::open(path));
    STAGECRAFT_ASSIGN(file, readTorchSave({bytes->bytes(), bytes}));
    PythonResults results;
    const std::vector<PickleNode>& members = file.root->elements;
    for (std::size_t i = 0; i + 1 < members.size(); i += 2) {
        const std::string& name = members[i]->text;
        const PickleValue& value = *members[i + 1];
        if (name == "outputs") {
            results.outputs = value.elements;
            for (std::size_t k = 0; k < value.elements.size(); ++k)
                if (value.elements[k]->tensor)
                    STAGECRAFT_TRY(
                        addTensor(std::to_string(k), *value.elements[k], file, results.outputTensors));
            continue;
        }
        if (name == "saved_bytes") {
            for (const PickleNode& size : value.elements)
                results.savedBytes.push_back(
                    size->kind == PickleValue::Kind::Int ? std::optional(size->integer) : std::nullopt);
            continue;
        }
        STAGECRAFT_ASSIGN(tensors, tensorsOf(value, file));
        (name == "parameter_gradients" ? results.parameterGradients
         : name == "input_gradients"   ? results.inputGradients
                                       : results.buffers) = std::move(tensors);
    }
    return results;
}

bool namesError(std::string_view line)
{
    const std::string_view name = line.substr(0, line.find(':'));
    return name.find(' ') == name.npos && (name.ends_with("Error") || name.ends_with("Exception"));
}

// The last line that begins with the name of an error, behind which its message may have more; else the last.
std::string lastError(std::string_view text)
{
    text = text.substr(0, text.find_last_not_of(" \n") + 1);
    const std::string_view last = text.substr(text.rfind('\n') + 1);
    while (!text.empty()) {
        const std::size_t begin = text.rfind('\n') + 1;
        if (namesError(text.substr(begin)))
            return std::string(text.substr(begin));
        text = text.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return std::string(last);
}

Error pythonError(const PythonRun& run, const std::string& python, const ChildResult& result)
{
    const std::string reason = lastError(result.errors);
    if (result.status == hasNoTorch)
        return {ErrorCode::NotFound, python + " has no PyTorch (" + reason +
                                         "); name a Python that has with --python-path or STAGECRAFT_PYTHON"};
    if (result.status == hasNoOperator)
        return {ErrorCode::NotFound, python + " has no operator " + reason +
                                         "; name the module or file that registers it with "
                                         "--python-import"};
    return {ErrorCode::Failed,
            run.folder.string() + ": its stages do not run in " + python + ": " +
                (reason.empty() ? "it ended with status " + std::to_string(result.status) : reason)};
}

} // namespace

Result<PythonResults> runInPython(const PythonRun& run, const Progress& progress)
{
    const std::string python = run.python.empty() ? defaultPython() : run.python;
    const ScratchFolder scratch;
    if (scratch.path().empty())
        return Error{ErrorCode::Unreadable, "there is no place for temporary files"};
    const auto inScratch = [&](const char* name) { return (scratch.path() / name).string(); };
    std::error_code failure;
    nlohmann::json numbers = nlohmann::json::object();
    for (const auto& [name, number] : run.numbers)
        std::visit([&, &key = name](auto value) { numbers[key] = value; }, number);
    nlohmann::json loss; // null: the sum of all outputs
    if (run.lossOutput)
        loss = *run.lossOutput;
    const nlohmann::json job{{"folder", std::filesystem::absolute(run.folder, failure).string()},
                             {"seed", run.seed},
                             {"device", run.shapesOnly ? "meta" : "cpu"},
                             {"inputs", inScratch("inputs.pt")},
                             {"numbers", numbers},
                             {"loss_output", loss},
                             {"differentiated", run.differentiated},
                             {"forward_only", run.forwardOnly},
                             {"imports", run.imports},
                             {"results", inScratch("results.pt")}};
    STAGECRAFT_TRY(writeTextFile(inScratch("run_stages.py"), stageRunnerScript()));
    STAGECRAFT_TRY(writeTextFile(inScratch("inputs.pt"), run.inputs));
    STAGECRAFT_TRY(writeTextFile(inScratch("job.json"),
                                 job.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    STAGECRAFT_TRY(progress.begin("Running the stages in Python"));
    // -B: nothing is written beside the stages.
    Result<ChildResult> child =
        runChild(python, {"-B", inScratch("run_stages.py"), inScratch("job.json")}, progress);
    if (!child.has_value() && child.error().code == ErrorCode::NotFound)
        return Error{ErrorCode::NotFound,
                     child.error().message + "; name a Python with --python-path or STAGECRAFT_PYTHON"};
    if (!child.has_value())
        return child.error();
    if (run.hearErrors && !child->errors.empty())
        run.hearErrors(child->errors);
    if (child->status != 0)
        return pythonError(run, python, *child);
    return readResults(inScratch("results.pt"));
}

} // namespace stagecraft
