// Buffers that a stage reads and, when its nodes have run, writes to: a program in functional form returns
// their new content. PyTorch goes back through nothing that was written since it was kept.
#pragma once

#include "core/graph/graph.h"
#include "core/stage/stage_program.h"

#include <vector>

namespace stagecraft {

// Those of `program.updates` that backward may need as they were: the stage reads copies of them.
std::vector<ValueId> readAsCopies(const Graph& graph, const StageProgram& program);

} // namespace stagecraft
