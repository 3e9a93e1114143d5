// Where what floats can be, between what lies at places.
//
//     places    0    1    2    3    4         x: from 1, where it reads a, up to 3, where r reads it
//                    a ── x ──── r
#pragma once

#include "core/plan/problem.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

struct FloatRange
{
    std::size_t first = 0;
    std::size_t last = 0;
};

// Of each node that has no place, behind all it comes after, and before all it comes before; of the others
// their place. `all`: of who comes before or after none. Nodes come in the program's order.
Table<NodeId, FloatRange> floatRanges(const std::vector<Precedence>& precedences,
                                      const Table<NodeId, std::optional<std::size_t>>& placeOf,
                                      FloatRange all);

} // namespace stagecraft
