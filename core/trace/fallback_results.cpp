#include "core/trace/fallback_results.h"

#include "core/run/model_values.h"
#include "core/run/torch_types.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <set>
#include <string>

namespace stagecraft {

namespace {

// The backward of an unknown operator: one uninitialised gradient for each operand.
class UnknownBackward final : public torch::autograd::Node
{
public:
    explicit UnknownBackward(const std::vector<at::Tensor>& operands)
    {
        for (const at::Tensor& operand : operands)
            m_operands.emplace_back(operand, /*is_output=*/false);
    }

    torch::autograd::variable_list apply(torch::autograd::variable_list&&) override
    {
        torch::autograd::variable_list gradients;
        for (torch::autograd::SavedVariable& operand : m_operands)
            gradients.push_back(at::empty_like(operand.unpack()));
        return gradients;
    }
    void release_variables() override
    {
        for (torch::autograd::SavedVariable& operand : m_operands)
            operand.reset_data();
    }
    std::string name() const override { return "UnknownBackward"; }

private:
    std::vector<torch::autograd::SavedVariable> m_operands;
};

std::vector<at::Tensor> differentiableOperands(const Node& node, const ValueTable& values)
{
    std::vector<at::Tensor> operands;
    if (!at::GradMode::is_enabled())
        return operands;
    for (const ValueId input : node.inputs)
        if (const at::Tensor tensor = values.tensor(input); tensor.defined() && tensor.requires_grad())
            operands.push_back(tensor);
    return operands;
}

// What the operator is called with, for a substitute's expressions.
Operands operandsOf(const Graph& graph, const Node& node, const ValueTable& values)
{
    return nodeOperands(node, [&](ValueId id) -> std::optional<Operand> {
        if (const at::Tensor tensor = values.tensor(id); tensor.defined()) {
            const auto type = static_cast<std::int8_t>(tensor.scalar_type());
            return TensorOperand{dtypeOfNumber(type).value_or(DType::U8), tensor.sizes().vec()};
        }
        if (graph[id].kind != ValueKind::SizeScalar || !values.holds(id))
            return std::nullopt;
        const c10::IValue& value = values[id];
        return value.isInt()      ? std::optional<Operand>(static_cast<double>(value.toInt()))
               : value.isDouble() ? std::optional<Operand>(value.toDouble())
                                  : std::nullopt;
    });
}

TensorMeta metaOf(const SubstituteShape& shape)
{
    return contiguousMeta(shape.dtype, {shape.sizes.begin(), shape.sizes.end()});
}

} // namespace

namespace {

// An expression that hangs on data and that this program cannot read. Its value stays empty: who reads it, as
// the assert of a draft, does without.
bool isUnread(const SymInt& size)
{
    std::set<std::string> symbols;
    size.collectSymbols(symbols);
    return !size.isConstant() && symbols.empty() && !size.hint();
}

} // namespace

Result<void> fallbackResults(const Graph& graph, NodeId id, const Bindings& bindings,
                             const Substitute* substitute, ValueTable& values)
{
    const Node& node = graph[id];
    std::vector<SubstituteShape> shapes;
    if (substitute) {
        STAGECRAFT_ASSIGN(told, outputShapes(*substitute, operandsOf(graph, node, values)));
        shapes = std::move(told);
    }
    const std::vector<at::Tensor> operands = differentiableOperands(node, values);
    c10::intrusive_ptr<torch::autograd::Node> backward;
    if (!operands.empty()) {
        backward = c10::make_intrusive<UnknownBackward>(operands);
        backward->set_next_edges(torch::autograd::collect_next_edges(operands));
    }
    for (std::size_t i = 0; i < node.results.size(); ++i) {
        const ValueId result = node.results[i];
        const Value& value = graph[result];
        if (value.meta) {
            const TensorMeta meta = i < shapes.size() ? metaOf(shapes[i]) : *value.meta;
            STAGECRAFT_ASSIGN(tensor, emptyTensor(meta, bindings, RunDevice::Meta));
            if (backward && (tensor.is_floating_point() || tensor.is_complex()))
                torch::autograd::set_history(tensor, backward);
            values.setTensor(result, tensor);
        } else if (value.scalar) {
            const Result<std::int64_t> number = value.scalar->evaluate(bindings);
            if (number.has_value())
                values.set(result, *number);
            else if (!isUnread(*value.scalar))
                return number.error();
        }
    }
    return {};
}

} // namespace stagecraft
