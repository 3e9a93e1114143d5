// Whether two runs of nodes of a stage are one block. Compared in full: hashes only say where to ask.
#pragma once

#include "core/graph/graph.h"
#include "core/stage/node_kinds.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

namespace stagecraft {

// What stands where, and who reads it last.
struct BlockPlaces
{
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    const Graph& graph;
    const NodeKinds& kinds;
    std::span<const NodeId> nodes;
    const std::function<ValueId(ValueId)>& resolve;
    Table<ValueId, std::uint32_t> producer; // place of the node that makes it
    // Place of the last node that reads it; none of one that is not read, as many as nodes where it is kept.
    Table<ValueId, std::uint32_t> lastReader;

    BlockPlaces(const Graph& read, const NodeKinds& kindsOfRead, std::span<const NodeId> stage,
                const std::function<ValueId(ValueId)>& how, std::span<const ValueId> kept);
    const Node& node(std::size_t place) const { return graph[nodes[place]]; }
    bool isRead(ValueId value) const { return lastReader[value] != none; }
    // Is the value, made before `end`, read from there on?
    bool isReadFrom(ValueId value, std::size_t end) const
    {
        return isRead(value) && lastReader[value] >= end;
    }
};

// Nodes by their places in the stage, [begin, end), of a module.
struct NodeRun
{
    std::size_t begin = 0;
    std::size_t end = 0;
    ModuleId module;

    std::size_t length() const { return end - begin; }
};

// Does nothing but names, weights and what is given differ? Runs of equal length.
bool areAlike(const BlockPlaces& places, const NodeRun& a, const NodeRun& b);

} // namespace stagecraft
