// Where to cut when each stage recomputes as little as its memory demands: the program's order sliced by
// dynamic programming.
//
//    order   n0 n1 n2 | n3 n4 | n5 n6 n7   best[s][j]: least bottleneck of the first j in s stages
//                     i       j            best[s][j] = min over i of max(best[s-1][i], load(s; i .. j))
//
// A stage's load is that at the lowest price of a byte at which it keeps its limit; prices are those at which
// some block chooses otherwise, or some run of nodes. What it finds is a start: chosen, traced and improved
// by others. Traces tell how far its estimates are off, so that the next cuts are better.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_choice.h"

#include <memory>
#include <optional>

namespace stagecraft {

class RecomputedCuts
{
public:
    using Ways = RecomputeChooser::Ways;

    // `chooser` must outlive it.
    explicit RecomputedCuts(const RecomputeChooser& chooser);
    ~RecomputedCuts();

    // Where it may cut: numbers of nodes before each, ascending, from none to all.
    const std::vector<std::size_t>& places() const;

    // Of stages that may hold so much. None: no slicing keeps these rooms, as far as is known here; or it is
    // over before the end.
    std::optional<Partition> within(const std::vector<Bytes>& rooms, Ways ways = Ways::Any,
                                    const IsOver& isOver = {}) const;

    // What a stage takes to compute a microbatch, and what it holds.
    struct Known
    {
        Seconds compute;
        Bytes memory;
    };
    // For the next cuts, what stages may hold by these estimates so that they hold no more than `rooms` in
    // truth, if they are off by as much as they are for a partition that was found here and comes to that.
    std::vector<Bytes> corrected(const std::vector<Bytes>& rooms, const Partition& partition,
                                 const std::vector<Known>& known, Ways ways = Ways::Any) const;

private:
    class Slicer;
    std::unique_ptr<const Slicer> m_slicer;
};

// Of each stage: as chosen, and of a plan.
std::vector<RecomputedCuts::Known> knownOf(const RecomputeChooser::Choice& choice);
std::vector<RecomputedCuts::Known> knownOf(const PlanCost& cost);

} // namespace stagecraft
