#include "core/profile/cost/convolution_copies.h"

#include "core/profile/cost/cycles.h"
#include "core/profile/cost/image_cycles.h"
#include "core/profile/cost/tensor_layout.h"
#include "core/profile/device/matrix_shapes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace stagecraft {

namespace {

constexpr double atOnce = 8; // channels that kernels take

double filledUp(double places, double channels)
{
    const double padded = paddedTo(atOnce, channels);
    return padded == channels ? 0 : places * padded;
}

double bothFilledUp(const ImageConvolution& one)
{
    return filledUp(one.images * one.placesIn, one.channels) +
           filledUp(one.images * one.placesOut, one.filters);
}

double placesOfImage(const Trace& trace, const TraceTensor& images)
{
    const auto sizes = trace.sizes(images);
    return static_cast<double>(sizes[2] * sizes[3]);
}

// Elements of the images that a pass reads.
double elementsRead(const ImageConvolution& one, ConvolutionPass pass)
{
    return (pass != ConvolutionPass::InputGradient ? one.elementsIn() : 0) +
           (pass != ConvolutionPass::Forward ? one.elementsOut() : 0);
}

ImageCopies copiesOfGroups(const ImageConvolution& one, ConvolutionPass pass)
{
    constexpr double narrowest = 16;
    const bool isEven = std::has_single_bit(static_cast<std::uint64_t>(one.width));
    if (one.width == one.filtersOfGroup && isEven)
        return {};
    if (isEven && std::max(one.width, one.filtersOfGroup) > narrowest)
        return {.slices = elementsRead(one, pass)};
    return {.laidOut = one.elementsIn() + one.elementsOut()};
}

ImageCopies copiesOfStem(const ImageConvolution& one)
{
    constexpr double sevenBySeven = 49, strideOfTwo = 4;
    const bool isFirstLayer =
        one.taps == sevenBySeven && std::round(one.placesIn / one.placesOut) == strideOfTwo;
    if (!isFirstLayer && one.taps <= sevenBySeven)
        return {};
    return {.filledUp = filledUp(one.images * one.placesIn, one.channels)};
}

ImageCopies copiesOfOddChannels(const ImageConvolution& one, ConvolutionPass pass)
{
    constexpr double manyPlaces = 200e3, narrow = 64;
    const bool goesBack = pass != ConvolutionPass::Forward;
    if (one.taps > 1)
        return {.filledUp = goesBack || std::fmod(one.channels, atOnce) == 0 ? bothFilledUp(one) : 0};
    const bool isOdd = std::fmod(one.channels, 2) == 1 || std::fmod(one.filters, 2) == 1;
    const bool isNarrow = one.channels < narrow && std::fmod(one.channels, atOnce) != 0;
    if ((!isOdd && !isNarrow) || one.images * one.placesOut < manyPlaces)
        return {};
    return {.filledUp = bothFilledUp(one)};
}

// Elements that lie in the workspace at a time.
double elementsCopied(const ImageConvolution& one, ConvolutionPass pass, bool channelsLast, bool isHalf)
{
    if (!channelsLast)
        return one.isDepthwise() ? 0
                                 : one.elementsIn() + one.elementsOut() + one.filters * one.width * one.taps;
    if (!isHalf)
        return one.isDepthwise() && pass == ConvolutionPass::WeightGradient
                   ? one.elementsIn() + one.elementsOut()
                   : 0;
    const ImageCopies copies = imageCopies(one, pass);
    return copies.filledUp + copies.laidOut + copies.slices * one.width / one.channels;
}

} // namespace

double paddedTo(double multiple, double count)
{
    return std::ceil(count / multiple) * multiple;
}

bool ImageConvolution::goesByEights() const
{
    return std::fmod(channels, atOnce) == 0 && std::fmod(filters, atOnce) == 0;
}

std::optional<ImageConvolution> convolutionOf(const Trace& trace, const TraceOp& op)
{
    const std::string_view name = trace.opNames[op.name].name;
    const bool goesBack = name == "aten::convolution_backward";
    if ((!goesBack && name != "aten::convolution") || isTransposedConvolution(trace, op))
        return std::nullopt;
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const input = tensorAt(trace, arguments, goesBack ? 1 : 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, goesBack ? 2 : 1);
    const TraceTensor* const output = goesBack ? tensorAt(trace, arguments, 0) : tensorAt(trace, results, 0);
    if (!input || !weight || !output || trace.sizes(*input).size() != 4 ||
        elementCount(trace, *weight) == 0 || elementCount(trace, *output) == 0)
        return std::nullopt;
    const auto in = trace.sizes(*input), kernels = trace.sizes(*weight), out = trace.sizes(*output);
    const auto groups = static_cast<double>(in[1]) / static_cast<double>(kernels[1]);
    return ImageConvolution{.images = static_cast<double>(in[0]),
                            .channels = static_cast<double>(in[1]),
                            .filters = static_cast<double>(out[1]),
                            .width = static_cast<double>(kernels[1]),
                            .filtersOfGroup = static_cast<double>(out[1]) / groups,
                            .taps = static_cast<double>(kernels[2] * kernels[3]),
                            .placesIn = placesOfImage(trace, *input),
                            .placesOut = placesOfImage(trace, *output)};
}

ImageCopies imageCopies(const ImageConvolution& one, ConvolutionPass pass)
{
    if (one.isDepthwise())
        return {};
    if (one.hasGroups())
        return copiesOfGroups(one, pass);
    if (one.isStem())
        return copiesOfStem(one);
    return one.goesByEights() ? ImageCopies{} : copiesOfOddChannels(one, pass);
}

Bytes convolutionWorkspace(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::optional<ImageConvolution> one =
        device.kind == "cuda" ? convolutionOf(trace, op) : std::nullopt;
    if (!one)
        return {};
    const DType type = tensorAt(trace, trace.arguments(op), 0)->dtype;
    if (!isHalf(type) && !(type == DType::F32 && device.tf32Flops > 0))
        return {};
    const bool channelsLast = convolvesChannelsLast(trace, op);
    const auto bytesOf = [&](ConvolutionPass pass) {
        const double elements = elementsCopied(*one, pass, channelsLast, isHalf(type));
        return Bytes(static_cast<std::int64_t>(elements) * itemSize(type));
    };
    const auto results = trace.results(op);
    if (trace.opNames[op.name].name == "aten::convolution")
        return bytesOf(ConvolutionPass::Forward);
    return std::max(
        bytesAt(trace, results, 0) > Bytes(0) ? bytesOf(ConvolutionPass::InputGradient) : Bytes(0),
        bytesAt(trace, results, 1) > Bytes(0) ? bytesOf(ConvolutionPass::WeightGradient) : Bytes(0));
}

} // namespace stagecraft
