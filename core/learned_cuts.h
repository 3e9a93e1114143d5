// LearnedCuts: where to cut when each stage recomputes as little as its memory demands, the better known the
// more plans were weighed.
//
//     slice ──► cuts ──► what their stages choose ──► slice with these as they are, and others off by as much
//       ▲                                             as the nearest of them ──► ... until nothing is new
//       └──────────────── what a trace says of plans that were tried out
//
// Slicing (recompute_cuts.h) knows less of a stage than who chooses for it (recompute_choice.h), and who
// chooses less than a trace.
#pragma once

#include "core/recompute_attempts.h"
#include "core/recompute_cuts.h"

#include <vector>

namespace stagecraft {

struct EstimatedCuts
{
    Partition partition;
    double slowness = infinite; // slownessOf() what is chosen for them
    Seconds slowest{infinite};
};
// `loads`: of what is chosen for them; none: it is not possible.
EstimatedCuts estimatedCuts(Partition partition, const std::optional<std::vector<Seconds>>& loads);

// When a slicing has to end, and when none is begun any more.
struct CutsOver
{
    IsOver slicing;
    IsOver rounds;
};

class LearnedCuts
{
public:
    // Both must outlive it.
    LearnedCuts(const RecomputedCuts& cuts, RecomputeAttempts& attempts, RecomputeChooser::Ways ways);

    // Those that are the best as far as is known now, by estimate, and none that was tried out; none: slicing
    // finds no others.
    std::optional<EstimatedCuts> next(const CutsOver& over);
    // All that it came by: some may be over their rooms.
    const std::vector<EstimatedCuts>& found() const { return m_found; }
    // That a plan which was tried out comes to so much.
    void learn(const Partition& partition, const PlanCost& cost);

private:
    // Of each stage: what it takes to who looks for cuts, and what it takes and holds.
    struct Weighed
    {
        std::vector<Seconds> loads; // or as bad as if it took that
        std::vector<RecomputedCuts::Known> known;
    };
    using Slices = std::vector<std::optional<StageSlice>>;

    void seek(const CutsOver& over);
    static bool fits(const Weighed& weighed, const std::vector<Bytes>& rooms);
    std::vector<Bytes> roomsToChoose(const Slices& slices) const;
    std::optional<Weighed> chosenFor(const Partition& partition, const std::vector<Bytes>& rooms) const;
    void learn(const Slices& slices, const Weighed& weighed, const std::vector<Bytes>& rooms);

    const RecomputedCuts& m_cuts;
    RecomputeAttempts& m_attempts;
    RecomputeChooser::Ways m_ways;
    std::vector<Bytes> m_rooms;
    Seconds m_unfit; // more than any stage takes
    std::vector<EstimatedCuts> m_found;
    SeenStages m_seen;   // more than slicing thinks
    SeenStages m_traced; // more than is chosen for
};

} // namespace stagecraft
