// The operator that a node calls: in functionalised graphs one that writes in place stands within another,
// which gives it copies (auto_functionalized and its second version).
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <variant>

namespace stagecraft {

inline bool isFunctionalized(const Node& node)
{
    return node.target == "higher_order::auto_functionalized" ||
           node.target == "higher_order::auto_functionalized_v2";
}

// The target of `node`, or of the operator within.
inline const std::string& calledOperator(const Node& node)
{
    if (isFunctionalized(node) && !node.arguments.empty())
        if (const auto* within = std::get_if<OperatorArgument>(&node.arguments.front().value))
            return within->target;
    return node.target;
}

} // namespace stagecraft
