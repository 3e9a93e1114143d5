#include "core/profile/cost/elementwise_cycles.h"

#include "core/profile/cost/cycles.h"
#include "core/profile/cost/tensor_layout.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <vector>

namespace stagecraft {

namespace {

// Elementwise by their class, but with kernels of their own.
bool hasKernelOfItsOwn(std::string_view name)
{
    constexpr std::array<std::string_view, 13> own{"aten::cat",
                                                   "aten::stack",
                                                   "aten::native_dropout",
                                                   "aten::native_dropout_backward",
                                                   "aten::fill_",
                                                   "aten::zero_",
                                                   "aten::constant_pad_nd",
                                                   "aten::bernoulli_",
                                                   "aten::pixel_shuffle",
                                                   "aten::roll",
                                                   "aten::im2col",
                                                   "aten::col2im",
                                                   "aten::split_with_sizes_copy"};
    return std::ranges::find(own, name) != own.end();
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

} // namespace

bool isElementwiseKernel(std::string_view name)
{
    const OperatorClass kind = operatorClassOf(name);
    return (kind == OperatorClass::Elementwise || kind == OperatorClass::Transcendental ||
            kind == OperatorClass::Copy) &&
           !hasKernelOfItsOwn(name);
}

double elementwiseCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double aType = 0.38;
    const bool copies = operatorClassOf(trace.opNames[op.name].name) == OperatorClass::Copy;
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
    return isLaidOutAlike ? 0 : accesses * (copies ? aCopysAddress : anAddress);
}

double concatenationCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElement = 1.0, ofAlignedPieces = 0.6;
    constexpr std::int64_t aligned = 16; // bytes
    const TraceTensor* const whole = tensorAt(trace, trace.results(op), 0);
    if (!whole)
        return 0;
    const auto inner = innermost(trace, *whole);
    const bool goesInVectors =
        inner &&
        std::ranges::all_of(trace.tensors(trace.arguments(op).front()), [&](const TraceTensor& piece) {
            return piece.dimensions == whole->dimensions && innermost(trace, piece) == inner &&
                   trace.sizes(piece)[*inner] * itemSize(piece.dtype) % aligned == 0;
        });
    return elementCount(trace, *whole) * (goesInVectors ? ofAlignedPieces : anElement);
}

} // namespace stagecraft
