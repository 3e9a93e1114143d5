// Nodes that a person moves as one: a module, by its path.
#pragma once

#include "core/graph/argument.h"

#include <string>
#include <vector>

namespace stagecraft {

struct NamedNodes
{
    std::string name;
    std::vector<NodeId> nodes;
};

} // namespace stagecraft
