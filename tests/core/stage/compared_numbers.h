// Compares tensors of these numbers, for tests; LibTorch is in no header.
#pragma once

#include "core/stage/verify.h"

#include <vector>

namespace stagecraft::testing {

// As gradients of one parameter, with the usual tolerances.
Comparison comparedNumbers(const std::vector<float>& whole, const std::vector<float>& stages);

} // namespace stagecraft::testing
