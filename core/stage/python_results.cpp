#include "core/stage/python_results.h"

#include "core/run/model_values.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/serialization/pickle.h>

namespace stagecraft {

namespace {

// Of a tensor without data its shape alone: one element, seen many times.
at::Tensor pickledInput(const at::Tensor& tensor)
{
    if (!tensor.is_meta())
        return tensor.detach();
    return at::zeros({}, at::TensorOptions().dtype(tensor.scalar_type())).expand(tensor.sizes());
}

at::Tensor copyOf(const StoredTensor& stored)
{
    return stored.bytes.empty() ? *emptyTensor(stored.meta, {}, RunDevice::Cpu)
                                : tensorInPlace(stored).clone();
}

NamedTensors copiesOf(const WeightStore& store)
{
    NamedTensors tensors;
    for (const std::string& name : store.names())
        tensors[name] = copyOf(*store.find(name));
    return tensors;
}

c10::IValue valueOf(const PickleValue& value, const std::optional<StoredTensor>& tensor)
{
    switch (value.kind) {
    case PickleValue::Kind::Tensor:
        return tensor ? c10::IValue(copyOf(*tensor)) : c10::IValue();
    case PickleValue::Kind::Bool:
        return value.truth;
    case PickleValue::Kind::Int:
        return value.integer;
    case PickleValue::Kind::Float:
        return value.number;
    case PickleValue::Kind::Text:
        return value.text;
    default:
        return {};
    }
}

} // namespace

Result<RunResult> resultsInPython(PythonRun run, const std::map<std::string, c10::IValue>& inputs,
                                  const Progress& progress)
{
    c10::Dict<std::string, at::Tensor> tensors;
    for (const auto& [name, value] : inputs) {
        if (value.isTensor()) {
            tensors.insert(name, pickledInput(value.toTensor()));
            if (value.toTensor().requires_grad())
                run.differentiated.push_back(name);
        } else if (value.isInt()) {
            run.numbers[name] = value.toInt();
        } else if (value.isDouble()) {
            run.numbers[name] = value.toDouble();
        } else if (value.isBool()) {
            run.numbers[name] = value.toBool();
        }
    }
    const std::vector<char> pickled = torch::jit::pickle_save(c10::IValue(tensors));
    run.inputs.assign(pickled.begin(), pickled.end());
    STAGECRAFT_ASSIGN(results, runInPython(run, progress));
    RunResult made;
    for (std::size_t i = 0; i < results.outputs.size(); ++i)
        made.outputs.push_back(valueOf(*results.outputs[i], results.outputTensors.find(std::to_string(i))));
    made.parameterGradients = copiesOf(results.parameterGradients);
    made.inputGradients = copiesOf(results.inputGradients);
    made.buffers = copiesOf(results.buffers);
    made.savedBytes = std::move(results.savedBytes);
    return made;
}

} // namespace stagecraft
