// What of the texts of sizes may be given to PyTorch, which evaluates them as Python when it loads a file.
#pragma once

#include <string_view>

namespace stagecraft {

// Is the text (SymInt::srepr) nothing but numbers, symbols and functions on sizes that sympy and PyTorch
// have? Powers and shifts of numbers alone, or by more than 63, are not: SymInt has folded those that fit
// into 64 bits, the others may be of any length.
bool isPlainSrepr(std::string_view text);

} // namespace stagecraft
