#include "core/advise/least_limit.h"

#include "core/plan/evaluate.h"
#include "core/search/bound/bounds.h"
#include "core/search/ideals/ideal_search.h"
#include "core/search/improve/exhaustive.h"
#include "core/search/improve/order_dp.h"
#include "core/search/improve/orders.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

// Of the orders that the search begins with, so that it finds what is promised here.
std::vector<GroupOrder> firstOrders(const ReducedProblem& reduced)
{
    return {makeOrder(reduced, OrderRule::Program, OrderDirection::Forward),
            makeOrder(reduced, OrderRule::LeastCut, OrderDirection::Backward)};
}

bool keepsAll(const PartitionProblem& problem, const ReducedProblem& reduced, const GroupStages& stages)
{
    const Partition plan = expand(reduced, stages);
    return checkPartition(problem, plan).has_value() && evaluate(problem, plan).fits();
}

// A look at all plans ends after about a third of a second, or with the time of the problem.
ShouldStop limitedWork(const ReducedProblem& reduced)
{
    return [&reduced, left = std::int64_t{300'000'000}](std::uint64_t work) mutable {
        left -= static_cast<std::int64_t>(work);
        return left <= 0 || reduced.over();
    };
}

constexpr std::size_t mostGroupsToLookAtAll = 300;

double fullest(const PartitionProblem& problem, const ReducedProblem& reduced, const GroupStages& stages)
{
    const Partition plan = expand(reduced, stages);
    return checkPartition(problem, plan).has_value()
               ? wholeValue(PlanGoal::FullestDevice, evaluate(problem, plan))
               : infinite;
}

// Along some orders, to within half a per cent.
std::optional<LeastLimit> slicedLimit(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    ReducedProblem trial = reduced;
    trial.limitsMemory = true;
    trial.uniform = false;
    std::optional<LeastLimit> best;
    const auto works = [&](const GroupOrder& order, double limit) {
        trial.options.memoryLimits.assign(
            trial.stageCount(), limit < 9e18 ? Bytes(static_cast<std::int64_t>(limit)) : Bytes::max());
        const auto plan = sliceOrder(trial, order, infinite);
        if (!plan)
            return false;
        const double need = fullest(problem, reduced, plan->stages);
        if (need < infinite && (!best || need < best->sufficient.asDouble()))
            best = LeastLimit{{}, Bytes(static_cast<std::int64_t>(need)), plan->stages};
        return true;
    };
    for (const GroupOrder& order : firstOrders(reduced)) {
        // The others only if they do with less.
        double high = best ? best->sufficient.asDouble() * 0.99 : infinite;
        if (!works(order, high) || !best)
            continue;
        high = std::min(high, best->sufficient.asDouble());
        for (double low = 0; high - low > std::max(1.0, high / 200) && !reduced.over();) {
            const double middle = std::floor(low + (high - low) / 2);
            (works(order, middle) ? high : low) = middle;
        }
    }
    return best;
}

// By the first plan that is made of any problem, whatever the time: enough, and seldom near the least.
std::optional<LeastLimit> roughLimit(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    ReducedProblem freed = reduced;
    freed.options.memoryLimits.assign(freed.stageCount(), Bytes::max());
    freed.limitsMemory = false;
    const auto plan =
        sliceRoughly(freed, makeOrder(freed, OrderRule::Program, OrderDirection::Forward), infinite);
    const double need = plan ? fullest(problem, reduced, plan->stages) : infinite;
    if (need == infinite)
        return std::nullopt;
    return LeastLimit{{}, Bytes(static_cast<std::int64_t>(need)), plan->stages};
}

// Brings proven and sufficient limit nearer to each other.
class LimitNarrower
{
public:
    LimitNarrower(const PartitionProblem& problem, const ReducedProblem& reduced, LeastLimit& found)
        : m_problem(problem),
          m_reduced(reduced),
          m_trial(reduced),
          m_most(longestPlan(reduced)),
          m_devices(static_cast<std::int64_t>(scheduleOf(reduced.options).value().deviceCount())),
          m_found(found)
    {
        m_trial.limitsMemory = true;
        m_trial.uniform = false;
        // Of the stages of a device one at least holds all its microbatches at once.
        const std::size_t each = reduced.stageCount() / static_cast<std::size_t>(m_devices);
        const HeldBytes held = heldByAll(reduced);
        m_held = held.always() +
                 Bytes(static_cast<std::int64_t>(held.perMicrobatch().asDouble() *
                                                 static_cast<double>(std::ranges::min(reduced.inFlight)) /
                                                 static_cast<double>(each)));
    }

    void byBounds()
    {
        std::int64_t high = m_found.sufficient.count();
        // Is refuted, also where there is no time to look at more: it is less than a fair share of all.
        std::int64_t low = std::clamp<std::int64_t>((m_held.count() - 1) / m_devices, 0,
                                                    std::max<std::int64_t>(high - 1, 0));
        while (high - low > std::max<std::int64_t>(1, high / 2000) && !m_trial.over()) {
            const std::int64_t middle = low + (high - low) / 2;
            (windowsUnder(Bytes(middle)) ? high : low) = middle;
        }
        m_found.proven = std::min(m_found.sufficient, Bytes(low + 1));
    }

    // Until the search gives up.
    void bySearch()
    {
        for (int step = 0; step < 16 && !m_trial.over(); ++step) {
            const std::int64_t low = m_found.proven.count();
            const std::int64_t high = m_found.sufficient.count();
            if (high - low <= high / 500)
                return;
            const Bytes limit(low + (high - low) / 2);
            const auto windows = windowsUnder(limit);
            const ShouldStop stop = limitedWork(m_trial);
            const SplitAnswer answer =
                windows ? findSplit(m_trial, *windows, m_most,
                                    {.ideals = 20'000, .pairs = 20'000'000, .shouldStop = stop})
                        : SplitAnswer{SplitAnswer::Verdict::Refuted, {}};
            if (answer.verdict == SplitAnswer::Verdict::Refuted) {
                m_found.proven = Bytes(limit.count() + 1);
                continue;
            }
            const double need =
                answer.stages.empty() ? infinite : fullest(m_problem, m_reduced, answer.stages);
            if (need >= m_found.sufficient.asDouble())
                return;
            m_found.sufficient = Bytes(static_cast<std::int64_t>(need));
            m_found.stages = answer.stages;
        }
    }

private:
    // Of the trial, whose limits they are from then on; none: no plan keeps them.
    std::optional<StageWindows> windowsUnder(Bytes limit)
    {
        m_trial.options.memoryLimits.assign(m_trial.stageCount(), limit);
        if (m_held > limit * m_devices || exceedsAllLimits(m_trial))
            return std::nullopt;
        return BoundProver(m_trial).windows(m_most);
    }

    const PartitionProblem& m_problem;
    const ReducedProblem& m_reduced;
    ReducedProblem m_trial;
    double m_most;
    std::int64_t m_devices;
    Bytes m_held; // by all devices together, at the least
    LeastLimit& m_found;
};

} // namespace

std::optional<LeastLimit> leastLimit(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    std::optional<LeastLimit> found = slicedLimit(problem, reduced);
    if (!found && reduced.over())
        found = roughLimit(problem, reduced);
    if (reduced.size() <= mostGroupsToLookAtAll) {
        const double known = found ? found->sufficient.asDouble() : infinite;
        const ExhaustiveAnswer answer =
            searchAllPlans(problem, reduced, PlanGoal::FullestDevice, known, limitedWork(reduced));
        if (answer.stages)
            found = LeastLimit{{}, Bytes(static_cast<std::int64_t>(answer.value)), *answer.stages};
        if (answer.isComplete) {
            if (found)
                found->proven = found->sufficient;
            return found;
        }
    }
    if (found) {
        LimitNarrower narrower(problem, reduced, *found);
        narrower.byBounds();
        narrower.bySearch();
    }
    return found;
}

Feasibility feasibilityOf(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    for (const GroupOrder& order : firstOrders(reduced)) {
        const auto plan = sliceOrder(reduced, order, infinite);
        if (plan && keepsAll(problem, reduced, plan->stages))
            return Feasibility::Possible;
    }
    if (exceedsAllLimits(reduced) || !BoundProver(reduced).windows(longestPlan(reduced)).has_value())
        return Feasibility::Impossible;
    if (reduced.size() > mostGroupsToLookAtAll)
        return Feasibility::Unknown;
    const ExhaustiveAnswer answer =
        searchAllPlans(problem, reduced, PlanGoal::SlowestDevice, infinite, limitedWork(reduced));
    if (answer.stages)
        return Feasibility::Possible;
    return answer.isComplete ? Feasibility::Impossible : Feasibility::Unknown;
}

} // namespace stagecraft
