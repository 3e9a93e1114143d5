#include "core/stage/model_run.h"

#include "core/run/model_values.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <set>

namespace stagecraft {

namespace {

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

// A leaf that requires gradients cannot be written to.
void dropGradientsOfWrittenInputs(const Graph& graph, const ValueTable& values)
{
    for (const ValueId input : writtenInputs(graph))
        if (graph[input].kind == ValueKind::UserInput)
            values.tensor(input).set_requires_grad(false);
}

} // namespace

Result<ValueTable> runValues(const Model& model, const ModelRunOptions& options)
{
    STAGECRAFT_ASSIGN(values, modelValues(model, {.device = options.device,
                                                  .bindings = completeBindings(model, options.bindings),
                                                  .inputs = options.inputs,
                                                  .seed = options.seed,
                                                  .trainable = options.gradients != Gradients::LeftOut,
                                                  .inputGradients = options.gradients == Gradients::OfAll}));
    dropGradientsOfWrittenInputs(model.graph, values);
    return values;
}

Result<std::unique_ptr<ModelRun>> ModelRun::make(const Model& model, const ModelRunOptions& options)
{
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {.device = options.device}));
    STAGECRAFT_ASSIGN(values, runValues(model, options));
    return std::unique_ptr<ModelRun>(
        new ModelRun(model, std::move(interpreter), std::move(values), options.seed));
}

ModelRun::ModelRun(const Model& model, Interpreter interpreter, ValueTable values, std::uint64_t seed)
    : m_model(model),
      m_interface(modelInterface(model)),
      m_interpreter(std::move(interpreter)),
      m_values(std::move(values)),
      m_seed(seed)
{
}

Result<void> ModelRun::forward(const Progress& progress)
{
    RunHooks hooks;
    hooks.beforeNode = [seed = m_seed](NodeId) {
        at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
        generator.set_current_seed(seed);
    };
    return m_interpreter.run(m_values, progress, hooks);
}

void ModelRun::countWriteBacks()
{
    std::set<std::string> written;
    for (const OutputSpec& output : m_model.signature.outputs)
        if (output.isStateUpdate())
            written.insert(output.target);
    for (const InputSpec& input : m_model.signature.inputs)
        if (input.value && input.isStored() && written.contains(input.target))
            if (const at::Tensor tensor = m_values.tensor(*input.value); tensor.defined())
                tensor.unsafeGetTensorImpl()->bump_version();
}

std::vector<c10::IValue> ModelRun::outputs() const
{
    std::vector<c10::IValue> outputs;
    for (const Argument& output : m_interface.returned)
        outputs.push_back(outputValue(output, m_values));
    return outputs;
}

void ModelRun::addParameterGradients(NamedTensors& gradients) const
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

void ModelRun::addBuffers(NamedTensors& buffers) const
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

at::Tensor lossOf(const std::vector<c10::IValue>& outputs, std::optional<std::size_t> index)
{
    at::Tensor loss;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const at::Tensor output = outputs[i].isTensor() ? outputs[i].toTensor() : at::Tensor();
        if ((index && i != *index) || !output.defined() || !output.requires_grad())
            continue;
        const at::Tensor real = output.is_complex() ? at::view_as_real(output.resolve_conj()) : output;
        const at::Tensor sum = real.sum(at::kDouble);
        loss = loss.defined() ? loss + sum : sum;
    }
    return loss;
}

} // namespace stagecraft
