// Elementwise kernels, copies and concatenations: what each element costs in addresses, types and order.
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace stagecraft {

// Of an element, by an offset calculator.
constexpr double anAddress = 0.25;
constexpr double aCopysAddress = 0.4; // of more dimensions
// Read across the order it is written in.
constexpr double anElementAcross = 1.9;

// By TensorIterator: elementwise by its class, and with no kernel of its own.
bool isElementwiseKernel(std::string_view name);
double elementwiseCycles(const Trace& trace, const TraceOp& op);

// Of cat and stack.
double concatenationCycles(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
