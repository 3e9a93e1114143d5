// From our vocabulary of tensor metadata to the numbers of LibTorch's enums, and back.
//
// An operator's argument takes these numbers as they are; elsewhere cast them:
// c10::ScalarType(scalarTypeNumber(t)).
#pragma once

#include "core/graph/dtype.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace stagecraft {

std::int8_t scalarTypeNumber(DType dtype);
// None for element types that no model file can name (quantised ones, bits).
std::optional<DType> dtypeOfNumber(std::int8_t scalarType);
std::int8_t memoryFormatNumber(MemoryFormat format);
std::int8_t layoutNumber(TensorLayout layout);

// The first line of what LibTorch has to say, without its backtrace.
std::string exceptionReason(const std::exception& exception);

} // namespace stagecraft
