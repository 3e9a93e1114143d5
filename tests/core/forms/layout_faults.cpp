#include "tests/core/forms/layout_faults.h"

#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/run/torch_types.h"

#include <torch/torch.h>

namespace stagecraft::test {

namespace {

std::vector<std::int64_t> numbers(const std::vector<SymInt>& sizes, const Bindings& bindings)
{
    std::vector<std::int64_t> values;
    for (const SymInt& size : sizes)
        values.push_back(size.evaluate(bindings).value());
    return values;
}

// Strides along dimensions of one element say nothing.
std::vector<std::int64_t> tellingStrides(const std::vector<std::int64_t>& sizes,
                                         std::vector<std::int64_t> strides)
{
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] == 1)
            strides[i] = 0;
    return strides;
}

// Attention gives its result with the strides that its kernel likes, another on each device; so is a view of
// it.
bool isOfAttention(const Graph& graph, const Node& node)
{
    const auto attends = [](const Node& other) {
        return other.target == "aten::scaled_dot_product_attention.default";
    };
    if (attends(node) || node.inputs.empty())
        return attends(node);
    const std::optional<NodeId> before = graph[node.inputs.front()].producer;
    return node.target == "aten::transpose.int" && before && attends(graph[*before]);
}

std::string layoutText(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                       std::int64_t offset)
{
    std::string text;
    for (const std::int64_t size : sizes)
        text += " " + std::to_string(size);
    text += " strides";
    for (const std::int64_t stride : tellingStrides(sizes, strides))
        text += " " + std::to_string(stride);
    return text + " offset " + std::to_string(offset);
}

std::string saidOf(const TensorMeta& meta, const Bindings& bindings)
{
    return std::string(shortName(meta.dtype)) + layoutText(numbers(meta.sizes, bindings),
                                                           numbers(meta.strides, bindings),
                                                           meta.storageOffset.evaluate(bindings).value());
}

std::string madeOf(const at::Tensor& tensor)
{
    const auto dtype = dtypeOfNumber(static_cast<std::int8_t>(tensor.scalar_type()));
    return std::string(dtype ? shortName(*dtype) : "?") +
           layoutText(tensor.sizes().vec(), tensor.strides().vec(), tensor.storage_offset());
}

} // namespace

Result<std::vector<std::string>> layoutFaults(const Model& model, const Bindings& bindings)
{
    const Graph& graph = model.graph;
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {.device = RunDevice::Cpu}));
    STAGECRAFT_ASSIGN(values, modelValues(model, {.bindings = bindings, .trainable = false}));
    std::vector<std::string> faults;
    RunHooks hooks;
    hooks.afterNode = [&](NodeId node, const ValueTable& table) {
        for (const ValueId value : graph[node].results) {
            if (!graph[value].isTensor() || !table.tensor(value).defined())
                continue;
            if (isOfAttention(graph, graph[node]))
                continue;
            const std::string said = saidOf(*graph[value].meta, bindings);
            const std::string made = madeOf(table.tensor(value));
            if (said != made)
                faults.push_back(graph[value].name + " of " + graph[node].target + ": says " + said +
                                 ", is " + made);
        }
    };
    STAGECRAFT_TRY(interpreter.run(values, {}, hooks));
    return faults;
}

} // namespace stagecraft::test
