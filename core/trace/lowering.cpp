#include "core/trace/lowering.h"

#include "core/trace/lowering_recurrent.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

using at::Tensor;
using Stack = std::vector<c10::IValue>;

// The arguments of aten::scaled_dot_product_attention. Queries [..., heads, length, width]; keys and values
// alike, with fewer heads if several query heads share one.
struct Attention
{
    Tensor query, key, value;
    Tensor mask; // undefined: none
    double dropout = 0;
    bool isCausal = false;
    std::optional<double> scale;
    bool sharesHeads = false; // enable_gqa
};

constexpr std::size_t attentionArguments = 8;

Attention readAttention(const Stack& stack)
{
    const c10::IValue* argument = stack.data() + stack.size() - attentionArguments;
    Attention attention;
    attention.query = argument[0].toTensor();
    attention.key = argument[1].toTensor();
    attention.value = argument[2].toTensor();
    if (!argument[3].isNone())
        attention.mask = argument[3].toTensor();
    attention.dropout = argument[4].toDouble();
    attention.isCausal = argument[5].toBool();
    if (!argument[6].isNone())
        attention.scale = argument[6].toDouble();
    attention.sharesHeads = argument[7].toBool();
    return attention;
}

bool wantsGradient(const Attention& attention)
{
    return at::GradMode::is_enabled() && (attention.query.requires_grad() || attention.key.requires_grad() ||
                                          attention.value.requires_grad());
}

// A boolean mask as numbers to add to the scores, in its own shape: 0 where it is true, else -infinity.
Tensor additiveMask(const Tensor& mask, at::ScalarType dtype)
{
    if (!mask.defined() || mask.scalar_type() != at::kBool)
        return mask;
    const auto options = mask.options().dtype(dtype);
    return at::where(mask, at::zeros({}, options),
                     at::full({}, -std::numeric_limits<double>::infinity(), options));
}

// These kernels take as many key and value heads as query heads, also where one head would be broadcast.
Attention withRepeatedHeads(Attention attention)
{
    const std::int64_t keyHeads = attention.key.size(-3);
    const std::int64_t repeats = keyHeads == 0 ? 1 : attention.query.size(-3) / keyHeads;
    if (repeats > 1) {
        attention.key = attention.key.repeat_interleave(repeats, -3);
        attention.value = attention.value.repeat_interleave(repeats, -3);
    }
    return attention;
}

Tensor efficientAttention(const Attention& given)
{
    const Attention attention = withRepeatedHeads(given);
    std::optional<Tensor> bias;
    if (attention.mask.defined()) {
        const Tensor& query = attention.query;
        bias = additiveMask(attention.mask, query.scalar_type())
                   .expand({query.size(0), query.size(1), query.size(2), attention.key.size(2)});
    }
    return std::get<0>(at::_scaled_dot_product_efficient_attention(
        attention.query, attention.key, attention.value, bias, wantsGradient(attention), attention.dropout,
        attention.isCausal, attention.scale));
}

// The kernel itself shares key and value heads.
Tensor cudnnAttention(const Attention& attention)
{
    std::optional<Tensor> bias;
    if (attention.mask.defined())
        bias = additiveMask(attention.mask, attention.query.scalar_type());
    return std::get<0>(at::_scaled_dot_product_cudnn_attention(
        attention.query, attention.key, attention.value, bias, wantsGradient(attention), attention.dropout,
        attention.isCausal, /*return_debug_mask=*/false, attention.scale));
}

// Likewise.
Tensor cpuAttention(const Attention& attention)
{
    std::optional<Tensor> mask;
    if (attention.mask.defined())
        mask = additiveMask(attention.mask, attention.query.scalar_type());
    return std::get<0>(at::_scaled_dot_product_flash_attention_for_cpu(
        attention.query, attention.key, attention.value, attention.dropout, attention.isCausal, mask,
        attention.scale));
}

// The kernel wants widths that are multiples of 8: it pads, and cuts the result.
Tensor flashAttention(const Attention& attention)
{
    const std::int64_t width = attention.query.size(-1);
    const std::int64_t padding = (8 - width % 8) % 8;
    const auto padded = [padding](const Tensor& tensor) {
        return padding == 0 ? tensor : at::constant_pad_nd(tensor, {0, padding}, 0);
    };
    const double scale = attention.scale.value_or(1 / std::sqrt(static_cast<double>(width)));
    const Tensor out = std::get<0>(at::_scaled_dot_product_flash_attention(
        padded(attention.query), padded(attention.key), padded(attention.value), attention.dropout,
        attention.isCausal, /*return_debug_mask=*/false, scale));
    return padding == 0 ? out : out.slice(-1, 0, width);
}

bool isBatchOfHeads(const Attention& attention)
{
    return attention.query.dim() == 4 && attention.key.dim() == 4 && attention.value.dim() == 4;
}

bool haveOneWidth(const Attention& attention)
{
    return attention.query.size(-1) == attention.key.size(-1) &&
           attention.query.size(-1) == attention.value.size(-1);
}

bool haveEqualBatches(const Attention& attention)
{
    return attention.query.size(0) == attention.key.size(0) &&
           attention.key.size(0) == attention.value.size(0);
}

bool haveEqualHeads(const Attention& attention)
{
    return attention.query.size(1) == attention.key.size(1) &&
           attention.key.size(1) == attention.value.size(1);
}

bool haveFittingHeads(const Attention& attention)
{
    return haveEqualHeads(attention) || (attention.sharesHeads && attention.key.size(1) > 0 &&
                                         attention.query.size(1) % attention.key.size(1) == 0 &&
                                         attention.key.size(1) == attention.value.size(1));
}

// PyTorch answers those before it chooses a kernel, with zeros and three sums.
bool isEmpty(const Attention& attention)
{
    return attention.query.numel() == 0 || attention.key.numel() == 0 || attention.value.numel() == 0;
}

bool haveDenseRows(const Attention& attention)
{
    return attention.query.stride(-1) == 1 && attention.key.stride(-1) == 1 &&
           attention.value.stride(-1) == 1;
}

// check_last_dim_stride_equals_1_dense, sdp_utils_cpp.h: of CUDA's kernels; a bias whose heads lie innermost,
// as T5 makes it of an embedding, goes as two products and a softmax.
bool hasDenseMask(const Attention& attention)
{
    return !attention.mask.defined() || attention.mask.stride(-1) == 1;
}

bool maskWantsGradient(const Attention& attention)
{
    return attention.mask.defined() && attention.mask.requires_grad();
}

// The conditions of use_flash_attention_cpp, ATen/native/transformers/sdp_utils_cpp.cpp.
bool cpuKernelTakes(const Attention& attention)
{
    return isBatchOfHeads(attention) && attention.dropout == 0 && haveOneWidth(attention) &&
           haveEqualBatches(attention) && haveFittingHeads(attention) && haveDenseRows(attention) &&
           !isEmpty(attention) && !maskWantsGradient(attention);
}

bool isHalf(at::ScalarType dtype)
{
    return dtype == at::kHalf || dtype == at::kBFloat16;
}

// The conditions of use_cudnn_attention where check_prefer_cudnn_attention() has it come first, for which
// cuDNN must not be older than 9.0: ATen/native/transformers/cuda/sdp_utils.cpp, PyTorch 2.11 to 2.13.
bool cudnnKernelTakes(const Attention& attention, int computeCapability)
{
    const bool isPreferred = computeCapability == 90 || computeCapability == 100;
    const std::int64_t widest = computeCapability == 90 ? 256 : 128, alignment = 8;
    const auto fits = [&](std::int64_t width) { return width <= widest && width % alignment == 0; };
    return isPreferred && isBatchOfHeads(attention) && isHalf(attention.query.scalar_type()) &&
           fits(attention.query.size(-1)) && fits(attention.value.size(-1)) && haveEqualBatches(attention) &&
           haveFittingHeads(attention) && haveDenseRows(attention) && hasDenseMask(attention) &&
           !isEmpty(attention) && !maskWantsGradient(attention);
}

// The conditions of use_flash_attention, same file.
bool flashKernelTakes(const Attention& attention, int computeCapability)
{
    return isBatchOfHeads(attention) && isHalf(attention.query.scalar_type()) && computeCapability >= 80 &&
           !attention.mask.defined() && haveOneWidth(attention) && attention.query.size(-1) <= 256 &&
           haveEqualBatches(attention) && haveFittingHeads(attention) && haveDenseRows(attention) &&
           !isEmpty(attention);
}

// The conditions of use_mem_efficient_attention, same file.
bool efficientKernelTakes(const Attention& attention, int computeCapability)
{
    const at::ScalarType dtype = attention.query.scalar_type();
    const std::int64_t alignment = isHalf(dtype) ? 8 : 4;
    return isBatchOfHeads(attention) && computeCapability >= 50 && (isHalf(dtype) || dtype == at::kFloat) &&
           haveEqualBatches(attention) && haveEqualHeads(attention) &&
           attention.query.size(-1) % alignment == 0 && attention.value.size(-1) % alignment == 0 &&
           haveDenseRows(attention) && hasDenseMask(attention) && !isEmpty(attention);
}

// Undefined: the operator is to be decomposed.
Tensor lowerAttention(const LoweringTarget& target, const Attention& attention)
{
    switch (target.kind) {
    case LoweringKind::Efficient:
        return isBatchOfHeads(attention) ? efficientAttention(attention) : Tensor();
    case LoweringKind::Cpu:
        return cpuKernelTakes(attention) ? cpuAttention(withRepeatedHeads(attention)) : Tensor();
    case LoweringKind::Device:
        if (target.deviceType == LoweringTarget::DeviceType::Cpu)
            return cpuKernelTakes(attention) ? cpuAttention(attention) : Tensor();
        if (cudnnKernelTakes(attention, target.computeCapability))
            return cudnnAttention(attention);
        if (flashKernelTakes(attention, target.computeCapability))
            return flashAttention(attention);
        if (efficientKernelTakes(attention, target.computeCapability))
            return efficientAttention(attention);
        break;
    case LoweringKind::Math:
    case LoweringKind::Compiled: // traced as Device
        break;
    }
    return {};
}

bool isCuda(const LoweringTarget& target)
{
    return target.kind == LoweringKind::Device && target.deviceType == LoweringTarget::DeviceType::Cuda;
}

// CUDA keeps a mask of one byte an element where others build one of floats.
Tensor lowerDropout(const LoweringTarget& target, const Stack& stack)
{
    const Tensor input = stack[stack.size() - 3].toTensor();
    const double probability = stack[stack.size() - 2].toDouble();
    const bool trains = stack[stack.size() - 1].toBool();
    const bool fused = isCuda(target) && trains && probability > 0 && probability < 1 && input.numel() > 0;
    return fused ? std::get<0>(at::native_dropout(input, probability, trains)) : Tensor();
}

} // namespace

bool isCpu(const LoweringTarget& target)
{
    return target.kind == LoweringKind::Cpu ||
           (target.kind == LoweringKind::Device && target.deviceType == LoweringTarget::DeviceType::Cpu);
}

bool lowerOperator(const LoweringTarget& target, const c10::OperatorHandle& op, Stack& stack)
{
    const std::string& name = op.operator_name().name;
    const std::size_t arguments = op.schema().arguments().size();
    std::optional<std::vector<c10::IValue>> results;
    Tensor result;
    // Export notes the type that each cast had found: in another precision that is not so.
    if (name == "aten::_assert_tensor_metadata" && target.precision != Precision::AsExported) {
        stack.erase(stack.end() - static_cast<std::ptrdiff_t>(arguments), stack.end());
        return true;
    }
    if (name == "aten::scaled_dot_product_attention" && arguments == attentionArguments)
        result = lowerAttention(target, readAttention(stack));
    else if (name == "aten::dropout" && arguments == 3)
        result = lowerDropout(target, stack);
    else if (isCuda(target))
        results = lowerRecurrent(op, stack);
    if (result.defined())
        results = std::vector<c10::IValue>{result};
    if (!results)
        return false;
    stack.erase(stack.end() - static_cast<std::ptrdiff_t>(arguments), stack.end());
    for (c10::IValue& value : *results)
        stack.push_back(std::move(value));
    return true;
}

Bytes allocatedInside(const LoweringTarget& target, const c10::OperatorHandle& op, const Stack& stack)
{
    // SoftMax.cu, softmax_backward_cuda_out: `Tensor tmp = grad * output`.
    if (!isCuda(target) || op.operator_name().name != "aten::_softmax_backward_data")
        return {};
    const std::size_t first = stack.size() - op.schema().arguments().size();
    const Tensor& gradient = stack[first].toTensor();
    const Tensor& output = stack[first + 1].toTensor();
    const auto itemSize = static_cast<std::int64_t>(c10::elementSize(at::result_type(gradient, output)));
    return Bytes(itemSize) * output.numel();
}

void settleResult(const LoweringTarget& target, const c10::OperatorHandle& op, const Stack& stack)
{
    const auto& returns = op.schema().returns();
    if (target.kind == LoweringKind::Device || returns.size() != 1 || returns[0].alias_info() ||
        !stack.back().isTensor())
        return;
    const Tensor& result = stack.back().toTensor();
    if (!result.defined() || !result.is_meta() || result.dim() != 0)
        return;
    c10::StorageImpl* const storage = result.storage().unsafeGetStorageImpl();
    const auto itemSize = static_cast<std::size_t>(result.element_size());
    if (storage->nbytes() > itemSize && result.storage().use_count() == 1)
        storage->set_nbytes(itemSize);
}

} // namespace stagecraft
