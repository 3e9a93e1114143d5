// How tensors of a trace lie in memory, and where an operator's arguments have them.
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <span>

namespace stagecraft {

// The first of an argument; null where there is none.
const TraceTensor* tensorAt(const Trace& trace, std::span<const TraceArgument> list, std::size_t position);
Bytes bytesAt(const Trace& trace, std::span<const TraceArgument> list, std::size_t position);
double elementCount(const Trace& trace, const TraceTensor& tensor);

// The dimension whose neighbours lie next to each other; none of a single element.
std::optional<std::size_t> innermost(const Trace& trace, const TraceTensor& tensor);
// Images whose channels lie next to each other (torch.channels_last): [n, c, h, w] with c innermost.
bool isChannelsLast(const Trace& trace, const TraceTensor& tensor);

// Without gaps, the last dimension innermost (or, of images, the channels): a slice is not.
bool isContiguous(const Trace& trace, const TraceTensor& tensor);
bool isContiguousChannelsLast(const Trace& trace, const TraceTensor& tensor);

} // namespace stagecraft
