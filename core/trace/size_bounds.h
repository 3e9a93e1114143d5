// Sizes that data decide (how many elements a mask keeps): what they are taken to be.
//
// In order: what the person binds (--bind u0=9: so it is); an upper bound of the person's (--bound u0=9) or
// of the file's own (torch._check, torch.export's value ranges). A figure from a bound is no more than an
// upper one: the nodes it reaches are not exact.
#pragma once

#include "core/graph/graph.h"

#include <set>
#include <string>

namespace stagecraft {

struct SizeBounds
{
    Bindings bindings;          // with a value for each size that has any
    std::set<std::string> used; // symbols that stand at a bound
};

// `bounds` are the person's; they may name any symbol that the model has. Fails, with code BadUsage and the
// symbols there are, where one is not there, and where a bound is outside the file's range.
Result<SizeBounds> boundSizes(const Graph& graph, Bindings bindings, const Bindings& bounds);

// The bounded symbols that results of `node` depend on, as "u0 = 9".
std::string boundedSizes(const Graph& graph, NodeId node, const SizeBounds& bounds);

} // namespace stagecraft
