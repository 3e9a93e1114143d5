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

// A list of one number stands for that number in every dimension.
std::int64_t at(IntArrayRef list, std::int64_t dimension)
{
    return list.size() == 1 ? list[0] : list[static_cast<std::size_t>(dimension)];
}

std::vector<std::int64_t> outputSizes(const Tensor& input, const Tensor& weight,
                                      const ConvolutionShape& shape)
{
    std::vector<std::int64_t> sizes{input.size(0),
                                    shape.transposed ? weight.size(1) * shape.groups : weight.size(0)};
    for (std::int64_t d = 0; d + 2 < input.dim(); ++d) {
        const std::int64_t reach = at(shape.dilation, d) * (weight.size(d + 2) - 1);
        const std::int64_t in = input.size(d + 2);
        const std::int64_t out = shape.transposed
                                     ? (in - 1) * at(shape.stride, d) - 2 * at(shape.padding, d) + reach +
                                           at(shape.outputPadding, d) + 1
                                     : (in + 2 * at(shape.padding, d) - reach - 1) / at(shape.stride, d) + 1;
        TORCH_CHECK(out >= 0, "convolution: kernel size ", weight.sizes().slice(2),
                    " is larger than the padded input ", input.sizes());
        sizes.push_back(out);
    }
    return sizes;
}

// One-dimensional convolutions run as two-dimensional ones with a contiguous input of height 1.
MemoryFormat memoryFormat(const Tensor& input, const Tensor& weight)
{
    if (input.dim() == 3)
        return weight.unsqueeze(2).suggest_memory_format() == MemoryFormat::ChannelsLast
                   ? MemoryFormat::ChannelsLast
                   : MemoryFormat::Contiguous;
    const MemoryFormat formats[] = {input.suggest_memory_format(), weight.suggest_memory_format()};
    const bool channelsLast =
        formats[0] != MemoryFormat::Contiguous || formats[1] != MemoryFormat::Contiguous;
    // There is no 3-d channels-last convolution of doubles, nor a oneDNN one of 2-d doubles.
    if (!channelsLast || (input.dim() == 5 && input.scalar_type() == at::kDouble))
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
    TORCH_CHECK(input.dim() == weight.dim(), "convolution: input ", input.sizes(), " and weight ",
                weight.sizes(), " differ in dimensions");
    const std::int64_t channels = transposed ? weight.size(0) : weight.size(1) * groups;
    TORCH_CHECK(input.size(1) == channels, "convolution: input ", input.sizes(), " should have ", channels,
                " channels");
    const ConvolutionShape shape{stride, padding, dilation, transposed, outputPadding, groups};
    return emptyOfFormat(outputSizes(input, weight, shape), input, memoryFormat(input, weight));
}

Tensor convolutionWithFlags(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                            IntArrayRef outputPadding, std::int64_t groups, bool, bool, bool, bool)
{
    return convolve(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
}

std::tuple<Tensor, Tensor, Tensor> convolutionBackward(const Tensor& gradOutput, const Tensor& input,
                                                       const Tensor& weight, at::OptionalIntArrayRef,
                                                       IntArrayRef, IntArrayRef, IntArrayRef, bool transposed,
                                                       IntArrayRef, std::int64_t groups,
                                                       std::array<bool, 3> mask)
{
    const MemoryFormat format = memoryFormat(input, weight);
    const std::int64_t outputChannels = transposed ? weight.size(1) * groups : weight.size(0);
    return {mask[0] ? emptyOfFormat(input.sizes(), gradOutput, format) : Tensor(),
            mask[1] ? emptyOfFormat(weight.sizes(), weight, format) : Tensor(),
            mask[2] ? at::empty({outputChannels}, gradOutput.options()) : Tensor()};
}

} // namespace

void registerConvolution(torch::Library& library)
{
    implement(library, "convolution", &convolve);
    implement(library, "_convolution", &convolutionWithFlags);
    implement(library, "convolution_backward", &convolutionBackward);
}

} // namespace stagecraft::kernels
