// Traffic of one operator of a trace: the bytes it moves between the device's memory and its cores.
#pragma once

#include "core/base/quantities.h"
#include "core/trace/trace.h"

namespace stagecraft {

struct OpTraffic
{
    Bytes read;
    Bytes written;

    Bytes total() const { return read + written; }
};

// Of an expanded tensor the elements that exist.
Bytes touchedBytes(const Trace& trace, const TraceTensor& tensor);

// Every tensor argument is read once and every result written once; of an expanded tensor only the elements
// that exist. Views move nothing, those neither that only their storages tell (aten::_unsafe_view); factories
// without a value write nothing; operators that look up rows (embedding, index, gather) read the rows they
// return, not the whole table; operators in place that return nothing (aten::_foreach_add_) write what their
// schema says; losses that pick an element for each target read those, their gradients none.
OpTraffic operatorTraffic(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
