// What drawings make of an operator by its name alone.
#pragma once

#include "core/graph/graph.h"

#include <string>

namespace stagecraft {

// "linear" of "aten::linear.default": what an operator is called in drawings.
std::string operatorTitle(const Node& node);

// Does the operator only rename, reshape or index, so that a small box will do?
bool isMinorOperator(const Node& node);

} // namespace stagecraft
