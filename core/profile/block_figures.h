// BlockFigures: what nodes take, give and hold as one thing, such as a module or a stage.
//
//     live ──╮  ╭──╮      ╭─╮        a block's peak: the most that is alive while it runs,
//            ╰──╯  ╰──────╯ ╰──      above what was there when it began
//          │ forward │  │ backward │
//
// Its time is that of its operators one after the other with nothing before them, so that a device which is
// faster than the program that hands them over waits for it. The same operators in the step may take less:
// there the program may be ahead by the time that the block begins.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

#include <set>
#include <span>
#include <vector>

namespace stagecraft {

struct BlockFigures
{
    Bytes input;  // of tensors that it reads and does not make, without what comes with the model; each once
    Bytes output; // of tensors that it makes and others read, or the model returns; each once
    // Of a block that runs in several pieces, such as a module called twice: of the largest.
    Bytes forwardPeak;
    // What it runs again and gradients of its parameters included.
    Bytes backwardPeak;
    // Sums over its nodes where any of them was measured, or was not traced.
    Seconds forwardTime;
    Seconds backwardTime; // what it runs again included

    friend bool operator==(const BlockFigures&, const BlockFigures&) = default;
};

// Both outlive it.
class BlockMeter
{
public:
    BlockMeter(const Graph& graph, const Profile& profile);

    BlockFigures figuresOf(std::span<const NodeId> nodes) const;

private:
    // The samples of `nodes` in a phase, in the order of the step.
    std::vector<std::size_t> samplesOf(std::span<const NodeId> nodes, Phase phase) const;
    Bytes peakOf(std::span<const std::size_t> own) const;
    Seconds timeOf(std::span<const std::size_t> own) const;

    const Graph* m_graph;
    const Profile* m_profile;
    std::set<ValueId> m_returned;                      // by the model
    Table<NodeId, std::vector<std::size_t>> m_samples; // of the step's memory
    std::vector<Bytes> m_entry; // of each sample: what is there when its operator begins
};

} // namespace stagecraft
