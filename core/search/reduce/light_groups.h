// Joining groups that take less time than sending what they read or make: views, casts, what shrinks a
// tensor.
#pragma once

#include "core/plan/problem.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace stagecraft {

// What the memory of a group that is joined may be: anything where no stage has a limit, else nothing.
enum class LightMemory : std::uint8_t { Any, None };

// May a group take time that fewer transfers make up for? Only where both are summed up, stage by stage.
bool mayTradeTime(const PartitionOptions& options);

// Pairs (group, neighbour) that can be joined without making the best plan worse, each group in at most one
// pair; empty when there are no more. `groupOf` is the present group of each node, named by one of its nodes.
// True for problems without pins. A group goes
//   - to its neighbour, if it has only one and takes no time;
//   - to the one group behind it, if its time and sending what it reads cost no more than sending what it
//     makes;
//   - to the one group before it, if nobody else reads what it reads, and its time and sending what it makes
//     cost no more than sending that.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
joinableLightGroups(const PartitionProblem& problem, LightMemory memory,
                    const std::function<std::uint32_t(NodeId)>& groupOf);

} // namespace stagecraft
