// What floats beside the links of a chain (recompute_chain.h), and what that sends wherever it is.
//
//     links     a   b   c   d   e   f  │  g
//     float      └───────► x ──────────│──► returned     here b's result crosses, or x's: the lesser of them
//
// In which stage it is, nobody knows but that it is behind what it reads and before what reads it. Of all
// ways to have it before a place or behind it, none sends less than the cheapest (search/bound/min_cut.h).
#pragma once

#include "core/float_ranges.h"
#include "core/plan/problem.h"
#include "core/plan/stage_cost.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

class ChainFloats
{
public:
    // `problem` must outlive it.
    ChainFloats(const PartitionProblem& problem, const std::vector<std::vector<NodeId>>& links);

    // Before a link, or within it: somewhere, nobody knows where.
    enum class At { Before, Within };
    // What crosses such places for what floats, at least: beside values of links' nodes that cross them for
    // links' nodes.
    TransferSize crossing(std::size_t link, At at) const
    {
        return at == At::Before ? m_before[link] : m_within[link];
    }
    // So many nodes that float can be in stages that begin and end there.
    std::size_t countAt(std::size_t link, At at) const;

private:
    enum class Side { Before, Behind, Either };

    void findReaches();
    void findWithLinks();
    void findValues();
    void findCrossings();
    Side sideOf(NodeId node, std::size_t link, At at) const;
    bool countsAlready(const ProblemValue& value, std::size_t link, At at) const;
    TransferSize leastAt(std::size_t link, At at) const;
    double leastBytes(const std::vector<const ProblemValue*>& values, Bytes ProblemValue::*bytes,
                      std::size_t link, At at) const;

    const PartitionProblem& m_problem;
    std::size_t m_count;                       // of links
    Table<NodeId, std::size_t> m_linkOf;       // from 1; 0: it floats
    Table<NodeId, FloatRange> m_reach;         // likewise, from the begin of the first to the end of the last
    Table<NodeId, char> m_isWithLink;          // must be in a stage with a link's node
    std::vector<const ProblemValue*> m_values; // that what floats makes or reads
    std::vector<TransferSize> m_before, m_within; // of each link
};

} // namespace stagecraft
