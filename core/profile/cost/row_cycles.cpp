#include "core/profile/cost/row_cycles.h"

#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace stagecraft {

double sumCycles(double elements, double results)
{
    constexpr double oneOfFew = 2.1, few = 32;
    constexpr double aColumns = 0.22, ofFewColumns = 0.52, fewColumns = 16 << 10;
    if (elements / std::max(results, 1.0) < few)
        return elements * oneOfFew;
    return elements * (results < fewColumns ? ofFewColumns : aColumns);
}

// Along the innermost dimension lanes read next to each other, and only rows that are short hold them up.
double reductionCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double aRow = 75;
    constexpr std::array<std::string_view, 3> sums{"aten::sum", "aten::mean", "aten::linalg_vector_norm"};
    const TraceTensor* const from = tensorAt(trace, trace.arguments(op), 0);
    const TraceTensor* const to = tensorAt(trace, trace.results(op), 0);
    if (std::ranges::find(sums, trace.opNames[op.name].name) == sums.end() || !from || !to ||
        trace.arguments(op).size() < 2)
        return 0;
    const std::size_t listed = trace.opNames[op.name].name == "aten::linalg_vector_norm" ? 2 : 1;
    if (listed >= trace.arguments(op).size())
        return 0;
    const auto inner = innermost(trace, *from);
    const auto reduced = trace.integers(trace.arguments(op)[listed]);
    const auto dimensions = static_cast<std::int64_t>(trace.sizes(*from).size());
    const bool goesAlong =
        !inner || reduced.empty() || std::ranges::any_of(reduced, [&](std::int64_t dimension) {
            return (dimension + dimensions) % dimensions == static_cast<std::int64_t>(*inner);
        });
    const double results = elementCount(trace, *to);
    return goesAlong ? results * aRow : sumCycles(elementCount(trace, *from), results);
}

namespace {

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

// Blocks take 256 rows at a time from 256 rows on; where that goes into the rows without a rest, PyTorch runs
// another variant (layer_norm_kernel.cu, `aligned_grid`), which was a quarter slower.
double weightGradientCycles(const Rows& rows, int multiprocessors)
{
    constexpr double columns = 32, rowsOfBlock = 256, perCycle = 4.5, perCycleAligned = 3.4;
    constexpr double manyRows = 64 << 10, shared = 0.8;
    const double blocks = std::ceil(rows.length / columns);
    if (rows.count > manyRows && blocks < multiprocessors / 2.0)
        return rows.count * rows.length * shared;
    const bool isAligned = std::fmod(rows.count, rowsOfBlock) == 0;
    return rows.count * columns / (isAligned ? perCycleAligned : perCycle) *
           std::max<double>(multiprocessors, blocks);
}

// Of softmax along another dimension than the last: a thread a column.
bool goesAcross(const Trace& trace, const TraceOp& op, std::size_t tensor, std::size_t dimension)
{
    const auto arguments = trace.arguments(op);
    const TraceTensor* const input = tensorAt(trace, arguments, tensor);
    if (!input || dimension >= arguments.size() || trace.integers(arguments[dimension]).empty())
        return false;
    const std::int64_t given = trace.integers(arguments[dimension]).front();
    return given != -1 && given != static_cast<std::int64_t>(trace.sizes(*input).size()) - 1;
}

} // namespace

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

// One block sums a group up, and a multiprocessor has room for several.
KernelCycles groupNormCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    constexpr double aSum = 0.92, anElement = 0.9, aGradientsSum = 1.2, aGradientsElement = 1.25;
    constexpr double blocksAtOnce = 2;
    const bool goesBack = trace.opNames[op.name].name.ends_with("_backward");
    const TraceTensor* const input = tensorAt(trace, trace.arguments(op), goesBack ? 1 : 0);
    const TraceTensor* const means =
        goesBack ? tensorAt(trace, trace.arguments(op), 2) : tensorAt(trace, trace.results(op), 1);
    if (!input || !means)
        return {};
    const double elements = elementCount(trace, *input);
    const double blocks = goesBack ? static_cast<double>(trace.sizes(*input)[0] * trace.sizes(*input)[1])
                                   : elementCount(trace, *means);
    const double idle = std::max(1.0, blocksAtOnce * device.multiprocessors / std::max(blocks, 1.0));
    return {.busy =
                elements * (goesBack ? aGradientsSum * idle + aGradientsElement : aSum * idle + anElement)};
}

KernelCycles softmaxCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double ofColumns = 3.0, gradientOfColumns = 2.2;
    const bool goesBack = trace.opNames[op.name].name.ends_with("_backward_data");
    const TraceTensor* const input = tensorAt(trace, trace.arguments(op), 0);
    if (!input || !goesAcross(trace, op, 0, goesBack ? 2 : 1))
        return {};
    return {.busy = elementCount(trace, *input) * (goesBack ? gradientOfColumns : ofColumns)};
}

Bytes maskedRowBytes(const Trace& trace, const TraceOp& op)
{
    constexpr std::int64_t masks = 3; // written; read for the rows; the rows' own
    const TraceTensor* const input = tensorAt(trace, trace.arguments(op), 0);
    if (!input)
        return {};
    const auto elements = static_cast<std::int64_t>(elementCount(trace, *input));
    return trace.tensorBytes(*input) + bytesAt(trace, trace.results(op), 0) * 2 + Bytes(elements) * masks;
}

KernelCycles safeSoftmaxCycles(const Trace& trace, const TraceOp& op)
{
    constexpr double anElement = 1.9;
    const TraceTensor* const input = tensorAt(trace, trace.arguments(op), 0);
    if (!input)
        return {};
    return {.apart = elementCount(trace, *input) * anElement, .apartBytes = maskedRowBytes(trace, op)};
}

} // namespace stagecraft
