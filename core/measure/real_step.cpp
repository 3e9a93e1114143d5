#include "core/measure/real_step.h"

#include <ATen/ATen.h>

namespace stagecraft {

namespace {

using at::Tensor;

Tensor lossOfStep(std::span<const ValueId> outputs, const ValueTable& values)
{
    Tensor sum;
    for (const ValueId output : outputs) {
        const Tensor tensor = values.tensor(output);
        if (tensor.defined() && tensor.requires_grad() && tensor.is_floating_point())
            sum = sum.defined() ? sum + tensor.sum() : tensor.sum();
    }
    return sum;
}

void dropGradients(const Graph& graph, const ValueTable& values)
{
    for (const ValueId input : graph.inputs())
        if (Tensor tensor = values.tensor(input); tensor.defined() && tensor.is_leaf())
            tensor.mutable_grad() = Tensor();
}

void dropOutputs(const Graph& graph, ValueTable& values)
{
    for (const Argument& output : graph.outputs())
        if (const auto* id = std::get_if<ValueId>(&output); id && graph[*id].producer)
            values.release(*id);
}

} // namespace

Result<StepTimes> runStep(const Graph& graph, std::span<const ValueId> outputs,
                          const Interpreter& interpreter, ValueTable& values, Stopwatch::Clock clock,
                          const Progress& progress)
{
    StepTimes times;
    dropGradients(graph, values);
    const Stopwatch forward(clock);
    STAGECRAFT_TRY(interpreter.run(values, progress));
    times.forward = forward.elapsed();
    try {
        const Stopwatch backward(clock);
        if (const Tensor loss = lossOfStep(outputs, values); loss.defined()) {
            loss.backward();
            times.backward = backward.elapsed();
        }
    } catch (const std::exception& problem) {
        const std::string text = problem.what();
        return Error{ErrorCode::Failed, "the backward pass failed: " + text.substr(0, text.find('\n'))};
    }
    dropOutputs(graph, values);
    return times;
}

} // namespace stagecraft
