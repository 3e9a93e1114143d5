// Numbers of checkpoints in another floating-point type than the model's.
#pragma once

#include "core/graph/tensor_meta.h"

#include <cstddef>
#include <span>

namespace stagecraft {

// Both of float64, float32, float16 and bfloat16?
bool canCast(DType from, DType to);

// Each number to the nearest one of the other type, ties to even, as PyTorch's Tensor.to(). `target` has room
// for as many as `source` has. Only where canCast().
void castFloats(std::span<const std::byte> source, DType from, std::span<std::byte> target, DType to);

} // namespace stagecraft
