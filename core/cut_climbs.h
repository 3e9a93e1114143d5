// From cuts to better ones near by, by estimates that traces correct, as long as a search has time for that.
//
//     start ──climbed()──► best by estimate ──trace──► over its rooms? as much less room, and from there on
#pragma once

#include "core/learned_cuts.h"
#include "core/recompute_attempts.h"
#include "core/searched_bound.h"

#include <functional>
#include <optional>
#include <vector>

namespace stagecraft {

// Of a search's time, that a trial takes: then cuts near good ones are traced whatever their estimate.
constexpr double cheapNear = 0.1;

class CutClimbs
{
public:
    // Traces a plan of these cuts, and learns of it; none: it was not traced.
    using TryOut = std::function<Result<std::optional<PlanCost>>(const Partition&)>;

    // All must outlive it.
    CutClimbs(RecomputeAttempts& attempts, const SearchedBound& bound, const PartitionOptions& options,
              TryOut tryOut)
        : m_attempts(attempts), m_bound(bound), m_options(options), m_tryOut(std::move(tryOut))
    {
    }

    // Where there is a plan, some time is for its bound.
    bool mayGoOn() const;
    // Who chooses carefully finds a little less than the estimate.
    bool isWorthATrace(Seconds slowest) const;
    // By estimate, than what is at hand.
    bool mayBeBetter(const Partition& partition);

    Result<void> from(Partition partition);
    // Tries them out themselves, too, if they may be better.
    Result<void> tryAndGoFrom(const Partition& partition);
    // From these and all that were tried, those first that are the best by estimate.
    Result<void> fromAll(std::vector<EstimatedCuts> starts);
    // From cuts near the best ones, and theirs.
    Result<void> fromElsewhere();

private:
    // Some stage its room: no small moves lead to where it fits.
    bool isFarOver(const PlanCost& cost) const;
    // What a stage turned out to hold beyond its room, it has less room for.
    std::vector<Bytes> corrected(std::vector<Bytes> within, const PlanCost& cost) const;
    Result<void> from(Partition partition, std::vector<Bytes> within);
    Partition climbedByEstimate(const Partition& partition, const std::vector<Bytes>& within);

    RecomputeAttempts& m_attempts;
    const SearchedBound& m_bound;
    const PartitionOptions& m_options;
    TryOut m_tryOut;
};

} // namespace stagecraft
