// Does PyTorch understand a TorchScript archive as it was meant? Its code is text without the overloads of
// operators: they are found again by what stands in a call.
#pragma once

#include <optional>
#include <string>

namespace torch::jit {
struct Module;
} // namespace torch::jit

namespace stagecraft {

// Reads `archive` and compares its forward() with that of `meant`, operator by operator, with overloads and
// literals. What differs first; none: nothing. Throws what LibTorch throws.
std::optional<std::string> differenceWhenRead(const torch::jit::Module& meant, const std::string& archive);

} // namespace stagecraft
