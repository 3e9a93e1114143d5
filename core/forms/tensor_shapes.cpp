#include "core/forms/tensor_shapes.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <set>
#include <string>

namespace stagecraft {

namespace {

constexpr std::int64_t leastExample = 1000;

SymInt times(const SymInt& a, const SymInt& b)
{
    return SymInt::make(SymOp::Mul, {a, b});
}

// Strides of a tensor seen with broadcast sizes: 0 along what it does not have.
std::vector<SymInt> broadcastStrides(const TensorMeta& meta, const Sizes& sizes)
{
    std::vector<SymInt> strides(sizes.size(), SymInt(0));
    const std::size_t missing = sizes.size() - meta.sizes.size();
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
        if (exampleSize(meta.sizes[i]) != 1 || exampleSize(sizes[i + missing]) == 1)
            strides[i + missing] = meta.strides[i];
    return strides;
}

Sizes broadcastSizes(std::span<const TensorMeta> operands)
{
    Sizes sizes;
    for (const TensorMeta& operand : operands) {
        if (operand.sizes.size() > sizes.size())
            sizes.insert(sizes.begin(), operand.sizes.size() - sizes.size(), SymInt(1));
        const std::size_t missing = sizes.size() - operand.sizes.size();
        for (std::size_t i = 0; i < operand.sizes.size(); ++i)
            if (sizes[i + missing] == SymInt(1))
                sizes[i + missing] = operand.sizes[i];
    }
    return sizes;
}

// Does dimension `a` lie further inside than `b`? None: the operands do not say.
std::optional<bool> isInner(const std::vector<std::vector<SymInt>>& strides, const Sizes& sizes,
                            std::size_t a, std::size_t b)
{
    for (const std::vector<SymInt>& operand : strides) {
        const std::int64_t first = exampleSize(operand[a]);
        const std::int64_t second = exampleSize(operand[b]);
        if (first == 0 || second == 0)
            continue;
        if (first != second)
            return first < second;
        if (exampleSize(sizes[b]) > exampleSize(sizes[a]))
            return true;
    }
    return std::nullopt;
}

// Dimensions from the innermost outwards.
std::vector<std::size_t> memoryOrder(const std::vector<std::vector<SymInt>>& strides, const Sizes& sizes)
{
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    for (std::size_t i = 1; i < order.size(); ++i) {
        std::size_t place = i;
        for (std::size_t j = i; j-- > 0;) {
            const std::optional<bool> inner = isInner(strides, sizes, order[place], order[j]);
            if (inner == true) {
                std::swap(order[place], order[j]);
                place = j;
            } else if (inner == false) {
                break;
            }
        }
    }
    return order;
}

// Without holes and overlaps.
bool isDense(const TensorMeta& meta)
{
    std::vector<std::size_t> order(meta.sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return exampleSize(meta.strides[i]); });
    std::int64_t expected = 1;
    for (const std::size_t i : order) {
        const std::int64_t size = exampleSize(meta.sizes[i]);
        if (size == 1)
            continue;
        if (exampleSize(meta.strides[i]) != expected)
            return false;
        expected *= size;
    }
    return true;
}

// Strides of a view, or none where it needs a copy (at::detail::computeStride).
std::optional<std::vector<SymInt>> viewStrides(const TensorMeta& of, const Sizes& sizes)
{
    std::vector<SymInt> strides(sizes.size(), SymInt(1));
    if (of.sizes.empty())
        return strides;
    std::ptrdiff_t next = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
    SymInt base = of.strides.back();
    std::int64_t inChunk = 1;
    std::int64_t viewed = 1;
    for (std::size_t i = of.sizes.size(); i-- > 0;) {
        inChunk *= exampleSize(of.sizes[i]);
        const bool ends = i == 0 || (exampleSize(of.sizes[i - 1]) != 1 &&
                                     exampleSize(of.strides[i - 1]) != inChunk * exampleSize(base));
        if (!ends)
            continue;
        SymInt reached = 1;
        while (next >= 0 && (viewed < inChunk || exampleSize(sizes[static_cast<std::size_t>(next)]) == 1)) {
            const auto place = static_cast<std::size_t>(next--);
            strides[place] = times(reached, base);
            reached = times(reached, sizes[place]);
            viewed *= exampleSize(sizes[place]);
        }
        if (viewed != inChunk)
            return std::nullopt;
        if (i > 0) {
            base = of.strides[i - 1];
            inChunk = 1;
            viewed = 1;
        }
    }
    if (next >= 0)
        return std::nullopt;
    return strides;
}

} // namespace

std::int64_t exampleSize(const SymInt& size)
{
    if (size.isConstant())
        return size.constant();
    std::set<std::string> symbols;
    size.collectSymbols(symbols);
    Bindings bindings;
    for (const std::string& symbol : symbols) {
        std::int64_t number = leastExample;
        for (const char letter : symbol)
            number += letter;
        bindings[symbol] = number;
    }
    const Result<std::int64_t> value = size.evaluate(bindings);
    return value.has_value() ? *value : leastExample;
}

TensorMeta elementwiseMeta(std::span<const TensorMeta> operands, DType dtype)
{
    const Sizes sizes = broadcastSizes(operands);
    TensorMeta result = contiguousMeta(dtype, sizes);
    const bool alike = std::ranges::all_of(operands, [&](const TensorMeta& operand) {
        return operand.sizes == sizes && operand.strides == operands.front().strides;
    });
    if (alike && isDense(operands.front())) {
        result.strides = operands.front().strides;
        return result;
    }
    std::vector<std::vector<SymInt>> strides;
    for (const TensorMeta& operand : operands)
        strides.push_back(broadcastStrides(operand, sizes));
    SymInt stride = 1;
    for (const std::size_t i : memoryOrder(strides, sizes)) {
        result.strides[i] = stride;
        stride = times(stride, sizes[i]);
    }
    return result;
}

bool canView(const TensorMeta& of, const Sizes& sizes)
{
    return viewStrides(of, sizes).has_value();
}

TensorMeta viewMeta(const TensorMeta& of, const Sizes& sizes)
{
    TensorMeta view = of;
    view.requiresGrad = false;
    view.sizes = sizes;
    const auto strides = viewStrides(of, sizes);
    assert(strides);
    view.strides = *strides;
    return view;
}

TensorMeta transposeMeta(TensorMeta of, std::size_t a, std::size_t b)
{
    std::swap(of.sizes[a], of.sizes[b]);
    std::swap(of.strides[a], of.strides[b]);
    of.requiresGrad = false;
    return of;
}

TensorMeta permuteMeta(const TensorMeta& of, const std::vector<std::int64_t>& order)
{
    TensorMeta result = of;
    result.requiresGrad = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.sizes[i] = of.sizes[static_cast<std::size_t>(order[i])];
        result.strides[i] = of.strides[static_cast<std::size_t>(order[i])];
    }
    return result;
}

TensorMeta sliceMeta(TensorMeta of, std::size_t dimension, const SymInt& begin, const SymInt& size,
                     std::int64_t step)
{
    of.requiresGrad = false;
    of.storageOffset = SymInt::make(SymOp::Add, {of.storageOffset, times(begin, of.strides[dimension])});
    of.sizes[dimension] = size;
    of.strides[dimension] = times(of.strides[dimension], SymInt(step));
    return of;
}

TensorMeta unsqueezeMeta(TensorMeta of, std::size_t dimension)
{
    of.requiresGrad = false;
    const auto place = static_cast<std::ptrdiff_t>(dimension);
    const SymInt stride =
        dimension < of.sizes.size() ? times(of.sizes[dimension], of.strides[dimension]) : SymInt(1);
    of.sizes.insert(of.sizes.begin() + place, SymInt(1));
    of.strides.insert(of.strides.begin() + place, stride);
    return of;
}

TensorMeta expandMeta(const TensorMeta& of, const Sizes& sizes)
{
    TensorMeta result = of;
    result.requiresGrad = false;
    result.sizes = sizes;
    result.strides.assign(sizes.size(), SymInt(0));
    const std::size_t missing = sizes.size() - of.sizes.size();
    for (std::size_t i = 0; i < of.sizes.size(); ++i)
        if (of.sizes[i] == sizes[i + missing])
            result.strides[i + missing] = of.strides[i];
    return result;
}

} // namespace stagecraft
