#include "core/profile/cost/hopper_convolutions.h"

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

double paddedTo(double multiple, double count)
{
    return std::ceil(count / multiple) * multiple;
}

// Of one pass: forward, or the gradient of its input or its weight.
struct Convolution
{
    double images = 0, channels = 0, filters = 0; // in and out
    double width = 0, filtersOfGroup = 0;         // of a group, in and out
    double taps = 0, placesIn = 0, placesOut = 0; // of a window, of an image

    double elementsIn() const { return images * channels * placesIn; }
    double elementsOut() const { return images * filters * placesOut; }
    double multiplications(double widthAs, double filtersAs) const
    {
        return images * placesOut * taps * widthAs * filtersAs * (filters / filtersOfGroup);
    }
    bool hasGroups() const { return width < channels; }
    bool isStem() const { return channels <= 4 && !hasGroups(); }
    bool goesByEights() const { return std::fmod(channels, 8) == 0 && std::fmod(filters, 8) == 0; }
};

// What a multiprocessor's tensor cores do in a cycle, additions counted.
double flopsPerCycle(const DeviceSpec& device)
{
    return device.peakFlops.at(DType::F16) / cyclesPerSecond(device);
}

double denseCycles(const Convolution& one, double share, const DeviceSpec& device)
{
    constexpr double bytesPerCycle = 28, wide = 64, narrow = 32, columnsAtOnce = 256;
    const auto padded = [](double channels) { return paddedTo(channels > narrow ? wide : narrow, channels); };
    const double flops =
        2 * one.multiplications(one.taps > 1 ? padded(one.width) : one.width, padded(one.filters));
    const double patches =
        2 * one.images * one.placesOut * one.taps * one.width * std::ceil(one.filters / columnsAtOnce);
    return std::max(flops / (flopsPerCycle(device) * share), patches / bytesPerCycle);
}

constexpr double forwardShare = 0.8; // of the peak, forward

double paddingCycles(double places, double channels)
{
    constexpr double anElement = 0.65, vector = 8;
    const double padded = paddedTo(vector, channels);
    return padded == channels ? 0 : places * padded * anElement;
}

double oddCycles(const Convolution& one, const DeviceSpec& device)
{
    constexpr double aMultiplication = 0.0105, ofFours = 0.008, columns = 32, share = 0.08;
    constexpr double manyPlaces = 200e3, narrow = 64;
    if (one.taps > 1 && std::fmod(one.channels, 8) == 0)
        return denseCycles(one, forwardShare, device) +
               paddingCycles(one.images * one.placesOut, one.filters);
    if (one.taps > 1)
        return one.multiplications(one.width, paddedTo(columns, one.filters)) *
               (std::fmod(one.channels, 4) == 0 ? ofFours : aMultiplication);
    const double products = 2 * one.multiplications(one.width, one.filters) / (flopsPerCycle(device) * share);
    const double places = one.images * one.placesOut;
    const bool isOdd = std::fmod(one.channels, 2) == 1 || std::fmod(one.filters, 2) == 1;
    const bool isNarrow = one.channels < narrow && std::fmod(one.channels, 8) != 0;
    if ((!isOdd && !isNarrow) || places < manyPlaces)
        return products;
    return products + paddingCycles(places, one.channels) + paddingCycles(places, one.filters);
}

// Of images themselves, of three colours.
double stemCycles(const Convolution& one)
{
    constexpr double aMultiplication = 0.0125, ofFirstLayers = 0.0039, columns = 32, aPatch = 20;
    constexpr double sevenBySeven = 49, strideOfTwo = 4;
    const double padding = paddingCycles(one.images * one.placesIn, one.channels);
    if (one.taps == sevenBySeven && std::round(one.placesIn / one.placesOut) == strideOfTwo)
        return one.multiplications(one.width, one.filters) * ofFirstLayers + padding;
    const double share = 1 + aPatch / (one.taps * one.channels);
    return one.multiplications(one.width, paddedTo(columns, one.filters)) * aMultiplication * share +
           (one.taps > sevenBySeven ? padding : 0);
}

bool isPowerOfTwo(double count)
{
    return std::has_single_bit(static_cast<std::uint64_t>(count));
}

double groupedCycles(const Convolution& one, double laidOut, const DeviceSpec& device)
{
    constexpr double anElement = 0.48, share = 0.8, shareOfPieces = 0.25, wide = 64, narrowest = 16;
    const double elements = one.elementsIn() + one.elementsOut();
    const bool isNative = one.width == one.filtersOfGroup && isPowerOfTwo(one.width);
    if (std::max(one.width, one.filtersOfGroup) <= narrowest)
        return elements * (anElement + (isNative ? 0 : laidOut));
    const double flops =
        2 * one.multiplications(paddedTo(isNative ? 1 : wide, one.width), one.filtersOfGroup);
    const double products = flops / (flopsPerCycle(device) * (isNative ? share : shareOfPieces));
    return std::max(elements * anElement, products) + (isNative ? 0 : elements * laidOut);
}

constexpr double largestWindow = 49; // of depthwise kernels of their own

// Cycles of a pass over a depthwise convolution; by itself: where kernels take a multiplication at a time.
struct DepthwiseRates
{
    double aResult, aTap, anElement, ofSeveral, aTapByItself;
};

double depthwiseCycles(const Convolution& one, const DepthwiseRates& rates)
{
    if (one.filters != one.channels)
        return one.elementsOut() * rates.ofSeveral;
    if (one.taps > largestWindow)
        return one.elementsOut() * one.taps * rates.aTapByItself;
    return one.elementsOut() * (rates.aResult + rates.aTap * one.taps) + one.elementsIn() * rates.anElement;
}

constexpr DepthwiseRates depthwiseForward{0.07, 0.033, 0.13, 38, 0.66};
constexpr DepthwiseRates depthwiseWeight{0.1, 0.025, 0.2, 18, 1.53};

double depthwiseInputGradient(const Convolution& one)
{
    constexpr double anElement = 0.4, aTapSquared = 0.0018;
    if (one.filters != one.channels)
        return one.elementsOut() * depthwiseWeight.ofSeveral;
    return one.elementsIn() * (anElement + aTapSquared * std::pow(std::min(one.taps, 2 * largestWindow), 2));
}

// Of one that is not depthwise: shares of what is asked of the peak, and cycles of laying groups out anew.
struct PassRates
{
    double share, laidOut, laidOutOddly, ofOdd, ofStem, ofPatches;
};

double passCycles(const Convolution& one, const PassRates& rates, const DeviceSpec& device)
{
    if (one.hasGroups())
        return groupedCycles(one, isPowerOfTwo(one.width) ? rates.laidOut : rates.laidOutOddly, device);
    if (one.isStem())
        return stemCycles(one) * (one.taps > largestWindow ? rates.ofPatches : rates.ofStem);
    return one.goesByEights() ? denseCycles(one, rates.share, device) : oddCycles(one, device) * rates.ofOdd;
}

constexpr PassRates forwardPass{forwardShare, 0.9, 1.6, 1, 1, 1};
// Of the input or of the weight: these go alike.
constexpr PassRates gradientPass{0.72, 1.3, 2.4, 0.75, 1.1, 0.55};

double placesOf(const Trace& trace, const TraceTensor& images)
{
    const auto sizes = trace.sizes(images);
    return static_cast<double>(sizes[2] * sizes[3]);
}

bool isDone(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    return isHopper(device) && cyclesPerSecond(device) > 0 && device.peakFlops.contains(DType::F16) &&
           !isTransposedConvolution(trace, op);
}

} // namespace

std::optional<double> hopperConvolutionCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const bool goesBack = trace.opNames[op.name].name == "aten::convolution_backward";
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const input = tensorAt(trace, arguments, goesBack ? 1 : 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, goesBack ? 2 : 1);
    const TraceTensor* const output = goesBack ? tensorAt(trace, arguments, 0) : tensorAt(trace, results, 0);
    if (!input || !weight || !output || trace.sizes(*input).size() != 4 || !isHalf(input->dtype) ||
        elementCount(trace, *weight) == 0 || elementCount(trace, *output) == 0 ||
        !convolvesChannelsLast(trace, op) || !isDone(trace, op, device))
        return std::nullopt;
    const auto in = trace.sizes(*input), kernels = trace.sizes(*weight), out = trace.sizes(*output);
    const auto groups = static_cast<double>(in[1]) / static_cast<double>(kernels[1]);
    const Convolution one{.images = static_cast<double>(in[0]),
                          .channels = static_cast<double>(in[1]),
                          .filters = static_cast<double>(out[1]),
                          .width = static_cast<double>(kernels[1]),
                          .filtersOfGroup = static_cast<double>(out[1]) / groups,
                          .taps = static_cast<double>(kernels[2] * kernels[3]),
                          .placesIn = placesOf(trace, *input),
                          .placesOut = placesOf(trace, *output)};
    const bool isDepthwise = one.hasGroups() && one.width == 1;
    if (!goesBack)
        return isDepthwise ? depthwiseCycles(one, depthwiseForward) : passCycles(one, forwardPass, device);
    double cycles = 0;
    if (bytesAt(trace, results, 0) > Bytes(0))
        cycles += isDepthwise ? depthwiseInputGradient(one) : passCycles(one, gradientPass, device);
    if (bytesAt(trace, results, 1) > Bytes(0))
        cycles += isDepthwise ? depthwiseCycles(one, depthwiseWeight) : passCycles(one, gradientPass, device);
    return cycles;
}

} // namespace stagecraft
