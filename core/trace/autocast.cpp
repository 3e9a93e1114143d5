#include "core/trace/autocast.h"

#include "core/run/torch_types.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stagecraft {

namespace {

enum class Policy : std::uint8_t { LowerPrecision, Float32, Float32Result, Widest };

// "conv_transpose2d, input" -> "aten::conv_transpose2d.input", as LibTorch's lists have them.
std::string listedName(std::string_view entry)
{
    std::string name = "aten::";
    for (const char letter : entry)
        if (letter == ',')
            name += '.';
        else if (letter != ' ')
            name += letter;
    return name;
}

#define STAGECRAFT_NAME(...) listedName(#__VA_ARGS__),

// The lists in the header are those of CUDA; the CPU's own additions are beside them. Whether an operator
// takes part on a device at all, the dispatcher knows.
const std::unordered_set<std::string>& lowerPrecisionOps()
{
    static const std::unordered_set<std::string> names{
        AT_FORALL_LOWER_PRECISION_FP(STAGECRAFT_NAME) "aten::conv1d.padding",
        "aten::conv2d.padding",
        "aten::conv3d.padding",
        "aten::_addmm_activation",
        "aten::mkldnn_rnn_layer",
        "aten::_native_multi_head_attention"};
    return names;
}

const std::unordered_set<std::string>& widestOps()
{
    static const std::unordered_set<std::string> names{AT_FORALL_PROMOTE(STAGECRAFT_NAME) "aten::cat",
                                                       "aten::stack", "aten::index_copy"};
    return names;
}

const std::unordered_set<std::string>& float32ResultOps()
{
    static const std::unordered_set<std::string> names{
        AT_FORALL_FP32_SET_OPT_DTYPE(STAGECRAFT_NAME) "aten::sum.dim_IntList"};
    return names;
}

#undef STAGECRAFT_NAME

std::string fullName(const c10::OperatorHandle& op)
{
    const c10::OperatorName& name = op.operator_name();
    return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

bool isEligible(const at::Tensor& tensor)
{
    return tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble;
}

// Calls `change` on every tensor among the last `count` values: the last argument first, as the compiled
// calls in ATen/autocast_mode.h evaluate theirs. Autograd's order of work follows from it.
template <class Change>
void forEachTensor(std::vector<c10::IValue>& stack, std::size_t count, const Change& change)
{
    for (std::size_t i = stack.size(); i-- > stack.size() - count;) {
        if (stack[i].isTensor())
            stack[i] = change(stack[i].toTensor());
        if (!stack[i].isTensorList())
            continue;
        c10::List<at::Tensor> changed;
        for (const at::Tensor& tensor : stack[i].toTensorVector())
            changed.push_back(change(tensor));
        stack[i] = changed;
    }
}

at::ScalarType lowerTypeOf(const Autocast& autocast)
{
    if (autocast.dtype)
        return at::ScalarType(scalarTypeNumber(*autocast.dtype));
    return autocast.deviceType == "cpu" ? at::kBFloat16 : at::kHalf;
}

} // namespace

bool appliesTo(const LoweringTarget& target, const Autocast& autocast)
{
    if (target.kind == LoweringKind::Math || target.kind == LoweringKind::Efficient)
        return true;
    const bool isCuda =
        target.kind == LoweringKind::Device && target.deviceType == LoweringTarget::DeviceType::Cuda;
    return (autocast.deviceType == "cuda") == isCuda;
}

Autocast autocastOf(const LoweringTarget& target, DType type)
{
    return {.deviceType = isCpu(target) ? "cpu" : "cuda", .dtype = type};
}

struct AutocastCasts::State
{
    c10::DispatchKey key = c10::DispatchKey::AutocastCPU;
    at::ScalarType lower = at::kBFloat16;
    bool keepsCasts = true;
    std::unordered_map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> casts; // original, cast

    Policy policyOf(const c10::OperatorHandle& op) const
    {
        const std::string name = fullName(op);
        if (lowerPrecisionOps().contains(name))
            return Policy::LowerPrecision;
        if (widestOps().contains(name))
            return Policy::Widest;
        const bool isCuda = key == c10::DispatchKey::AutocastCUDA;
        return isCuda && float32ResultOps().contains(name) ? Policy::Float32Result : Policy::Float32;
    }

    at::Tensor cast(const at::Tensor& tensor, at::ScalarType type)
    {
        if (!isEligible(tensor) || tensor.scalar_type() == type)
            return tensor;
        const bool isWeight = keepsCasts && type == lower && tensor.scalar_type() == at::kFloat &&
                              tensor.is_leaf() && tensor.requires_grad() && !tensor.is_view();
        if (!isWeight)
            return tensor.to(type);
        const auto found = casts.find(tensor.unsafeGetTensorImpl());
        if (found != casts.end())
            return found->second.second;
        const at::Tensor result = tensor.to(type);
        casts.emplace(tensor.unsafeGetTensorImpl(), std::pair(tensor, result));
        return result;
    }
};

AutocastCasts::AutocastCasts(const Autocast& autocast) : m_state(std::make_unique<State>())
{
    m_state->key =
        autocast.deviceType == "cpu" ? c10::DispatchKey::AutocastCPU : c10::DispatchKey::AutocastCUDA;
    m_state->lower = lowerTypeOf(autocast);
    m_state->keepsCasts = autocast.cacheEnabled;
}

AutocastCasts::~AutocastCasts() = default;

bool AutocastCasts::takesPart(const c10::OperatorHandle& op) const
{
    return op.hasKernelForDispatchKey(m_state->key);
}

void AutocastCasts::castMixedOperands(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack)
{
    if (!lowerPrecisionOps().contains(fullName(op)))
        return;
    const std::size_t count = op.schema().arguments().size();
    std::optional<at::ScalarType> first;
    bool isMixed = false;
    forEachTensor(stack, count, [&](const at::Tensor& tensor) {
        if (isEligible(tensor)) {
            isMixed = isMixed || (first && *first != tensor.scalar_type());
            first = tensor.scalar_type();
        }
        return tensor;
    });
    if (isMixed)
        forEachTensor(stack, count,
                      [&](const at::Tensor& tensor) { return m_state->cast(tensor, m_state->lower); });
}

void AutocastCasts::castArguments(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack)
{
    const auto& arguments = op.schema().arguments();
    const Policy policy = m_state->policyOf(op);
    if (policy == Policy::Float32Result) {
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (c10::IValue& value = stack[stack.size() - arguments.size() + i];
                arguments[i].name() == "dtype" && value.isNone())
                value = std::int64_t{static_cast<std::int8_t>(at::kFloat)};
        return;
    }
    at::ScalarType type = policy == Policy::Float32 ? at::kFloat : m_state->lower;
    if (policy == Policy::Widest)
        forEachTensor(stack, arguments.size(), [&](const at::Tensor& tensor) {
            if (isEligible(tensor) && tensor.scalar_type() == at::kFloat)
                type = at::kFloat;
            return tensor;
        });
    forEachTensor(stack, arguments.size(),
                  [&](const at::Tensor& tensor) { return m_state->cast(tensor, type); });
}

} // namespace stagecraft
