#include "core/trace/trace.h"

namespace stagecraft {

Bytes Trace::tensorBytes(const TraceTensor& tensor) const
{
    Bytes bytes(itemSize(tensor.dtype));
    for (const std::int64_t size : sizes(tensor))
        bytes = bytes * size;
    return bytes;
}

bool isSavedForBackward(const Trace& trace, const SavedTensor& saved)
{
    return saved.op.index() < trace.forwardEnd && (!saved.release || *saved.release >= trace.forwardEnd);
}

} // namespace stagecraft
