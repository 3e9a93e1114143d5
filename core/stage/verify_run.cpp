// Running and comparing: the part of verification that needs LibTorch.
#include "core/load/open_model.h"
#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/run/scratch_memory.h"
#include "core/run/torch_types.h"
#include "core/stage/manifest.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_results.h"
#include "core/stage/run_result.h"
#include "core/stage/tensor_comparer.h"
#include "core/stage/verify.h"
#include "core/stage/verify_kept.h"
#include "core/trace/kernels/meta_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <set>

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

// Sizes that depend on the data have no value beforehand. Inputs of such a size are only made to be replaced
// by what the stage before returns.
Bindings completeBindings(const Model& model, Bindings bindings)
{
    std::set<std::string> symbols;
    for (const ValueId input : model.graph.inputs())
        if (const std::optional<TensorMeta>& meta = model.graph[input].meta)
            for (const SymInt& size : meta->sizes)
                if (!size.hint())
                    size.collectSymbols(symbols);
    for (const std::string& symbol : symbols)
        bindings.emplace(symbol, 1);
    return bindings;
}

// A model, ready to run, with its values.
class Runner
{
public:
    static Result<std::unique_ptr<Runner>> make(const Model& model, RunDevice device,
                                                const VerifyOptions& options, const GivenInputs& inputs)
    {
        STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {.device = device}));
        STAGECRAFT_ASSIGN(values, modelValues(model, {.device = device,
                                                      .bindings = completeBindings(model, options.bindings),
                                                      .inputs = inputs,
                                                      .seed = options.seed,
                                                      .inputGradients = true}));
        std::unique_ptr<Runner> runner(new Runner(model, std::move(interpreter), std::move(values)));
        runner->dropGradientsOfWrittenInputs();
        return runner;
    }

    const ModelInterface& interface() const { return m_interface; }
    ValueTable& values() { return m_values; }

    std::vector<ValueId> userInputs() const
    {
        std::vector<ValueId> inputs;
        for (const ModelArgument& argument : m_interface.arguments)
            if (argument.value)
                inputs.push_back(*argument.value);
        return inputs;
    }

    Result<void> run(std::uint64_t seed, const Progress& progress)
    {
        RunHooks hooks;
        hooks.beforeNode = [seed](NodeId) {
            at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
            generator.set_current_seed(seed);
        };
        return m_interpreter.run(m_values, progress, hooks);
    }

    std::vector<c10::IValue> outputs() const
    {
        std::vector<c10::IValue> outputs;
        for (const Argument& output : m_interface.returned)
            outputs.push_back(outputValue(output, m_values));
        return outputs;
    }

    void addParameterGradients(NamedTensors& gradients) const
    {
        for (const ParameterGroup& group : parameterGroups(m_model)) {
            const Value& parameter = m_model.graph[group.values.front()];
            const at::Tensor tensor = m_values.tensor(group.values.front());
            const bool isRead = !parameter.users.empty() || m_model.graph.isOutput(group.values.front());
            if (!isRead || !tensor.defined() || !tensor.requires_grad())
                continue;
            at::Tensor& sum = gradients[parameter.target];
            const at::Tensor gradient = tensor.grad();
            if (gradient.defined())
                sum = sum.defined() ? sum + gradient : gradient;
        }
    }

    // What buffers hold after the step, also where the program returns their new content.
    void addBuffers(NamedTensors& buffers) const
    {
        for (const InputSpec& spec : m_model.signature.inputs)
            if (spec.kind == InputSpec::Kind::Buffer && spec.value && m_values.tensor(*spec.value).defined())
                buffers[spec.target] = m_values.tensor(*spec.value);
        const std::span<const Argument> outputs = m_model.graph.outputs();
        for (std::size_t i = 0; i < outputs.size() && i < m_model.signature.outputs.size(); ++i)
            if (const auto* value = std::get_if<ValueId>(&outputs[i]);
                value && m_model.signature.outputs[i].isStateUpdate())
                buffers[m_model.signature.outputs[i].target] = m_values.tensor(*value);
    }

private:
    Runner(const Model& model, Interpreter interpreter, ValueTable values)
        : m_model(model),
          m_interface(modelInterface(model)),
          m_interpreter(std::move(interpreter)),
          m_values(std::move(values))
    {
    }

    // A leaf that requires gradients cannot be written to.
    void dropGradientsOfWrittenInputs()
    {
        for (const ValueId input : writtenInputs(m_model.graph))
            if (m_model.graph[input].kind == ValueKind::UserInput)
                m_values.tensor(input).set_requires_grad(false);
    }

    const Model& m_model;
    const ModelInterface m_interface;
    Interpreter m_interpreter;
    ValueTable m_values;
};

// A copy that shares nothing, as if it had been sent.
c10::IValue sent(const c10::IValue& value)
{
    if (!value.isTensor())
        return value;
    const at::Tensor& tensor = value.toTensor();
    return tensor.detach().clone(at::MemoryFormat::Contiguous).set_requires_grad(tensor.requires_grad());
}

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

// The sum of one output, or of all.
at::Tensor lossOf(const std::vector<c10::IValue>& outputs, std::optional<std::size_t> index)
{
    at::Tensor loss;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const at::Tensor output = outputs[i].isTensor() ? outputs[i].toTensor() : at::Tensor();
        if ((index && i != *index) || !output.defined() || !output.is_floating_point() ||
            !output.requires_grad())
            continue;
        const at::Tensor sum = output.sum(at::kDouble);
        loss = loss.defined() ? loss + sum : sum;
    }
    return loss;
}

NamedTensors gradientsOf(const std::vector<std::pair<std::string, at::Tensor>>& inputs)
{
    NamedTensors gradients;
    for (const auto& [name, tensor] : inputs)
        if (tensor.defined() && tensor.requires_grad())
            gradients[name] = tensor.grad();
    return gradients;
}

std::vector<at::Tensor> tensorsOf(const std::vector<c10::IValue>& values)
{
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : values)
        tensors.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    return tensors;
}

// ---------------------------------------------------------------- the stages
struct StageRun
{
    std::unique_ptr<Model> model;
    std::unique_ptr<Runner> runner;
    std::vector<at::Tensor> received;
    std::vector<c10::IValue> outputs;
};

// Type and shape of each parameter, by its name: "f32[8, 64]".
std::map<std::string, std::string> parameterTexts(const Model& model)
{
    std::map<std::string, std::string> texts;
    for (const InputSpec& input : model.signature.inputs)
        if (input.kind == InputSpec::Kind::Parameter && input.value && model.graph[*input.value].meta)
            texts[input.target] = metaText(*model.graph[*input.value].meta);
    return texts;
}

class Chain
{
public:
    Chain(const Model& whole, const Manifest& manifest, std::filesystem::path folder, RunDevice device,
          const VerifyOptions& options)
        : m_parameters(parameterTexts(whole)),
          m_manifest(manifest),
          m_folder(std::move(folder)),
          m_device(device),
          m_options(options)
    {
    }

    Result<void> forward(const std::map<std::string, c10::IValue>& inputs, const Progress& progress)
    {
        for (std::size_t i = 0; i < m_manifest.stages.size(); ++i) {
            STAGECRAFT_TRY(progress.step("Running stages", i, m_manifest.stages.size()));
            STAGECRAFT_ASSIGN(stage, open(i));
            STAGECRAFT_TRY(give(i, stage, inputs));
            STAGECRAFT_TRY(stage.runner->run(m_options.seed, progress));
            stage.outputs = stage.runner->outputs();
            m_stages.push_back(std::move(stage));
        }
        return {};
    }

    // Each stage from the gradients of what the next one received.
    void backward()
    {
        const at::Tensor loss = lossOf(m_stages.back().outputs, m_manifest.lossOutput);
        if (!loss.defined())
            return;
        torch::autograd::backward({loss});
        for (std::size_t i = m_stages.size() - 1; i-- > 0;) {
            const std::vector<at::Tensor> outputs = tensorsOf(m_stages[i].outputs);
            std::vector<at::Tensor> roots;
            std::vector<at::Tensor> gradients;
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                const at::Tensor gradient = m_stages[i + 1].received[k].grad();
                if (outputs[k].requires_grad() && gradient.defined()) {
                    roots.push_back(outputs[k]);
                    gradients.push_back(gradient);
                }
            }
            if (!roots.empty())
                torch::autograd::backward(roots, gradients);
        }
    }

    // Fails where a stage's file was changed meanwhile.
    Result<void> collect(RunResult& result) const
    {
        result.outputs = m_stages.back().outputs;
        for (const StageRun& stage : m_stages) {
            STAGECRAFT_TRY(stage.model->unchanged());
            stage.runner->addParameterGradients(result.parameterGradients);
            stage.runner->addBuffers(result.buffers);
        }
        return {};
    }

private:
    Error inStage(std::size_t index, const std::string& what) const
    {
        return {ErrorCode::BadFormat,
                (m_folder / m_manifest.stages[index].files.program).string() + ": " + what};
    }

    Result<StageRun> open(std::size_t index) const
    {
        STAGECRAFT_ASSIGN(model, openModel(m_folder / m_manifest.stages[index].files.program));
        STAGECRAFT_TRY(fromThisModel(model));
        if (const Result<void> checked = checkManifestStage(m_manifest, index, model); !checked.has_value())
            return inStage(index, checked.error().message);
        StageRun stage;
        stage.model = std::make_unique<Model>(std::move(model));
        Result<std::unique_ptr<Runner>> runner = Runner::make(*stage.model, m_device, m_options, {});
        if (!runner.has_value())
            return Error{runner.error().code, inStage(index, runner.error().message).message};
        stage.runner = std::move(*runner);
        return stage;
    }

    Result<void> fromThisModel(const Model& stage) const
    {
        for (const auto& [name, text] : parameterTexts(stage)) {
            const auto own = m_parameters.find(name);
            if (own == m_parameters.end() || own->second != text)
                return Error{ErrorCode::BadUsage,
                             m_folder.string() + ": is an export of another model: its '" + name + "' is " +
                                 text +
                                 (own == m_parameters.end() ? ", the model has none"
                                                            : ", the model's is " + own->second)};
        }
        return {};
    }

    // Sets the stage's inputs: what the stage before returned, and the model's.
    Result<void> give(std::size_t index, StageRun& stage, const std::map<std::string, c10::IValue>& inputs)
    {
        const std::vector<ManifestStage::Input>& described = m_manifest.stages[index].inputs;
        const std::vector<ValueId> wanted = stage.runner->userInputs();
        std::size_t next = 0;
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            if (described[k].fromModel) {
                const auto input = inputs.find(described[k].value);
                if (input == inputs.end())
                    return inStage(index, "the model has no input '" + described[k].value + "'");
                stage.runner->values().set(wanted[k], input->second);
                continue;
            }
            if (index == 0 || next >= m_stages.back().outputs.size())
                return inStage(index, "takes more than the stage before returns");
            const c10::IValue value = sent(m_stages.back().outputs[next++]);
            stage.received.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
            stage.runner->values().set(wanted[k], value);
        }
        return {};
    }

    std::map<std::string, std::string> m_parameters;
    const Manifest& m_manifest;
    std::filesystem::path m_folder;
    RunDevice m_device;
    const VerifyOptions& m_options;
    std::vector<StageRun> m_stages;
};

// ---------------------------------------------------------------- the whole
class Verification
{
public:
    Verification(const Model& model, const Manifest& manifest, std::filesystem::path folder,
                 const VerifyOptions& options)
        : m_model(model),
          m_manifest(manifest),
          m_folder(std::move(folder)),
          m_options(options),
          m_device(model.structureOnly() ? RunDevice::Meta : RunDevice::Cpu)
    {
    }

    Result<VerifyReport> run(const Progress& progress)
    {
        STAGECRAFT_ASSIGN(runner, Runner::make(m_model, m_device, m_options, m_options.inputs));
        const std::vector<ValueId> inputIds = runner->userInputs(); // as many as the manifest has: checked
        std::map<std::string, c10::IValue> inputs;
        std::vector<std::pair<std::string, at::Tensor>> given;
        std::vector<std::pair<std::string, at::Tensor>> copies;
        for (std::size_t i = 0; i < inputIds.size(); ++i) {
            const std::string& name = m_manifest.modelInputs[i];
            const c10::IValue copy = copyOfInput(runner->values()[inputIds[i]]);
            inputs[name] = copy;
            given.emplace_back(name, runner->values().tensor(inputIds[i]));
            copies.emplace_back(name, copy.isTensor() ? copy.toTensor() : at::Tensor());
        }
        RunResult inPython;
        if (m_options.python) {
            const PythonRun how{.python = *m_options.python,
                                .folder = m_folder,
                                .seed = m_options.seed,
                                .lossOutput = m_manifest.lossOutput,
                                .shapesOnly = m_device == RunDevice::Meta};
            STAGECRAFT_ASSIGN(made, resultsInPython(how, inputs, progress));
            inPython = std::move(made);
        }
        STAGECRAFT_TRY(progress.step("Running the model", 0, 1));
        STAGECRAFT_TRY(runner->run(m_options.seed, progress));
        m_whole.outputs = runner->outputs();
        const at::Tensor loss = lossOf(m_whole.outputs, m_manifest.lossOutput);
        if (loss.defined())
            torch::autograd::backward({loss});
        runner->addParameterGradients(m_whole.parameterGradients);
        runner->addBuffers(m_whole.buffers);
        m_whole.inputGradients = gradientsOf(given);
        runner.reset();

        VerifyReport report = emptyReport(loss.defined());
        if (m_options.python)
            STAGECRAFT_TRY(compare(inPython, "in Python: ", loss.defined(), report));
        if (!m_options.python || hasPrograms(m_manifest)) {
            RunResult stages;
            Chain chain(m_model, m_manifest, m_folder, m_device, m_options);
            STAGECRAFT_TRY(chain.forward(inputs, progress));
            chain.backward();
            STAGECRAFT_TRY(chain.collect(stages));
            stages.inputGradients = gradientsOf(copies);
            STAGECRAFT_TRY(compare(stages, "", loss.defined(), report));
        }
        if (loss.defined())
            STAGECRAFT_TRY(compareKept(m_model, m_manifest, m_folder, inPython.savedBytes, progress, report));
        STAGECRAFT_TRY(compareStoredWeights(m_model, m_manifest, m_folder, report));
        STAGECRAFT_TRY(compareWrittenFiles(m_manifest, m_folder, progress, report));
        return report;
    }

private:
    VerifyReport emptyReport(bool isTrained) const
    {
        VerifyReport report{.stageCount = m_manifest.stages.size(),
                            .shapesOnly = m_model.structureOnly(),
                            .options = m_options};
        if (report.shapesOnly)
            report.notes.push_back("the model has no weights: shapes and types were compared, not numbers");
        if (!isTrained)
            report.notes.push_back("no output of the model has a gradient: only the forward pass was run");
        return report;
    }

    // `way` says in the names of the comparisons how the stages were run.
    Result<void> compare(const RunResult& stages, const std::string& way, bool isTrained,
                         VerifyReport& report) const
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
        if (isTrained) {
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
    RunDevice m_device;
    RunResult m_whole;
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
                     folder.string() + ": has no .pt2 files; export with format pt2 to verify"};
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
