#include "core/profile/cost/kernel_cycles.h"

#include "core/profile/cost/tensor_layout.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

namespace stagecraft {

namespace {

// Elementwise by their class, but with kernels of their own.
bool hasKernelOfItsOwn(std::string_view name)
{
    constexpr std::array<std::string_view, 10> own{"aten::cat",
                                                   "aten::stack",
                                                   "aten::native_dropout",
                                                   "aten::native_dropout_backward",
                                                   "aten::fill_",
                                                   "aten::zero_",
                                                   "aten::constant_pad_nd",
                                                   "aten::bernoulli_",
                                                   "aten::pixel_shuffle",
                                                   "aten::split_with_sizes_copy"};
    return std::ranges::find(own, name) != own.end();
}

bool isElementwise(std::string_view name)
{
    const OperatorClass kind = operatorClassOf(name);
    return (kind == OperatorClass::Elementwise || kind == OperatorClass::Transcendental ||
            kind == OperatorClass::Copy) &&
           !hasKernelOfItsOwn(name);
}

bool isHalf(DType type)
{
    return type == DType::F16 || type == DType::BF16;
}

bool isFloating(DType type)
{
    return isHalf(type) || type == DType::F32 || type == DType::F64;
}

bool isAlike(const Trace& trace, const TraceTensor& a, const TraceTensor& b)
{
    return std::ranges::equal(trace.sizes(a), trace.sizes(b)) &&
           std::ranges::equal(trace.strides(a), trace.strides(b));
}

// Does `tensor` have an element, of its own or of others too, for each of `whole`?
bool isSpreadOver(const Trace& trace, const TraceTensor& tensor, const TraceTensor& whole)
{
    const auto sizes = trace.sizes(tensor), all = trace.sizes(whole);
    if (sizes.size() > all.size())
        return false;
    const auto last = all.subspan(all.size() - sizes.size());
    return std::ranges::equal(sizes, last, [](auto size, auto of) { return size == 1 || size == of; });
}

// Of a single number: a kernel takes those of the host as they are.
bool isOnDevice(const Trace& trace, const TraceTensor& number)
{
    const StorageClass kind = trace.storages[number.storage].storageClass;
    return kind == StorageClass::Parameter || kind == StorageClass::Buffer;
}

// What an elementwise operator reads and writes element by element; empty: it does something else.
std::vector<const TraceTensor*> operands(const Trace& trace, const TraceOp& op)
{
    const TraceTensor* const whole = tensorAt(trace, trace.results(op), 0);
    if (!whole || trace.results(op).size() != 1 || trace.tensors(trace.results(op).front()).size() != 1)
        return {};
    std::vector<const TraceTensor*> found{whole};
    const auto arguments = trace.arguments(op);
    const bool overwrites = trace.opNames[op.name].name == "aten::copy_";
    for (std::size_t i = overwrites ? 1 : 0; i < arguments.size(); ++i)
        for (const TraceTensor& tensor : trace.tensors(arguments[i])) {
            if (!isSpreadOver(trace, tensor, *whole))
                return {};
            if (elementCount(trace, tensor) > 1 || isOnDevice(trace, tensor))
                found.push_back(&tensor);
        }
    return found;
}

// A sector of the cache is read for each element where lanes next to each other write what lies apart.
bool readsAcross(const Trace& trace, const std::vector<const TraceTensor*>& tensors)
{
    const auto order = innermost(trace, *tensors.front());
    const double all = elementCount(trace, *tensors.front());
    return order && std::ranges::any_of(tensors, [&](const TraceTensor* tensor) {
               return elementCount(trace, *tensor) == all &&
                      tensor->dimensions == tensors.front()->dimensions &&
                      trace.strides(*tensor)[*order] > 1 && innermost(trace, *tensor) != order;
           });
}

constexpr double anAddress = 0.25; // of an element, by an offset calculator

double elementwiseCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double aType = 0.38, anElementAcross = 1.7;
    const std::vector<const TraceTensor*> tensors = operands(trace, op);
    if (tensors.empty())
        return 0;
    const TraceTensor& whole = *tensors.front();
    const double elements = elementCount(trace, whole);
    if (readsAcross(trace, tensors))
        return elements * anElementAcross;
    const double accesses = elements * static_cast<double>(tensors.size());
    const bool hasTypes = std::ranges::any_of(tensors, [&](const TraceTensor* tensor) {
        return isFloating(tensor->dtype) && isFloating(whole.dtype) && tensor->dtype != whole.dtype;
    });
    const bool isLaidOutAlike = std::ranges::all_of(
        tensors, [&](const TraceTensor* tensor) { return isAlike(trace, *tensor, whole); });
    if (hasTypes)
        return isLaidOutAlike && tensors.size() == 2 && isHalf(whole.dtype) ? 0 : accesses * aType;
    return isLaidOutAlike ? 0 : accesses * anAddress;
}

double sumCycles(double elements, double results)
{
    constexpr double oneOfFew = 2.1, few = 32;
    constexpr double aColumns = 0.22, ofFewColumns = 0.52, fewColumns = 16 << 10;
    if (elements / std::max(results, 1.0) < few)
        return elements * oneOfFew;
    return elements * (results < fewColumns ? ofFewColumns : aColumns);
}

// Along the innermost dimension lanes read next to each other, and nothing holds them up.
double reductionCycles(const Trace& trace, const TraceOp& op)
{
    constexpr std::array<std::string_view, 2> sums{"aten::sum", "aten::mean"};
    const TraceTensor* const from = tensorAt(trace, trace.arguments(op), 0);
    const TraceTensor* const to = tensorAt(trace, trace.results(op), 0);
    if (std::ranges::find(sums, trace.opNames[op.name].name) == sums.end() || !from || !to ||
        trace.arguments(op).size() < 2)
        return 0;
    const auto inner = innermost(trace, *from);
    const auto reduced = trace.integers(trace.arguments(op)[1]);
    const auto dimensions = static_cast<std::int64_t>(trace.sizes(*from).size());
    const bool goesAlong =
        !inner || reduced.empty() || std::ranges::any_of(reduced, [&](std::int64_t dimension) {
            return (dimension + dimensions) % dimensions == static_cast<std::int64_t>(*inner);
        });
    return goesAlong ? 0 : sumCycles(elementCount(trace, *from), elementCount(trace, *to));
}

struct Rows
{
    double count = 0, length = 0, itemBytes = 0;
};

Rows rowsOf(const Trace& trace, const TraceTensor& tensor)
{
    const auto sizes = trace.sizes(tensor);
    if (sizes.empty() || sizes.back() == 0)
        return {};
    const auto length = static_cast<double>(sizes.back());
    return {elementCount(trace, tensor) / length, length, static_cast<double>(itemSize(tensor.dtype))};
}

double weightGradientCycles(const Rows& rows, int multiprocessors)
{
    constexpr double columns = 32, perCycle = 3.4, manyRows = 64 << 10, shared = 0.8;
    const double blocks = std::ceil(rows.length / columns);
    if (rows.count > manyRows && blocks < multiprocessors / 2.0)
        return rows.count * rows.length * shared;
    return rows.count * columns / perCycle * std::max<double>(multiprocessors, blocks);
}

KernelCycles layerNormCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    constexpr double aRow = 370, anElement = 0.16, aGradientsRow = 190, aGradientsElement = 0.25;
    const bool goesBack = trace.opNames[op.name].name.ends_with("_backward");
    const TraceTensor* const input = tensorAt(trace, trace.arguments(op), goesBack ? 1 : 0);
    if (!input)
        return {};
    const Rows rows = rowsOf(trace, *input);
    if (!goesBack)
        return {.busy = rows.count * (aRow + anElement * rows.length * (1 + rows.itemBytes / 2))};
    const auto results = trace.results(op);
    KernelCycles cycles;
    if (bytesAt(trace, results, 0) > Bytes(0))
        cycles.busy = rows.count * (aGradientsRow + aGradientsElement * rows.length);
    if (bytesAt(trace, results, 1) > Bytes(0) || bytesAt(trace, results, 2) > Bytes(0)) {
        cycles.apart = weightGradientCycles(rows, device.multiprocessors);
        cycles.apartBytes = bytesAt(trace, trace.arguments(op), 0) + bytesAt(trace, trace.arguments(op), 1);
    }
    return cycles;
}

// What an operator of images takes for each element of one of its tensors, where channels lie last.
double imageCycles(const Trace& trace, const TraceOp& op)
{
    struct Rule
    {
        std::string_view name;
        bool ofResult;
        double cycles;
    };
    constexpr std::array rules{Rule{"aten::avg_pool2d", false, 1.6},
                               Rule{"aten::avg_pool2d_backward", true, 4.7},
                               Rule{"aten::max_pool2d_with_indices", false, 1.1},
                               Rule{"aten::max_pool2d_with_indices_backward", true, 2.3},
                               Rule{"aten::_native_batch_norm_legit_no_training", true, 0.68},
                               Rule{"aten::native_batch_norm", true, 0.68},
                               Rule{"aten::cudnn_batch_norm", true, 0.68}};
    const std::string_view name = trace.opNames[op.name].name;
    const auto rule = std::ranges::find(rules, name, &Rule::name);
    if (rule == rules.end())
        return 0;
    const bool isNorm = name.ends_with("batch_norm");
    if (isNorm && bytesAt(trace, trace.results(op), 1) > Bytes(0)) // statistics of the batch
        return 0;
    const TraceTensor* const tensor =
        tensorAt(trace, rule->ofResult ? trace.results(op) : trace.arguments(op), 0);
    return tensor && isChannelsLast(trace, *tensor) ? elementCount(trace, *tensor) * rule->cycles : 0;
}

bool isDepthwise(const Trace& trace, const TraceTensor& weight)
{
    const auto sizes = trace.sizes(weight);
    return sizes.size() == 4 && sizes[1] == 1 && sizes[0] > 1;
}

// Of a bias, which cuDNN leaves to an elementwise addition of PyTorch's; depthwise kernels add it as they go.
KernelCycles convolutionCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const Bytes relaid = relaidBytes(trace, op, device);
    const auto arguments = trace.arguments(op);
    const TraceTensor* const weight = tensorAt(trace, arguments, 1);
    const TraceTensor* const result = tensorAt(trace, trace.results(op), 0);
    if (!weight || !result || !tensorAt(trace, arguments, 2) || isDepthwise(trace, *weight))
        return {.apartBytes = relaid};
    constexpr double accesses = 3;
    return {.apart = elementCount(trace, *result) * accesses * anAddress,
            .apartBytes = trace.tensorBytes(*result) * 2 + relaid};
}

// Of the bias a sum over images and places. The weight's gradient of a depthwise convolution is summed up
// without help of tensor cores where numbers are float32 and channels lie last.
KernelCycles convolutionGradientCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    constexpr double aMultiplication = 1.1;
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const gradient = tensorAt(trace, arguments, 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, 2);
    KernelCycles cycles{.apartBytes = relaidBytes(trace, op, device)};
    if (!gradient || !weight || !isChannelsLast(trace, *gradient))
        return cycles;
    const double elements = elementCount(trace, *gradient);
    const auto channels = static_cast<double>(trace.sizes(*gradient)[1]);
    if (bytesAt(trace, results, 2) > Bytes(0)) {
        cycles.apart = sumCycles(elements, channels);
        cycles.apartBytes += trace.tensorBytes(*gradient);
    }
    if (gradient->dtype == DType::F32 && isDepthwise(trace, *weight) && bytesAt(trace, results, 1) > Bytes(0))
        cycles.apart += elements * elementCount(trace, *weight) / channels * aMultiplication;
    return cycles;
}

} // namespace

KernelCycles kernelCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::string_view name = trace.opNames[op.name].name;
    if (name == "aten::native_layer_norm" || name == "aten::native_layer_norm_backward")
        return layerNormCycles(trace, op, device);
    if (name == "aten::convolution")
        return convolutionCycles(trace, op, device);
    if (name == "aten::convolution_backward")
        return convolutionGradientCycles(trace, op, device);
    if (isElementwise(name))
        return {.busy = elementwiseCycles(trace, op)};
    return {.busy = reductionCycles(trace, op) + imageCycles(trace, op)};
}

Bytes relaidBytes(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::string_view name = trace.opNames[op.name].name;
    const bool goesBack = name == "aten::convolution_backward";
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const TraceTensor* const input = tensorAt(trace, arguments, goesBack ? 1 : 0);
    const TraceTensor* const weight = tensorAt(trace, arguments, goesBack ? 2 : 1);
    if ((name != "aten::convolution" && !goesBack) || !input || !weight || isDepthwise(trace, *weight) ||
        trace.sizes(*input).size() != 4 || isChannelsLast(trace, *input))
        return {};
    if (!isHalf(input->dtype) && !(input->dtype == DType::F32 && device.tf32Flops > 0))
        return {};
    const Bytes both =
        bytesAt(trace, arguments, 0) + (goesBack ? trace.tensorBytes(*input) : bytesAt(trace, results, 0));
    if (!goesBack)
        return both * 2;
    const int products =
        (bytesAt(trace, results, 0) > Bytes(0) ? 1 : 0) + (bytesAt(trace, results, 1) > Bytes(0) ? 1 : 0);
    return both * 2 * products;
}

double lanesOf(const DeviceSpec& device)
{
    // NVIDIA CUDA C++ Programming Guide, "Arithmetic Instructions"; 80 is the A100.
    return device.computeCapability > 80 ? 128 : 64;
}

double cyclesPerSecond(const DeviceSpec& device)
{
    return device.kind == "cuda" ? device.vectorFlops / (2 * lanesOf(device)) : 0;
}

} // namespace stagecraft
