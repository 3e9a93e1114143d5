#include "core/profile/cost/hopper_convolutions.h"

#include "core/profile/cost/convolution_copies.h"
#include "core/profile/cost/cycles.h"
#include "core/profile/cost/hopper_products.h"
#include "core/profile/cost/image_cycles.h"
#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace stagecraft {

namespace {

// What a multiprocessor's tensor cores do in a cycle, additions counted.
double flopsPerCycle(const DeviceSpec& device)
{
    return device.peakFlops.at(DType::F16) / cyclesPerSecond(device);
}

// What cuDNN lays out side by side for a window: channels are filled up to so many.
constexpr double ofPatches = 32, ofWeights = 64;

HopperProduct productOf(const ImageConvolution& one, ConvolutionPass pass)
{
    constexpr double itemBytes = 2;
    const double weights = one.channels * one.filters * one.taps;
    HopperProduct product{.bytes = (one.elementsIn() + one.elementsOut() + weights) * itemBytes,
                          .hasWindow = one.taps > 1};
    const double in = one.images * one.placesIn, out = one.images * one.placesOut;
    const auto filled = [&](double multiple, double channels) {
        return one.taps * (product.hasWindow ? paddedTo(multiple, channels) : channels);
    };
    if (pass == ConvolutionPass::Forward) {
        product.rows = out;
        product.columns = one.filters;
        product.depth = filled(ofPatches, one.channels);
    } else if (pass == ConvolutionPass::InputGradient) {
        // With strides a part of the taps meets a place; those that a window of one element misses are zeros.
        constexpr double halfAgain = 1.5;
        product.isStrided = product.hasWindow && one.placesIn > halfAgain * one.placesOut;
        product.rows = product.hasWindow ? in : out;
        product.columns = one.channels;
        product.depth = filled(ofPatches, one.filters) * out / product.rows;
    } else {
        product.rows = one.filters;
        product.columns = filled(ofWeights, one.channels);
        product.depth = out;
    }
    return product;
}

double denseCycles(const ImageConvolution& one, ConvolutionPass pass, const DeviceSpec& device)
{
    return hopperProductCycles(productOf(one, pass), pass, device);
}

constexpr double filledUpCycles = 0.65; // an element

// By eights, copied so before and back afterwards.
double paddedFirstCycles(const ImageConvolution& one, ConvolutionPass pass, const DeviceSpec& device)
{
    constexpr double vector = 8;
    ImageConvolution padded = one;
    padded.channels = padded.width = paddedTo(vector, one.channels);
    padded.filters = padded.filtersOfGroup = paddedTo(vector, one.filters);
    return denseCycles(padded, pass, device) + imageCopies(one, pass).filledUp * filledUpCycles;
}

double oddCycles(const ImageConvolution& one, ConvolutionPass pass, const DeviceSpec& device)
{
    constexpr double aMultiplication = 0.0105, ofFours = 0.008, columns = 32, share = 0.08,
                     gradientsPart = 0.75;
    const bool goesBack = pass != ConvolutionPass::Forward;
    if (one.taps > 1 && (goesBack || std::fmod(one.channels, 8) == 0))
        return paddedFirstCycles(one, pass, device);
    if (one.taps > 1)
        return one.multiplications(one.width, paddedTo(columns, one.filters)) *
               (std::fmod(one.channels, 4) == 0 ? ofFours : aMultiplication);
    const double part = goesBack ? gradientsPart : 1;
    const double products =
        part * 2 * one.multiplications(one.width, one.filters) / (flopsPerCycle(device) * share);
    return products + part * imageCopies(one, pass).filledUp * filledUpCycles;
}

// Of images themselves, of three colours.
double stemCycles(const ImageConvolution& one, ConvolutionPass pass)
{
    constexpr double aMultiplication = 0.0125, ofFirstLayers = 0.0039, columns = 32, aPatch = 20;
    constexpr double sevenBySeven = 49, strideOfTwo = 4;
    const double padding = imageCopies(one, pass).filledUp * filledUpCycles;
    if (one.taps == sevenBySeven && std::round(one.placesIn / one.placesOut) == strideOfTwo)
        return one.multiplications(one.width, one.filters) * ofFirstLayers + padding;
    const double share = 1 + aPatch / (one.taps * one.channels);
    return one.multiplications(one.width, paddedTo(columns, one.filters)) * aMultiplication * share + padding;
}

// Of one that is not depthwise: cycles of laying groups out anew, and shares of what stems take.
struct PassRates
{
    double laidOut, laidOutOddly, ofStem, ofStemPatches;
};

constexpr PassRates forwardPass{0.9, 1.6, 1, 1};
// Of the input or of the weight: these go alike.
constexpr PassRates gradientPass{1.3, 2.4, 1.1, 0.55};

bool isPowerOfTwo(double count)
{
    return std::has_single_bit(static_cast<std::uint64_t>(count));
}

double groupedCycles(const ImageConvolution& one, ConvolutionPass pass, const PassRates& rates,
                     const DeviceSpec& device)
{
    constexpr double anElement = 0.48, cutOut = 0.9, share = 0.8, shareOfPieces = 0.25;
    constexpr double wide = 64, narrowest = 16;
    const double elements = one.elementsIn() + one.elementsOut();
    const bool isEven = isPowerOfTwo(one.width);
    const bool isNative = one.width == one.filtersOfGroup && isEven;
    const ImageCopies copies = imageCopies(one, pass);
    const double again =
        copies.laidOut * (isEven ? rates.laidOut : rates.laidOutOddly) + copies.slices * cutOut;
    if (std::max(one.width, one.filtersOfGroup) <= narrowest)
        return elements * anElement + again;
    const double flops =
        2 * one.multiplications(paddedTo(isNative ? 1 : wide, one.width), one.filtersOfGroup);
    const double products = flops / (flopsPerCycle(device) * (isNative ? share : shareOfPieces));
    return std::max(elements * anElement, products) + again;
}

constexpr double largestWindow = 49; // of depthwise kernels of their own

// Cycles of a pass over a depthwise convolution; by itself: where kernels take a multiplication at a time.
struct DepthwiseRates
{
    double aResult, aTap, anElement, ofSeveral, aTapOfSeveral, aTapByItself;
};

double depthwiseCycles(const ImageConvolution& one, const DepthwiseRates& rates)
{
    if (one.filters != one.channels)
        return one.elementsOut() * (rates.ofSeveral + rates.aTapOfSeveral * one.taps);
    if (one.taps > largestWindow)
        return one.elementsOut() * one.taps * rates.aTapByItself;
    return one.elementsOut() * (rates.aResult + rates.aTap * one.taps) + one.elementsIn() * rates.anElement;
}

constexpr DepthwiseRates depthwiseForward{0.07, 0.033, 0.13, 38, 0, 0.66};
constexpr DepthwiseRates depthwiseWeight{0.1, 0.025, 0.2, 0, 2, 1.53};

double depthwiseInputGradient(const ImageConvolution& one)
{
    constexpr double anElement = 0.4, aTapSquared = 0.0018, ofSeveral = 18;
    if (one.filters != one.channels)
        return one.elementsOut() * ofSeveral;
    return one.elementsIn() * (anElement + aTapSquared * std::pow(std::min(one.taps, 2 * largestWindow), 2));
}

double passCycles(const ImageConvolution& one, ConvolutionPass pass, const DeviceSpec& device)
{
    const PassRates& rates = pass == ConvolutionPass::Forward ? forwardPass : gradientPass;
    if (one.hasGroups())
        return groupedCycles(one, pass, rates, device);
    if (one.isStem())
        return stemCycles(one, pass) * (one.taps > largestWindow ? rates.ofStemPatches : rates.ofStem);
    return one.goesByEights() ? denseCycles(one, pass, device) : oddCycles(one, pass, device);
}

bool isKnown(const DeviceSpec& device)
{
    return isHopper(device) && cyclesPerSecond(device) > 0 && device.multiprocessors > 0 &&
           device.peakFlops.contains(DType::F16);
}

} // namespace

std::optional<double> hopperConvolutionCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::optional<ImageConvolution> found = isKnown(device) ? convolutionOf(trace, op) : std::nullopt;
    if (!found || !isHalf(tensorAt(trace, trace.arguments(op), 0)->dtype) ||
        !convolvesChannelsLast(trace, op))
        return std::nullopt;
    const ImageConvolution& one = *found;
    if (trace.opNames[op.name].name == "aten::convolution")
        return one.isDepthwise() ? depthwiseCycles(one, depthwiseForward)
                                 : passCycles(one, ConvolutionPass::Forward, device);
    const auto results = trace.results(op);
    double cycles = 0;
    if (bytesAt(trace, results, 0) > Bytes(0))
        cycles += one.isDepthwise() ? depthwiseInputGradient(one)
                                    : passCycles(one, ConvolutionPass::InputGradient, device);
    if (bytesAt(trace, results, 1) > Bytes(0))
        cycles += one.isDepthwise() ? depthwiseCycles(one, depthwiseWeight)
                                    : passCycles(one, ConvolutionPass::WeightGradient, device);
    return cycles;
}

} // namespace stagecraft
