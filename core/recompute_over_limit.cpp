#include "core/recompute_over_limit.h"

#include "core/advise/infeasible.h"
#include "core/base/text.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

constexpr Seconds momentOfLess(0.5), momentOfProof(0.5);
constexpr Seconds leastOfSearch(0.2);
constexpr double shareOfSearch = 0.15;
constexpr int mostTimes = 4;
// Limits are tried that are each so much of what was held.
constexpr int stepsToLeast = 8;
constexpr double stepToLeast = 0.97;

// Cuts for less and less memory, and what stages hold with them.
Result<void> seekLeast(RecomputeAttempts& attempts, const RecomputedCuts& cuts)
{
    for (int i = 0; i < stepsToLeast && !attempts.best() && !attempts.overOfTraces()(); ++i) {
        const TracedPlan& nearest = *attempts.nearest();
        const std::vector<Bytes> limits(nearest.partition.stageCount, nearest.cost.peakMemory());
        std::vector<Bytes> less = attempts.choice().rooms(limits);
        for (Bytes& room : less)
            room = Bytes(static_cast<std::int64_t>(room.asDouble() * stepToLeast));
        const std::vector<RecomputedCuts::Known> known = knownOf(nearest.cost);
        for (const std::optional<StageSlice>& slice : cuts.slicesOf(nearest.partition))
            if (const auto more = slice ? cuts.more(*slice, known[slice->stage]) : std::nullopt)
                less[slice->stage] -= *more;
        const auto found = cuts.within({less}, {}, attempts.isOver(momentOfLess));
        if (!found || *found == nearest.partition)
            return {};
        STAGECRAFT_TRY(attempts.tryOut(*found));
    }
    return {};
}

// As long as that holds less and less.
Result<void> tryWhatIsRecomputed(RecomputeAttempts& attempts, const QuickSearch& search)
{
    for (int round = 0; round < mostTimes && !attempts.best() && attempts.nearest(); ++round) {
        if (attempts.overOfTraces()())
            break;
        const Bytes before = attempts.nearest()->cost.peakMemory();
        const Result<Solution> found = search(attempts.nearest()->of.problem);
        if (!found.has_value())
            break;
        STAGECRAFT_TRY(attempts.tryOut(found->partition));
        if (attempts.nearest()->cost.peakMemory() >= before)
            break;
    }
    return {};
}

} // namespace

Result<void> tryAnyCuts(RecomputeAttempts& attempts, const RecomputedCuts& cuts, const QuickSearch& search,
                        const Progress& progress)
{
    for (const PartitionProblem* problem : {&attempts.ground().full, &attempts.ground().none}) {
        PartitionProblem asked = *problem;
        asked.options.timeLimit = std::max(leastOfSearch, attempts.left() * shareOfSearch);
        const Result<FoundPlan> found = findPlan(asked, {}, progress);
        if (found.has_value())
            STAGECRAFT_TRY(attempts.tryOut(found->solution.partition));
        else if (found.error().code == ErrorCode::Cancelled)
            return found.error();
        if (attempts.best())
            return {};
    }
    STAGECRAFT_TRY(tryWhatIsRecomputed(attempts, search));
    return attempts.best() || !attempts.nearest() ? Result<void>() : seekLeast(attempts, cuts);
}

Result<RecomputedPlan> nearestPlan(RecomputeAttempts& attempts, const Progress& progress)
{
    STAGECRAFT_ASSIGN(solution, evaluatePlan(withoutMemoryLimits(attempts.ground().none),
                                             attempts.nearest()->partition, progress));
    solution.cost = attempts.nearest()->cost;
    solution.solveTime = attempts.passed();
    return RecomputedPlan{attempts.takeNearest().of, {std::move(solution), {}}};
}

Result<RecomputedPlan> nearestPlanOrWhy(RecomputeAttempts& attempts, RecomputeBounds& bounds,
                                        OverLimit overLimit, const Progress& progress)
{
    PartitionProblem problem = attempts.ground().full;
    problem.options.timeLimit = std::max(Seconds(1), attempts.left());
    const Result<FoundPlan> found = findPlan(problem, {.overLimit = OverLimit::Refused}, progress);
    if (!attempts.nearest())
        return found.has_value() ? Error{ErrorCode::Infeasible, "no plan was found that keeps the memory "
                                                                "limits, whatever is recomputed"}
                                 : found.error();
    const bool isSure = !bounds.mayFit(attempts.isOver(momentOfProof));
    std::string why = std::string("whatever is recomputed, ") +
                      (isSure ? "it is proven that no plan keeps the memory limits"
                              : "no plan was found that keeps the memory limits") +
                      "; one was found that holds at most " +
                      formatBytes(attempts.nearest()->cost.peakMemory()) + " on a device";
    if (!found.has_value()) {
        std::string ofBlocks = found.error().message;
        if (isSure && ofBlocks.ends_with(timeWasOver))
            ofBlocks.resize(ofBlocks.size() - timeWasOver.size());
        why += "; even where every block is recomputed, " + ofBlocks;
    }
    if (overLimit == OverLimit::Refused)
        return Error{ErrorCode::Infeasible, why};
    STAGECRAFT_ASSIGN(plan, nearestPlan(attempts, progress));
    plan.found.whyOverLimit = why;
    return plan;
}

} // namespace stagecraft
