#include "program_run.h"

#include "core/run/model_values.h"
#include "core/run/torch_types.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/ivalue.h>

namespace stagecraft {

namespace {

NamedArray toArray(const std::string& name, const at::Tensor& given)
{
    const at::Tensor tensor = given.detach().contiguous();
    NamedArray array{.name = name};
    array.dtype = shortName(*dtypeOfNumber(static_cast<std::int8_t>(tensor.scalar_type())));
    array.shape = tensor.sizes().vec();
    array.bytes.assign(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
    const at::Tensor wide = (tensor.is_complex() ? at::real(tensor) : tensor).to(at::kDouble).contiguous();
    array.numbers.assign(wide.const_data_ptr<double>(), wide.const_data_ptr<double>() + wide.numel());
    return array;
}

void runBackward(const Graph& graph, const ValueTable& values)
{
    at::Tensor loss;
    for (const Argument& output : graph.outputs()) {
        const auto* id = std::get_if<ValueId>(&output);
        const at::Tensor tensor = id ? values.tensor(*id) : at::Tensor();
        if (!tensor.defined() || !tensor.is_floating_point() || !tensor.requires_grad())
            continue;
        loss = loss.defined() ? loss + tensor.sum() : tensor.sum();
    }
    if (loss.defined())
        loss.backward();
}

} // namespace

Result<ProgramRun> runProgram(const std::filesystem::path& path, std::uint64_t seed)
{
    STAGECRAFT_ASSIGN(model, openModel(path));
    STAGECRAFT_ASSIGN(values, modelValues(model, {.seed = seed}));
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    ProgramRun run;
    for (const ValueId id : model.graph.inputs())
        if (model.graph[id].kind == ValueKind::UserInput && model.graph[id].isTensor())
            run.inputs.push_back(toArray(model.graph[id].name, values.tensor(id)));
    at::manual_seed(seed);
    STAGECRAFT_TRY(interpreter.run(values));
    for (const Argument& output : model.graph.outputs())
        if (const auto* id = std::get_if<ValueId>(&output); id && values.tensor(*id).defined())
            run.outputs.push_back(
                toArray("output_" + std::to_string(run.outputs.size()), values.tensor(*id)));
    try {
        runBackward(model.graph, values);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Failed, "backward: " + exceptionReason(exception)};
    }
    for (const ValueId id : model.graph.inputs())
        if (const at::Tensor tensor = values.tensor(id); tensor.defined() && tensor.grad().defined())
            run.gradients.push_back(toArray(model.graph[id].target, tensor.grad()));
    return run;
}

} // namespace stagecraft
