#include "program_run.h"

#include "core/load/open_model.h"
#include "core/run/model_values.h"
#include "core/run/torch_types.h"
#include "tests/core/graph_text/graph_text_parser.h"

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

at::Tensor toTensor(const NamedArray& array)
{
    const at::Tensor wide = at::empty(array.shape, at::kDouble);
    std::copy(array.numbers.begin(), array.numbers.end(), wide.data_ptr<double>());
    return wide.to(c10::ScalarType(scalarTypeNumber(*dtypeFromShortName(array.dtype))));
}

NamedArray toArray(const std::string& name, const c10::IValue& value)
{
    if (value.isTensor())
        return toArray(name, value.toTensor());
    return {.name = name, .dtype = "number", .numbers = {value.toScalar().toDouble()}};
}

std::vector<std::string> heldValues(const Graph& graph, const ValueTable& values)
{
    std::vector<std::string> names;
    for (const ValueId id : graph.values())
        if (graph[id].producer && values.holds(id))
            names.push_back(graph[id].name);
    return names;
}

GraphRun collect(const Graph& graph, const ValueTable& values, const std::vector<ValueId>& outputs)
{
    GraphRun run{.held = heldValues(graph, values)};
    for (const ValueId id : outputs)
        run.outputs.push_back(toArray(graph[id].name, values[id]));
    runBackward(graph, values);
    for (const ValueId id : graph.inputs())
        if (const at::Tensor tensor = values.tensor(id); tensor.defined() && tensor.grad().defined())
            run.gradients.push_back(toArray(graph[id].name, tensor.grad()));
    return run;
}

std::vector<ValueId> outputValues(const Graph& graph)
{
    std::vector<ValueId> values;
    for (const Argument& output : graph.outputs())
        if (const auto* id = std::get_if<ValueId>(&output))
            values.push_back(*id);
    return values;
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

NamedArray arrayOf(const std::string& dtype, std::vector<std::int64_t> shape, std::vector<double> numbers)
{
    return {.dtype = dtype, .shape = std::move(shape), .numbers = std::move(numbers)};
}

Result<GraphRun> runGraphText(const std::string& text, const std::vector<NamedArray>& inputs)
{
    STAGECRAFT_ASSIGN(graph, parseGraph(text));
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {}));
    ValueTable values(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const ValueId id = graph.inputs()[i];
        at::Tensor tensor = toTensor(inputs[i]);
        tensor.set_requires_grad(graph[id].kind == ValueKind::Parameter);
        values.setTensor(id, tensor);
    }
    STAGECRAFT_TRY(interpreter.run(values));
    return collect(graph, values, outputValues(graph));
}

Result<GraphRun> runPart(const std::string& text, const std::vector<std::string>& nodes,
                         const std::vector<NamedArray>& inputs, const std::vector<std::string>& outputs)
{
    STAGECRAFT_ASSIGN(graph, parseGraph(text));
    InterpreterOptions options{.nodes = std::vector<NodeId>()};
    for (const std::string& name : nodes)
        options.nodes->push_back(*graph.findNode(name));
    for (const std::string& name : outputs)
        options.keep.push_back(*graph.findValue(name));
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, options));
    ValueTable values(graph);
    for (const NamedArray& input : inputs)
        values.setTensor(*graph.findValue(input.name), toTensor(input));
    STAGECRAFT_TRY(interpreter.run(values));
    return collect(graph, values, options.keep);
}

Result<GraphRun> runModel(const Model& model, std::uint64_t seed)
{
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, {.seed = seed}));
    STAGECRAFT_TRY(interpreter.run(values));
    return collect(model.graph, values, outputValues(model.graph));
}

} // namespace stagecraft
