// What a stage could recompute instead: its regions with one or two things changed.
//
//     regions     a [b c d] e [f g]            a region left out, parted, begun, made shorter or longer at an
//     changed     a [b c] d e [f g]            end, or one with its neighbour; a node kept or let go
//     and again   a [b c] d [e f g]
//
// For a search that traces what comes of them (traced_choice.h): figures here are estimates, which say what
// is worth a trace.
#pragma once

#include "core/recompute/node_needs.h"

#include <map>
#include <span>
#include <vector>

namespace stagecraft {

// What a stage may take and hold beside what it does now.
struct MoveRooms
{
    Seconds spared; // at least, of the backward pass of a microbatch
    Bytes saved;    // more, of a microbatch
    Bytes doubt;    // how far it may be over that: what a region holds for a moment is not estimated
};

class RegionMoves
{
public:
    // Of a stage with these nodes, ascending. `again`: what a node takes that runs a second time, infinite
    // where it cannot; `keeping`: bytesOfKeeping(). All must outlive it.
    RegionMoves(std::span<const NodeId> nodes, const Table<NodeId, NodeNeeds>& needs,
                const Table<NodeId, Seconds>& again, const Table<NodeId, Bytes>& keeping);

    // What one change makes of the regions, or two, as far as that is faster by the estimate: what fits by it
    // first, and of that the fastest; then what is over by the least. At most `most`.
    std::vector<RecomputePlan> of(const RecomputePlan& regions, const MoveRooms& rooms,
                                  std::size_t most) const;

private:
    // A region, by positions among the stage's nodes.
    struct Shape
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::vector<std::size_t> kept = {};
    };
    using Shapes = std::vector<Shape>;
    // Beside the stage without the region.
    struct Figures
    {
        Seconds added;
        Bytes holds;
    };
    struct Storage
    {
        Bytes bytes;
        bool isNeeded = false;
        std::size_t maker = 0;
        std::size_t last = 0; // that reads it; beyond all: in another stage
    };
    struct Change;
    class Finder;

    Shapes shapesOf(const RecomputePlan& plan) const;
    RecomputePlan planOf(const Shapes& shapes) const;
    Figures figuresOf(const Shape& shape) const;

    std::span<const NodeId> m_nodes;
    const Table<NodeId, NodeNeeds>& m_needs;
    const Table<NodeId, Seconds>& m_again;
    const Table<NodeId, Bytes>& m_keeping;
    std::map<StorageId, Storage> m_storages; // that nodes of the stage make
};

} // namespace stagecraft
