// StrideSample: the sizes and strides of a tensor as plain numbers, so that they can be reckoned with.
//
// Expressions of symbols are compared by their values: those of symbols that are two different sets of
// primes.
#pragma once

#include "core/graph/tensor_meta.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace stagecraft {

struct StrideSample
{
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
};

// One where all sizes and strides are numbers, else two; equal symbols have equal values in all `metas`.
// By meta, then by sample. None where an expression cannot be read, or a tensor is not strided.
std::optional<std::vector<std::vector<StrideSample>>>
strideSamples(const std::vector<const TensorMeta*>& metas);

// Strides of a row-major tensor, as PyTorch counts them: an empty dimension as one element.
std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& sizes);

// The strides with which torch.Tensor.view() shows `tensor` with other sizes; none where it cannot.
std::optional<std::vector<std::int64_t>> stridesOfView(const StrideSample& tensor,
                                                       const std::vector<std::int64_t>& sizes);

} // namespace stagecraft
