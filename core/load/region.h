// Higher-order operators that run their graph as it is, at most in a mode: no_grad, autocast, checkpointing,
// strict_mode, hints for compilers.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace stagecraft {

bool isRegion(const std::string& target);

// Does the region tell compilers something, which is no part of what it computes and is not kept?
bool hasHints(const std::string& target);

// The mode inside a region, from the mode around it and the region's arguments in front of its graph. A
// checkpoint takes the next number of `regionCount`; where gradients are off it does nothing in PyTorch, and
// nothing here. Fails where the arguments are not as expected.
Result<Context> modeInRegion(const std::string& target, const std::vector<Argument>& arguments, Context mode,
                             int& regionCount);

} // namespace stagecraft
