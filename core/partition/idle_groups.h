// Joining groups without time: views, slices, what only names a tensor anew.
#pragma once

#include "core/partition/problem.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace stagecraft {

// What the memory of a group that is joined may be: anything where no stage has a limit, else nothing.
enum class IdleMemory : std::uint8_t { Any, None };

// Pairs (group, neighbour) that can be joined without making the best plan worse, each group in at most one
// pair; empty when there are no more. `groupOf` is the present group of each node, named by one of its nodes.
// True for problems without pins. A group without time goes
//   - to its neighbour, if it has only one;
//   - to the one group behind it, if what it reads costs no more to send than what it makes;
//   - to the one group before it, if nobody else reads what it reads and that costs no less to send than what
//   it makes.
std::vector<std::pair<std::uint32_t, std::uint32_t>>
joinableIdleGroups(const PartitionProblem& problem, IdleMemory memory,
                   const std::function<std::uint32_t(NodeId)>& groupOf);

} // namespace stagecraft
