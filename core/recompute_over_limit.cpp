#include "core/recompute_over_limit.h"

#include "core/advise/infeasible.h"
#include "core/base/text.h"
#include "core/plan/evaluate.h"
#include "core/search/search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

constexpr Seconds momentOfLess(0.5), momentOfProof(0.5);
constexpr double shareOfLess = 0.25; // of the time limit, where that is more than the moment
constexpr Seconds leastOfSearch(0.2);
constexpr double shareOfSearch = 0.15;
constexpr int mostTimes = 4;
// Limits are tried that are each so much of what was held.
constexpr int stepsToLeast = 8;
constexpr double stepToLeast = 0.97;
constexpr std::string_view ofAll = "whatever is recomputed, ";
constexpr std::string_view noneKeeps = "it is proven that no plan keeps the memory limits";
constexpr std::string_view ofEveryBlock = "; even where every block is recomputed, ";
constexpr int mostHalvings = 6;
constexpr double nearlyLeast = 1.01;

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

// All limits times that.
std::vector<Bytes> scaled(std::vector<Bytes> limits, double share)
{
    for (Bytes& limit : limits)
        limit = limit == Bytes::max() ? limit : Bytes(static_cast<std::int64_t>(limit.asDouble() * share));
    return limits;
}

// Limits that the nearest plan keeps, as a share of those that are asked for.
double shareOfNearest(const RecomputeAttempts& attempts)
{
    double share = 1;
    for (const StageCost& stage : attempts.nearest()->cost.stages)
        if (stage.memoryLimit > Bytes{})
            share = std::max(share, stage.peakMemory.asDouble() / stage.memoryLimit.asDouble());
    return share;
}

// The highest limits that no plan keeps for certain, as a share of those that are asked for; 0: these are not
// known to be so.
double refutedShare(const RecomputeAttempts& attempts, RecomputeBounds& bounds)
{
    const IsOver isOver = attempts.isOver(momentOfProof);
    const std::vector<Bytes>& limits = attempts.ground().none.options.memoryLimits;
    if (bounds.mayFit(limits, isOver))
        return 0;
    double low = 1, high = shareOfNearest(attempts);
    while (high > low * nearlyLeast && !isOver()) {
        const double middle = std::sqrt(low * high);
        (bounds.mayFit(scaled(limits, middle), isOver) ? high : low) = middle;
    }
    return low;
}

std::string refutedText(const std::vector<Bytes>& limits, double share)
{
    const bool areEqual = std::ranges::all_of(limits, [&](Bytes limit) { return limit == limits.front(); });
    return areEqual ? "; no limit below " + formatBytes(scaled(limits, share).front()) + " does"
                    : formatted("; nor does any keep %.2f times these limits", share);
}

std::string withoutAskingForTime(std::string why)
{
    if (why.ends_with(timeWasOver))
        why.resize(why.size() - timeWasOver.size());
    return why;
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

Result<void> tryLessOfEveryBlock(RecomputeAttempts& attempts, const Progress& progress)
{
    if (attempts.best() || !attempts.nearest())
        return {};
    PartitionProblem problem = attempts.ground().full;
    const Seconds end = attempts.elapsed() + std::max(momentOfLess, problem.options.timeLimit * shareOfLess);
    const std::vector<Bytes> limits = problem.options.memoryLimits;
    problem.options.timeLimit = leastOfSearch / 2;
    double low = 1, high = shareOfNearest(attempts);
    for (int i = 0;
         i < mostHalvings && !attempts.best() && high > low * nearlyLeast && !attempts.overAt(end)(); ++i) {
        const double middle = std::sqrt(low * high);
        problem.options.memoryLimits = scaled(limits, middle);
        const Result<Solution> found = solve(problem, progress);
        if (!found.has_value() && found.error().code == ErrorCode::Cancelled)
            return found.error();
        if (found.has_value())
            STAGECRAFT_TRY(attempts.tryOut(found->partition, RecomputeAttempts::Trial::InAnyCase));
        (found.has_value() ? high : low) = middle;
        high = std::min(high, shareOfNearest(attempts));
    }
    return {};
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
    const double refuted = refutedShare(attempts, bounds);
    const bool isSure = refuted > 0;
    std::string why = std::string(ofAll);
    why += isSure ? noneKeeps : "no plan was found that keeps the memory limits";
    why += "; one was found that holds at most " + formatBytes(attempts.nearest()->cost.peakMemory()) +
           " on a device";
    if (refuted > nearlyLeast)
        why += refutedText(attempts.ground().none.options.memoryLimits, refuted);
    if (!found.has_value())
        why += std::string(ofEveryBlock) +
               (isSure ? withoutAskingForTime(found.error().message) : found.error().message);
    if (overLimit == OverLimit::Refused)
        return Error{ErrorCode::Infeasible, why};
    STAGECRAFT_ASSIGN(plan, nearestPlan(attempts, progress));
    plan.found.whyOverLimit = why;
    return plan;
}

std::string withWhyOfAuto(std::string why, std::string_view ofAuto)
{
    if (!ofAuto.starts_with(ofAll))
        return why;
    const std::string_view ofAny = ofAuto.substr(0, ofAuto.find(ofEveryBlock));
    if (ofAny.find(noneKeeps) != std::string_view::npos)
        why = withoutAskingForTime(std::move(why));
    return why.append("; ").append(ofAny);
}

} // namespace stagecraft
