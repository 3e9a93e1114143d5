// A bound on cuts and recomputation together.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_ground.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace stagecraft {

// No plan that keeps the limits has a slowest stage that takes less, wherever it cuts and whatever it
// recomputes. For a trial bottleneck T, stage by stage, at which places of the chain (recompute_chain.h)
// its stages can end:
//
//     chain   o─o─o─o─o─o─o─o─o─o─o─o      a place is one that a stage can end at which begins where the one
//     stage 0      x x x                   before it can end, takes no more than T and keeps its limit
//     stage 1            x x x x
//
// A stage takes the time of its nodes, what is sent at its two places, and the time of what it must run
// again: its state, what the run-time of the pipeline holds of what crosses these places, what one node or
// region has alive for a moment, and what its nodes keep in flight are no more than its limit (a fractional
// knapsack, solved by prices of a byte: each price bounds). What floats beside the chain has to find room in
// what stages leave of T. T is refuted where the last stage cannot end at the end. Transfers count only where
// they are relayed. 0 where devices run several stages.
//
// By nodes, each keeps or runs again what it makes for itself, but in whole blocks, and of what is alive for
// a moment one storage counts. By runs it counts, too, that regions are runs of nodes that keep what they
// read, and have all that they make again alive at once (recompute_gains.h). By stages it counts what there
// is in each alone, and what is alive in turns (least_turns.h). Each takes longer.
enum class BoundBy : std::uint8_t { Nodes, Runs, Stages };

class RecomputeBounds
{
public:
    explicit RecomputeBounds(const RecomputeGround& ground); // must outlive it, and keep its limits
    ~RecomputeBounds();

    const RecomputeGround& ground() const { return m_ground; }
    // `upper`: of a plan at hand; better ones are bounded. `known`: no plan takes less, as was found before
    // by nodes; 0: nothing was. `cuts`: stages that take nearly as little as the bound, as far as it knows;
    // left alone where it knows none.
    Bound of(Seconds upper, const IsOver& isOver = {}, BoundBy by = BoundBy::Stages, Seconds known = {},
             std::optional<Partition>* cuts = nullptr);

    // Can stages that run nothing again keep their limits, and none take longer than `bottleneck`, as far as
    // the chain tells? False: for certain not.
    bool mayFitWithout(Seconds bottleneck, const IsOver& isOver = {});
    // Can any plan keep such limits, of each stage, whatever it cuts and recomputes and however long it
    // takes, as far as the chain tells? False: for certain not. True, too, where devices run several stages,
    // and where it was over before that was known.
    bool mayFit(std::span<const Bytes> limits, const IsOver& isOver = {});

private:
    class Chains;
    Chains& chains();
    bool knowsWhatFits() const;

    const RecomputeGround& m_ground;
    std::unique_ptr<Chains> m_chains; // as soon as somebody asks
};

// Of who asks once: for tests.
inline Bound recomputedBound(const RecomputeGround& ground, Seconds upper, const IsOver& isOver = {},
                             BoundBy by = BoundBy::Stages, Seconds known = {})
{
    return RecomputeBounds(ground).of(upper, isOver, by, known);
}

} // namespace stagecraft
