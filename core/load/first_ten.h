// What is wrong with many tensors, in one line that ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// "a, b, c", or "a, b, ... and 12 more" behind the first ten.
std::string firstTen(const std::vector<std::string>& items, std::string_view between = ", ");

} // namespace stagecraft
