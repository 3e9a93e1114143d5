// BlockRuns: the runs of nodes of a stage that may be blocks, one inside another, as modules are; which of
// them are alike. Private to repeated_blocks.cpp.
#pragma once

#include "core/graph/graph.h"
#include "core/stage/block_comparison.h"
#include "core/stage/repeated_blocks.h"

#include <optional>
#include <vector>

namespace stagecraft {

struct BlockRun : NodeRun
{
    std::size_t depth = 0;
    std::optional<std::size_t> parent;
    std::vector<std::size_t> children; // in order
    // Runs of one kind are alike; those of none are like no other, or may not be called.
    std::optional<std::size_t> kind;
    // The run of its kind whose children its own are like, one by one; set for all but the first.
    std::optional<std::size_t> like;
};

// Runs in an order in which parents stand before their children; the first is the whole stage. Kinds are
// numbered so that longer ones come first, and of two of a length the outer.
std::vector<BlockRun> blockRuns(const BlockPlaces& places);

} // namespace stagecraft
