#include "core/graph/tensor_meta.h"

namespace stagecraft {

TensorMeta contiguousMeta(DType dtype, std::vector<SymInt> sizes)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.strides.resize(sizes.size());
    SymInt stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        meta.strides[i] = stride;
        // PyTorch counts an empty dimension as one element here.
        const bool isEmpty = sizes[i] == SymInt(0);
        stride = SymInt::make(SymOp::Mul, {stride, isEmpty ? SymInt(1) : sizes[i]});
    }
    meta.sizes = std::move(sizes);
    return meta;
}

Result<std::int64_t> elementCount(const TensorMeta& meta, const Bindings& bindings)
{
    std::int64_t count = 1;
    bool overflows = false;
    for (const SymInt& size : meta.sizes) {
        STAGECRAFT_ASSIGN(number, size.evaluate(bindings));
        if (number < 0)
            return Error{ErrorCode::BadFormat, "a tensor cannot have the size " + std::to_string(number)};
        if (number == 0)
            return 0;
        overflows |= __builtin_mul_overflow(count, number, &count);
    }
    if (overflows)
        return Error{ErrorCode::Failed, "the tensor " + metaText(meta) + " has more than 2^63 elements"};
    return count;
}

Result<Bytes> byteSize(const TensorMeta& meta, const Bindings& bindings)
{
    STAGECRAFT_ASSIGN(count, elementCount(meta, bindings));
    return Bytes(count) * itemSize(meta.dtype);
}

std::string metaText(const TensorMeta& meta)
{
    std::string text(shortName(meta.dtype));
    text += '[';
    for (std::size_t i = 0; i < meta.sizes.size(); ++i)
        text += (i > 0 ? ", " : "") + meta.sizes[i].text();
    return text + ']';
}

} // namespace stagecraft
