// Operators of ATen, as a Network writes them: each takes values and gives what LibTorch would, sizes and
// strides known. Dimensions may count from the end. Named as in PyTorch.
#pragma once

#include "core/forms/network.h"

#include <optional>

namespace stagecraft {

// Elementwise, with broadcasting.
ValueId unary(Network& net, const std::string& name, ValueId x);
ValueId add(Network& net, ValueId a, ValueId b);
ValueId addNumber(Network& net, ValueId a, double number);
ValueId sub(Network& net, ValueId a, ValueId b);
ValueId mul(Network& net, ValueId a, ValueId b);
ValueId mulNumber(Network& net, ValueId a, double number);
ValueId divide(Network& net, ValueId a, ValueId b);
ValueId divideByNumber(Network& net, ValueId a, double number);
// a /= b: a new version of `a`.
ValueId divideInPlace(Network& net, ValueId a, ValueId b);
ValueId power(Network& net, ValueId a, const Argument& exponent);
ValueId gelu(Network& net, ValueId x, bool byTanh);
// Nothing where it is of that type already.
ValueId toType(Network& net, ValueId x, DType dtype);
// Nothing where `percent` is 0.
ValueId dropout(Network& net, ValueId x, std::int64_t percent);

// Contractions.
ValueId linear(Network& net, ValueId x, ValueId weight, std::optional<ValueId> bias = {});
ValueId addmm(Network& net, ValueId bias, ValueId a, ValueId b);
ValueId matmul(Network& net, ValueId a, ValueId b);
// The row of `padding` has no gradient.
ValueId embedding(Network& net, ValueId weight, ValueId ids, std::optional<std::int64_t> padding = {});

struct AttentionCall
{
    std::optional<ValueId> mask = {};
    std::int64_t dropoutPercent = 0;
    bool isCausal = false;
    std::optional<double> scale = {};
    bool hasGroups = false; // fewer heads of keys and values
};
// [batch, heads, time, width] each.
ValueId scaledDotProductAttention(Network& net, ValueId query, ValueId key, ValueId value,
                                  const AttentionCall& call);

// Views and layouts. -1 in `sizes` is written where a size is a product of symbols.
ValueId view(Network& net, ValueId x, const Sizes& sizes);
ValueId reshape(Network& net, ValueId x, const Sizes& sizes);
ValueId transpose(Network& net, ValueId x, int a, int b);
ValueId permute(Network& net, ValueId x, const std::vector<std::int64_t>& order);
ValueId contiguous(Network& net, ValueId x);
ValueId unsqueeze(Network& net, ValueId x, int dimension);
ValueId expand(Network& net, ValueId x, const Sizes& sizes);
ValueId slice(Network& net, ValueId x, int dimension, std::int64_t begin, const SymInt& end);
// Every second element from `begin` on.
ValueId everySecond(Network& net, ValueId x, int dimension, std::int64_t begin);
ValueId select(Network& net, ValueId x, int dimension, std::int64_t index);
ValueId cat(Network& net, const std::vector<ValueId>& parts, int dimension);
ValueId flatten(Network& net, ValueId x, int first, int last = -1);
std::vector<ValueId> split(Network& net, ValueId x, std::int64_t width, int dimension);
std::vector<ValueId> splitWidths(Network& net, ValueId x, const std::vector<std::int64_t>& widths,
                                 int dimension);
std::vector<ValueId> chunk(Network& net, ValueId x, std::int64_t count, int dimension);

// Reductions and the like.
ValueId mean(Network& net, ValueId x, std::vector<std::int64_t> dimensions, bool keep);
ValueId sumOver(Network& net, ValueId x, int dimension, bool keep);
ValueId softmax(Network& net, ValueId x, int dimension);
struct TopK
{
    ValueId values;
    ValueId indices;
};
enum class Sorted { Yes, No };
TopK topk(Network& net, ValueId x, std::int64_t k, Sorted sorted = Sorted::Yes);
ValueId arange(Network& net, const SymInt& end);
ValueId index(Network& net, ValueId x, ValueId rows);
ValueId gather(Network& net, ValueId x, int dimension, ValueId chosen);

// Norms.
ValueId layerNorm(Network& net, ValueId x, std::int64_t width, std::optional<ValueId> weight,
                  std::optional<ValueId> bias, double epsilon);

} // namespace stagecraft
