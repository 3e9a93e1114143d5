// Which nodes draw random numbers.
#pragma once

#include "core/graph/graph.h"
#include "core/load/operator_schema.h"

namespace stagecraft {

// False where an argument says that it draws none (a dropout of 0, or outside of training), and of operators
// that are not known.
bool drawsRandomNumbers(const Node& node, OperatorSchemas& schemas);

} // namespace stagecraft
