// TensorMeta: what is known of a tensor without its data.
#pragma once

#include "core/base/quantities.h"
#include "core/graph/dtype.h"
#include "core/graph/sym_int.h"

#include <string>
#include <vector>

namespace stagecraft {

struct TensorMeta
{
    DType dtype = DType::F32;
    std::vector<SymInt> sizes;
    std::vector<SymInt> strides; // in elements, as many as sizes
    SymInt storageOffset = 0;    // in elements
    TensorLayout layout = TensorLayout::Strided;
    Device device;
    // True for parameters only: exports say false for every activation, even in training.
    bool requiresGrad = false;

    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

// A row-major tensor.
TensorMeta contiguousMeta(DType dtype, std::vector<SymInt> sizes);
// Product of the sizes. Fails where a size cannot be evaluated.
Result<std::int64_t> elementCount(const TensorMeta& meta, const Bindings& bindings);
// elementCount x itemSize: what the tensor itself holds, whatever storage it lies in.
Result<Bytes> byteSize(const TensorMeta& meta, const Bindings& bindings);
// "f32[8, s0, 256]".
std::string metaText(const TensorMeta& meta);

} // namespace stagecraft
