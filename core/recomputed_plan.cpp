#include "core/recomputed_plan.h"

#include "core/base/text.h"
#include "core/bound_of_all.h"
#include "core/plan/evaluate.h"
#include "core/recompute_over_limit.h"
#include "core/recompute_search.h"
#include "core/recompute_stages.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace stagecraft {

namespace {

// How often a plan is searched for anew with the regions as its boundaries part them.
constexpr int roundsOfBoth = 3;
// Of the time that there is, for a plan in which no stage does otherwise.
constexpr double shareOfAllStages = 0.4;
constexpr std::chrono::seconds mostOfBound(3); // of a plan that is there

// The plan with regions as its boundaries part them, searched for anew with these until it stays: else the
// best on the way.
Result<RecomputedPlan> asParted(const std::shared_ptr<const Model>& model, const PartitionOptions& options,
                                FoundPlan found, const Profiler& profiler, OverLimit overLimit,
                                const Progress& progress)
{
    Partition partition = std::move(found.solution.partition);
    Seconds solveTime = found.solution.solveTime;
    std::optional<RecomputedPlan> best;
    for (int round = 0; round < roundsOfBoth; ++round) {
        STAGECRAFT_ASSIGN(parted, recomputedProblem(model, options, profiler, &partition, progress));
        STAGECRAFT_ASSIGN(evaluated, evaluatePlan(parted.problem, partition, progress));
        Result<FoundPlan> next =
            findPlan(parted.problem, {.current = &partition, .overLimit = overLimit}, progress);
        const bool stays = !next.has_value() || next->solution.partition == partition;
        if (next.has_value())
            solveTime += next->solution.solveTime;
        if (next.has_value() && stays)
            evaluated = next->solution;
        if (!best || isBetter(evaluated.cost, best->found.solution.cost))
            best = RecomputedPlan{std::move(parted), {std::move(evaluated), found.whyOverLimit}};
        if (stays)
            break;
        partition = std::move(next->solution.partition);
    }
    std::string& why = best->found.whyOverLimit;
    if (best->found.solution.cost.fits())
        why.clear();
    else if (why.empty())
        why = "no plan was found that keeps the memory limits with regions as its boundaries part them";
    if (overLimit == OverLimit::Refused && !why.empty())
        return Error{ErrorCode::Infeasible, why};
    best->found.solution.solveTime = solveTime;
    return *std::move(best);
}

// A plan that parts no regions, with the figures that it has where it is opened: its stages run one after the
// other, which is not always the order of the model.
Result<RecomputedPlan> asItsStagesRun(const std::shared_ptr<const Model>& model,
                                      const PartitionOptions& options, FoundPlan found,
                                      const Profiler& profiler, const Progress& progress)
{
    Solution& solution = found.solution;
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, options, profiler, &solution.partition, progress));
    solution.cost = evaluate(posed.problem, solution.partition);
    solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
    solution.iterationBound = std::min(solution.iterationBound, solution.cost.iteration);
    return RecomputedPlan{std::move(posed), std::move(found)};
}

// What all stages do first, then single ones.
Result<RecomputedPlan> foundOfStages(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                     const Profiler& profiler, OverLimit overLimit, const Progress& progress)
{
    STAGECRAFT_TRY(checkOptions(options)); // of stages that there are
    PartitionOptions ofAll = options;
    ofAll.recompute.ofStages.clear();
    ofAll.timeLimit = options.timeLimit * shareOfAllStages;
    options.timeLimit = options.timeLimit * (1 - shareOfAllStages);
    STAGECRAFT_ASSIGN(first, findRecomputedPlan(model, ofAll, profiler, OverLimit::Taken, progress));
    std::optional<RecomputeChooser> chooser;
    if (choosesAny(options.recompute)) {
        STAGECRAFT_ASSIGN(made, recomputeChooser(model, options, profiler, progress));
        chooser = std::move(made);
    }
    STAGECRAFT_ASSIGN(plan, findPlanOfStages(first.found.solution, chooser ? &*chooser : nullptr, model,
                                             options, profiler, overLimit, progress));
    STAGECRAFT_TRY(takeBoundOfAll(chooser ? &chooser->ground() : nullptr, model, std::move(options), profiler,
                                  plan.found.solution, progress));
    return plan;
}

// With the regions that there are, or those that its stages are told and choose.
Result<RecomputedPlan> evaluatedAsTold(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                       Partition partition, const Profiler& profiler,
                                       const Progress& progress)
{
    if (choosesAny(options.recompute) && options.recompute.regions.regions.empty()) {
        STAGECRAFT_ASSIGN(chooser, recomputeChooser(model, options, profiler, progress));
        return chooseForStages(chooser, model, std::move(options), partition, profiler, progress);
    }
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, std::move(options), profiler, &partition, progress));
    STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, std::move(partition), progress));
    return RecomputedPlan{std::move(posed), {std::move(solution), {}}};
}

void takeBound(const PartitionProblem& none, Bound bound, Solution& solution)
{
    solution.bound = std::move(bound);
    solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
    solution.iterationBound = quickStepBound(withoutMemoryLimits(none), solution.bound);
}

} // namespace

Result<void> takeBoundOfAll(const RecomputeGround* ground, const std::shared_ptr<const Model>& model,
                            PartitionOptions options, const Profiler& profiler, Solution& solution,
                            const Progress& progress)
{
    const Progress inTime = progress.until(std::chrono::steady_clock::now() + mostOfBound);
    std::optional<RecomputeChooser> made;
    if (!ground && options.limitsMemory() && solution.cost.fits() && !options.sharesDevices()) {
        STAGECRAFT_ASSIGN(chooser, recomputeChooser(model, options, profiler, progress));
        ground = &made.emplace(std::move(chooser)).ground();
    }
    if (ground) {
        STAGECRAFT_ASSIGN(bound, boundOfAll(*ground, solution.cost, inTime));
        takeBound(ground->none, std::move(bound), solution);
        return {};
    }
    options.recompute = {.kind = RecomputeKind::None};
    STAGECRAFT_ASSIGN(none, recomputedProblem(model, std::move(options), profiler, nullptr, progress));
    STAGECRAFT_ASSIGN(bound, planBound(withoutMemoryLimits(none.problem), solution.cost, progress));
    takeBound(none.problem, std::move(bound), solution);
    return {};
}

bool partsRegions(const Graph& graph, const RecomputePolicy& policy, const Partition& partition)
{
    const auto sorted = [&](const NodeStages* stages) {
        std::vector<RecomputeRegion> regions = regionsThatRun(graph, policy, stages).regions;
        std::ranges::sort(regions, {}, [](const RecomputeRegion& region) { return region.nodes.front(); });
        return regions;
    };
    const std::vector<RecomputeRegion> whole = sorted(nullptr);
    const auto isParted = [&](const RecomputeRegion& region) {
        return std::ranges::any_of(region.nodes, [&](NodeId node) {
            return partition.stageOf[node] != partition.stageOf[region.nodes.front()];
        });
    };
    return std::ranges::any_of(whole, isParted) || sorted(nodeStages(partition).get()) != whole;
}

Result<RecomputedPlan> findPlanAsTold(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                      const Profiler& profiler, OverLimit overLimit, const Progress& progress)
{
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, options, profiler, nullptr, progress));
    STAGECRAFT_ASSIGN(found, findPlan(posed.problem, {.overLimit = overLimit}, progress));
    const Partition& partition = found.solution.partition;
    if (partition.stageCount == 1 || ownPlan(posed.model->graph).regions.empty())
        return RecomputedPlan{std::move(posed), std::move(found)};
    if (!partsRegions(model->graph, posed.problem.options.recompute, partition)) {
        STAGECRAFT_ASSIGN(plan, asItsStagesRun(model, options, found, profiler, progress));
        if (plan.found.solution.cost.fits() || !found.whyOverLimit.empty())
            return plan;
    }
    return asParted(model, options, std::move(found), profiler, overLimit, progress);
}

namespace {

constexpr Seconds timeOfAdvice(3);
constexpr Seconds leastOfAdvice(0.1);

// Why there is no plan as told, and what one would take that recomputes as memory demands, found within the
// time limit of the options: "; recomputed as memory demands (auto) one fits: ...", or that there is none.
std::string withAutoAdvice(std::string why, const std::shared_ptr<const Model>& model,
                           PartitionOptions options, const Profiler& profiler, const Progress& progress)
{
    if (progress.stopRequested())
        return why;
    if (options.timeLimit < leastOfAdvice)
        return why +
               "; there was no time to look for one that recomputes as memory demands (--recompute auto)";
    options.recompute = {.kind = RecomputeKind::Auto};
    options.timeLimit = std::min(options.timeLimit, timeOfAdvice);
    const Result<RecomputedPlan> plan =
        findAutoPlan(model, std::move(options), profiler, OverLimit::Refused, progress);
    if (!plan.has_value())
        return plan.error().code == ErrorCode::Infeasible
                   ? withWhyOfAuto(std::move(why), plan.error().message)
                   : why;
    if (plan->of.problem.options.recompute.regions.regions.empty())
        return why;
    const PlanCost& cost = plan->found.solution.cost;
    Seconds compute, again;
    for (const StageCost& stage : cost.stages) {
        compute += stage.compute();
        again += stage.recomputed;
    }
    return why +
           formatted("; recomputed as memory demands (auto) a plan fits: slowest %s, a step %s, at most "
                     "%s on a device, %.1f%% of all computing run again",
                     formatSeconds(cost.bottleneckTime).c_str(), formatSeconds(cost.iteration).c_str(),
                     formatBytes(cost.peakMemory()).c_str(), 100 * (again / compute));
}

} // namespace

Result<RecomputedPlan> findRecomputedPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, OverLimit overLimit,
                                          const Progress& progress)
{
    if (!options.recompute.ofStages.empty())
        return foundOfStages(model, std::move(options), profiler, overLimit, progress);
    if (options.recompute.kind == RecomputeKind::Auto)
        return findAutoPlan(model, std::move(options), profiler, overLimit, progress);
    const auto begin = std::chrono::steady_clock::now();
    Result<RecomputedPlan> plan = findPlanAsTold(model, options, profiler, overLimit, progress);
    options.timeLimit -=
        Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (!plan.has_value() && plan.error().code == ErrorCode::Infeasible)
        return Error{ErrorCode::Infeasible,
                     withAutoAdvice(plan.error().message, model, options, profiler, progress)};
    if (plan.has_value() && !plan->found.whyOverLimit.empty())
        plan->found.whyOverLimit =
            withAutoAdvice(std::move(plan->found.whyOverLimit), model, options, profiler, progress);
    return plan;
}

Result<RecomputedPlan> evaluateRecomputedPlan(const std::shared_ptr<const Model>& model,
                                              PartitionOptions options, Partition partition,
                                              const Profiler& profiler, const Progress& progress)
{
    const RecomputePolicy& policy = options.recompute;
    const bool isChosen = choosesAny(policy) && policy.regions.regions.empty();
    if (isChosen && policy.ofStages.empty())
        return chooseForPlan(model, std::move(options), std::move(partition), profiler, progress);
    // Others could be chosen, or told to other stages.
    const bool isOfTheseRegions = !choosesAny(policy) && policy.ofStages.empty();
    const PartitionOptions asked = options;
    STAGECRAFT_ASSIGN(evaluated,
                      evaluatedAsTold(model, std::move(options), std::move(partition), profiler, progress));
    if (!isOfTheseRegions)
        STAGECRAFT_TRY(takeBoundOfAll(nullptr, model, asked, profiler, evaluated.found.solution, progress));
    return evaluated;
}

} // namespace stagecraft
