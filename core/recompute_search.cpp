#include "core/recompute_search.h"

#include "core/advise/resolve.h"
#include "core/base/text.h"
#include "core/bound_of_all.h"
#include "core/chosen_cuts.h"
#include "core/cut_climbs.h"
#include "core/learned_cuts.h"
#include "core/near_cuts.h"
#include "core/other_orders.h"
#include "core/plan/evaluate.h"
#include "core/recompute_attempts.h"
#include "core/recompute_cuts.h"
#include "core/recompute_over_limit.h"
#include "core/recompute_without.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"
#include "core/searched_bound.h"

#include <algorithm>
#include <iterator>
#include <memory>

namespace stagecraft {

namespace {

constexpr std::size_t mostCutsTraced = 2; // each way
constexpr std::size_t mostCutsFirst = 8;  // as long as none fits
constexpr Seconds momentOfCuts(0.5);      // a first plan is made in any case
constexpr Seconds momentOfFirst(1);       // for a search, as long as nothing fits
constexpr int mostRounds = 4;
// Of the time that there is: to know that nothing fits without recomputation, and for a search with it.
constexpr double shareWithout = 0.25;
constexpr double shareOfRound = 0.15;
constexpr double shareOfCuts = 0.3;       // each way: after that, no further cuts
constexpr double shareOfBoundsCuts = 0.2; // of its first time
constexpr double leastOfBound = 0.05;     // so much it has in any case
constexpr double moment = 0.02;           // what it may take longer than it is given
constexpr double doubtOfNear = 0.05;
constexpr double nearEven = 0.15;
constexpr double farFromEven = 1.2;
constexpr double littleToGain = 0.05; // from other orders
constexpr double cheap = 0.05;        // of the time, that a trial takes
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
        if (mayFitWithout(evenShare(none.problem) * nearlyEven)) {
            STAGECRAFT_ASSIGN(fastest, findWithout(none, MemoryLimits::LeftOut));
            if (fastest)
                return *std::move(fastest);
        }
        const bool isFastest = best() != nullptr; // of those that run nothing again
        STAGECRAFT_TRY(tryCuts());
        STAGECRAFT_TRY(tryOrders(tryOtherOrders));
        if (!best() || (!isFastest && isTimeForSearch() && mayFitWithout(best()->cost.bottleneckTime))) {
            STAGECRAFT_ASSIGN(plan, findWithout(std::move(none), MemoryLimits::Kept));
            if (plan)
                return *std::move(plan);
        }
        if (!m_attempts.isCheap(cheapNear))
            STAGECRAFT_TRY(improveFirst());
        if (best() && !isEvenly(farFromEven))
            STAGECRAFT_TRY(m_climbs.from(best()->partition));
        STAGECRAFT_TRY(m_bound.begin());
        STAGECRAFT_TRY(tryCutsOfBound());
        STAGECRAFT_TRY(tryLearnedCuts());
        STAGECRAFT_TRY(tryCutsNear(m_attempts, doubtOfNear,
                                   [this] { return m_climbs.mayGoOn() && m_attempts.isCheap(cheapNear); }));
        STAGECRAFT_TRY(tryEveryBlock());
        STAGECRAFT_TRY(m_bound.begin());
        if (m_bound.isFar())
            STAGECRAFT_TRY(tryChosenCuts());
        STAGECRAFT_TRY(m_climbs.fromAll(cutsFound()));
        if (!best())
            STAGECRAFT_TRY(tryAnyCuts(
                m_attempts, *m_cuts,
                [this](const PartitionProblem& problem) { return search(problem, nullptr, shareOfRound); },
                m_progress));
        STAGECRAFT_TRY(improve());
        STAGECRAFT_TRY(tryOrders(tryOrdersOfBest));
        STAGECRAFT_TRY(m_climbs.fromElsewhere());
        STAGECRAFT_TRY(tryLessOfEveryBlock(m_attempts, m_progress));
        if (best())
            return finish();
        STAGECRAFT_ASSIGN(nearest, nearestPlanOrWhy(m_attempts, m_bound.bounds(), overLimit, m_progress));
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

private:
    // Nobody reads why there is none: that takes as long again.
    Result<Solution> search(PartitionProblem problem, const Partition* current, double share,
                            Seconds atLeast = momentOfFirst) const
    {
        problem.options.timeLimit = std::max(
            best() ? Seconds{} : atLeast,
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

    Result<std::optional<RecomputedPlan>> findWithout(RecomputedProblem none, MemoryLimits limits)
    {
        const auto quick = [this](const PartitionProblem& problem) {
            return search(problem, nullptr, shareWithout, {});
        };
        STAGECRAFT_ASSIGN(plan,
                          stagecraft::findWithout(std::move(none), limits, m_attempts, quick, m_progress));
        return plan ? std::optional(asAuto(*std::move(plan))) : std::nullopt;
    }

    // None: it was not traced.
    Result<std::optional<PlanCost>> tryPartition(const Partition& partition, Trial trial = Trial::InTime)
    {
        if (m_bound.isClosed())
            return std::optional<PlanCost>();
        STAGECRAFT_ASSIGN(cost, m_attempts.tryOut(partition, trial));
        if (cost)
            for (LearnedCuts& cuts : m_learned)
                cuts.learn(partition, *cost);
        return cost;
    }

    // Where every block is recomputed, and cuts are the best for that.
    Result<void> tryEveryBlock()
    {
        if (m_bound.isClosed() || isFasterThanEveryBlock() || m_bound.isNear() ||
            (best() && !isTimeForSearch()))
            return {};
        const Result<Solution> all = search(m_attempts.ground().full, nullptr, shareOfRound);
        if (all.has_value() && m_climbs.mayBeBetter(all->partition))
            STAGECRAFT_TRY(tryPartition(all->partition, Trial::InAnyCase));
        return {};
    }

    bool isTimeForSearch() const { return m_attempts.isTimeForSearch(m_options.timeLimit); }
    bool isFasterThanEveryBlock() const
    {
        return best() && best()->cost.objective != Objective::Iteration &&
               best()->cost.bottleneckTime <= evenShare(m_attempts.ground().full);
    }

    // May a plan that runs nothing again take no longer?
    bool mayFitWithout(Seconds bottleneck)
    {
        return m_options.objective == Objective::Iteration ||
               m_bound.bounds().mayFitWithout(bottleneck, m_attempts.isOver());
    }

    Result<void> tryCuts()
    {
        m_cuts.emplace(m_attempts.chooser(), programOrder(m_attempts.ground().none));
        for (const Ways ways : {Ways::Any, Ways::WholeBlocks}) {
            m_learned.emplace_back(*m_cuts, m_attempts, ways);
            STAGECRAFT_TRY(tryCuts(m_learned.back()));
        }
        return {};
    }

    // The best by estimate are traced, the others are where climbs start.
    Result<void> tryCuts(LearnedCuts& cuts)
    {
        const CutsOver over{m_attempts.isOver(momentOfCuts),
                            m_attempts.overAt(m_attempts.elapsed() + m_options.timeLimit * shareOfCuts)};
        const auto mayGoOn = [&](std::size_t tried, std::size_t sinceBest) {
            return best() ? sinceBest < (m_attempts.isCheap(cheapNear) ? mostCutsTraced : 1)
                          : tried < mostCutsFirst;
        };
        for (std::size_t tried = 0, sinceBest = 0; mayGoOn(tried, sinceBest);
             ++tried, sinceBest += best() ? 1 : 0) {
            const std::optional<EstimatedCuts> next = cuts.next(over);
            const double sure = m_attempts.isCheap(cheap) ? 1 - doubtOfNear : 1;
            if (!next || !m_attempts.isWorthATrace(next->slowest * sure))
                break;
            STAGECRAFT_TRY(tryPartition(next->partition, Trial::AsChosen));
        }
        return {};
    }

    // By what is known of stages by now, as long as that leads to others.
    Result<void> tryLearnedCuts()
    {
        for (LearnedCuts& cuts : m_learned)
            if (m_climbs.mayGoOn())
                STAGECRAFT_TRY(tryCuts(cuts));
        return {};
    }

    // The cuts for what is recomputed, and what is recomputed for these cuts, until neither is better.
    Result<void> improve()
    {
        for (int round = 0; best() && round < mostRounds && m_climbs.mayGoOn(); ++round) {
            const std::size_t bests = m_attempts.bests();
            STAGECRAFT_TRY(m_climbs.from(best()->partition));
            if (!isTimeForSearch())
                break;
            const Result<Solution> found = search(best()->of.problem, &best()->partition, shareOfRound);
            if (found.has_value() && found->partition != best()->partition)
                STAGECRAFT_TRY(tryPartition(found->partition));
            if (m_attempts.bests() == bests)
                break;
        }
        return {};
    }

    Result<void> tryChosenCuts()
    {
        const PartitionProblem& problem = m_attempts.ground().none;
        if (problem.options.sharesDevices() || !m_options.recompute.ofStages.empty())
            return {};
        const Seconds least =
            std::max(evenShare(problem), m_bound.isKnown() ? m_bound.value().value : Seconds{});
        const auto loadOf = [&, rooms = m_attempts.rooms()](const Partition& partition, StageId stage) {
            return m_attempts.chooser().loadOf(partition, stage, rooms[stage.index()], m_attempts.known());
        };
        const ChosenCuts cuts(problem, m_cuts->places(), loadOf);
        STAGECRAFT_TRY(tryAndGoFrom(cuts.fastest(least, mostOfCuts(), m_attempts.overAt(endOfCuts()))));
        return m_bound.isFar() ? tryAndGoFrom(cuts.fastestOfAll(mostOfCuts(), m_attempts.overAt(endOfCuts())))
                               : Result<void>();
    }

    Result<void> tryAndGoFrom(const std::optional<Partition>& partition)
    {
        return partition ? m_climbs.tryAndGoFrom(*partition) : Result<void>();
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
                   : m_options.timeLimit * m_bound.shareBeside();
    }

    // Where a trial takes some time: there may be none for that later.
    Result<void> improveFirst()
    {
        STAGECRAFT_TRY(tryCutsNear(m_attempts, 0, [this] { return m_climbs.mayGoOn(); }));
        const std::vector<EstimatedCuts> starts = cutsFound();
        const auto first = std::ranges::min_element(starts, {}, &EstimatedCuts::slowness);
        return first != starts.end() && isEven(nearEven) ? m_climbs.from(first->partition) : Result<void>();
    }

    // Does the best plan take nearly as little as devices that part evenly what runs once?
    bool isEven(double nearly) const
    {
        return best() && best()->cost.bottleneckTime * (1 - nearly) <= evenShare(m_attempts.ground().none);
    }

    // Likewise, where every block runs again?
    bool isEvenly(double times) const
    {
        return best()->cost.bottleneckTime <= evenShare(m_attempts.ground().full) * times;
    }

    // Where branches are as long as stages, and there is something to gain as far as is known by now.
    Result<void> tryOrders(decltype(tryOtherOrders)& attempt)
    {
        if (!m_orders)
            m_orders = otherOrders(m_attempts.ground().none);
        if (m_orders->empty() || isEven(littleToGain) || m_bound.isWithin(littleToGain))
            return {};
        return attempt(m_attempts, *m_orders, [this] { return m_climbs.mayGoOn(); });
    }

    std::vector<EstimatedCuts> cutsFound() const
    {
        std::vector<EstimatedCuts> all;
        for (const LearnedCuts& cuts : m_learned)
            std::ranges::copy(cuts.found(), std::back_inserter(all));
        return all;
    }

    // Stages that the bound takes for possible may be, or others near by.
    Result<void> tryCutsOfBound()
    {
        if (!m_climbs.mayGoOn() || !m_bound.isKnown())
            return {};
        const std::optional<Partition> byNodes = m_bound.cuts();
        raiseBesideATrial(BoundBy::Runs);
        if (m_climbs.mayGoOn())
            STAGECRAFT_TRY(tryAndGoFrom(byNodes));
        if (!m_climbs.mayGoOn())
            return {};
        raiseBesideATrial(BoundBy::Stages);
        const bool isTime = m_climbs.mayGoOn() || m_attempts.isTimeForOne(endOfTrials());
        return isTime && m_bound.cuts() != byNodes ? tryAndGoFrom(m_bound.cuts()) : Result<void>();
    }

    // For a while, and no longer than a trial of its cuts leaves.
    void raiseBesideATrial(BoundBy by)
    {
        m_bound.raise(by, std::min(m_attempts.elapsed() + m_options.timeLimit * shareOfBoundsCuts,
                                   m_attempts.latestFor(endOfTrials() - m_options.timeLimit * moment)));
    }

    Seconds endOfTrials() const { return m_options.timeLimit * SearchedBound::mostShare; }

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
        STAGECRAFT_TRY(m_bound.begin());
        m_bound.raise(BoundBy::Stages, std::max(m_options.timeLimit * SearchedBound::mostShare,
                                                m_attempts.elapsed() + m_options.timeLimit * leastOfBound));
        STAGECRAFT_TRY(chooseAllCarefully());
        STAGECRAFT_ASSIGN(plan, refined(m_attempts.takeBest()));
        Solution solution{.partition = std::move(plan.partition), .cost = std::move(plan.cost)};
        solution.bound = m_bound.value();
        solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
        solution.solveTime = m_attempts.passed();
        solution.iterationBound = quickStepBound(m_attempts.ground().none, solution.bound);
        for (const std::string& note : m_attempts.notes())
            plan.of.notes.push_back(note);
        return asAuto({std::move(plan.of), {std::move(solution), {}}});
    }

    const TracedPlan* best() const { return m_attempts.best(); }

    PartitionOptions m_options;
    const Progress& m_progress;
    RecomputeAttempts m_attempts;
    std::optional<RecomputedCuts> m_cuts;
    std::vector<LearnedCuts> m_learned;            // of these
    std::optional<std::vector<CutOrder>> m_orders; // other than the program's
    SearchedBound m_bound{m_attempts, m_options, m_progress};
    CutClimbs m_climbs{m_attempts, m_bound, m_options,
                       [this](const Partition& partition) { return tryPartition(partition); }};
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
    RecomputeAttempts attempts(model, std::move(options), profiler, progress);
    STAGECRAFT_TRY(progress.begin("Weighing what runs again"));
    STAGECRAFT_ASSIGN(none, attempts.pose(RecomputeKind::None));
    STAGECRAFT_TRY(attempts.lay(none));
    return attempts.takeChooser();
}

Result<RecomputedPlan> chooseForPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                     Partition partition, const Profiler& profiler, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).choose(std::move(partition));
}

} // namespace stagecraft
