#include "core/recompute_search.h"

#include "core/advise/resolve.h"
#include "core/base/contains.h"
#include "core/base/text.h"
#include "core/base/work_clock.h"
#include "core/bound_of_all.h"
#include "core/estimated_cuts.h"
#include "core/plan/evaluate.h"
#include "core/recompute_choice.h"
#include "core/recompute_climb.h"
#include "core/recompute_cuts.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"
#include "core/traced_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stagecraft {

namespace {

constexpr std::size_t mostCutsTraced = 2; // each way
constexpr double toGain = 1e-3;      // at least, that recomputation is looked at where a plan fits without
constexpr Seconds momentOfCuts(0.5); // a first plan is made in any case
constexpr Seconds momentOfFirst(1);  // for a search, as long as nothing fits
constexpr Seconds momentOfStepBound(0.3);
constexpr int mostRounds = 4;
constexpr int mostMisses = 30; // of climbs from elsewhere, behind each other
constexpr int mostClimbs = 3;  // from the same cuts, corrected
// Where nothing fits, limits are tried that are each so much of what was held.
constexpr int stepsToLeast = 8;
constexpr double stepToLeast = 0.97;
// Of the time that there is: to know that nothing fits without recomputation, and for a search with it.
constexpr double shareWithout = 0.25;
constexpr double shareOfRound = 0.15;
constexpr double shareOfCuts = 0.3;   // each way: after that, no further cuts
constexpr double shareOfClimbs = 0.8; // after that, none, where there is a plan
constexpr double shareOfBound = 0.92; // until then it is raised

PartitionOptions under(PartitionOptions options, RecomputeKind kind, RecomputePlan regions = {})
{
    options.recompute = {.kind = kind, .regions = std::move(regions)};
    return options;
}

// What came of it is the automatic choice.
RecomputedPlan asAuto(RecomputedPlan plan)
{
    plan.of.problem.options.recompute.kind = RecomputeKind::Auto;
    return plan;
}

double worth(const PlanCost& cost)
{
    return (cost.objective == Objective::Iteration ? cost.iteration : cost.bottleneckTime).value();
}

class AutoSearch
{
    using Ways = RecomputeChooser::Ways;

public:
    AutoSearch(std::shared_ptr<const Model> model, PartitionOptions options, const Profiler& profiler,
               const Progress& progress)
        : m_model(std::move(model)), m_options(std::move(options)), m_profiler(profiler), m_progress(progress)
    {
    }

    Result<RecomputedPlan> find(OverLimit overLimit)
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        Result<Solution> without = search(none.problem, nullptr, shareWithout);
        if (!without.has_value() && without.error().code != ErrorCode::Infeasible)
            return without.error();
        if (without.has_value()) {
            STAGECRAFT_ASSIGN(least, planBound(withoutMemoryLimits(none.problem), without->cost, m_progress));
            if (least.value >= without->cost.bottleneckTime * (1 - toGain)) {
                Solution solution =
                    withStepBound(none.problem, *std::move(without), overOf(m_progress, momentOfStepBound));
                return asAuto({std::move(none), {std::move(solution), {}}});
            }
            // It fits because its stages are uneven: even ones that recompute may be faster.
            m_best = TracedPlan{none, without->partition, without->cost};
        }
        STAGECRAFT_TRY(lay(std::move(none)));
        m_cuts.emplace(*m_chooser);
        STAGECRAFT_TRY(tryCuts(Ways::Any));
        STAGECRAFT_TRY(tryCuts(Ways::WholeBlocks));
        STAGECRAFT_TRY(bound());
        if (!isClosed()) {
            const Result<Solution> all = search(m_chooser->ground().full, nullptr, shareOfRound);
            if (all.has_value())
                STAGECRAFT_TRY(tryPartition(all->partition, Trial::InAnyCase));
        }
        STAGECRAFT_TRY(climbFromAll());
        if (!m_best)
            STAGECRAFT_TRY(tryAnyCuts());
        STAGECRAFT_TRY(improve());
        STAGECRAFT_TRY(climbFromElsewhere());
        if (!m_best)
            return overLimitPlan(overLimit);
        return finish();
    }

    Result<RecomputedPlan> choose(Partition partition)
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        STAGECRAFT_TRY(checkPartition(none.problem, partition));
        if (evaluate(none.problem, partition).fits()) {
            STAGECRAFT_ASSIGN(solution, evaluatePlan(none.problem, std::move(partition), m_progress));
            return asAuto({std::move(none), {std::move(solution), {}}});
        }
        STAGECRAFT_TRY(lay(std::move(none)));
        STAGECRAFT_TRY(tryPartition(partition));
        if (m_best)
            return finish();
        STAGECRAFT_ASSIGN(plan, nearest());
        plan.of.notes.emplace_back("not every stage fits, though it holds the least that was found");
        return asAuto(std::move(plan));
    }

    Result<RecomputeChooser> chooser()
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        STAGECRAFT_TRY(lay(std::move(none)));
        return *std::move(m_chooser);
    }

private:
    Result<RecomputedProblem> pose(RecomputeKind kind) const
    {
        return recomputedProblem(m_model, under(m_options, kind), m_profiler, nullptr, m_progress);
    }

    Seconds left() const { return std::max(Seconds(0), m_options.timeLimit - m_clock.elapsed()); }
    // Not before `moment` from now has passed.
    IsOver isOver(Seconds moment = {}) const
    {
        return [this, end = std::max(m_options.timeLimit, m_clock.elapsed() + moment)] {
            return m_clock.hasPassed(end) || m_progress.stopRequested();
        };
    }

    IsOver overAt(Seconds end) const
    {
        return [this, end] { return m_clock.hasPassed(end) || m_progress.stopRequested(); };
    }

    // Traces end later than they begin: none begins that would take longer than is left.
    IsOver overOfTraces() const
    {
        return [this] { return left() <= m_trace || m_progress.stopRequested(); };
    }

    // Nobody reads why there is none: that takes as long again.
    Result<Solution> search(PartitionProblem problem, const Partition* current, double share) const
    {
        problem.options.timeLimit =
            std::max(m_best ? Seconds{} : momentOfFirst,
                     std::min(left(), Seconds(std::max(0.2, share * m_options.timeLimit.value()))));
        if (current && checkPartition(problem, *current).has_value())
            return resolveAround(problem, *current, {}, m_progress);
        return solve(problem, m_progress);
    }

    // Every block recomputed, and what its pieces could keep.
    Result<void> lay(RecomputedProblem none)
    {
        STAGECRAFT_TRY(m_progress.step("Weighing what runs again", 1, 1)); // nobody knows how long
        const Seconds begin = m_clock.elapsed();
        STAGECRAFT_ASSIGN(full, pose(RecomputeKind::Full));
        m_trace = m_clock.elapsed() - begin;
        m_notes = full.notes;
        STAGECRAFT_ASSIGN(ground,
                          recomputeGround({*none.model, none.profile, none.problem},
                                          {*full.model, full.profile, full.problem}, m_progress.silent()));
        m_chooser.emplace(std::move(ground));
        return {};
    }

    TracedChoice choice() const
    {
        return {*m_chooser, m_model,        under(m_options, RecomputeKind::Auto),
                m_profiler, overOfTraces(), m_progress};
    }
    std::vector<Bytes> rooms() const { return choice().rooms(m_chooser->ground().none.options.memoryLimits); }

    enum class Trial { InTime, InAnyCase };

    // The partition with as little recomputed as its stages demand, if it keeps the limits and is the best.
    // In any case: one at which every block recomputed fits, as long as nothing else does.
    // None: it was not traced.
    Result<std::optional<PlanCost>> tryPartition(const Partition& partition, Trial trial = Trial::InTime)
    {
        if (!checkPartition(m_chooser->ground().none, partition).has_value() || (m_best && isClosed()))
            return std::optional<PlanCost>();
        const bool isNeeded = !m_best && (!m_nearest || trial == Trial::InAnyCase);
        if (!isNeeded && overOfTraces()())
            return std::optional<PlanCost>();
        m_tried.push_back(partition);
        STAGECRAFT_ASSIGN(plan, choice().of(partition, rooms()));
        std::optional cost = plan.cost;
        take(std::move(plan));
        return cost;
    }

    void take(TracedPlan plan)
    {
        const bool isBest = plan.cost.fits() && (!m_best || worth(plan.cost) < worth(m_best->cost));
        const bool isNearest =
            !plan.cost.fits() && (!m_nearest || plan.cost.peakMemory() < m_nearest->cost.peakMemory());
        if (isBest)
            m_best = std::move(plan);
        else if (isNearest)
            m_nearest = std::move(plan);
        m_isBetter = m_isBetter || isBest;
    }

    // The best by estimate are traced, the others are where climbs start.
    Result<void> tryCuts(Ways ways)
    {
        std::vector<EstimatedCuts> found = estimatedCuts(
            *m_cuts, *m_chooser, choice(), {rooms(), ways}, m_known,
            {isOver(momentOfCuts), overAt(m_clock.elapsed() + m_options.timeLimit * shareOfCuts)});
        for (std::size_t i = 0; i < std::min(found.size(), mostCutsTraced); ++i)
            STAGECRAFT_TRY(tryPartition(found[i].partition));
        std::ranges::move(found, std::back_inserter(m_starts));
        return {};
    }

    Partition climbedByEstimate(const Partition& partition, const std::vector<Bytes>& within)
    {
        const TracedChoice traced = choice();
        return climbed(
            m_chooser->ground().none, partition,
            [&](const Partition& moved) { return traced.estimate(moved, within, m_known); },
            m_best ? overAt(m_options.timeLimit * shareOfClimbs) : isOver());
    }

    bool isWorthATrace(const std::vector<Seconds>& loads) const
    {
        return !m_best || m_best->cost.objective == Objective::Iteration ||
               std::ranges::max(loads) < m_best->cost.bottleneckTime * (1 - toGain);
    }

    // From these cuts, by estimates which traces correct.
    Result<void> climb(Partition partition)
    {
        std::vector<Bytes> within = rooms();
        for (int i = 0; i < mostClimbs && !overOfTraces()() && !isClosed(); ++i) {
            Partition near = climbedByEstimate(partition, within);
            const auto loads = choice().estimate(near, within, m_known);
            if (contains(m_tried, near) || !loads || !isWorthATrace(*loads))
                return {};
            STAGECRAFT_ASSIGN(cost, tryPartition(near));
            if (!cost || TracedChoice::fits(*cost, rooms()))
                return {};
            const std::vector<Bytes> limits = rooms();
            for (const StageId stage : cost->stages.ids())
                if (const Bytes holds = cost->stages[stage].peakMemory; holds > limits[stage.index()])
                    within[stage.index()] -= holds - limits[stage.index()];
            partition = std::move(near);
        }
        return {};
    }

    // The cuts for what is recomputed, and what is recomputed for these cuts, until neither is better.
    Result<void> improve()
    {
        for (int round = 0; m_best && round < mostRounds && mayClimb(); ++round) {
            m_isBetter = false;
            STAGECRAFT_TRY(climb(m_best->partition));
            const Result<Solution> found = search(m_best->of.problem, &m_best->partition, shareOfRound);
            if (found.has_value() && found->partition != m_best->partition)
                STAGECRAFT_TRY(tryPartition(found->partition));
            if (!m_isBetter)
                break;
        }
        return {};
    }

    // From cuts near the best ones, and theirs.
    Result<void> climbFromElsewhere()
    {
        std::minstd_rand draw(1);
        for (int misses = 0; misses < mostMisses && mayClimb(); ++misses) {
            const TracedPlan* const nearest = m_best ? &*m_best : m_nearest ? &*m_nearest : nullptr;
            if (!nearest)
                return {};
            m_isBetter = false;
            STAGECRAFT_TRY(climb(shaken(m_chooser->ground().none, nearest->partition, draw)));
            misses = m_isBetter ? -1 : misses;
        }
        return {};
    }

    // From all cuts that were tried, those first that are the best by estimate.
    Result<void> climbFromAll()
    {
        for (const Partition& partition : m_tried)
            if (!contains(m_starts, partition, &EstimatedCuts::partition))
                if (const auto loads = choice().estimate(partition, rooms(), m_known))
                    m_starts.push_back({slownessOf(*loads), partition});
        std::ranges::stable_sort(m_starts, {}, &EstimatedCuts::slowness);
        for (auto& [slowness, partition] : m_starts)
            if (mayClimb())
                STAGECRAFT_TRY(climb(std::move(partition)));
        return {};
    }

    // What no plan is better than, of those better than the one at hand.
    Result<void> bound()
    {
        if (!m_best || m_bound)
            return {};
        STAGECRAFT_ASSIGN(all, boundOfAll(m_chooser->ground(), m_best->cost, m_progress, BoundBy::Nodes));
        m_bound = std::move(all);
        return {};
    }

    // What takes longer to know, of those that are better than what was found.
    void raiseBound()
    {
        if (isClosed() || !m_best->cost.fits() || !m_options.limitsMemory())
            return;
        Bound byRuns =
            recomputedBound(m_chooser->ground(), m_best->cost.bottleneckTime,
                            overAt(m_options.timeLimit * shareOfBound), BoundBy::Runs, m_bound->value);
        if (byRuns.value > m_bound->value)
            m_bound = std::move(byRuns);
    }

    // Where there is a plan, some time is for its bound.
    bool mayClimb() const
    {
        return !isClosed() && !overAt(m_options.timeLimit * (m_best ? shareOfClimbs : 1))();
    }

    // Is there next to nothing left to gain?
    bool isClosed() const
    {
        return m_best && m_bound && m_best->cost.objective != Objective::Iteration &&
               m_bound->value >= m_best->cost.bottleneckTime * (1 - toGain);
    }

    Result<void> refine()
    {
        if (m_best->of.problem.options.recompute.regions.regions.empty())
            return {};
        STAGECRAFT_ASSIGN(finer, choice().improved(*m_best, rooms()));
        if (finer.cost.fits() && worth(finer.cost) <= worth(m_best->cost))
            m_best = std::move(finer);
        return {};
    }

    Result<RecomputedPlan> finish()
    {
        STAGECRAFT_TRY(bound());
        raiseBound();
        STAGECRAFT_TRY(refine());
        Solution solution{.partition = std::move(m_best->partition), .cost = std::move(m_best->cost)};
        solution.bound = std::move(*m_bound);
        solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
        solution.solveTime = m_clock.passed();
        solution.iterationBound = quickStepBound(m_chooser->ground().none, solution.bound);
        for (std::string& note : m_notes)
            m_best->of.notes.push_back(std::move(note));
        return asAuto({std::move(m_best->of), {std::move(solution), {}}});
    }

    // The plan that was found to hold the least on its fullest device, with bounds that need no search.
    Result<RecomputedPlan> nearest()
    {
        STAGECRAFT_ASSIGN(solution, evaluatePlan(withoutMemoryLimits(m_chooser->ground().none),
                                                 m_nearest->partition, m_progress));
        solution.cost = m_nearest->cost;
        solution.solveTime = m_clock.passed();
        return RecomputedPlan{std::move(m_nearest->of), {std::move(solution), {}}};
    }

    // Cuts for less and less memory, and what stages hold with them.
    Result<void> seekLeast()
    {
        for (int i = 0; i < stepsToLeast && !m_best && !overOfTraces()(); ++i) {
            const std::vector<Bytes> limits(m_options.stageCount, m_nearest->cost.peakMemory());
            std::vector<Bytes> less = choice().rooms(limits);
            for (Bytes& room : less)
                room = Bytes(static_cast<std::int64_t>(room.asDouble() * stepToLeast));
            less = m_cuts->corrected(less, m_nearest->partition, knownOf(m_nearest->cost));
            const auto cuts = m_cuts->within(less, Ways::Any, isOver(momentOfCuts));
            if (!cuts || *cuts == m_nearest->partition)
                return {};
            STAGECRAFT_TRY(tryPartition(*cuts));
        }
        return {};
    }

    // Where no cuts were found that fit by estimates: those for every block recomputed, for nothing, and for
    // what the nearest plan recomputes.
    Result<void> tryAnyCuts()
    {
        for (const PartitionProblem* problem : {&m_chooser->ground().full, &m_chooser->ground().none}) {
            PartitionProblem asked = *problem;
            asked.options.timeLimit = std::max(Seconds(0.2), left() * shareOfRound);
            const Result<FoundPlan> found = findPlan(asked, {}, m_progress);
            if (found.has_value())
                STAGECRAFT_TRY(tryPartition(found->solution.partition));
            else if (found.error().code == ErrorCode::Cancelled)
                return found.error();
            if (m_best)
                return {};
        }
        for (int round = 0; round < mostRounds && !m_best && m_nearest && !overOfTraces()(); ++round) {
            const Bytes before = m_nearest->cost.peakMemory();
            const Result<Solution> found = search(m_nearest->of.problem, nullptr, shareOfRound);
            if (!found.has_value())
                break;
            STAGECRAFT_TRY(tryPartition(found->partition));
            if (m_nearest->cost.peakMemory() >= before)
                break;
        }
        return m_best || !m_nearest ? Result<void>() : seekLeast();
    }

    // The plan that holds the least of those that were found, or why there is none that fits.
    Result<RecomputedPlan> overLimitPlan(OverLimit overLimit)
    {
        PartitionProblem problem = m_chooser->ground().full;
        problem.options.timeLimit = std::max(Seconds(1), left());
        const Result<FoundPlan> found = findPlan(problem, {.overLimit = OverLimit::Refused}, m_progress);
        if (!m_nearest)
            return found.has_value() ? Error{ErrorCode::Infeasible, "no plan was found that keeps the memory "
                                                                    "limits, whatever is recomputed"}
                                     : found.error();
        const std::string why =
            "whatever is recomputed, no plan was found that keeps the memory limits; one was found that "
            "holds "
            "at most " +
            formatBytes(m_nearest->cost.peakMemory()) + " on a device" +
            (found.has_value() ? "" : "; even where every block is recomputed, " + found.error().message);
        if (overLimit == OverLimit::Refused)
            return Error{ErrorCode::Infeasible, why};
        STAGECRAFT_ASSIGN(plan, nearest());
        plan.found.whyOverLimit = why;
        return asAuto(std::move(plan));
    }

    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    const Progress& m_progress;
    WorkClock m_clock; // of the search
    std::optional<RecomputeChooser> m_chooser;
    std::optional<RecomputedCuts> m_cuts;
    std::vector<Partition> m_tried;      // traced
    std::vector<EstimatedCuts> m_starts; // of climbs
    RecomputeChooser::Known m_known;
    std::optional<TracedPlan> m_best;
    std::optional<TracedPlan> m_nearest; // of those over the limits
    std::optional<Bound> m_bound;
    Seconds m_trace; // that one takes
    bool m_isBetter = false;
    std::vector<std::string> m_notes;
};

} // namespace

Result<RecomputedPlan> findAutoPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                    const Profiler& profiler, OverLimit overLimit, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).find(overLimit);
}

Result<RecomputeChooser> recomputeChooser(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).chooser();
}

Result<RecomputedPlan> chooseForPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                     Partition partition, const Profiler& profiler, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).choose(std::move(partition));
}

} // namespace stagecraft
