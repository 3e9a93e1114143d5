// A row of equal nodes of a second each, to be cut in stages.
#pragma once

#include "core/plan/problem.h"

namespace stagecraft::testing {

inline PartitionProblem rowProblem(std::size_t count, std::size_t stages)
{
    PartitionProblem problem;
    for (std::size_t i = 0; i < count; ++i) {
        problem.nodes.add({.name = "n" + std::to_string(i), .forward = Seconds(1)});
        if (i > 0)
            problem.precedences.push_back({NodeId(i - 1), NodeId(i)});
    }
    problem.options.stageCount = stages;
    completeOptions(problem.options, {});
    return problem;
}

} // namespace stagecraft::testing
