#include "core/recompute_search.h"

#include "core/advise/resolve.h"
#include "core/base/contains.h"
#include "core/base/text.h"
#include "core/bound_of_all.h"
#include "core/chosen_cuts.h"
#include "core/estimated_cuts.h"
#include "core/near_cuts.h"
#include "core/plan/evaluate.h"
#include "core/recompute_attempts.h"
#include "core/recompute_bound.h"
#include "core/recompute_climb.h"
#include "core/recompute_cuts.h"
#include "core/recompute_over_limit.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

namespace stagecraft {

namespace {

constexpr std::size_t mostCutsTraced = 2; // each way
constexpr Seconds momentOfCuts(0.5);      // a first plan is made in any case
constexpr Seconds momentOfFirst(1);       // for a search, as long as nothing fits
constexpr Seconds momentOfStepBound(0.3);
constexpr int mostRounds = 4;
constexpr int mostMisses = 30; // of climbs from elsewhere, behind each other
constexpr int mostClimbs = 3;  // from the same cuts, corrected
// Of the time that there is: to know that nothing fits without recomputation, and for a search with it.
constexpr double shareWithout = 0.25;
constexpr double shareOfRound = 0.15;
constexpr double shareOfCuts = 0.3;       // each way: after that, no further cuts
constexpr double shareOfClimbs = 0.8;     // after that, none, where there is a plan
constexpr double shareOfBound = 0.92;     // until then it is raised
constexpr double shareOfBoundsCuts = 0.2; // of its first time
constexpr double leastOfBound = 0.05;     // so much it has in any case
constexpr double far = 0.15;              // from the bound
constexpr double nearIt = 0.08;
constexpr double cheap = 0.05, cheapNear = 0.1; // of the time, that a trial takes
// Of what devices take that part a model evenly: a plan that is as fast without recomputation is looked for
// first.
constexpr double nearlyEven = 1.1;

// What came of it is the automatic choice.
RecomputedPlan asAuto(RecomputedPlan plan)
{
    plan.of.problem.options.recompute.kind = RecomputeKind::Auto;
    return plan;
}

class AutoSearch
{
    using Ways = RecomputeChooser::Ways;
    using Trial = RecomputeAttempts::Trial;

public:
    AutoSearch(std::shared_ptr<const Model> model, PartitionOptions options, const Profiler& profiler,
               const Progress& progress)
        : m_options(std::move(options)),
          m_progress(progress),
          m_attempts(std::move(model), m_options, profiler, progress)
    {
    }

    Result<RecomputedPlan> find(OverLimit overLimit)
    {
        STAGECRAFT_ASSIGN(none, m_attempts.pose(RecomputeKind::None));
        STAGECRAFT_TRY(lay(none));
        const bool isLikely = mayFitWithout(evenShare(none.problem) * nearlyEven);
        if (!isLikely)
            STAGECRAFT_TRY(tryCuts());
        if (isLikely || !best() || mayFitWithout(best()->cost.bottleneckTime)) {
            STAGECRAFT_ASSIGN(plan, findWithout(std::move(none)));
            if (plan)
                return *std::move(plan);
        }
        if (isLikely)
            STAGECRAFT_TRY(tryCuts());
        STAGECRAFT_TRY(climbFromFirst());
        STAGECRAFT_TRY(bound());
        STAGECRAFT_TRY(tryCutsOfBound());
        STAGECRAFT_TRY(
            tryCutsNear(m_attempts, [this] { return mayClimb() && m_attempts.isCheap(cheapNear); }));
        STAGECRAFT_TRY(tryEveryBlock());
        STAGECRAFT_TRY(bound());
        if (isFar())
            STAGECRAFT_TRY(tryChosenCuts());
        STAGECRAFT_TRY(climbFromAll());
        if (!best())
            STAGECRAFT_TRY(tryAnyCuts(
                m_attempts, *m_cuts,
                [this](const PartitionProblem& problem) { return search(problem, nullptr, shareOfRound); },
                m_progress));
        STAGECRAFT_TRY(improve());
        STAGECRAFT_TRY(climbFromElsewhere());
        if (best())
            return finish();
        STAGECRAFT_ASSIGN(nearest, nearestPlanOrWhy(m_attempts, overLimit, m_progress));
        return asAuto(std::move(nearest));
    }

    Result<RecomputedPlan> choose(Partition partition)
    {
        STAGECRAFT_ASSIGN(none, m_attempts.pose(RecomputeKind::None));
        STAGECRAFT_TRY(checkPartition(none.problem, partition));
        if (evaluate(none.problem, partition).fits()) {
            STAGECRAFT_ASSIGN(solution, evaluatePlan(none.problem, std::move(partition), m_progress));
            return asAuto({std::move(none), {std::move(solution), {}}});
        }
        STAGECRAFT_TRY(lay(std::move(none)));
        STAGECRAFT_TRY(m_attempts.tryOut(partition, Trial::InTime, RecomputeChooser::Careful::All));
        if (best())
            return finish();
        STAGECRAFT_ASSIGN(plan, nearestPlan(m_attempts, m_progress));
        plan.of.notes.emplace_back("not every stage fits, though it holds the least that was found");
        return asAuto(std::move(plan));
    }

    Result<RecomputeChooser> chooser()
    {
        STAGECRAFT_ASSIGN(none, m_attempts.pose(RecomputeKind::None));
        STAGECRAFT_TRY(lay(std::move(none)));
        return m_attempts.takeChooser();
    }

private:
    // Nobody reads why there is none: that takes as long again.
    Result<Solution> search(PartitionProblem problem, const Partition* current, double share) const
    {
        problem.options.timeLimit = std::max(
            best() ? Seconds{} : momentOfFirst,
            std::min(m_attempts.left(), Seconds(std::max(0.2, share * m_options.timeLimit.value()))));
        if (current && checkPartition(problem, *current).has_value())
            return resolveAround(problem, *current, {}, m_progress);
        return solve(problem, m_progress);
    }

    Result<void> lay(const RecomputedProblem& none)
    {
        STAGECRAFT_TRY(m_progress.begin("Weighing what runs again"));
        return m_attempts.lay(none);
    }

    // The plan that runs nothing again, where none with recomputation can be faster; none: some may.
    Result<std::optional<RecomputedPlan>> findWithout(RecomputedProblem none)
    {
        const PartitionProblem unlimited = withoutMemoryLimits(none.problem);
        const bool isLimited = best() && !best()->of.problem.options.recompute.regions.regions.empty();
        Result<Solution> found = search(isLimited ? none.problem : unlimited, nullptr, shareWithout);
        const bool isOfAll =
            !isLimited && found.has_value() && evaluate(none.problem, found->partition).fits();
        if (!isLimited && !isOfAll)
            found = search(none.problem, nullptr, shareWithout);
        if (!found.has_value())
            return found.error().code == ErrorCode::Infeasible
                       ? Result<std::optional<RecomputedPlan>>(std::nullopt)
                       : found.error();
        found->cost = evaluate(none.problem, found->partition);
        STAGECRAFT_ASSIGN(least, planBound(unlimited, found->cost, m_progress));
        if (!isOfAll || found->bound.value < least.value)
            found->bound = std::move(least);
        if (found->bound.value >= found->cost.bottleneckTime * (1 - toGain)) {
            Solution solution =
                withStepBound(none.problem, *std::move(found), overOf(m_progress, momentOfStepBound));
            return std::optional(asAuto({std::move(none), {std::move(solution), {}}}));
        }
        // It fits because its stages are uneven: even ones that recompute may be faster.
        m_attempts.take({std::move(none), found->partition, found->cost});
        return std::optional<RecomputedPlan>();
    }

    // None: it was not traced.
    Result<std::optional<PlanCost>> tryPartition(const Partition& partition, Trial trial = Trial::InTime)
    {
        return isClosed() ? std::optional<PlanCost>() : m_attempts.tryOut(partition, trial);
    }

    // Where every block is recomputed, and cuts are the best for that.
    Result<void> tryEveryBlock()
    {
        if (isClosed() || isFasterThanEveryBlock() || isNear() ||
            (best() && !m_attempts.isTimeForSearch(m_options.timeLimit)))
            return {};
        const Result<Solution> all = search(m_attempts.ground().full, nullptr, shareOfRound);
        if (all.has_value() && mayBeBetter(all->partition))
            STAGECRAFT_TRY(tryPartition(all->partition, Trial::InAnyCase));
        return {};
    }

    // By estimate, than what is at hand.
    bool mayBeBetter(const Partition& partition)
    {
        if (!best())
            return true;
        const auto loads = m_attempts.choice().estimate(partition, m_attempts.rooms(), m_attempts.known());
        return loads && m_attempts.isWorthATrace(std::ranges::max(*loads));
    }

    bool isFasterThanEveryBlock() const
    {
        return best() && best()->cost.objective != Objective::Iteration &&
               best()->cost.bottleneckTime <= evenShare(m_attempts.ground().full);
    }

    // May a plan that runs nothing again take no longer?
    bool mayFitWithout(Seconds bottleneck) const
    {
        return m_options.objective == Objective::Iteration ||
               stagecraft::mayFitWithout(m_attempts.ground(), bottleneck, m_attempts.isOver());
    }

    Result<void> tryCuts()
    {
        m_cuts.emplace(m_attempts.chooser());
        STAGECRAFT_TRY(tryCuts(Ways::Any));
        return tryCuts(Ways::WholeBlocks);
    }

    // The best by estimate are traced, the others are where climbs start.
    Result<void> tryCuts(Ways ways)
    {
        std::vector<EstimatedCuts> found =
            estimatedCuts(*m_cuts, m_attempts.chooser(), m_attempts.choice(), {m_attempts.rooms(), ways},
                          m_attempts.known(),
                          {m_attempts.isOver(momentOfCuts),
                           m_attempts.overAt(m_attempts.elapsed() + m_options.timeLimit * shareOfCuts)});
        for (std::size_t i = 0; i < std::min(found.size(), mostCutsTraced); ++i)
            if (m_attempts.isWorthATrace(Seconds(found[i].slowness)) || m_attempts.isCheap(cheap))
                STAGECRAFT_TRY(tryPartition(found[i].partition));
        std::ranges::move(found, std::back_inserter(m_starts));
        return {};
    }

    Partition climbedByEstimate(const Partition& partition, const std::vector<Bytes>& within)
    {
        const TracedChoice traced = m_attempts.choice();
        return climbed(
            m_attempts.ground().none, partition,
            [&](const Partition& moved, Seconds most) {
                return traced.estimate(moved, within, m_attempts.known(), most);
            },
            best() ? m_attempts.overAt(m_options.timeLimit * shareOfClimbs) : m_attempts.isOver());
    }

    // From these cuts, by estimates which traces correct.
    Result<void> climb(Partition partition)
    {
        std::vector<Bytes> within = m_attempts.rooms();
        for (int i = 0; i < mostClimbs && !m_attempts.overOfTraces()() && !isClosed(); ++i) {
            Partition near = climbedByEstimate(partition, within);
            const auto loads = m_attempts.choice().estimate(near, within, m_attempts.known());
            if (contains(m_attempts.tried(), near) || !loads ||
                !m_attempts.isWorthATrace(std::ranges::max(*loads)) ||
                (best() && !m_attempts.isTimeForOne(m_options.timeLimit * shareOfBound)))
                return {};
            STAGECRAFT_ASSIGN(cost, tryPartition(near));
            if (!cost || TracedChoice::fits(*cost, m_attempts.rooms()))
                return {};
            const std::vector<Bytes> limits = m_attempts.rooms();
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
        for (int round = 0; best() && round < mostRounds && mayClimb(); ++round) {
            const std::size_t bests = m_attempts.bests();
            STAGECRAFT_TRY(climb(best()->partition));
            if (!m_attempts.isTimeForSearch(m_options.timeLimit))
                break;
            const Result<Solution> found = search(best()->of.problem, &best()->partition, shareOfRound);
            if (found.has_value() && found->partition != best()->partition)
                STAGECRAFT_TRY(tryPartition(found->partition));
            if (m_attempts.bests() == bests)
                break;
        }
        return {};
    }

    // There may be cuts to which no small moves lead.
    bool isFar() const { return !best() || best()->cost.bottleneckTime * (1 - far) > m_bound->value; }
    bool isNear() const
    {
        return best() && m_bound && best()->cost.bottleneckTime * (1 - nearIt) <= m_bound->value;
    }

    Result<void> tryChosenCuts()
    {
        const PartitionProblem& problem = m_attempts.ground().none;
        if (problem.options.sharesDevices() || !m_options.recompute.ofStages.empty())
            return {};
        const Seconds least = std::max(evenShare(problem), m_bound ? m_bound->value : Seconds{});
        const auto loadOf = [&, rooms = m_attempts.rooms()](const Partition& partition, StageId stage) {
            return m_attempts.chooser().loadOf(partition, stage, rooms[stage.index()], m_attempts.known());
        };
        const ChosenCuts cuts(problem, m_cuts->places(), loadOf);
        STAGECRAFT_TRY(tryAndClimb(cuts.fastest(least, mostOfCuts(), m_attempts.overAt(endOfCuts()))));
        return isFar() ? tryAndClimb(cuts.fastestOfAll(mostOfCuts(), m_attempts.overAt(endOfCuts())))
                       : Result<void>();
    }

    Result<void> tryAndClimb(const std::optional<Partition>& partition)
    {
        if (!partition)
            return {};
        STAGECRAFT_TRY(tryPartition(*partition));
        return climb(*partition);
    }

    // Of those that are worth a trace.
    Seconds mostOfCuts() const
    {
        const PartitionProblem& full = m_attempts.ground().full;
        return best() ? best()->cost.bottleneckTime * (1 - toGain)
                      : evenShare(full) * static_cast<double>(full.stageCount());
    }

    Seconds endOfCuts() const
    {
        return best()
                   ? std::min(m_attempts.elapsed() + m_options.timeLimit * shareOfCuts, m_options.timeLimit)
                   : m_options.timeLimit * shareOfClimbs;
    }

    // From cuts near the best ones, and theirs.
    Result<void> climbFromElsewhere()
    {
        std::minstd_rand draw(1);
        for (int misses = 0; misses < mostMisses && mayClimb(); ++misses) {
            const TracedPlan* const from = best() ? best() : nearest();
            if (!from)
                return {};
            const std::size_t bests = m_attempts.bests();
            STAGECRAFT_TRY(climb(shaken(m_attempts.ground().none, from->partition, draw)));
            misses = m_attempts.bests() > bests ? -1 : misses;
        }
        return {};
    }

    // From the cuts that are the best by estimate: where a trial takes some time, there may be none later.
    Result<void> climbFromFirst()
    {
        const auto first = std::ranges::min_element(m_starts, {}, &EstimatedCuts::slowness);
        if (!best() || first == m_starts.end() || m_attempts.isCheap(cheapNear) ||
            best()->cost.bottleneckTime * (1 - far) > evenShare(m_attempts.ground().none))
            return {};
        return climb(first->partition);
    }

    // From all cuts that were tried, those first that are the best by estimate.
    Result<void> climbFromAll()
    {
        for (const Partition& partition : m_attempts.tried())
            if (!contains(m_starts, partition, &EstimatedCuts::partition))
                if (const auto loads =
                        m_attempts.choice().estimate(partition, m_attempts.rooms(), m_attempts.known()))
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
        if (!best() || m_bound)
            return {};
        if (!m_bounds)
            m_bounds = std::make_unique<RecomputeBounds>(m_attempts.ground());
        STAGECRAFT_ASSIGN(all,
                          boundOfAll(*m_bounds, best()->cost, m_progress, BoundBy::Nodes, &m_cutsOfBound));
        m_bound = std::move(all);
        return {};
    }

    // Stages that the bound takes for possible may be, or others near by.
    Result<void> tryCutsOfBound()
    {
        if (!mayClimb() || !m_bound)
            return {};
        const std::optional<Partition> byNodes = m_cutsOfBound;
        const Seconds more = m_options.timeLimit * shareOfBoundsCuts;
        raiseBound(BoundBy::Runs, m_attempts.elapsed() + more);
        if (mayClimb())
            STAGECRAFT_TRY(tryAndClimb(byNodes));
        if (!mayClimb())
            return {};
        raiseBound(BoundBy::Stages, m_attempts.elapsed() + more);
        return mayClimb() && m_cutsOfBound != byNodes ? tryAndClimb(m_cutsOfBound) : Result<void>();
    }

    // What takes longer to know, of those that are better than what was found.
    void raiseBound(BoundBy by, Seconds end)
    {
        if (!best() || isClosed() || !best()->cost.fits() || !m_options.limitsMemory())
            return;
        Bound raised = m_bounds->of(best()->cost.bottleneckTime, m_attempts.overAt(end), by, m_bound->value,
                                    &m_cutsOfBound);
        if (raised.value > m_bound->value)
            m_bound = std::move(raised);
    }

    // Where there is a plan, some time is for its bound.
    bool mayClimb() const
    {
        return !isClosed() && !m_attempts.overAt(m_options.timeLimit * (best() ? shareOfClimbs : 1))();
    }

    // Is there next to nothing left to gain?
    bool isClosed() const
    {
        return best() && m_bound && best()->cost.objective != Objective::Iteration &&
               m_bound->value >= best()->cost.bottleneckTime * (1 - toGain);
    }

    Result<TracedPlan> refined(TracedPlan plan)
    {
        if (plan.of.problem.options.recompute.regions.regions.empty())
            return plan;
        STAGECRAFT_ASSIGN(finer, m_attempts.choice().improved(plan, m_attempts.rooms()));
        return finer.cost.fits() && worth(finer.cost) <= worth(plan.cost) ? finer : plan;
    }

    // Stages that are not the slowest were chosen by the way.
    Result<void> chooseAllCarefully()
    {
        if (!best()->of.problem.options.recompute.regions.regions.empty() &&
            m_attempts.isTimeForOne(m_options.timeLimit))
            STAGECRAFT_TRY(m_attempts.tryOut(Partition(best()->partition), Trial::InTime,
                                             RecomputeChooser::Careful::All));
        return {};
    }

    Result<RecomputedPlan> finish()
    {
        STAGECRAFT_TRY(bound());
        raiseBound(BoundBy::Stages, std::max(m_options.timeLimit * shareOfBound,
                                             m_attempts.elapsed() + m_options.timeLimit * leastOfBound));
        STAGECRAFT_TRY(chooseAllCarefully());
        STAGECRAFT_ASSIGN(plan, refined(m_attempts.takeBest()));
        Solution solution{.partition = std::move(plan.partition), .cost = std::move(plan.cost)};
        solution.bound = std::move(*m_bound);
        solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
        solution.solveTime = m_attempts.passed();
        solution.iterationBound = quickStepBound(m_attempts.ground().none, solution.bound);
        for (const std::string& note : m_attempts.notes())
            plan.of.notes.push_back(note);
        return asAuto({std::move(plan.of), {std::move(solution), {}}});
    }

    const TracedPlan* best() const { return m_attempts.best(); }
    const TracedPlan* nearest() const { return m_attempts.nearest(); }

    PartitionOptions m_options;
    const Progress& m_progress;
    RecomputeAttempts m_attempts;
    std::optional<RecomputedCuts> m_cuts;
    std::vector<EstimatedCuts> m_starts; // of climbs
    std::optional<Bound> m_bound;
    std::unique_ptr<RecomputeBounds> m_bounds;
    std::optional<Partition> m_cutsOfBound;
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
