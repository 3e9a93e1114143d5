// Where to cut when each stage recomputes as little as its memory demands: an order of the nodes, the
// program's or another, sliced by dynamic programming.
//
//    order   n0 n1 n2 | n3 n4 | n5 n6 n7   best[s][j]: least bottleneck of the first j in s stages
//                     i       j            best[s][j] = min over i of max(best[s-1][i], load(s; i .. j))
//
// A stage's load is that at the lowest price of a byte at which it keeps its limit (cut_stretches.h); prices
// are those at which some block chooses otherwise, or some run of nodes. What it finds is a start: chosen,
// traced and improved by others, who tell how far its estimates are off, so that the next cuts are better
// (learned_cuts.h).
#pragma once

#include "core/base/work_budget.h"
#include "core/cut_order.h"
#include "core/recompute_choice.h"
#include "core/seen_stages.h"

#include <memory>
#include <optional>

namespace stagecraft {

class RecomputedCuts
{
public:
    using Ways = RecomputeChooser::Ways;

    // `chooser` must outlive it.
    RecomputedCuts(const RecomputeChooser& chooser, CutOrder order);
    ~RecomputedCuts();

    // Where it may cut: numbers of nodes before each, ascending, from none to all.
    const std::vector<std::size_t>& places() const;
    // Of each stage where it lies by these; none: it begins or ends elsewhere.
    std::vector<std::optional<StageSlice>> slicesOf(const Partition& partition) const;

    // Of stages that may hold so much, each of which takes less than `most`; of those seen what is known of
    // them counts. None: no slicing keeps that, as far as is known here; or it is over before the end.
    struct Asked
    {
        std::vector<Bytes> rooms;
        Seconds most{infinite};
        Ways ways = Ways::Any;
    };
    std::optional<Partition> within(const Asked& asked, const SeenStages& seen = {},
                                    const IsOver& isOver = {}) const;

    // What a stage takes to compute a microbatch, and what it holds.
    struct Known
    {
        Seconds compute;
        Bytes memory;
    };
    // How much more it holds than is estimated here for one that takes as long; none: none does.
    std::optional<Bytes> more(const StageSlice& slice, const Known& known, Ways ways = Ways::Any) const;

private:
    class Slicer;
    std::unique_ptr<const Slicer> m_slicer;
};

// Of each stage: as chosen, and of a plan.
std::vector<RecomputedCuts::Known> knownOf(const RecomputeChooser::Choice& choice);
std::vector<RecomputedCuts::Known> knownOf(const PlanCost& cost);

} // namespace stagecraft
