// Zips as PyTorch itself writes them, for tests; LibTorch is in no header.
#pragma once

#include <string>

namespace stagecraft::testing {

// With the records "0", "1", ..., each with its number as text, beside those that PyTorch adds.
std::string zipOfNumbers(int count);

} // namespace stagecraft::testing
