// The parts of composite operators: what a node's operator is made of, forward and backward.
//
//     aten::linear ──► aten::t, aten::mm + aten::add      (a bias is split off, though one kernel adds it)
//
// Where a matrix product is spread over devices, a partial sum is all-reduced before the bias is added: the
// addition has to be seen apart.
#pragma once

#include "core/profile/profile.h"

#include <vector>

namespace stagecraft {

// Operators that move or compute something, in the order they ran; `times` are those of the trace's
// operators. FLOPs and times of a node's parts sum up to the node's own; traffic does not where a bias is
// split off: unfused, the product is written and read once more.
std::vector<OpPart> operatorParts(const Trace& trace, const std::vector<OperatorSpan>& times);

} // namespace stagecraft
