// Higher-order operators that only set a mode for the graph they run: no_grad, autocast, checkpointing.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace stagecraft {

bool isRegion(const std::string& target);

// The mode inside a region, from the mode around it and the region's arguments in front of its graph. A
// checkpoint takes the next number of `regionCount`; where gradients are off it does nothing in PyTorch, and
// nothing here. Fails where the arguments are not as expected.
Result<Context> modeInRegion(const std::string& target, const std::vector<Argument>& arguments, Context mode,
                             int& regionCount);

} // namespace stagecraft
