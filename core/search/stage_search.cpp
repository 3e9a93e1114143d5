#include "core/search/stage_search.h"

#include "core/plan/evaluate.h"
#include "core/search/bound/bounds.h"
#include "core/search/ideals/ideal_search.h"
#include "core/search/improve/anneal.h"
#include "core/search/improve/even_split.h"
#include "core/search/improve/exhaustive.h"
#include "core/search/improve/hill_climb.h"
#include "core/search/improve/large_neighbourhood.h"
#include "core/search/improve/order_dp.h"
#include "core/search/improve/orders.h"
#include "core/search/reduce/loads.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// A plan is proven when the bound comes this near; the search aims at half of it.
constexpr double provenGap = 1e-4;
// Where bound and plan are further apart, coarse proofs cannot close the gap at once.
constexpr double farApart = 0.04;

class Solver
{
public:
    Solver(const PartitionProblem& problem, const ReducedProblem& reduced, WorkBudget& budget,
           const Progress& progress)
        : m_problem(problem), m_reduced(reduced), m_progress(progress), m_budget(budget)
    {
    }

    // False: no plan was found.
    bool run()
    {
        tryOrders();
        if (m_best.bottleneckSeconds == infinite && !findAnyPlan())
            return false;
        if (!stop())
            m_bound = prover().lowerBound(m_best.bottleneckSeconds, stopper());
        else
            m_bound = {
                Seconds(std::min(m_best.bottleneckSeconds, m_reduced.totalSeconds / speedSum())), "area", {}};
        if (!isProven())
            prove({.ideals = 200'000, .pairs = 50'000'000}, 1);
        if (!isProven())
            prove({.ideals = 20'000, .mayFloat = true, .pairs = 50'000'000}, 5);
        if (isFarApart())
            prove({.ideals = 100'000, .mayFloat = true, .pairs = 50'000'000}, 1);
        for (int level = 0; level < 4 && !isProven() && !stop(); ++level) {
            if (level == 0)
                improveByNoise();
            improveByAnnealing(std::uint64_t{500'000} << (2 * level));
            improveNearby(level);
            prove({.ideals = 300'000u << level, .pairs = 50'000'000}, 1);
            prove({.ideals = 400'000u << level, .mayFloat = true, .pairs = 2'000'000'000}, 2);
        }
        makeEven();
        return true;
    }

    const Slicing& best() const { return m_best; }
    const Bound& bound() const { return m_bound; }

private:
    bool stop() { return m_budget.isSpent(); }
    // Made when it is first asked: in large problems that takes a while.
    const BoundProver& prover()
    {
        if (!m_prover)
            m_prover.emplace(m_reduced);
        return *m_prover;
    }
    ShouldStop stopper()
    {
        return [this](std::uint64_t work) { return m_budget.spend(work); };
    }
    // While there is no plan, time is kept for saying why there is none.
    bool stopTrying()
    {
        constexpr double mostOfAll = 0.7;
        if (m_best.bottleneckSeconds < infinite || m_progress.stopRequested())
            return stop();
        return isLarge() && m_budget.fractionSpent() > mostOfAll;
    }
    // Does slicing an order take more than a moment?
    bool isLarge() const
    {
        constexpr std::uint64_t quick = 100'000'000;
        return workOfSlicing(m_reduced) > quick;
    }
    bool isProven() const
    {
        return m_best.bottleneckSeconds - m_bound.value.value() <= 0.9 * provenGap * m_best.bottleneckSeconds;
    }

    bool isFarApart() const
    {
        return m_best.bottleneckSeconds - m_bound.value.value() > farApart * m_best.bottleneckSeconds;
    }

    double speedSum() const
    {
        double sum = 0;
        for (const double speed : m_reduced.options.speeds)
            sum += speed;
        return sum;
    }

    void report(std::string_view activity) const
    {
        (void)m_progress.step(activity, static_cast<std::size_t>(m_budget.fractionSpent() * 1000), 1000);
    }

    void offer(const std::optional<Slicing>& plan)
    {
        if (plan && plan->bottleneckSeconds < m_best.bottleneckSeconds)
            m_best = *plan;
    }

    // The limit keeps the dynamic program short; while there is no plan it is guessed, and raised. That first
    // plan is made however little time there is. Where some order has none whatever its bottleneck, memory
    // is in the way, and of others that is asked at once.
    void slice(const GroupOrder& order)
    {
        m_budget.spend(workOfSlicing(m_reduced));
        constexpr int quickAttempts = 3; // in which stages are short
        const IsOver cancelled = [this] { return isLarge() && m_progress.stopRequested(); };
        const IsOver stopped = [this] { return isLarge() && stopTrying(); };
        const bool hadPlan = m_best.bottleneckSeconds < infinite;
        double limit = m_reduced.totalSeconds / speedSum() * 1.3;
        for (int attempt = 0; attempt < quickAttempts && m_best.bottleneckSeconds == infinite &&
                              !m_hasFoundNone && limit > 0 && !cancelled();
             ++attempt, limit *= 1.7)
            offer(sliceRoughly(m_reduced, order, limit, cancelled));
        if (m_best.bottleneckSeconds == infinite) {
            offer(sliceRoughly(m_reduced, order, infinite, stopped));
            m_hasFoundNone = m_best.bottleneckSeconds == infinite;
        }
        if (m_best.bottleneckSeconds < infinite && (hadPlan || order.size() > mostRoughCuts))
            offer(sliceOrder(m_reduced, order, m_best.bottleneckSeconds));
    }

    void tryOrders()
    {
        report("Slicing orders");
        slice(makeOrder(m_reduced, OrderRule::Program, OrderDirection::Forward));
        for (const OrderRule rule : {OrderRule::LeastCut, OrderRule::DepthFirst}) {
            for (const OrderDirection direction : {OrderDirection::Backward, OrderDirection::Forward}) {
                if (stopTrying())
                    return;
                slice(makeOrder(m_reduced, rule, direction));
            }
        }
    }

    // Where limits are tight the usual orders may all fail.
    bool findAnyPlan()
    {
        for (std::uint64_t seed = 0;
             seed < 40 && m_best.bottleneckSeconds == infinite && !stop() && !stopTrying(); ++seed) {
            const auto direction = seed % 2 == 0 ? OrderDirection::Forward : OrderDirection::Backward;
            slice(makeOrder(m_reduced, OrderRule::NoisyCut, direction, m_reduced.options.seed * 1000 + seed));
        }
        if (m_best.bottleneckSeconds < infinite)
            return true;
        // No order will do: perhaps an exact search does, or says that there is no plan.
        const double most = longestPlan(m_reduced);
        const auto windows = prover().windows(most);
        if (!windows || stop() || stopTrying())
            return false;
        const ShouldStop stop = [this](std::uint64_t work) { return m_budget.spend(work) || stopTrying(); };
        const SplitAnswer answer =
            findSplit(m_reduced, *windows, most, {.pairs = 500'000'000, .shouldStop = stop});
        if (answer.verdict == SplitAnswer::Verdict::Found)
            m_best = {bottleneckOf(m_reduced, answer.stages), answer.stages};
        if (answer.verdict != SplitAnswer::Verdict::Refuted && m_best.bottleneckSeconds == infinite)
            findAmongAll(stop);
        return m_best.bottleneckSeconds < infinite;
    }

    // The exact search does not know what run-times hold, nor what is alive in turns of nodes.
    void findAmongAll(const ShouldStop& shouldStop)
    {
        constexpr std::size_t mostGroups = 300;
        if ((m_reduced.runtime.holdsNothing() && !m_reduced.turns) || m_reduced.size() > mostGroups)
            return;
        const ExhaustiveAnswer answer =
            searchAllPlans(m_problem, m_reduced, PlanGoal::SlowestDevice, infinite, shouldStop);
        if (answer.stages)
            m_best = {bottleneckOf(m_reduced, *answer.stages), *answer.stages};
    }

    // Asks again and again whether there is a plan below some bottleneck: first just below the best, unless
    // that is out of reach, then in the middle between bound and best. Where the search gives up, at most
    // `failures` times, it still raises the bound from below and may lead to a better plan.
    void prove(IdealSearchLimits limits, int failures)
    {
        if (limits.mayFloat && !m_reduced.features.floating)
            return;
        limits.shouldStop = stopper();
        double unknown = infinite; // the least bottleneck at which the search gave up
        int givenUp = 0;
        bool nearBestFirst = !limits.mayFloat || !isFarApart() || !m_reduced.features.halving;
        for (; !isProven() && !stop() && givenUp < failures; nearBestFirst = !m_reduced.features.halving) {
            report("Proving");
            const double low = m_bound.value.value();
            const double high = std::min(m_best.bottleneckSeconds, unknown);
            if (high - low <= 0.5 * provenGap * high)
                return;
            const double nearBest = m_best.bottleneckSeconds * (1 - 0.5 * provenGap);
            const double trial = nearBestFirst ? nearBest : std::min(nearBest, (low + high) / 2);
            m_budget.spend(prover().workOfWindows());
            const auto windows = prover().windows(trial);
            const SplitAnswer answer = windows ? findSplit(m_reduced, *windows, trial, limits)
                                               : SplitAnswer{SplitAnswer::Verdict::Refuted, {}};
            // It may have more alive in turns of its nodes than the search knows: then it is a hint.
            const bool isFound = answer.verdict == SplitAnswer::Verdict::Found;
            const double found = isFound ? bottleneckOf(m_reduced, answer.stages) : infinite;
            if (isFound && (found < infinite || !m_reduced.turns)) {
                offer(Slicing{found, answer.stages});
            } else if (answer.verdict == SplitAnswer::Verdict::Refuted) {
                m_bound = {Seconds(trial), "search", {}};
            } else {
                unknown = trial;
                ++givenUp;
                if (!answer.stages.empty())
                    slice(orderOfStages(answer.stages));
            }
        }
    }

    void improveByNoise()
    {
        climbFromBest();
        const std::uint64_t attempts = m_reduced.features.noise ? 60 : 0;
        for (std::uint64_t seed = 0; seed < attempts && !isProven() && !stop(); ++seed) {
            report("Improving");
            const auto direction = seed % 3 == 0 ? OrderDirection::Forward : OrderDirection::Backward;
            const double before = m_best.bottleneckSeconds;
            slice(makeOrder(m_reduced, OrderRule::NoisyCut, direction,
                            m_reduced.options.seed * 1000 + 100 + seed));
            if (m_best.bottleneckSeconds < before)
                climbFromBest();
        }
    }

    void improveByAnnealing(std::uint64_t steps)
    {
        const std::uint64_t rounds = m_reduced.features.anneal ? 3 : 0;
        for (std::uint64_t round = 0; round < rounds && !isProven() && !stop(); ++round) {
            report("Improving");
            const double aim = (m_bound.value.value() + m_best.bottleneckSeconds) / 2;
            m_best = anneal(m_reduced, m_best,
                            {.aimSeconds = std::max(aim, m_reduced.totalSeconds / speedSum()),
                             .steps = steps,
                             .seed = m_reduced.options.seed * 1000 + round,
                             .shouldStop = stopper()});
            climbFromBest();
        }
    }

    void climbFromBest()
    {
        if (m_reduced.features.climb && !isProven() && !stop()) {
            report("Improving");
            m_best = hillClimb(m_reduced, m_best, stopper());
        }
    }

    void improveNearby(int level)
    {
        if (isProven() || stop() || !m_reduced.features.neighbourhood)
            return;
        report("Improving");
        m_best = searchNearby(m_reduced, m_best,
                              {.boundSeconds = m_bound.value.value(),
                               .effort = level,
                               .seed = m_reduced.options.seed * 1000 + static_cast<std::uint64_t>(level),
                               .shouldStop = stopper()});
    }

    // The bottleneck says nothing of the other stages.
    void makeEven()
    {
        const auto even =
            sliceEvenly(m_reduced, orderOfStages(m_best.stages), m_best.bottleneckSeconds * (1 + 1e-12));
        if (even && even->bottleneckSeconds <= m_best.bottleneckSeconds * (1 + 1e-12))
            m_best = *even;
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    const Progress& m_progress;
    WorkBudget& m_budget;
    std::optional<BoundProver> m_prover;
    Slicing m_best{infinite, {}};
    bool m_hasFoundNone = false;
    Bound m_bound;
};

Result<Solution> search(const PartitionProblem& problem, WorkBudget& budget, const Progress& progress,
                        const SearchFeatures& features)
{
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::Lossless, budget.patience(), features));
    if (exceedsAllLimits(reduced))
        return noPlan();
    Solver solver(problem, reduced, budget, progress);
    if (!solver.run())
        return progress.stopRequested() ? cancelled() : noPlan();
    Solution solution{.partition = expand(reduced, solver.best().stages), .bound = solver.bound()};
    STAGECRAFT_TRY(checkPartition(problem, solution.partition));
    solution.cost = evaluate(problem, solution.partition);
    solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
    solution.solveTime = budget.passed();
    solution.cutShort = !solution.proven() && budget.wasCutShort();
    return solution;
}

// Limits that are twice what each stage holds are not reached by moving boundaries a little.
bool isRoomy(const PlanCost& cost)
{
    return std::ranges::all_of(
        cost.stages, [](const StageCost& stage) { return stage.peakMemory * 2 <= stage.memoryLimit; });
}

// The best plan whatever its memory; none where a limit is broken.
std::optional<Solution> searchWithoutLimits(const PartitionProblem& problem, WorkBudget& budget,
                                            const Progress& progress, const SearchFeatures& features)
{
    auto solution = search(withoutMemoryLimits(problem), budget, progress, features);
    if (!solution.has_value())
        return std::nullopt;
    solution->cost = evaluate(problem, solution->partition);
    if (!solution->cost.fits())
        return std::nullopt;
    return std::move(solution).value();
}

} // namespace

Error noPlan()
{
    return {ErrorCode::Infeasible, "no plan that keeps all constraints was found"};
}

Result<Solution> solveByStage(const PartitionProblem& problem, const Progress& progress,
                              const SearchFeatures& features)
{
    STAGECRAFT_TRY(checkProblem(problem));
    // Limits that hold nobody back only make the proof harder. So where a first plan keeps them unasked, they
    // are left out of the search, unless the plan that comes out breaks them after all.
    WorkBudget budget(problem.options.timeLimit, progress);
    if (!problem.options.limitsMemory() || !features.unlimited)
        return search(problem, budget, progress, features);
    WorkBudget none = budget.part(0);
    auto first = searchWithoutLimits(problem, none, progress, features);
    if (!first)
        return search(problem, budget, progress, features);
    if (progress.stopRequested()) {
        first->cutShort = !first->proven();
        return std::move(*first);
    }
    WorkBudget part = budget.part(isRoomy(first->cost) ? 0.9 : 0.75);
    if (auto solution = searchWithoutLimits(problem, part, progress, features))
        return std::move(*solution);
    budget.spend(part.spent());
    return search(problem, budget, progress, features);
}

} // namespace stagecraft
