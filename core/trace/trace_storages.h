// The storages that tensors of an operator lie in.
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

// visit(StorageId), of some of an operator's arguments or results, in their order.
template <class Visit>
void forEachStorage(const Trace& trace, std::span<const TraceArgument> arguments, const Visit& visit)
{
    for (const TraceArgument& argument : arguments)
        for (const TraceTensor& tensor : trace.tensors(argument))
            visit(tensor.storage);
}

} // namespace stagecraft
