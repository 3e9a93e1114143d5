// Sizes as sympy prints them, "2*s0 + 1": so files of PyTorch 2.5 have them, where newer ones have srepr.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

// The same in srepr, which parseSrepr() reads: "Add(Mul(Integer(2), Symbol('s0', ...)), Integer(1))".
// Operators bind as Python's do; what is called like a function stays. Symbols are positive but for those
// that data decide (u0). None where it is no such text.
std::optional<std::string> sreprOfText(std::string_view text);

} // namespace stagecraft
