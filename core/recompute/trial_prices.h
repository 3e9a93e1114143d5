// Prices of a byte, and caps of what regions make again, at which choices are worth trying.
#pragma once

#include "core/recompute/node_needs.h"

#include <span>
#include <vector>

namespace stagecraft {

// Prices at which some of the nodes choose otherwise, ascending, about `most`, and one far above.
std::vector<double> pricesOf(const Table<NodeId, NodeNeeds>& needs, std::size_t most);
// Caps worth trying in a stage, ascending: the last is none.
std::vector<Bytes> capsOf(const Table<NodeId, NodeNeeds>& needs, std::span<const NodeId> nodes);
// The same for all of a model, of which some storages may be far larger than others.
std::vector<Bytes> capsOf(const Table<NodeId, NodeNeeds>& needs);

} // namespace stagecraft
