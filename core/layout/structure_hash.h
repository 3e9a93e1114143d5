// Hashes of operators and of runs of them, by which equal parts of a model are known.
#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <span>

namespace stagecraft {

// Operator, shapes and types of its results and of the weights it reads. Names and literals do not count.
std::uint64_t hashOperator(const Graph& graph, NodeId node);

// How the nodes of `run` are connected: inner edges by place in the run, values from outside by order of
// first use. `placeOf` holds each node's place in the sequence that `run` is a piece of, which starts at
// place `first`.
std::uint64_t hashEdges(const Graph& graph, std::span<const NodeId> run, std::size_t first,
                        const Table<NodeId, std::size_t>& placeOf);

} // namespace stagecraft
