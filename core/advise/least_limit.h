// The least memory limit, the same for all stages, under which there is a plan.
#pragma once

#include "core/search/reduce/reduction.h"

#include <optional>

namespace stagecraft {

struct LeastLimit
{
    Bytes proven;       // no plan does with less
    Bytes sufficient;   // this one does with so much
    GroupStages stages; // of ReducedProblem's groups

    bool isExact() const { return proven >= sufficient; }
};

// Exact where the problem is small enough to look at all plans, or where a bound says so; the time that plans
// take does not count, nor do the limits of the options. None: no plan was found that keeps pins and groups.
// Less near to each other where the time of `reduced` is over.
// `reduced` is that of `problem`, whose memory is limited.
std::optional<LeastLimit> leastLimit(const PartitionProblem& problem, const ReducedProblem& reduced);

enum class Feasibility : std::uint8_t {
    Possible,   // a plan was found that keeps all constraints
    Impossible, // there is none: a bound says so or, in small problems, a look at all plans
    Unknown,
};
// Without much of a search; the time that plans take does not count.
Feasibility feasibilityOf(const PartitionProblem& problem, const ReducedProblem& reduced);

} // namespace stagecraft
