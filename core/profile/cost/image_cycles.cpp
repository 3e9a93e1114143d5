#include "core/profile/cost/image_cycles.h"

#include "core/profile/cost/elementwise_cycles.h"
#include "core/profile/cost/row_cycles.h"
#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

// Elements of a pool's window; 1: not known.
double windowOf(const Trace& trace, const TraceOp& op, std::size_t position)
{
    const auto arguments = trace.arguments(op);
    if (position >= arguments.size())
        return 1;
    const auto sizes = trace.integers(arguments[position]);
    if (sizes.empty())
        return 1;
    return static_cast<double>(sizes.front() * sizes.back());
}

double averagePoolCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double aResult = 6.3, aResultOfPlanes = 3.4;
    const TraceTensor& result = *tensorAt(trace, trace.results(op), 0);
    return elementCount(trace, result) * (isChannelsLast(trace, result) ? aResult : aResultOfPlanes);
}

double averagePoolGradientCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElement = 4.15, anElementOfPlanes = 2.6, aWindow = 0.54;
    const TraceTensor& result = *tensorAt(trace, trace.results(op), 0);
    const double elements = elementCount(trace, result);
    const double windows =
        elementCount(trace, *tensorAt(trace, trace.arguments(op), 0)) * windowOf(trace, op, 2);
    return elements * (isChannelsLast(trace, result) ? anElement : anElementOfPlanes) + windows * aWindow;
}

double largestPoolCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double aResult = 1.0, anElement = 0.52;
    const TraceTensor& result = *tensorAt(trace, trace.results(op), 0);
    if (!isChannelsLast(trace, result))
        return 0;
    return elementCount(trace, result) * (aResult + anElement * windowOf(trace, op, 1));
}

double largestPoolGradientCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElementOfWindow = 1.05;
    if (!isChannelsLast(trace, *tensorAt(trace, trace.results(op), 0)))
        return 0;
    return elementCount(trace, *tensorAt(trace, trace.arguments(op), 0)) * windowOf(trace, op, 2) *
           anElementOfWindow;
}

// One kernel an image.
double columnsCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anImage = 0.8e6, anElement = 1.1;
    const TraceTensor& result = *tensorAt(trace, trace.results(op), 0);
    const double images =
        trace.sizes(result).size() > 2 ? static_cast<double>(trace.sizes(result).front()) : 1;
    return anImage * images + anElement * elementCount(trace, result);
}

double imageOfColumnsCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElement = 5.3;
    return elementCount(trace, *tensorAt(trace, trace.arguments(op), 0)) * anElement;
}

bool isDepthwise(const Trace& trace, const TraceTensor& weight)
{
    const auto sizes = trace.sizes(weight);
    return sizes.size() == 4 && sizes[1] == 1 && sizes[0] > 1;
}

} // namespace

double imageCycles(const Trace& trace, const TraceOp& op)
{
    struct Rule
    {
        std::string_view name;
        double (*cycles)(const Trace&, const TraceOp&);
    };
    constexpr std::array rules{Rule{"aten::avg_pool2d", averagePoolCycles},
                               Rule{"aten::avg_pool2d_backward", averagePoolGradientCycles},
                               Rule{"aten::max_pool2d_with_indices", largestPoolCycles},
                               Rule{"aten::max_pool2d_with_indices_backward", largestPoolGradientCycles},
                               Rule{"aten::im2col", columnsCycles},
                               Rule{"aten::col2im", imageOfColumnsCycles}};
    const TraceTensor* const result = tensorAt(trace, trace.results(op), 0);
    if (!result || !tensorAt(trace, trace.arguments(op), 0))
        return 0;
    const std::string_view name = trace.opNames[op.name].name;
    const auto rule = std::ranges::find(rules, name, &Rule::name);
    return rule == rules.end() ? 0 : rule->cycles(trace, op);
}

namespace {

bool goesBack(const Trace& trace, const TraceOp& op)
{
    return trace.opNames[op.name].name == "aten::convolution_backward";
}

// Of a gradient two.
std::array<const TraceTensor*, 2> imagesTaken(const Trace& trace, const TraceOp& op)
{
    return {tensorAt(trace, trace.arguments(op), 0),
            goesBack(trace, op) ? tensorAt(trace, trace.arguments(op), 1) : nullptr};
}

// Where the weight has channels last, images that have not, or are slices of others' channels, are copied
// first, by PyTorch.
KernelCycles copiedFirst(const Trace& trace, const TraceOp& op)
{
    constexpr double accesses = 2;
    KernelCycles copies;
    if (!convolvesChannelsLast(trace, op))
        return copies;
    for (const TraceTensor* const images : imagesTaken(trace, op))
        if (images && !isChannelsLast(trace, *images)) {
            copies.apart += elementCount(trace, *images) * anElementAcross;
            copies.apartBytes += trace.tensorBytes(*images) * 2;
        } else if (images && !isContiguousChannelsLast(trace, *images)) {
            copies.apart += elementCount(trace, *images) * accesses * aCopysAddress;
            copies.apartBytes += trace.tensorBytes(*images) * 2;
        }
    return copies;
}

// PyTorch's own depthwise kernels add a bias as they go; with channels last, cuDNN's are taken.
bool addsBiasApart(const Trace& trace, const TraceOp& op, const TraceTensor& weight)
{
    return !isDepthwise(trace, weight) || convolvesChannelsLast(trace, op);
}

} // namespace

bool convolvesChannelsLast(const Trace& trace, const TraceOp& op)
{
    const TraceTensor* images = tensorAt(trace, trace.results(op), 0);
    if (!images || (goesBack(trace, op) && trace.tensorBytes(*images) == Bytes(0)))
        images = tensorAt(trace, trace.arguments(op), 0);
    return images && isChannelsLast(trace, *images);
}

// Of a bias, which cuDNN leaves to an elementwise addition of PyTorch's.
KernelCycles convolutionCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const auto arguments = trace.arguments(op);
    const TraceTensor* const weight = tensorAt(trace, arguments, 1);
    const TraceTensor* const result = tensorAt(trace, trace.results(op), 0);
    KernelCycles cycles = copiedFirst(trace, op);
    cycles.apartBytes += relaidBytes(trace, op, device);
    if (!weight || !result || !tensorAt(trace, arguments, 2) || !addsBiasApart(trace, op, *weight))
        return cycles;
    constexpr double accesses = 3;
    cycles.apart += elementCount(trace, *result) * accesses * anAddress;
    cycles.apartBytes += trace.tensorBytes(*result) * 2;
    return cycles;
}

// Of the bias a sum over images and places. The weight's gradient of a depthwise convolution is summed up
// without help of tensor cores where numbers are float32 and channels lie last.
KernelCycles convolutionGradientCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    constexpr double aMultiplication = 1.1;
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const gradient = tensorAt(trace, arguments, 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, 2);
    KernelCycles cycles = copiedFirst(trace, op);
    cycles.apartBytes += relaidBytes(trace, op, device);
    if (!gradient || !weight || !isChannelsLast(trace, *gradient))
        return cycles;
    const double elements = elementCount(trace, *gradient);
    const auto channels = static_cast<double>(trace.sizes(*gradient)[1]);
    if (bytesAt(trace, results, 2) > Bytes(0)) {
        cycles.apart += sumCycles(elements, channels);
        cycles.apartBytes += trace.tensorBytes(*gradient);
    }
    if (gradient->dtype == DType::F32 && isDepthwise(trace, *weight) && bytesAt(trace, results, 1) > Bytes(0))
        cycles.apart += elements * elementCount(trace, *weight) / channels * aMultiplication;
    return cycles;
}

Bytes relaidBytes(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::string_view name = trace.opNames[op.name].name;
    const bool isBackward = goesBack(trace, op);
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const input = tensorAt(trace, arguments, isBackward ? 1 : 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, isBackward ? 2 : 1);
    if ((name != "aten::convolution" && !isBackward) || !input || !weight || isDepthwise(trace, *weight) ||
        trace.sizes(*input).size() != 4 || convolvesChannelsLast(trace, op))
        return {};
    if (!isHalf(input->dtype) && !(input->dtype == DType::F32 && device.tf32Flops > 0))
        return {};
    const Bytes both =
        bytesAt(trace, arguments, 0) + (isBackward ? trace.tensorBytes(*input) : bytesAt(trace, results, 0));
    if (!isBackward)
        return both * 2;
    const int products =
        (bytesAt(trace, results, 0) > Bytes(0) ? 1 : 0) + (bytesAt(trace, results, 1) > Bytes(0) ? 1 : 0);
    return both * 2 * products;
}

Bytes copiedFirstBytes(const Trace& trace, const TraceOp& op)
{
    return copiedFirst(trace, op).apartBytes;
}

Bytes biasBytes(const Trace& trace, const TraceOp& op)
{
    const TraceTensor* const weight = tensorAt(trace, trace.arguments(op), 1);
    const bool isBiased = tensorAt(trace, trace.arguments(op), 2) != nullptr;
    return isBiased && weight && addsBiasApart(trace, op, *weight) ? bytesAt(trace, trace.results(op), 0) * 2
                                                                   : Bytes(0);
}

} // namespace stagecraft
