// What the proof engine (ideal_search.h) is asked, as its sweeps over the boundaries see it, and its answer.
#pragma once

#include "core/search/bound/bounds.h"
#include "core/search/ideals/ideal_lattice.h"
#include "core/search/reduce/reduction.h"

#include <algorithm>
#include <vector>

namespace stagecraft {

struct IdealSearchLimits
{
    std::size_t ideals = 1'000'000;  // of all boundaries together
    bool mayFloat = false;           // rather than give up at the limit of ideals, tell fewer apart
    std::size_t pairs = 400'000'000; // looked at
    ShouldStop shouldStop;
};

struct SplitAnswer
{
    enum class Verdict { Found, Refuted, GaveUp };
    Verdict verdict = Verdict::GaveUp;
    // Where Found, a plan with a bottleneck of at most the limit. Where the search gave up, perhaps one that
    // comes near, legal but for empty stages and memory; else empty.
    GroupStages stages;
};

struct SplitQuestion
{
    const ReducedProblem& reduced;
    const StageWindows& windows; // of `limit`
    double limit;
    const IdealSearchLimits& limits;
    std::vector<const IdealLattice*> lattices = {}; // of the boundaries, one after the other

    double speed(std::size_t stage) const { return reduced.options.speeds[stage]; }
    double tolerance() const { return 1e-12 * reduced.totalSeconds; }
    bool isExact() const { return std::ranges::all_of(lattices, &IdealLattice::isExact); }
};

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
