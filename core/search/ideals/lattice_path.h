// Plans as paths of ideals, one at each boundary.
#pragma once

#include "core/search/ideals/split_question.h"

#include <vector>

namespace stagecraft {

// An ideal of one boundary, and how much is computed up to there.
struct LatticePoint
{
    const IdealLattice* lattice = nullptr;
    std::uint32_t ideal = 0;
    double time = 0;
};

// The plan whose boundaries are the ideals of `path`. A floating group goes to the first stage that can have
// it and has room, or else where it must.
GroupStages stagesAlong(const ReducedProblem& reduced, const std::vector<LatticePoint>& path);

// Found, if a plan is as good as it seems; else gave up: an entry of a lattice may stand for many ideals, a
// stage may be empty that must not be, and memory may not add up.
SplitAnswer answerOf(const ReducedProblem& reduced, GroupStages stages, double limit);
SplitAnswer answerAlong(const ReducedProblem& reduced, const std::vector<LatticePoint>& path, double limit);

} // namespace stagecraft
