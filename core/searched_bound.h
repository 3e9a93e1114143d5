// SearchedBound: what is proven of the best plan that a search has by now.
#pragma once

#include "core/recompute_attempts.h"
#include "core/recompute_bound.h"

#include <memory>
#include <optional>

namespace stagecraft {

class SearchedBound
{
public:
    // Of a search's time: until then it is raised, and a trial that ends later is not begun.
    static constexpr double mostShare = 0.92;

    // All must outlive it; what there is to choose from is laid before the first is asked.
    SearchedBound(const RecomputeAttempts& attempts, const PartitionOptions& options,
                  const Progress& progress)
        : m_attempts(attempts), m_options(options), m_progress(progress)
    {
    }

    // That all of it stands on.
    RecomputeBounds& bounds();

    // What no plan is better than, of those better than the one at hand: what is known quickly, once.
    Result<void> begin();
    // What takes longer to know.
    void raise(BoundBy by, Seconds end);

    bool isKnown() const { return m_bound.has_value(); }
    const Bound& value() const { return *m_bound; }
    // Cuts whose stages it takes for possible.
    const std::optional<Partition>& cuts() const { return m_cuts; }

    // Of the time, for others: some is left to know more, where there is more to know.
    double shareBeside() const;

    // Is there next to nothing left to gain?
    bool isClosed() const;
    // There may be cuts to which no small moves lead.
    bool isFar() const;
    bool isNear() const;
    bool isWithin(double share) const; // of the plan's time

private:
    const RecomputeAttempts& m_attempts;
    const PartitionOptions& m_options;
    const Progress& m_progress;
    std::optional<Bound> m_bound;
    std::unique_ptr<RecomputeBounds> m_bounds;
    std::optional<Partition> m_cuts;
    bool m_isSettled = false; // nothing more can be known
};

} // namespace stagecraft
