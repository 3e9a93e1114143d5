#include "core/search/improve/large_neighbourhood.h"

#include "core/base/noise.h"
#include "core/base/topological_order.h"
#include "core/search/bound/bounds.h"
#include "core/search/ideals/ideal_lattice.h"
#include "core/search/ideals/ideal_search.h"
#include "core/search/reduce/loads.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

// No plan is sought that is better by less.
constexpr double leastGain = 5e-5;
constexpr int mostRounds = 200;
constexpr int mostFailures = 20; // one after the other

class LargeNeighbourhoods
{
public:
    LargeNeighbourhoods(const ReducedProblem& reduced, Slicing plan, const LargeNeighbourhoodOptions& options)
        : m_reduced(reduced),
          m_options(options),
          m_prover(reduced),
          m_noise(options.seed),
          m_plan(std::move(plan)),
          m_reach(reduced.stageCount(), 16)
    {
    }

    Slicing run()
    {
        double step = std::max(leastGain, (1 - m_options.boundSeconds / m_plan.bottleneckSeconds) / 2);
        int failures = 0;
        for (int round = 0; round < mostRounds && failures < mostFailures; ++round) {
            const double aim = m_plan.bottleneckSeconds * (1 - step);
            if (aim < m_options.boundSeconds || !findWindows(aim)) {
                if (step <= leastGain)
                    break;
                step = std::max(leastGain, step / 2);
                continue;
            }
            if (tryOnce(aim)) {
                failures = 0;
            } else if (++failures % 3 == 0)
                step = std::max(leastGain, step / 2);
            if (m_options.shouldStop && m_options.shouldStop(m_reduced.size() * 100))
                break;
        }
        return std::move(m_plan);
    }

private:
    // Direct sends and memory limits look at pairs of ideals.
    std::size_t mostIdeals() const
    {
        const bool isSeparable =
            m_reduced.options.send == SendKind::Relay || m_reduced.options.objective == Objective::Compute;
        const std::size_t most = isSeparable && !m_reduced.limitsMemory ? 4000 : 400;
        return most << (2 * std::min(m_options.effort, 3));
    }

    bool findWindows(double aim)
    {
        if (aim == m_aim)
            return true;
        m_aim = aim;
        auto windows = m_prover.windows(aim);
        if (windows)
            m_windows = std::move(*windows);
        return windows.has_value();
    }

    bool tryOnce(double aim)
    {
        const StageWindows windows = narrowed();
        const std::size_t boundaries = m_reduced.stageCount() - 1;
        const SplitAnswer answer = findSplit(m_reduced, windows, aim,
                                             {.ideals = mostIdeals() * boundaries,
                                              .pairs = mostIdeals() * mostIdeals() * boundaries / 4,
                                              .shouldStop = m_options.shouldStop});
        if (answer.verdict != SplitAnswer::Verdict::Found)
            return false;
        const double reached = bottleneckOf(m_reduced, answer.stages);
        if (reached >= m_plan.bottleneckSeconds)
            return false;
        m_plan = {reached, answer.stages};
        return true;
    }

    // The groups by stage, each behind those that it needs, otherwise by chance.
    GroupOrder shuffled()
    {
        Table<ReducedGroupId, double> priority(m_reduced.size());
        for (double& item : priority)
            item = m_noise.unit();
        const auto later = [&](ReducedGroupId a, ReducedGroupId b) {
            return m_plan.stages[a] != m_plan.stages[b] ? m_plan.stages[a] > m_plan.stages[b]
                                                        : priority[a] > priority[b];
        };
        return topologicalOrder<ReducedGroupId>(
            m_reduced.size(),
            [&](ReducedGroupId group) -> const auto& { return m_reduced.groups[group].after; }, later);
    }

    // Where each group may go this time.
    StageWindows narrowed()
    {
        StageWindows windows = m_windows;
        windows.earliest = windows.latest = m_plan.stages;
        const GroupOrder order = shuffled();
        for (std::uint32_t b = 0; b + 1 < m_reduced.stageCount() && !m_reduced.over(); ++b)
            widen(windows, order, b);
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            for (auto* ends : {&windows.earliest, &windows.latest})
                (*ends)[group] =
                    std::clamp((*ends)[group], m_windows.earliest[group], m_windows.latest[group]);
        }
        return windows;
    }

    // Lets as many groups around a boundary cross it as leave few enough ideals.
    void widen(StageWindows& windows, const GroupOrder& order, std::uint32_t b)
    {
        const auto begin = std::ranges::partition_point(
            order, [&](ReducedGroupId group) { return m_plan.stages[group] <= b; });
        const auto position = static_cast<std::size_t>(begin - order.begin());
        for (std::size_t& reach = m_reach[b];; reach = reach * 3 / 4) {
            IdealLattice::Places places(m_reduced.size(), IdealLattice::Place::Behind);
            for (std::size_t i = 0; i < order.size(); ++i) {
                const bool near = i + reach >= position && i < position + reach;
                const ReducedGroupId group = order[i];
                if (m_windows.latest[group] <= b || (!near && i < position && m_windows.earliest[group] <= b))
                    places[group] = IdealLattice::Place::Before;
                else if (near && m_windows.earliest[group] <= b)
                    places[group] = IdealLattice::Place::Free;
            }
            const IdealLattice lattice(m_reduced, places, b, mostIdeals(), m_options.shouldStop);
            if (lattice.isComplete() || reach <= 2) {
                apply(windows, places, b);
                reach += 1 + reach / 4;
                return;
            }
        }
    }

    static void apply(StageWindows& windows, const IdealLattice::Places& places, std::uint32_t b)
    {
        for (const ReducedGroupId group : places.ids()) {
            if (places[group] != IdealLattice::Place::Free)
                continue;
            windows.earliest[group] = std::min(windows.earliest[group], b);
            windows.latest[group] = std::max(windows.latest[group], b + 1);
        }
    }

    const ReducedProblem& m_reduced;
    const LargeNeighbourhoodOptions& m_options;
    BoundProver m_prover;
    Noise m_noise;
    Slicing m_plan;
    std::vector<std::size_t> m_reach; // groups on each side of a boundary that may cross it
    StageWindows m_windows;           // of plans that reach the aim
    double m_aim = 0;
};

} // namespace

Slicing searchNearby(const ReducedProblem& reduced, Slicing plan, const LargeNeighbourhoodOptions& options)
{
    if (reduced.stageCount() < 2 || plan.bottleneckSeconds == infinite)
        return plan;
    return LargeNeighbourhoods(reduced, std::move(plan), options).run();
}

} // namespace stagecraft
