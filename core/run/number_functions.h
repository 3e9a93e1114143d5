// Python's own functions on sizes: what `_operator.floordiv`, `math.trunc`, `torch.sym_max` compute.
//
// Results are Python's: division floors, a modulo has the sign of its divisor, 1 / 2 is 0.5. Integers are 64
// bits wide; what does not fit is an error and never wraps.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace stagecraft {

using PythonNumber = std::variant<std::int64_t, double, bool>;

// Fails on division by zero, on overflow, and where Python would raise a TypeError.
using NumberFunction = Result<PythonNumber> (*)(std::span<const PythonNumber> operands);

struct NumberFunctionEntry
{
    std::string_view target; // "_operator::add"
    std::size_t operandCount;
    NumberFunction function;
};

// The function that a node's target names; null where it names something else.
const NumberFunctionEntry* findNumberFunction(std::string_view target);

} // namespace stagecraft
