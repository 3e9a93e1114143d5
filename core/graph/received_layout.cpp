#include "core/graph/received_layout.h"

#include "core/graph/stride_samples.h"

#include <algorithm>
#include <numeric>

namespace stagecraft {

namespace {

bool isRowMajorSample(const StrideSample& sample)
{
    return sample.strides == rowMajorStrides(sample.sizes);
}

// Dimensions along which all elements are one and the same.
std::vector<std::int64_t> expandedDimensions(const StrideSample& sample)
{
    std::vector<std::int64_t> expanded;
    for (std::size_t i = 0; i < sample.sizes.size(); ++i)
        if (sample.strides[i] == 0 && sample.sizes[i] > 1)
            expanded.push_back(static_cast<std::int64_t>(i));
    return expanded;
}

StrideSample withoutCopies(StrideSample sample, const std::vector<std::int64_t>& expanded)
{
    for (const std::int64_t dimension : expanded)
        sample.sizes[static_cast<std::size_t>(dimension)] = 1;
    return sample;
}

// From the outermost dimension in memory to the innermost.
std::vector<std::int64_t> memoryOrder(const StrideSample& sample)
{
    std::vector<std::int64_t> order(sample.sizes.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto at = [](const std::vector<std::int64_t>& of, std::int64_t i) {
        return of[static_cast<std::size_t>(i)];
    };
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        const std::int64_t strideA = at(sample.strides, a);
        const std::int64_t strideB = at(sample.strides, b);
        return strideA != strideB ? strideA > strideB : at(sample.sizes, a) > at(sample.sizes, b);
    });
    return order;
}

enum class Packing { Dense, WithGaps, Overlapping };

// How the elements lie in memory if `order` is the order of dimensions; those of size 1 do not count.
Packing packingOf(const StrideSample& sample, const std::vector<std::int64_t>& order)
{
    Packing packing = Packing::Dense;
    std::int64_t dense = 1;   // the stride that leaves no gap
    std::int64_t reached = 1; // elements from the first to the last
    for (std::size_t k = order.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(order[k]);
        if (sample.sizes[i] == 0)
            return Packing::WithGaps; // nothing lies anywhere
        if (sample.sizes[i] == 1)
            continue;
        if (sample.strides[i] < reached)
            return Packing::Overlapping;
        if (sample.strides[i] != dense)
            packing = Packing::WithGaps;
        std::int64_t further = 0;
        if (__builtin_mul_overflow(dense, sample.sizes[i], &dense) ||
            __builtin_mul_overflow(sample.sizes[i] - 1, sample.strides[i], &further) ||
            __builtin_add_overflow(reached, further, &reached))
            return Packing::Overlapping; // no memory holds it
    }
    return packing;
}

// The strides that leave no gaps in that order; those of expanded dimensions stay.
std::vector<std::int64_t> closedStrides(const StrideSample& sample, const std::vector<std::int64_t>& order)
{
    std::vector<std::int64_t> strides = sample.strides;
    std::int64_t dense = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(order[k]);
        if (strides[i] == 0 && sample.sizes[i] > 1)
            continue;
        strides[i] = dense;
        dense *= std::max<std::int64_t>(sample.sizes[i], 1);
    }
    return strides;
}

} // namespace

bool isRowMajor(const TensorMeta& meta)
{
    if (meta.layout != TensorLayout::Strided)
        return false;
    if (meta.strides == contiguousMeta(meta.dtype, meta.sizes).strides)
        return true; // nearly always, and without reckoning
    const auto samples = strideSamples({&meta});
    return samples && std::ranges::all_of(samples->front(), isRowMajorSample);
}

std::optional<ReceivedLayout> receivedLayout(ValueId value, const TensorMeta& meta, LayoutGaps gaps)
{
    const auto all = strideSamples({&meta});
    if (!all)
        return std::nullopt;
    const std::vector<StrideSample>& samples = all->front();
    const bool isSymbolic = samples.size() > 1;
    ReceivedLayout layout{value, expandedDimensions(samples.front()), {}, {}};
    const std::vector<std::int64_t> order = memoryOrder(withoutCopies(samples.front(), layout.expanded));
    bool hasGaps = false;
    for (const StrideSample& sample : samples) {
        if (expandedDimensions(sample) != layout.expanded)
            return std::nullopt;
        const Packing packing = packingOf(withoutCopies(sample, layout.expanded), order);
        if (packing == Packing::Overlapping || (isSymbolic && packing == Packing::WithGaps))
            return std::nullopt;
        hasGaps = hasGaps || packing == Packing::WithGaps;
    }
    if (isSymbolic)
        layout.order = order;
    else if (hasGaps && gaps == LayoutGaps::Closed)
        layout.strides = closedStrides(samples.front(), order);
    else
        layout.strides = samples.front().strides;
    return layout;
}

bool changesNothing(const ReceivedLayout& layout, const TensorMeta& meta)
{
    if (!layout.expanded.empty() || !layout.order.empty())
        return false;
    std::vector<std::int64_t> sizes;
    for (const SymInt& size : meta.sizes) {
        if (!size.isConstant())
            return false;
        sizes.push_back(size.constant());
    }
    return layout.strides == rowMajorStrides(sizes);
}

bool isSendable(const Value& value)
{
    return !value.meta || isRowMajor(*value.meta) || receivedLayout(ValueId(0), *value.meta);
}

std::vector<std::int64_t> inverseOrder(const std::vector<std::int64_t>& order)
{
    std::vector<std::int64_t> inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    return inverse;
}

} // namespace stagecraft
