#include "core/stage/stage_chain.h"

#include "core/load/open_model.h"
#include "core/run/torch_types.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace stagecraft {

namespace {

// A copy that shares nothing, as if it had been sent.
c10::IValue sent(const c10::IValue& value)
{
    if (!value.isTensor())
        return value;
    const at::Tensor& tensor = value.toTensor();
    return tensor.detach().clone(at::MemoryFormat::Contiguous).set_requires_grad(tensor.requires_grad());
}

std::vector<at::Tensor> tensorsOf(const std::vector<c10::IValue>& values)
{
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : values)
        tensors.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
    return tensors;
}

// Type and shape of each parameter, by its name: "f32[8, 64]".
std::map<std::string, std::string> parameterTexts(const Model& model)
{
    std::map<std::string, std::string> texts;
    for (const InputSpec& input : model.signature.inputs)
        if (input.kind == InputSpec::Kind::Parameter && input.value && model.graph[*input.value].meta)
            texts[input.target] = metaText(*model.graph[*input.value].meta);
    return texts;
}

} // namespace

struct StageChain::StageRun
{
    std::unique_ptr<Model> model;
    std::unique_ptr<ModelRun> run;
    std::vector<at::Tensor> received;
    std::vector<c10::IValue> outputs;
};

StageChain::StageChain(const Model& whole, const Manifest& manifest, std::filesystem::path folder,
                       const ModelRunOptions& options)
    : m_parameters(parameterTexts(whole)),
      m_manifest(manifest),
      m_folder(std::move(folder)),
      m_options(options)
{
    m_options.inputs = {}; // stages are given theirs
}

StageChain::~StageChain() = default;

Result<void> StageChain::forward(const std::map<std::string, c10::IValue>& inputs, const Progress& progress)
{
    for (std::size_t i = 0; i < m_manifest.stages.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Running stages", i, m_manifest.stages.size()));
        STAGECRAFT_ASSIGN(stage, open(i));
        STAGECRAFT_TRY(give(i, stage, inputs));
        STAGECRAFT_TRY(stage.run->forward(progress));
        stage.run->countWriteBacks();
        stage.outputs = stage.run->outputs();
        m_stages.push_back(std::move(stage));
    }
    return {};
}

Result<void> StageChain::goBack(std::size_t index, const std::vector<at::Tensor>& roots,
                                const std::vector<at::Tensor>& gradients) const
{
    try {
        torch::autograd::backward(roots, gradients);
    } catch (const c10::OutOfMemoryError&) {
        throw;
    } catch (const c10::Error& failure) {
        const std::string reason = exceptionReason(failure);
        const bool isWritten = reason.find("modified by an inplace operation") != std::string::npos;
        return inStage(index, "PyTorch cannot go back through it: " +
                                  (isWritten ? "it writes to a buffer that backward needs as it was; export "
                                               "again: stages then read a copy"
                                             : reason));
    }
    return {};
}

Result<void> StageChain::backward()
{
    const at::Tensor loss = lossOf(m_stages.back().outputs, m_manifest.lossOutput);
    if (!loss.defined())
        return {};
    STAGECRAFT_TRY(goBack(m_stages.size() - 1, {loss}, {}));
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
            STAGECRAFT_TRY(goBack(i, roots, gradients));
    }
    return {};
}

Result<void> StageChain::collect(RunResult& result) const
{
    result.outputs = m_stages.back().outputs;
    for (const StageRun& stage : m_stages) {
        STAGECRAFT_TRY(stage.model->unchanged());
        stage.run->addParameterGradients(result.parameterGradients);
        stage.run->addBuffers(result.buffers);
    }
    return {};
}

Error StageChain::inStage(std::size_t index, const std::string& what) const
{
    return {ErrorCode::BadFormat, (m_folder / m_manifest.stages[index].files.program).string() + ": " + what};
}

Result<StageChain::StageRun> StageChain::open(std::size_t index) const
{
    STAGECRAFT_ASSIGN(model, openModel(m_folder / m_manifest.stages[index].files.program));
    STAGECRAFT_TRY(fromThisModel(model));
    if (const Result<void> checked = checkManifestStage(m_manifest, index, model); !checked.has_value())
        return inStage(index, checked.error().message);
    StageRun stage;
    stage.model = std::make_unique<Model>(std::move(model));
    Result<std::unique_ptr<ModelRun>> run = ModelRun::make(*stage.model, m_options);
    if (!run.has_value())
        return Error{run.error().code, inStage(index, run.error().message).message};
    stage.run = std::move(*run);
    return stage;
}

Result<void> StageChain::fromThisModel(const Model& stage) const
{
    for (const auto& [name, text] : parameterTexts(stage)) {
        const auto own = m_parameters.find(name);
        if (own == m_parameters.end() || own->second != text)
            return Error{
                ErrorCode::BadUsage,
                m_folder.string() + ": is an export of another model: its '" + name + "' is " + text +
                    (own == m_parameters.end() ? ", the model has none" : ", the model's is " + own->second)};
    }
    return {};
}

// Sets the stage's inputs: what the stage before returned, and the model's.
Result<void> StageChain::give(std::size_t index, StageRun& stage,
                              const std::map<std::string, c10::IValue>& inputs)
{
    const std::vector<ManifestStage::Input>& described = m_manifest.stages[index].inputs;
    const std::vector<ValueId> wanted = userInputs(*stage.model);
    std::size_t next = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (described[k].fromModel) {
            const auto input = inputs.find(described[k].value);
            if (input == inputs.end())
                return inStage(index, "the model has no input '" + described[k].value + "'");
            stage.run->values().set(wanted[k], input->second);
            continue;
        }
        if (index == 0 || next >= m_stages.back().outputs.size())
            return inStage(index, "takes more than the stage before returns");
        const c10::IValue value = sent(m_stages.back().outputs[next++]);
        stage.received.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
        stage.run->values().set(wanted[k], value);
    }
    return {};
}

} // namespace stagecraft
