// The figures that a query can compare, by their names: "time", "mem", "flops".
#pragma once

#include "core/profile/profile.h"

#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

// In seconds, bytes or operations.
using NodeFigure = double (*)(const Profile& profile, NodeId node);
NodeFigure figureOf(std::string_view key);
// How many of those a unit stands for, in lower case: "ms", "gib"; none: it is no unit of that figure.
std::optional<double> factorOf(std::string_view key, std::string_view unit);
// By one of < <= > >= =; figures are equal that three digits do not tell apart.
bool compareFigure(double figure, std::string_view comparison, double value);
// "time>1ms".
std::string exampleOf(std::string_view key);

// What "mem" is: bytes kept for backward; where no node keeps any, bytes made.
Bytes memoryOf(const Profile& profile, NodeId node);

} // namespace stagecraft
