// Running and comparing: the part of verification that needs LibTorch.
#include "core/base/scratch_folder.h"
#include "core/load/loss_output.h"
#include "core/measure/cpu_contention.h"
#include "core/measure/thread_count.h"
#include "core/run/missing_derivative.h"
#include "core/run/scratch_memory.h"
#include "core/run/torch_types.h"
#include "core/stage/export.h"
#include "core/stage/manifest.h"
#include "core/stage/model_run.h"
#include "core/stage/python_results.h"
#include "core/stage/stage_chain.h"
#include "core/stage/tensor_comparer.h"
#include "core/stage/verify.h"
#include "core/stage/verify_kept.h"
#include "core/trace/kernels/meta_kernels.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

namespace stagecraft {

namespace {

// Has every stage a .pt2?
bool hasPrograms(const Manifest& manifest)
{
    return std::ranges::none_of(manifest.stages,
                                [](const ManifestStage& stage) { return stage.files.program.empty(); });
}

// Of weights: the gradients of the model and those of its stages are as large, each.
constexpr Bytes mostInMemory(std::int64_t{256} << 20);

// A copy of one of the model's inputs, with its strides: what is made of it may rely on them.
c10::IValue copyOfInput(const c10::IValue& value)
{
    if (!value.isTensor())
        return value;
    const at::Tensor tensor = value.toTensor().detach();
    at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
    const auto storage = [](const at::Tensor& of) { // all that it reaches, once
        std::int64_t reached = of.numel() > 0 ? 1 : 0;
        for (std::int64_t i = 0; i < of.dim() && of.numel() > 0; ++i)
            reached += (of.size(i) - 1) * of.stride(i);
        return of.as_strided({reached}, {1});
    };
    storage(copy).copy_(storage(tensor));
    return copy.set_requires_grad(value.toTensor().requires_grad());
}

NamedTensors gradientsOf(const std::vector<std::pair<std::string, at::Tensor>>& inputs)
{
    NamedTensors gradients;
    for (const auto& [name, tensor] : inputs)
        if (tensor.defined() && tensor.requires_grad())
            gradients[name] = tensor.grad();
    return gradients;
}

constexpr const char* noGradients = "no output of the model has any";

class Verification
{
public:
    Verification(const Model& model, const Manifest& manifest, std::filesystem::path folder,
                 const VerifyOptions& options)
        : m_model(model),
          m_manifest(manifest),
          m_folder(std::move(folder)),
          m_options(options),
          m_run{.device = model.structureOnly() ? RunDevice::Meta : RunDevice::Cpu,
                .bindings = options.bindings,
                .inputs = options.inputs,
                .seed = options.seed}
    {
    }

    Result<VerifyReport> run(const Progress& progress)
    {
        // Threads that wait for each other spin: mostly that, where other work has the processors.
        const bool isBusy = CpuContention::ofProcess().soFar() > 0.25;
        const ThreadCount threads(isBusy ? 1 : 0);
        STAGECRAFT_TRY(runWhole(progress));
        VerifyReport report = emptyReport();
        RunResult inPython;
        if (m_options.python) {
            STAGECRAFT_ASSIGN(made, resultsInPython(pythonRun(m_folder), m_inputs, progress));
            inPython = std::move(made);
            STAGECRAFT_TRY(compare(inPython, "in Python: ", report));
        }
        if (!m_unknownOperator && (!m_options.python || hasPrograms(m_manifest))) {
            STAGECRAFT_TRY(compareStages(progress, report));
        }
        if (!m_unknownOperator && !m_withoutGradients)
            STAGECRAFT_TRY(compareKept(m_model, m_manifest, m_folder, inPython.savedBytes, progress, report));
        STAGECRAFT_TRY(compareStoredWeights(m_model, m_manifest, m_folder, report));
        STAGECRAFT_TRY(compareWrittenFiles(m_manifest, m_folder, progress, report));
        return report;
    }

private:
    // With the gradients that PyTorch can make. What fails without any, too, has failed.
    Result<void> runWhole(const Progress& progress)
    {
        std::optional<std::string> reason;
        for (const Gradients gradients : {Gradients::OfAll, Gradients::OfParameters, Gradients::LeftOut}) {
            m_run.gradients = gradients;
            const Result<void> done = runWholeOnce(progress);
            if (done.has_value() && reason)
                (gradients == Gradients::LeftOut || m_withoutGradients ? m_withoutGradients
                                                                       : m_withoutInputGradients) = reason;
            if (done.has_value() || gradients == Gradients::LeftOut ||
                done.error().code == ErrorCode::Cancelled || done.error().code == ErrorCode::NotFound)
                return done;
            const std::string& problem = done.error().message;
            reason = missingDerivative(problem).value_or("PyTorch cannot make them: " + problem);
        }
        return {};
    }

    Result<void> runWholeOnce(const Progress& progress)
    {
        m_whole = {};
        m_withoutGradients.reset();
        Result<std::unique_ptr<ModelRun>> model = ModelRun::make(m_model, m_run);
        if (model.has_value())
            return runHere(**model, progress);
        if (model.error().code != ErrorCode::NotFound)
            return model.error();
        m_unknownOperator = model.error().message;
        return runInPython(progress);
    }

    // The whole model on the inputs, of which the stages get copies.
    Result<void> runHere(ModelRun& model, const Progress& progress)
    {
        const std::vector<std::pair<std::string, at::Tensor>> given = takeInputs(model.values());
        STAGECRAFT_TRY(progress.begin("Running the model"));
        STAGECRAFT_TRY(model.forward(progress));
        m_whole.outputs = model.outputs();
        const at::Tensor loss = lossOf(m_whole.outputs, m_manifest.lossOutput);
        if (loss.defined())
            STAGECRAFT_TRY(backwardFrom(loss));
        else
            m_withoutGradients = noGradients;
        model.addParameterGradients(m_whole.parameterGradients);
        model.addBuffers(m_whole.buffers);
        m_whole.inputGradients = gradientsOf(given);
        return {};
    }

    // Of a model that calls what Python alone has: as one stage.
    Result<void> runInPython(const Progress& progress)
    {
        if (!m_options.python)
            return Error{ErrorCode::NotFound, *m_unknownOperator + "; or run model and stages by Python "
                                                                   "(--python-import FILE.py defines it)"};
        const ScratchFolder scratch;
        if (scratch.path().empty())
            return Error{ErrorCode::Unreadable, "there is no place for temporary files"};
        const std::filesystem::path folder = scratch.path() / "whole";
        STAGECRAFT_ASSIGN(loss, lossOutput(m_model));
        ExportOptions options{.folder = folder, .formats = {StageFormat::Python}};
        if (lossQuestion(loss)) // the manifest has the answer
            options.lossOutput = sumOfOutputs;
        STAGECRAFT_TRY(exportStages(m_model, singleStage(m_model.graph.nodeCount()), options, progress));
        STAGECRAFT_ASSIGN(values, runValues(m_model, m_run));
        takeInputs(values);
        STAGECRAFT_ASSIGN(made, resultsInPython(pythonRun(folder), m_inputs, progress));
        m_whole = std::move(made);
        const auto isNone = [](const auto& entry) { return !entry.second.defined(); };
        if (m_whole.parameterGradients.empty() && std::ranges::all_of(m_whole.inputGradients, isNone))
            m_withoutGradients = noGradients;
        return {};
    }

    // Keeps copies of what the model takes, and returns the tensors by their names.
    std::vector<std::pair<std::string, at::Tensor>> takeInputs(const ValueTable& values)
    {
        const std::vector<ValueId> ids = userInputs(m_model); // as many as the manifest has: checked
        std::vector<std::pair<std::string, at::Tensor>> given;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::string& name = m_manifest.modelInputs[i];
            m_inputs[name] = copyOfInput(values[ids[i]]);
            given.emplace_back(name, values.tensor(ids[i]));
        }
        return given;
    }

    static Result<void> backwardFrom(const at::Tensor& loss)
    {
        try {
            torch::autograd::backward({loss});
        } catch (const c10::OutOfMemoryError&) {
            throw;
        } catch (const c10::Error& failure) {
            return Error{ErrorCode::Unsupported, exceptionReason(failure)};
        }
        return {};
    }

    PythonRun pythonRun(const std::filesystem::path& folder) const
    {
        return {.python = *m_options.python,
                .folder = folder,
                .seed = m_options.seed,
                .lossOutput = m_manifest.lossOutput,
                .shapesOnly = m_run.device == RunDevice::Meta,
                .forwardOnly = m_run.gradients == Gradients::LeftOut,
                .imports = m_options.pythonImports,
                .hearErrors = m_options.hearPython};
    }

    Result<void> compareStages(const Progress& progress, VerifyReport& report) const
    {
        StageChain chain(m_model, m_manifest, m_folder, m_run); // in whose files some of the results lie
        RunResult stages;
        STAGECRAFT_TRY(chain.forward(m_inputs, progress));
        STAGECRAFT_TRY(chain.backward());
        STAGECRAFT_TRY(chain.collect(stages));
        std::vector<std::pair<std::string, at::Tensor>> given;
        for (const auto& [name, value] : m_inputs)
            if (value.isTensor())
                given.emplace_back(name, value.toTensor());
        stages.inputGradients = gradientsOf(given);
        return compare(stages, "", report);
    }

    VerifyReport emptyReport() const
    {
        VerifyReport report{.stageCount = m_manifest.stages.size(),
                            .shapesOnly = m_model.structureOnly(),
                            .withoutGradients = m_withoutGradients,
                            .withoutInputGradients = m_withoutInputGradients,
                            .options = m_options};
        if (report.shapesOnly)
            report.notes.push_back("the model has no weights: shapes and types were compared, not numbers");
        if (m_unknownOperator)
            report.notes.push_back("the model was run by Python, as one stage, and no .pt2: " +
                                   *m_unknownOperator);
        return report;
    }

    // `way` says in the names of the comparisons how the stages were run.
    Result<void> compare(const RunResult& stages, const std::string& way, VerifyReport& report) const
    {
        if (m_whole.outputs.size() != stages.outputs.size())
            return Error{ErrorCode::BadFormat, m_folder.string() + ": the last stage returns " +
                                                   std::to_string(stages.outputs.size()) +
                                                   " values, the model " +
                                                   std::to_string(m_whole.outputs.size())};
        const std::size_t before = report.comparisons.size();
        const TensorComparer comparer(m_options, report.shapesOnly);
        for (std::size_t i = 0; i < m_whole.outputs.size(); ++i)
            report.comparisons.push_back(comparer.outputs(i, m_whole.outputs[i], stages.outputs[i]));
        if (!m_withoutGradients) {
            comparer.named(Comparison::Kind::ParameterGradient, m_whole.parameterGradients,
                           stages.parameterGradients, report);
            comparer.named(Comparison::Kind::InputGradient, m_whole.inputGradients, stages.inputGradients,
                           report);
        }
        comparer.named(Comparison::Kind::Buffer, m_whole.buffers, stages.buffers, report);
        for (std::size_t i = before; i < report.comparisons.size(); ++i)
            report.comparisons[i].name = way + report.comparisons[i].name;
        return {};
    }

    const Model& m_model;
    const Manifest& m_manifest;
    std::filesystem::path m_folder;
    const VerifyOptions& m_options;
    ModelRunOptions m_run;
    std::map<std::string, c10::IValue> m_inputs; // by name; of the stages, which write to them
    RunResult m_whole;
    std::optional<std::string> m_withoutGradients; // as in the report
    std::optional<std::string> m_withoutInputGradients;
    std::optional<std::string> m_unknownOperator; // of the model: who calls it, and what would help
};

} // namespace

Result<VerifyReport> verifyExport(const Model& model, const std::filesystem::path& folder,
                                  const VerifyOptions& asked, const Progress& progress)
{
    registerMetaKernels();
    VerifyOptions options = asked;
    if (model.structureOnly())
        options.inputs = {};
    options.bindings.insert(asked.inputs.bindings.begin(),
                            asked.inputs.bindings.end()); // for the stages, too
    STAGECRAFT_ASSIGN(manifest, readManifest(folder));
    if (const Result<void> checked = checkManifest(manifest, model); !checked.has_value())
        return Error{checked.error().code, folder.string() + ": " + checked.error().message};
    if (!options.python && !hasPrograms(manifest)) // said before the whole model is run
        return Error{ErrorCode::NotFound,
                     folder.string() + ": has no .pt2 files; export with format pt2, or have Python run "
                                       "the stages (verify --python)"};
    try {
        std::optional<ScratchMemory> scratch;
        if (model.weights.dataSize() > mostInMemory)
            scratch.emplace(std::filesystem::temp_directory_path());
        return ifUnchanged(model, Verification(model, manifest, folder, options).run(progress));
    } catch (const std::exception& failure) {
        return Error{ErrorCode::Failed, folder.string() + ": cannot be run: " + exceptionReason(failure)};
    }
}

} // namespace stagecraft
