// Lower bounds: what no plan can beat, and why.
//
// For a trial bottleneck T every group gets a *window*, the stages it can be in:
//
//     earliest(v)  the first stage by whose end all that v needs can have been computed
//     latest(v)    the last stage from whose beginning all that needs v can still be computed
//
// At the boundary behind stage j, groups with latest <= j are before it and those with earliest > j behind
// it; the cheapest way to part the rest is a minimum cut. What must be sent leaves less of T for computing,
// so the windows shrink, and so on. An empty window, or too little room for all the work, refutes T. Memory
// limits narrow the windows in the same way: all that v needs must have been held by then.
#pragma once

#include "core/base/progress.h"
#include "core/base/work_budget.h"
#include "core/search/reduce/reduction.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct StageWindows
{
    GroupStages earliest;
    GroupStages latest;
    std::vector<double> cuts;     // least transfer time at each boundary
    std::vector<double> capacity; // time at speed 1 that each stage has left for computing
};

// By all plans in all their stages, what groups share once.
HeldBytes heldByAll(const ReducedProblem& reduced);
// No plan takes as long at its slowest stage, in seconds.
double longestPlan(const ReducedProblem& reduced);

// Is what all plans hold together, parameters once and one microbatch's activations as often as any stage
// holds them, more than all limits together? Then there is nothing to search for.
bool exceedsAllLimits(const ReducedProblem& reduced);

class BoundProver
{
public:
    explicit BoundProver(const ReducedProblem& reduced);

    // Windows of all plans with a bottleneck of at most `limit`; none: there is no such plan. Wider than need
    // be where the problem's time is over.
    std::optional<StageWindows> windows(double limit) const;

    // About what it takes to find windows, in the units of a WorkBudget.
    std::uint64_t workOfWindows() const;

    // A value that no plan can beat, up to `upper`, the bottleneck of a plan at hand. `shouldStop`, which may
    // be empty, is asked between trials: then the best so far.
    Bound lowerBound(double upper, const ShouldStop& shouldStop = {}) const;

private:
    enum class Cuts { Ignored, Counted };
    // Why a trial was refuted.
    struct Refusal
    {
        bool byWindow = false;
        ReducedGroupId group{0};
    };

    std::optional<StageWindows> windows(double limit, Cuts cuts, Refusal& refusal) const;
    bool shrink(double limit, StageWindows& windows, Refusal& refusal) const;
    void computeCapacity(double limit, StageWindows& windows) const;
    double cutPrice(std::size_t value, std::size_t boundary, const StageWindows& windows) const;
    double leastCut(std::size_t boundary, const StageWindows& windows) const;
    double forcedTransfer(std::size_t stage, const StageWindows& windows) const;
    bool roomForAll(double limit, const StageWindows& windows) const;

    bool shrinkByMemory(StageWindows& windows, Refusal& refusal) const;

    using GroupWeights = Table<ReducedGroupId, double>;

    const ReducedProblem& m_reduced;
    GroupWeights m_head;       // time of each group with all that it needs
    GroupWeights m_tail;       // with all that needs it
    GroupWeights m_headMemory; // likewise the bytes that its stages hold at least; empty: no limits
    GroupWeights m_tailMemory;
};

// A load of the slowest device that no plan can beat, up to `upper`, that of a plan at hand, where devices
// run several stages. Every device has at least its slowest stage to bear, and all of them together all the
// work and, where values are relayed, twice what must cross each boundary.
Bound deviceBound(const ReducedProblem& reduced, std::size_t deviceCount, double upper,
                  const ShouldStop& shouldStop = {});

// The bound beside a plan that was not searched for: drawn by hand, split by name, read from a file. What no
// plan of `problem` can beat, found without a search. `cost` is that of some legal plan. Fails where the
// constraints leave no plan, and if cancelled.
Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost, const Progress& progress = {});

} // namespace stagecraft
