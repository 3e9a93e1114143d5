// Which operator PyTorch cannot go back through.
#pragma once

#include <optional>
#include <string>

namespace stagecraft {

// Of an error of a backward pass: "aten::histc has no derivative in PyTorch". None: it is about something
// else.
std::optional<std::string> missingDerivative(const std::string& error);

} // namespace stagecraft
