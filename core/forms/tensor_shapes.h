// Sizes and strides of what operators return, as LibTorch lays them out, where sizes may be symbols.
//
// Symbols are taken to be large and unlike each other, whatever their usual values are.
#pragma once

#include "core/graph/tensor_meta.h"

#include <span>
#include <vector>

namespace stagecraft {

using Sizes = std::vector<SymInt>;

// A size with large numbers for its symbols, the same for a symbol everywhere.
std::int64_t exampleSize(const SymInt& size);

// What elementwise operators make of `operands`: broadcast sizes, and the order of dimensions that the
// operands lie in memory in (TensorIterator's rule).
TensorMeta elementwiseMeta(std::span<const TensorMeta> operands, DType dtype);
// A view with other sizes of as many elements. Only of what can be viewed so.
TensorMeta viewMeta(const TensorMeta& of, const Sizes& sizes);
// Can it be viewed so without a copy?
bool canView(const TensorMeta& of, const Sizes& sizes);
TensorMeta transposeMeta(TensorMeta of, std::size_t a, std::size_t b);
TensorMeta permuteMeta(const TensorMeta& of, const std::vector<std::int64_t>& order);
// [begin, begin + size) along a dimension, in steps of `step`.
TensorMeta sliceMeta(TensorMeta of, std::size_t dimension, const SymInt& begin, const SymInt& size,
                     std::int64_t step = 1);
TensorMeta unsqueezeMeta(TensorMeta of, std::size_t dimension);
TensorMeta expandMeta(const TensorMeta& of, const Sizes& sizes);

} // namespace stagecraft
