// Convolutions. One CPU backend or another (oneDNN, im2col, depthwise) runs them; all agree that the result
// is channels-last where the input or the weight is.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

struct ConvolutionShape
{
    IntArrayRef stride, padding, dilation;
    bool transposed;
    IntArrayRef outputPadding;
    std::int64_t groups;
};

std::vector<std::int64_t> outputSizes(const Tensor& input, const Tensor& weight,
                                      const ConvolutionShape& shape)
{
    std::vector<std::int64_t> sizes{input.size(0),
                                    shape.transposed ? weight.size(1) * shape.groups : weight.size(0)};
    for (std::int64_t d = 0; d + 2 < input.dim(); ++d) {
        const auto dimension = static_cast<std::size_t>(d);
        const std::int64_t stride = numberFor(shape.stride, dimension);
        const std::int64_t padding = numberFor(shape.padding, dimension);
        const std::int64_t reach = numberFor(shape.dilation, dimension) * (weight.size(d + 2) - 1);
        const std::int64_t in = input.size(d + 2);
        TORCH_CHECK(stride > 0, "convolution: a stride is ", stride);
        const std::int64_t out = shape.transposed ? (in - 1) * stride - 2 * padding + reach +
                                                        numberFor(shape.outputPadding, dimension) + 1
                                                  : (in + 2 * padding - reach - 1) / stride + 1;
        TORCH_CHECK(out >= 0, "convolution: kernel size ", weight.sizes().slice(2),
                    " is larger than the padded input ", input.sizes());
        sizes.push_back(out);
    }
    return sizes;
}

// Only oneDNN has a 3-d channels-last convolution. It takes no doubles, and leaves small single images alone:
// ConvParams::use_mkldnn, ATen/native/Convolution.cpp.
bool knowsChannelsLast3d(const Tensor& input, const Tensor& weight, std::int64_t groups)
{
    if (input.scalar_type() == at::kDouble)
        return false;
    return input.scalar_type() != at::kFloat || groups > 1 || input.size(0) > 1 ||
           (weight.size(-1) > 3 && weight.size(-2) > 3) ||
           input.size(0) * input.size(1) * input.size(2) * input.size(3) > 20480;
}

// One-dimensional convolutions run as two-dimensional ones with a contiguous input of height 1.
MemoryFormat memoryFormat(const Tensor& input, const Tensor& weight, std::int64_t groups)
{
    if (input.dim() == 3)
        return weight.unsqueeze(2).suggest_memory_format() == MemoryFormat::ChannelsLast
                   ? MemoryFormat::ChannelsLast
                   : MemoryFormat::Contiguous;
    const MemoryFormat formats[] = {input.suggest_memory_format(), weight.suggest_memory_format()};
    const bool channelsLast =
        formats[0] != MemoryFormat::Contiguous || formats[1] != MemoryFormat::Contiguous;
    if (!channelsLast || (input.dim() == 5 && !knowsChannelsLast3d(input, weight, groups)))
        return MemoryFormat::Contiguous;
    return input.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
}

Tensor emptyOfFormat(IntArrayRef sizes, const Tensor& like, MemoryFormat format)
{
    if (sizes.size() != 3)
        return at::empty(sizes, like.options(), format);
    return at::empty({sizes[0], sizes[1], 1, sizes[2]}, like.options(), format).squeeze(2);
}

Tensor convolve(const Tensor& input, const Tensor& weight, const OptionalTensor&, IntArrayRef stride,
                IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef outputPadding,
                std::int64_t groups)
{
    TORCH_CHECK(groups > 0, "convolution: it has ", groups, " groups");
    TORCH_CHECK(input.dim() == weight.dim(), "convolution: input ", input.sizes(), " and weight ",
                weight.sizes(), " differ in dimensions");
    const std::int64_t channels = transposed ? weight.size(0) : weight.size(1) * groups;
    TORCH_CHECK(input.size(1) == channels, "convolution: input ", input.sizes(), " should have ", channels,
                " channels");
    const ConvolutionShape shape{stride, padding, dilation, transposed, outputPadding, groups};
    const std::vector<std::int64_t> sizes = outputSizes(input, weight, shape);
    if (input.numel() == 0) // an elementwise product, seen in the right sizes
        return input.mul(1).view(sizes);
    const MemoryFormat format =
        followsMetaFunctions() ? MemoryFormat::Contiguous : memoryFormat(input, weight, groups);
    return emptyOfFormat(sizes, input, format);
}

Tensor convolutionWithFlags(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                            IntArrayRef outputPadding, std::int64_t groups, bool, bool, bool, bool)
{
    return convolve(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
}

// Doubles are convolved group by group, each group's weight brought into the common format: where it is in
// both formats at once (one input channel), it counts as row-major.
MemoryFormat weightGradientFormat(const Tensor& weight, MemoryFormat format, std::int64_t groups)
{
    if (format == MemoryFormat::Contiguous || weight.scalar_type() != at::kDouble || weight.size(0) == 0)
        return format;
    const Tensor images = weight.dim() == 3 ? weight.unsqueeze(2) : weight;
    return images.narrow(0, 0, images.size(0) / groups).contiguous(format).suggest_memory_format();
}

std::tuple<Tensor, Tensor, Tensor> convolutionBackward(const Tensor& gradOutput, const Tensor& input,
                                                       const Tensor& weight, at::OptionalIntArrayRef,
                                                       IntArrayRef, IntArrayRef, IntArrayRef, bool transposed,
                                                       IntArrayRef, std::int64_t groups,
                                                       std::array<bool, 3> mask)
{
    TORCH_CHECK(groups > 0, "convolution: it has ", groups, " groups");
    const bool isEmpty = input.numel() == 0;
    const MemoryFormat format = memoryFormat(input, weight, groups);
    const MemoryFormat weightFormat = weightGradientFormat(weight, format, groups);
    const std::int64_t outputChannels = transposed ? weight.size(1) * groups : weight.size(0);
    Tensor inputGradient, weightGradient, biasGradient;
    if (mask[0])
        inputGradient = isEmpty ? at::empty_like(input) : emptyOfFormat(input.sizes(), gradOutput, format);
    if (mask[1] && transposed && !isEmpty && weight.dim() > 3) // computed row-major, then converted
        weightGradient = at::empty(weight.sizes(), weight.options()).contiguous(weightFormat);
    else if (mask[1])
        weightGradient =
            isEmpty ? at::empty_like(weight) : emptyOfFormat(weight.sizes(), weight, weightFormat);
    if (mask[2])
        biasGradient = at::empty({outputChannels}, gradOutput.options());
    return {inputGradient, weightGradient, biasGradient};
}

} // namespace

void registerConvolution(torch::Library& library)
{
    implement(library, "convolution", &convolve);
    implement(library, "_convolution", &convolutionWithFlags);
    implement(library, "convolution_backward", &convolutionBackward);
}

} // namespace stagecraft::kernels
