#include "core/partition/least_limit.h"

#include "core/partition/bounds.h"
#include "core/partition/evaluate.h"
#include "core/partition/exhaustive.h"
#include "core/partition/infeasible.h"
#include "core/partition/order_dp.h"
#include "core/partition/orders.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

// No plan takes as long at its slowest stage.
double longestPlan(const ReducedProblem& reduced)
{
    double most = reduced.totalTime / std::ranges::min(reduced.options.speeds);
    for (const ReducedValue& value : reduced.values) {
        for (std::size_t boundary = 0; boundary + 1 < reduced.stageCount(); ++boundary)
            most += 2 * reduced.transfer(value.size, boundary);
    }
    return 2 * most + 1;
}

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

// A look at all plans ends after about a third of a second.
ShouldStop limitedWork()
{
    return [left = std::int64_t{300'000'000}](std::uint64_t work) mutable {
        left -= static_cast<std::int64_t>(work);
        return left <= 0;
    };
}

constexpr std::size_t mostGroupsToLookAtAll = 300;

double fullest(const PartitionProblem& problem, const ReducedProblem& reduced, const GroupStages& stages)
{
    const Partition plan = expand(reduced, stages);
    return checkPartition(problem, plan).has_value()
               ? wholeValue(WholeGoal::FullestDevice, evaluate(problem, plan))
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
        for (double low = 0; high - low > std::max(1.0, high / 200);) {
            const double middle = std::floor(low + (high - low) / 2);
            (works(order, middle) ? high : low) = middle;
        }
    }
    return best;
}

// The largest limit that a bound refutes, and one byte more.
Bytes refutedLimit(const ReducedProblem& reduced, Bytes sufficient)
{
    ReducedProblem trial = reduced;
    trial.limitsMemory = true;
    trial.uniform = false;
    const double most = longestPlan(reduced);
    // Where a device has several stages they hold at least their state together.
    Bytes state;
    for (const ReducedGroup& group : reduced.groups)
        state += Bytes(group.state);
    for (const ReducedShared& shared : reduced.shared)
        state += Bytes(shared.bytes);
    const auto devices = static_cast<std::int64_t>(scheduleOf(reduced.options).value().deviceCount());
    const auto isRefuted = [&](std::int64_t limit) {
        if (state > Bytes(limit) * devices)
            return true;
        trial.options.memoryLimits.assign(trial.stageCount(), Bytes(limit));
        return exceedsAllLimits(trial) || !BoundProver(trial).windows(most).has_value();
    };
    std::int64_t low = 0; // is refuted
    std::int64_t high = sufficient.count();
    while (high - low > std::max<std::int64_t>(1, high / 2000)) {
        const std::int64_t middle = low + (high - low) / 2;
        (isRefuted(middle) ? low : high) = middle;
    }
    return Bytes(low + 1);
}

} // namespace

std::optional<LeastLimit> leastLimit(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    std::optional<LeastLimit> found = slicedLimit(problem, reduced);
    if (reduced.size() <= mostGroupsToLookAtAll) {
        const double known = found ? found->sufficient.asDouble() : infinite;
        const ExhaustiveAnswer answer =
            searchAllPlans(problem, reduced, WholeGoal::FullestDevice, known, limitedWork());
        if (answer.stages)
            found = LeastLimit{{}, Bytes(static_cast<std::int64_t>(answer.value)), *answer.stages};
        if (answer.isComplete) {
            if (found)
                found->proven = found->sufficient;
            return found;
        }
    }
    if (found)
        found->proven = std::min(found->sufficient, refutedLimit(reduced, found->sufficient));
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
        searchAllPlans(problem, reduced, WholeGoal::SlowestDevice, infinite, limitedWork());
    if (answer.stages)
        return Feasibility::Possible;
    return answer.isComplete ? Feasibility::Impossible : Feasibility::Unknown;
}

} // namespace stagecraft
