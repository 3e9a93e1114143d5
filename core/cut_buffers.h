// What the run-time of a pipeline holds on either side of a cut of an order (runtime_memory.h).
//
//     value    o─────│────►o      sent[s]: by the stage before the cut, if that is s
//                                 received[s]: by the stage behind it, likewise
//
// As if each value were made in the stage before the cut, and by the schedule's fullest moment: for a search,
// which has its plans evaluated.
#pragma once

#include "core/cut_order.h"
#include "core/plan/problem.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

// Bytes, by stage and cut.
struct CutBuffers
{
    std::vector<std::vector<double>> received;
    std::vector<std::vector<double>> sent;
};

// `cuts`: how many nodes are before each; ascending, 0 first and all of them last, which no value crosses.
CutBuffers buffersAt(const PartitionProblem& problem, const CutOrder& order,
                     const std::vector<std::size_t>& cuts);

} // namespace stagecraft
