// Batch, layer, group and RMS normalization, and weight normalization.
#include "core/trace/kernels/meta_kernels.h"
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

bool isDefined(const OptionalTensor& tensor)
{
    return tensor && tensor->defined();
}

// A half-precision input with single-precision weights keeps its statistics in single precision.
at::ScalarType statisticsType(const Tensor& input, const OptionalTensor& weight)
{
    return isDefined(weight) ? weight->scalar_type() : input.scalar_type();
}

// Of layer and batch norm, whose CUDA kernels keep what they accumulate in. A group norm keeps the weights'
// type everywhere.
at::ScalarType accumulatedType(const Tensor& input, const OptionalTensor& weight)
{
    const bool isHalf = input.scalar_type() == at::kHalf || input.scalar_type() == at::kBFloat16;
    if (isHalf && kernelModel() != KernelModel::Cpu)
        return at::kFloat;
    return statisticsType(input, weight);
}

// --- layer and RMS normalization -------------------------------------------------------------------------

ThreeTensors nativeLayerNorm(const Tensor& input, IntArrayRef normalizedShape, const OptionalTensor& weight,
                             const OptionalTensor&, double)
{
    const std::size_t kept = static_cast<std::size_t>(input.dim()) - normalizedShape.size();
    TORCH_CHECK(input.sizes().slice(kept) == normalizedShape, "layer_norm: input ", input.sizes(),
                " does not end in ", normalizedShape);
    std::vector<std::int64_t> sizes(input.sizes().begin(), input.sizes().begin() + static_cast<int>(kept));
    sizes.resize(static_cast<std::size_t>(input.dim()), 1);
    const auto options = input.options().dtype(accumulatedType(input, weight));
    return {at::empty_like(input, MemoryFormat::Contiguous), at::empty(sizes, options),
            at::empty(sizes, options)};
}

ThreeTensors nativeLayerNormBackward(const Tensor& grad, const Tensor& input, IntArrayRef, const Tensor&,
                                     const Tensor& deviation, const OptionalTensor& weight,
                                     const OptionalTensor& bias, std::array<bool, 3> mask)
{
    const auto like = [](const Tensor& tensor) { return at::empty_like(tensor, MemoryFormat::Contiguous); };
    const auto inputGradient = [&] {
        return followsMetaFunctions() ? elementwise({deviation, grad, input}, input.scalar_type())
                                      : like(input);
    };
    return {mask[0] ? inputGradient() : Tensor(), mask[1] && isDefined(weight) ? like(*weight) : Tensor(),
            mask[2] && isDefined(bias) ? like(*bias) : Tensor()};
}

std::tuple<Tensor, Tensor> fusedRmsNormBackward(const Tensor&, const Tensor& input, IntArrayRef,
                                                const Tensor&, const OptionalTensor& weight,
                                                std::array<bool, 2> mask)
{
    return {mask[0] ? at::empty_like(input, MemoryFormat::Contiguous) : Tensor(),
            mask[1] && isDefined(weight) ? at::empty_like(*weight, MemoryFormat::Contiguous) : Tensor()};
}

// --- group normalization ---------------------------------------------------------------------------------

MemoryFormat channelsLastOrContiguous(const Tensor& tensor)
{
    const MemoryFormat format = tensor.suggest_memory_format();
    return tensor.dim() == 4 || tensor.dim() == 5 ? format : MemoryFormat::Contiguous;
}

ThreeTensors nativeGroupNorm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
                             std::int64_t batch, std::int64_t, std::int64_t, std::int64_t groups, double)
{
    const auto options = input.options().dtype(statisticsType(input, weight));
    return {at::empty_like(input, channelsLastOrContiguous(input)), at::empty({batch, groups}, options),
            at::empty({batch, groups}, options)};
}

ThreeTensors nativeGroupNormBackward(const Tensor&, const Tensor& input, const Tensor&, const Tensor&,
                                     const OptionalTensor& weight, std::int64_t, std::int64_t channels,
                                     std::int64_t, std::int64_t, std::array<bool, 3> mask)
{
    const auto options = input.options().dtype(statisticsType(input, weight));
    return {mask[0] ? at::empty_like(input, channelsLastOrContiguous(input)) : Tensor(),
            mask[1] ? at::empty({channels}, options) : Tensor(),
            mask[2] ? at::empty({channels}, options) : Tensor()};
}

// --- batch normalization ---------------------------------------------------------------------------------

// The result follows the input where it is dense in one of the two usual orders, else it is row-major.
Tensor batchNormResult(const Tensor& input)
{
    if (followsMetaFunctions())
        return at::empty_like(input);
    if (input.is_contiguous(MemoryFormat::ChannelsLast))
        return at::empty_like(input, MemoryFormat::ChannelsLast);
    if (input.is_contiguous(MemoryFormat::ChannelsLast3d))
        return at::empty_like(input, MemoryFormat::ChannelsLast3d);
    return at::empty_like(input, MemoryFormat::Contiguous);
}

ThreeTensors batchNorm(const Tensor& input, const OptionalTensor& weight, bool training)
{
    const auto options = input.options().dtype(accumulatedType(input, weight));
    const std::int64_t channels = training ? input.size(1) : 0;
    return {batchNormResult(input), at::empty({channels}, options), at::empty({channels}, options)};
}

ThreeTensors nativeBatchNorm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
                             const OptionalTensor&, const OptionalTensor&, bool training, double, double)
{
    return batchNorm(input, weight, training);
}

ThreeTensors nativeBatchNormLegit(const Tensor& input, const OptionalTensor& weight, const OptionalTensor&,
                                  Tensor&, Tensor&, bool training, double, double)
{
    return batchNorm(input, weight, training);
}

ThreeTensors nativeBatchNormNoStatistics(const Tensor& input, const OptionalTensor& weight,
                                         const OptionalTensor&, bool training, double, double)
{
    return batchNorm(input, weight, training);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> batchNormWithUpdate(const Tensor& input,
                                                               const OptionalTensor& weight,
                                                               const OptionalTensor&, Tensor&, Tensor&,
                                                               double, double)
{
    auto [output, mean, deviation] = batchNorm(input, weight, true);
    return {output, mean, deviation, at::empty({0}, input.options().dtype(at::kByte))};
}

ThreeTensors batchNormGradients(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                std::array<bool, 3> mask)
{
    const auto inputGradient = [&] {
        return followsMetaFunctions() ? elementwise({grad, input}) : batchNormResult(input);
    };
    const auto options = input.options().dtype(statisticsType(input, weight));
    return {mask[0] ? inputGradient() : Tensor(), mask[1] ? at::empty({input.size(1)}, options) : Tensor(),
            mask[2] ? at::empty({input.size(1)}, options) : Tensor()};
}

ThreeTensors nativeBatchNormBackward(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                     const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                     const OptionalTensor&, bool, double, std::array<bool, 3> mask)
{
    return batchNormGradients(grad, input, weight, mask);
}

ThreeTensors batchNormBackward(const Tensor& grad, const Tensor& input, const Tensor& weight,
                               const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                               const OptionalTensor&, bool, double, std::array<bool, 3> mask, const Tensor&)
{
    return batchNormGradients(grad, input, weight, mask);
}

// cuDNN keeps a reserve of its own for training; its size is the library's affair and not counted.
std::tuple<Tensor, Tensor, Tensor, Tensor> cudnnBatchNorm(const Tensor& input, const Tensor& weight,
                                                          const OptionalTensor&, const OptionalTensor&,
                                                          const OptionalTensor&, bool training, double,
                                                          double)
{
    auto [output, mean, deviation] = batchNorm(input, weight, training);
    return {output, mean, deviation, at::empty({0}, input.options().dtype(at::kByte))};
}

ThreeTensors cudnnBatchNormBackward(const Tensor& input, const Tensor& grad, const Tensor& weight,
                                    const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                    const OptionalTensor&, double, const Tensor&)
{
    return batchNormGradients(grad, input, weight, {true, true, true});
}

// --- weight normalization --------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> weightNorm(const Tensor& v, const Tensor& g, std::int64_t)
{
    const bool isHalf = g.scalar_type() == at::kBFloat16 || g.scalar_type() == at::kHalf;
    const auto norms = isHalf ? at::kFloat : g.scalar_type();
    return {at::empty_like(v, MemoryFormat::Contiguous),
            at::empty_strided(g.sizes(), g.strides(), g.options().dtype(norms))};
}

} // namespace

void registerNormalization(torch::Library& library)
{
    implement(library, "native_layer_norm", &nativeLayerNorm);
    implement(library, "native_layer_norm_backward", &nativeLayerNormBackward);
    implement(library, "_fused_rms_norm_backward", &fusedRmsNormBackward);
    implement(library, "native_group_norm", &nativeGroupNorm);
    implement(library, "native_group_norm_backward", &nativeGroupNormBackward);
    implement(library, "native_batch_norm", &nativeBatchNorm);
    implement(library, "native_batch_norm_backward", &nativeBatchNormBackward);
    implement(library, "_native_batch_norm_legit", &nativeBatchNormLegit);
    implement(library, "_native_batch_norm_legit.no_stats", &nativeBatchNormNoStatistics);
    implement(library, "_batch_norm_with_update", &batchNormWithUpdate);
    implement(library, "batch_norm_backward", &batchNormBackward);
    implement(library, "cudnn_batch_norm", &cudnnBatchNorm);
    implement(library, "cudnn_batch_norm_backward", &cudnnBatchNormBackward);
    implement(library, "_weight_norm_interface", &weightNorm);
    implementLike(library, "_weight_norm_interface_backward", {1, 2});
}

} // namespace stagecraft::kernels
