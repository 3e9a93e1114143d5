// Fused attention: flash, memory-efficient, cuDNN, and the CPU's own. All read [batch, heads, length, size].
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

#include <algorithm>

namespace stagecraft::kernels {

namespace {

using at::Tensor;
using c10::SymInt;
using OptionalTensor = std::optional<Tensor>;
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

// The kernels write [batch, length, heads, size]; the result is that, seen as [batch, heads, length, size].
Tensor byLength(const Tensor& like, std::int64_t size)
{
    return at::empty({like.size(0), like.size(2), like.size(1), size}, like.options()).transpose(1, 2);
}

Tensor byLength(const Tensor& like)
{
    return byLength(like, like.size(3));
}

std::int64_t roundUp(std::int64_t value, std::int64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

Tensor scalar(const Tensor& like, at::ScalarType dtype)
{
    return at::empty({}, like.options().dtype(dtype));
}

// --- flash -----------------------------------------------------------------------------------------------

// With lengths of packed sequences there are none, the longest query and key, seed, offset, debug mask.
std::tuple<Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, Tensor, Tensor, Tensor>
flash(const Tensor& query, const Tensor& key, const Tensor&, double, bool, bool, std::optional<double>)
{
    const auto statistics = query.options().dtype(at::kFloat);
    return {at::empty_like(query),
            at::empty({query.size(0), query.size(1), query.size(2)}, statistics),
            Tensor(),
            Tensor(),
            query.size(2),
            key.size(2),
            at::empty({2}, query.options().dtype(at::kUInt64)),
            scalar(query, at::kUInt64),
            at::empty({0}, query.options())};
}

// What the kernel holds while it runs is made and let go again, so that the trace counts it: sums of the
// query's gradient in float32, a number a row, and gradients of keys and values for each head of the query
// where several share one (ATen/native/transformers/cuda/flash_attn/flash_api.cpp, mha_bwd, PyTorch 2.13, not
// deterministic).
ThreeTensors flashBackward(const Tensor&, const Tensor& query, const Tensor& key, const Tensor& value,
                           const Tensor&, const Tensor&, const Tensor&, const Tensor&, SymInt, SymInt, double,
                           bool, const Tensor&, const Tensor&, std::optional<double>)
{
    ThreeTensors gradients{at::empty_like(query), at::empty_like(key), at::empty_like(value)};
    const std::int64_t batch = query.size(0), heads = query.size(1), size = query.size(3);
    if (batch == 0)
        return gradients;
    const auto sums = query.options().dtype(at::kFloat);
    const std::int64_t length = roundUp(query.size(2), 128);
    const Tensor rows = at::empty({batch, heads, length}, sums);
    const Tensor accumulated = at::empty({batch, length, heads, roundUp(size, size <= 128 ? 32 : 64)}, sums);
    if (key.size(1) != heads) {
        const Tensor keys = at::empty({batch, key.size(2), heads, size}, key.options());
        const Tensor values = at::empty_like(keys);
    }
    return gradients;
}

// --- memory-efficient ------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor, Tensor, Tensor> efficient(const Tensor& query, const Tensor&, const Tensor& value,
                                                     const OptionalTensor&, bool keepStatistics, double, bool,
                                                     std::optional<double>)
{
    const std::int64_t length = keepStatistics ? roundUp(query.size(2), 32) : 0;
    return {byLength(query, value.size(3)),
            at::empty({query.size(0), query.size(1), length}, query.options().dtype(at::kFloat)),
            scalar(query, at::kLong), scalar(query, at::kLong)};
}

// The gradient of a bias is made with rows of whole 16 elements.
Tensor biasGradient(const Tensor& bias)
{
    std::vector<std::int64_t> sizes = bias.sizes().vec();
    sizes.back() = roundUp(sizes.back(), 16);
    return at::empty(sizes, bias.options()).narrow(-1, 0, bias.size(-1));
}

// What the kernel holds while it runs, in blocks of 64 rows and 64 columns, which most of its kernels have:
// of each head sums of the query's gradient in float32, with 16 bytes a block, since keys are shared out to
// several blocks (from compute capability 7.0 on); and of heads wider than 128 in half precision sums of the
// gradients of keys and values for each share: workspace_size() in mem_eff_attention/kernel_backward.h. The
// number of shares: attention_backward.cu. Both of ATen/native/transformers/cuda.
std::int64_t efficientWorkspace(const Tensor& query, const Tensor& key, const Tensor& value)
{
    constexpr std::int64_t block = 64, perBlock = block * block * 4 + 16;
    const auto blocks = [](std::int64_t size) { return (size + block - 1) / block; };
    const std::int64_t heads = query.size(0) * query.size(1);
    std::int64_t bytes = blocks(query.size(2)) * blocks(query.size(3)) * perBlock;
    if (std::max(query.size(3), value.size(3)) > 128 && query.scalar_type() != at::kFloat && heads > 0) {
        const std::int64_t shares = std::max<std::int64_t>(std::min(blocks(key.size(2)), 200 / heads), 1);
        bytes += shares * block * (roundUp(query.size(3), block) + roundUp(value.size(3), block)) * 4;
    }
    return heads * bytes;
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
efficientBackward(const Tensor&, const Tensor& query, const Tensor& key, const Tensor& value,
                  const Tensor& bias, const Tensor&, const Tensor&, const Tensor&, const Tensor&, double,
                  std::array<bool, 4> mask, bool, std::optional<double>)
{
    std::tuple<Tensor, Tensor, Tensor, Tensor> gradients{byLength(query), byLength(key), byLength(value),
                                                         mask[3] && bias.defined() ? biasGradient(bias)
                                                                                   : Tensor()};
    const Tensor rows =
        at::empty({query.size(0), query.size(1), query.size(2)}, query.options().dtype(at::kFloat));
    const Tensor sums = at::empty({efficientWorkspace(query, key, value)}, query.options().dtype(at::kByte));
    return gradients;
}

// --- cuDNN -----------------------------------------------------------------------------------------------

// alloc_with_matching_layout, ATen/native/cudnn/MHA.cpp: as the query lies in memory.
Tensor laidOutLike(const Tensor& query, std::int64_t size)
{
    return size == query.size(3) ? at::empty_like(query) : byLength(query, size);
}

std::tuple<Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, Tensor, Tensor, Tensor>
cudnn(const Tensor& query, const Tensor& key, const Tensor& value, const OptionalTensor&, bool, double, bool,
      bool, std::optional<double>)
{
    const auto statistics = query.options().dtype(at::kFloat);
    return {laidOutLike(query, value.size(3)),
            at::empty({query.size(0), query.size(1), query.size(2), 1}, statistics),
            Tensor(),
            Tensor(),
            query.size(2),
            key.size(2),
            scalar(query, at::kLong),
            scalar(query, at::kLong),
            Tensor()};
}

// The kernel holds sums of the query's gradient in float32 and a number a row, and gradients of keys and
// values for each head of the query where several share one.
ThreeTensors cudnnBackward(const Tensor&, const Tensor& query, const Tensor& key, const Tensor& value,
                           const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                           const Tensor&, const Tensor&, SymInt, SymInt, double, bool, std::optional<double>)
{
    ThreeTensors gradients{at::empty_like(query), at::empty_like(key), at::empty_like(value)};
    const auto sums = query.options().dtype(at::kFloat);
    const Tensor rows = at::empty({query.size(0), query.size(1), query.size(2)}, sums);
    const Tensor accumulated = at::empty(query.sizes(), sums);
    if (key.size(1) != query.size(1)) {
        const Tensor keys = at::empty({key.size(0), query.size(1), key.size(2), key.size(3)}, key.options());
        const Tensor values = at::empty_like(keys);
    }
    return gradients;
}

// --- the CPU's own ---------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> flashForCpu(const Tensor& query, const Tensor&, const Tensor&, double, bool,
                                       const OptionalTensor&, std::optional<double>)
{
    const auto dtype = at::isReducedFloatingType(query.scalar_type()) ? at::kFloat : query.scalar_type();
    return {at::empty_like(query),
            at::empty({query.size(0), query.size(2), query.size(1)}, query.options().dtype(dtype))
                .transpose(1, 2)};
}

ThreeTensors flashForCpuBackward(const Tensor&, const Tensor& query, const Tensor& key, const Tensor& value,
                                 const Tensor&, const Tensor&, double, bool, const OptionalTensor&,
                                 std::optional<double>)
{
    return {byLength(query), byLength(key), byLength(value)};
}

} // namespace

void registerAttention(torch::Library& library)
{
    implement(library, "_scaled_dot_product_flash_attention", &flash);
    implement(library, "_scaled_dot_product_flash_attention_backward", &flashBackward);
    implement(library, "_scaled_dot_product_efficient_attention", &efficient);
    implement(library, "_scaled_dot_product_efficient_attention_backward", &efficientBackward);
    implement(library, "_scaled_dot_product_cudnn_attention", &cudnn);
    implement(library, "_scaled_dot_product_cudnn_attention_backward", &cudnnBackward);
    implement(library, "_scaled_dot_product_flash_attention_for_cpu", &flashForCpu);
    implement(library, "_scaled_dot_product_flash_attention_for_cpu_backward", &flashForCpuBackward);
}

} // namespace stagecraft::kernels
