#include "core/profile/cost/kernel_work.h"

#include "core/profile/cost/attention_work.h"
#include "core/profile/cost/batch_norm.h"
#include "core/profile/cost/contiguous_copies.h"
#include "core/profile/cost/image_cycles.h"
#include "core/profile/cost/kernel_cycles.h"
#include "core/profile/cost/row_cycles.h"
#include "core/profile/cost/tensor_layout.h"
#include "core/profile/device/matrix_shapes.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

namespace stagecraft {

namespace {

double elementsWritten(const Trace& trace, const TraceOp& op)
{
    double elements = 0;
    for (const TraceArgument& result : trace.results(op))
        for (const TraceTensor& tensor : trace.tensors(result))
            elements += trace.tensorBytes(tensor).asDouble() / static_cast<double>(itemSize(tensor.dtype));
    return elements;
}

// That all rows begin at a multiple of, in elements; 0: there are none.
std::int64_t rowAlignment(const Trace& trace, const TraceOp& op)
{
    std::int64_t alignment = 0;
    const auto include = [&](const TraceArgument& argument) {
        for (const TraceTensor& tensor : trace.tensors(argument)) {
            const auto sizes = trace.sizes(tensor), strides = trace.strides(tensor);
            for (std::size_t i = 0; sizes.size() >= 2 && i < sizes.size(); ++i)
                if (sizes[i] > 1 && strides[i] > 1)
                    alignment = std::gcd(alignment, strides[i]);
        }
    };
    std::ranges::for_each(trace.arguments(op), include);
    std::ranges::for_each(trace.results(op), include);
    return alignment;
}

// The wider of its input's and its output's, but 1 where each channel has kernels of its own, however many:
// PyTorch's depthwise kernels take all of these, and no transposed ones (Convolution.cpp, is_depthwise).
// 0: one group.
double groupWidth(const Trace& trace, const TraceOp& op)
{
    const bool isBackward = trace.opNames[op.name].name.ends_with("_backward");
    const TraceTensor* const weight = tensorAt(trace, trace.arguments(op), isBackward ? 2 : 1);
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (!weight || trace.sizes(*weight).size() < 2 || shapes.empty() || shapes.front().batch <= 1)
        return 0;
    const auto sizes = trace.sizes(*weight);
    if (sizes[1] == 1 && !isTransposedConvolution(trace, op))
        return 1;
    return std::max(static_cast<double>(sizes[1]), static_cast<double>(sizes[0]) / shapes.front().batch);
}

// Memory is read in sectors (NVIDIA, CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory").
constexpr double sectorBytes = 32;

double transposedSpan(const Trace& trace, const TraceOp& op)
{
    const bool isCopy = trace.opNames[op.name].name == "aten::copy_";
    const TraceTensor* const from = tensorAt(trace, trace.arguments(op), isCopy ? 1 : 0);
    const TraceTensor* const to = tensorAt(trace, trace.results(op), 0);
    if (!from || !to || !std::ranges::equal(trace.sizes(*from), trace.sizes(*to)))
        return 0;
    const auto read = innermost(trace, *from), written = innermost(trace, *to);
    if (!read || !written || *read == *written)
        return 0;
    return static_cast<double>(trace.strides(*to)[*read]) * sectorBytes;
}

double peakOf(const DeviceSpec& device, OperatorClass operatorClass, DType dtype)
{
    // PyTorch lets cuDNN round float32 to TF32, but not cuBLAS (torch.backends.*.allow_tf32).
    if (operatorClass == OperatorClass::Convolution && dtype == DType::F32 && device.tf32Flops > 0)
        return device.tf32Flops;
    const auto found = device.peakFlops.find(dtype);
    return found != device.peakFlops.end() ? found->second : device.peakFlops.at(DType::F32);
}

double shareOf(const DeviceSpec& device, OperatorClass operatorClass, double work)
{
    const EfficiencyCurve& curve = device.curves[static_cast<std::size_t>(operatorClass)];
    if (!curve.isEmpty())
        return curve.at(work);
    return isContraction(operatorClass) ? device.matrixEfficiency : device.memoryEfficiency;
}

// Of all the products that the operator amounts to, each as long as its tiles take.
double quantisation(const KernelWork& work, const DeviceSpec& device, const std::vector<MatrixTile>& tiles,
                    const TileLaw& law)
{
    if (tiles.empty())
        return 1;
    double ideal = 0, real = 0;
    for (const MatrixShape& shape : work.products) {
        ideal += shape.multiplyAdds();
        real += shape.multiplyAdds() / tileShare(shape, tiles, device.multiprocessors, law);
    }
    return real > 0 ? ideal / real : 1;
}

bool isBatched(const KernelWork& work)
{
    return !work.products.empty() && work.products.front().batch > 1;
}

// What is left of the rate of half-precision products whose rows do not all begin at a multiple of 16 bytes:
// kernels that load 2 or 4 bytes at a time (cutlass_*_align1, _align2), which on Hopper cannot use its own
// instructions. Hopper's fitted to products seen on an H100; the others' assumed from the same kernels.
double unalignedShare(const KernelWork& work, const DeviceSpec& device)
{
    constexpr std::int64_t aligned = 8; // elements
    if (device.kernels.fillsRows || work.rowAlignment == 0 || work.rowAlignment % aligned == 0)
        return 1;
    const bool hasOwnInstructions = device.computeCapability >= 90;
    const bool isEven = work.rowAlignment % 2 == 0 && !(isHopper(device) && isBatched(work));
    if (isEven)
        return hasOwnInstructions ? 0.32 : 0.6;
    return hasOwnInstructions ? 0.17 : 0.35;
}

// Such kernels of batches, of 16 or 32 of depth at a time and few stages, are in full swing sooner than
// Hopper's own: 127 such products that torch.profiler saw in whole models on an H100 (windows of 49,
// neighbourhoods of 9) are 32 % off in the mean with this, 78 % with the filling of aligned ones.
constexpr double fillingOfUnaligned = 64;

double inGroups(const KernelWork& work, const DeviceSpec& device, double peak, const TileLaw& law)
{
    // Rows of a tensor core's smallest product (NVIDIA, PTX ISA, "mma").
    constexpr double leastChannels = 16;
    if (work.groupWidth <= 1)
        return work.flops / (device.vectorFlops * device.kernels.depthwise);
    if (work.groupWidth <= widestNarrowGroup)
        return work.flops * std::max(leastChannels / work.groupWidth, 1.0) /
               (peak * device.kernels.narrowGroups);
    return work.flops / (peak * device.kernels.wideGroups * quantisation(work, device, device.tiles, law));
}

double contractionTime(const KernelWork& work, const DeviceSpec& device)
{
    const double peak = peakOf(device, work.operatorClass, work.dtype);
    const bool isMatrix = !isContraction(work.operatorClass) || work.operatorClass == OperatorClass::Matrix;
    const bool inBatches = isMatrix && isBatched(work);
    const ProductRate* const rate = device.kernels.product(work.dtype, inBatches);
    const bool hasOwnTiles = rate && !rate->tiles.empty();
    TileLaw law = rate && (isMatrix || !hasOwnTiles) ? rate->law : TileLaw{};
    const double aligned = unalignedShare(work, device);
    if (aligned < 1 && inBatches && isHopper(device))
        law.depth = fillingOfUnaligned;
    if (work.groupWidth > 0)
        return inGroups(work, device, peak, law);
    const double share =
        isMatrix && rate ? rate->share
                         : shareOf(device, isMatrix ? OperatorClass::Matrix : work.operatorClass, work.flops);
    const std::vector<MatrixTile>& tiles = isMatrix && hasOwnTiles ? rate->tiles : device.tiles;
    return work.flops / (peak * share * quantisation(work, device, tiles, law) * aligned);
}

// Of the bandwidth that the weight's gradient of a depthwise convolution reaches: assumed, a sixth of what
// streams reach; chosen with timm's published training steps on an RTX 3090 in sight.
constexpr double depthwiseSumShare = 0.14;

// Of so many of its bytes, some of which are summed up.
double memoryTime(const KernelWork& work, double bytes, double summed, const DeviceSpec& device)
{
    // A contraction that waits for memory streams like an elementwise operator.
    const OperatorClass streaming =
        isContraction(work.operatorClass) ? OperatorClass::Elementwise : work.operatorClass;
    const double bandwidth = device.memoryBandwidth * shareOf(device, streaming, bytes);
    const bool missesCache =
        device.kernels.cache > Bytes(0) && work.transposedSpan > device.kernels.cache.asDouble();
    return (bytes - summed) / (bandwidth * (missesCache ? device.kernels.transposing : 1.0)) +
           summed / (device.memoryBandwidth * depthwiseSumShare);
}

// Products of nvjet_*, cuBLAS's kernels for half precision on Hopper, get into the way of what they load and
// write: neither hides the other where both take long. The longer of both is 23, 19 and 30 % off in the mean
// for 1,155 single products that torch.profiler saw in whole models on an H100 (addmm, mm, and mm of weights'
// gradients; PyTorch 2.11, tests/data/truth/README.md), bothTogether() 15, 14 and 23 %; of 58 batched ones 25
// and 22 %. Other GPUs were not looked at.
bool meetsMemory(const KernelWork& work, const DeviceSpec& device)
{
    return isHopper(device) && work.operatorClass == OperatorClass::Matrix && isHalf(work.dtype) &&
           !work.products.empty();
}

double bothTogether(double compute, double memory)
{
    constexpr double exponent = 2.5;
    return std::pow(std::pow(compute, exponent) + std::pow(memory, exponent), 1 / exponent);
}

bool isNormBackward(std::string_view name)
{
    return isBatchNormGradient(name) || name == "aten::native_layer_norm_backward";
}

// Sums over the rows, and the input's gradient: both read what comes in, where both are asked for. Gradients
// of batch statistics need the sums in any case; those of fixed ones do not need the input.
Bytes normalizedAgain(const Trace& trace, const TraceOp& op)
{
    const auto arguments = trace.arguments(op), results = trace.results(op);
    const Bytes gradient = bytesAt(trace, arguments, 0), input = bytesAt(trace, arguments, 1);
    if (bytesAt(trace, results, 0) == Bytes(0))
        return {};
    if (usesBatchStatistics(trace, op))
        return gradient + input;
    if (bytesAt(trace, results, 1) == Bytes(0) && bytesAt(trace, results, 2) == Bytes(0))
        return {};
    return trace.opNames[op.name].name == "aten::native_layer_norm_backward" ? gradient + input : gradient;
}

// The weight's gradient of a depthwise convolution reads input and gradient.
Bytes summedForWeight(const Trace& trace, const TraceOp& op)
{
    if (!trace.opNames[op.name].name.ends_with("_backward") || groupWidth(trace, op) != 1 ||
        isTransposedConvolution(trace, op) || bytesAt(trace, trace.results(op), 1) == Bytes(0))
        return {};
    Bytes read;
    for (const std::size_t position : {std::size_t{0}, std::size_t{1}})
        if (const TraceTensor* const tensor = tensorAt(trace, trace.arguments(op), position))
            read += touchedBytes(trace, *tensor);
    return read;
}

Bytes convolvedAgain(const Trace& trace, const TraceOp& op)
{
    const auto results = trace.results(op);
    if (!trace.opNames[op.name].name.ends_with("_backward"))
        return biasBytes(trace, op);
    const Bytes gradient = bytesAt(trace, trace.arguments(op), 0);
    Bytes again;
    bool isFirst = true;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (bytesAt(trace, results, i) > Bytes(0)) {
            again += isFirst ? Bytes(0) : gradient;
            isFirst = false;
        }
    return again;
}

// Softmax goes row by row where its dimension is the last; the others have kernels of their own.
std::int64_t softmaxRow(const Trace& trace, const TraceOp& op, std::size_t tensor, std::size_t dimension)
{
    const auto arguments = trace.arguments(op);
    const TraceTensor* const rows = tensorAt(trace, arguments, tensor);
    if (!rows || dimension >= arguments.size() || trace.integers(arguments[dimension]).empty())
        return 0;
    const auto sizes = trace.sizes(*rows);
    const std::int64_t given = trace.integers(arguments[dimension]).front();
    const auto count = static_cast<std::int64_t>(sizes.size());
    return count > 0 && (given == -1 || given == count - 1) ? sizes.back() : 0;
}

// SoftMax.cu, host_softmax: shorter ones stay in registers.
bool hasBlockARow(std::int64_t length, std::int64_t itemSize)
{
    return length > 1024 || length * itemSize > 4096;
}

// Likewise: `can_use_smem`, of a block of 1024 threads.
bool fitsSharedMemory(std::int64_t length, std::int64_t itemSize)
{
    constexpr std::int64_t sharedPerBlock = 48 << 10, warps = 32;
    constexpr std::int64_t vector = 16; // bytes
    return length < (sharedPerBlock - warps * 4) / itemSize && length * itemSize % vector == 0;
}

// Are rows gone from the cache when a block reads them again? Two blocks of 1024 threads run at a time on a
// multiprocessor (NVIDIA CUDA C++ Programming Guide: 2048 threads, 1024 on a T4), each on a row.
bool outgrowsCache(std::int64_t rowBytes, const DeviceSpec& device)
{
    const std::int64_t blocks = device.computeCapability == 75 ? 1 : 2;
    return device.kernels.cache > Bytes(0) && device.multiprocessors > 0 &&
           Bytes(rowBytes) * (blocks * device.multiprocessors) > device.kernels.cache;
}

Bytes rowsAgain(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const bool goesBack = trace.opNames[op.name].name.ends_with("_backward_data");
    const std::int64_t length = softmaxRow(trace, op, 0, goesBack ? 2 : 1);
    if (length == 0)
        return {};
    const auto arguments = trace.arguments(op);
    const std::int64_t item = itemSize(tensorAt(trace, arguments, 0)->dtype);
    if (!hasBlockARow(length, item) || !outgrowsCache(length * item, device))
        return {};
    if (goesBack)
        return bytesAt(trace, arguments, 0);
    return fitsSharedMemory(length, item) ? Bytes{} : bytesAt(trace, arguments, 0) * 2;
}

bool isSoftmax(std::string_view name)
{
    return name == "aten::_softmax" || name == "aten::_log_softmax" ||
           name == "aten::_softmax_backward_data" || name == "aten::_log_softmax_backward_data";
}

} // namespace

DType computeType(const Trace& trace, const TraceOp& op)
{
    for (const TraceArgument& argument : trace.arguments(op))
        for (const TraceTensor& tensor : trace.tensors(argument))
            return tensor.dtype;
    return DType::F32;
}

Bytes movedAgain(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::string_view name = trace.opNames[op.name].name;
    const auto arguments = trace.arguments(op);
    if (isSoftmax(name)) {
        const bool multipliesFirst = name == "aten::_softmax_backward_data";
        return rowsAgain(trace, op, device) + (multipliesFirst ? bytesAt(trace, arguments, 1) * 3 : Bytes{});
    }
    if (name == "aten::roll")
        return (bytesAt(trace, arguments, 0) + bytesAt(trace, trace.results(op), 0)) *
               (rollsOf(trace, op) - 1);
    if (name == "aten::_safe_softmax")
        return maskedRowBytes(trace, op);
    if (normsByLines(trace, op, device))
        return {};
    if (isNormBackward(name))
        return normalizedAgain(trace, op);
    // In training the statistics are results; in inference they are empty.
    if (isBatchNorm(name))
        return bytesAt(trace, trace.results(op), 1) > Bytes(0) ? bytesAt(trace, arguments, 0) : Bytes(0);
    if (operatorClassOf(name) == OperatorClass::Convolution)
        return convolvedAgain(trace, op) + copiedFirstBytes(trace, op) + relaidBytes(trace, op, device);
    return Bytes(0);
}

KernelWork kernelWork(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                      const DeviceSpec& device)
{
    KernelWork work;
    work.operatorClass = operatorClassOf(trace.opNames[op.name].name);
    work.dtype = computeType(trace, op);
    work.flops = flops.total().value();
    work.bytes = traffic.total().asDouble();
    work.elements = elementsWritten(trace, op);
    if (work.flops > 0)
        work.products = matrixShapes(trace, op);
    if (device.kind != "cuda")
        return work;
    work.bytes += (movedAgain(trace, op, device) + contiguousCopies(trace, op).apartBytes).asDouble();
    if (work.operatorClass == OperatorClass::Attention)
        if (const std::optional<double> times = attentionWork(trace, op, device)) {
            work.flops *= *times;
            work.products.clear();
        }
    if (work.operatorClass == OperatorClass::Convolution) {
        work.groupWidth = groupWidth(trace, op);
        work.summedBytes = std::min(summedForWeight(trace, op).asDouble(), work.bytes);
    }
    if (work.operatorClass == OperatorClass::Elementwise || work.operatorClass == OperatorClass::Copy)
        work.transposedSpan = transposedSpan(trace, op);
    if (work.operatorClass == OperatorClass::Matrix && isHalf(work.dtype))
        work.rowAlignment = rowAlignment(trace, op);
    work.cycles = kernelCycles(trace, op, device);
    if (work.cycles.holdProducts)
        work.summedBytes = 0;
    return work;
}

Seconds kernelTime(const KernelWork& work, const DeviceSpec& device)
{
    const double compute = work.cycles.holdProducts ? 0
                           : work.flops > 0         ? contractionTime(work, device)
                                                    : work.elements / device.vectorFlops;
    if (meetsMemory(work, device))
        return Seconds(bothTogether(compute, memoryTime(work, work.bytes, 0, device)));
    const double rate = cyclesPerSecond(device);
    const double busy = rate > 0 ? work.cycles.busy / rate : 0;
    const double apart = rate > 0 ? work.cycles.apart / rate : 0;
    const double after = std::min(work.cycles.apartBytes.asDouble(), work.bytes);
    return Seconds(std::max({compute, busy, memoryTime(work, work.bytes - after, work.summedBytes, device)}) +
                   std::max(apart, memoryTime(work, after, 0, device)));
}

} // namespace stagecraft
