#include "core/profile/device/matrix_shapes.h"

#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace stagecraft {

namespace {

using Sizes = std::span<const std::int64_t>;

Sizes sizesOf(const Trace& trace, std::span<const TraceArgument> list, std::size_t position)
{
    if (position >= list.size())
        return {};
    const auto tensors = trace.tensors(list[position]);
    return tensors.empty() ? Sizes{} : trace.sizes(tensors.front());
}

double sizeProduct(Sizes sizes)
{
    double result = 1;
    for (const std::int64_t size : sizes)
        result *= static_cast<double>(size);
    return result;
}

// [..., rows, depth] x [..., depth, columns]; a vector is a matrix of one column.
std::vector<MatrixShape> ofProduct(Sizes left, Sizes right)
{
    if (left.size() < 2 || right.empty())
        return {};
    const auto at = [](Sizes sizes, std::size_t fromBack) {
        return static_cast<double>(sizes[sizes.size() - fromBack]);
    };
    const double batch = left.size() == 3 ? static_cast<double>(left[0]) : 1;
    const double columns = right.size() > 1 ? at(right, 1) : 1;
    return {{at(left, 2), columns, at(left, 1), batch}};
}

// weight [out, in / groups, *kernel]: `positions` are the places it is put on.
MatrixShape ofConvolution(Sizes weight, double positions, double groups)
{
    return {positions, static_cast<double>(weight[0]) / groups, sizeProduct(weight.subspan(1)), groups};
}

double groupsOf(const Trace& trace, std::span<const TraceArgument> arguments, std::size_t position)
{
    if (position >= arguments.size())
        return 1;
    const auto numbers = trace.integers(arguments[position]);
    return numbers.empty() ? 1 : static_cast<double>(std::max<std::int64_t>(numbers.front(), 1));
}

// The product that a convolution is; a transposed one is another's gradient, and is put on its input's
// places.
std::optional<MatrixShape> forwardShape(const Trace& trace, const TraceOp& op, bool isBackward)
{
    const auto arguments = trace.arguments(op);
    const bool transposed = isTransposedConvolution(trace, op);
    const Sizes weight = sizesOf(trace, arguments, isBackward ? 2 : 1);
    const Sizes input = sizesOf(trace, arguments, isBackward ? 1 : 0);
    const Sizes output = isBackward ? sizesOf(trace, arguments, 0) : sizesOf(trace, trace.results(op), 0);
    const Sizes places = transposed ? input : output;
    if (weight.size() < 3 || places.size() < 3)
        return std::nullopt;
    const double positions = sizeProduct(places) / static_cast<double>(std::max<std::int64_t>(places[1], 1));
    const MatrixShape shape =
        ofConvolution(weight, positions, groupsOf(trace, arguments, isBackward ? 9 : 8));
    return transposed ? MatrixShape{shape.rows, shape.depth, shape.columns, shape.batch} : shape;
}

std::vector<MatrixShape> ofConvolutionOperator(const Trace& trace, const TraceOp& op, bool isBackward)
{
    const std::optional<MatrixShape> forward = forwardShape(trace, op, isBackward);
    if (!forward)
        return {};
    if (!isBackward)
        return {*forward};
    std::vector<MatrixShape> shapes;
    const auto isAskedFor = [&](std::size_t result) {
        return !sizesOf(trace, trace.results(op), result).empty();
    };
    if (isAskedFor(0)) // patches' gradients: the depth and the columns change places
        shapes.push_back({forward->rows, forward->depth, forward->columns, forward->batch});
    if (isAskedFor(1)) // the weight's: summed over the positions
        shapes.push_back({forward->columns, forward->depth, forward->rows, forward->batch});
    return shapes;
}

std::vector<MatrixShape> ofAttention(Sizes query, Sizes key)
{
    if (query.size() < 3 || key.size() < 2)
        return {};
    const auto rows = static_cast<double>(query[query.size() - 2]);
    const auto width = static_cast<double>(query.back());
    const double batch = sizeProduct(query.subspan(0, query.size() - 2));
    return {{rows, width, 2 * static_cast<double>(key[key.size() - 2]), batch}};
}

} // namespace

bool isTransposedConvolution(const Trace& trace, const TraceOp& op)
{
    const std::string_view name = trace.opNames[op.name].name;
    if (operatorClassOf(name) != OperatorClass::Convolution)
        return false;
    const std::size_t position = name.ends_with("_backward") ? 7 : 6; // of the flag in the schema
    const auto arguments = trace.arguments(op);
    return position < arguments.size() && !trace.integers(arguments[position]).empty() &&
           trace.integers(arguments[position]).front() != 0;
}

bool hasGroups(const Trace& trace, const TraceOp& op)
{
    const bool isBackward = trace.opNames[op.name].name.ends_with("_backward");
    return groupsOf(trace, trace.arguments(op), isBackward ? 9 : 8) > 1;
}

std::vector<MatrixShape> matrixShapes(const Trace& trace, const TraceOp& op)
{
    const std::string_view name = trace.opNames[op.name].name;
    const auto arguments = trace.arguments(op);
    const bool isBackward = name.ends_with("_backward");
    switch (operatorClassOf(name)) {
    case OperatorClass::Matrix: {
        const bool adds = name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::addmv" ||
                          name == "aten::_addmm_activation";
        return ofProduct(sizesOf(trace, arguments, adds ? 1 : 0), sizesOf(trace, arguments, adds ? 2 : 1));
    }
    case OperatorClass::Convolution:
        return ofConvolutionOperator(trace, op, isBackward);
    case OperatorClass::Attention:
        return ofAttention(sizesOf(trace, arguments, isBackward ? 1 : 0),
                           sizesOf(trace, arguments, isBackward ? 2 : 1));
    default:
        return {};
    }
}

} // namespace stagecraft
