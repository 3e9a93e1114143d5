#include "cli/improved_plan.h"

#include "core/base/work_budget.h"
#include "core/plan/evaluate.h"
#include "core/search/bound/step_bound.h"

#include <memory>
#include <utility>

namespace stagecraft::cli {

namespace {

// Of the time that there is, for other cuts with what is recomputed as it is; the rest is for both together.
constexpr double shareOfCuts = 0.3;

bool isEmpty(const KeptParts& kept)
{
    return kept.nodes.empty() && kept.boundaries.empty() && kept.stages.empty();
}

void takeIfBetter(ChosenPlan other, ChosenPlan& chosen)
{
    if (isBetter(other.solution.cost, chosen.solution.cost))
        chosen = std::move(other);
}

// Other cuts for the regions that there are, and the regions chosen anew for these.
Result<void> cutAnew(const Model& model, const KeptParts& kept, ChosenPlan& chosen, const Progress& progress)
{
    PartitionProblem question = chosen.problem;
    if (choosesAny(question.options.recompute)) {
        question.options.timeLimit = question.options.timeLimit * shareOfCuts;
        if (!chosen.solution.cost.fits()) // with these regions; others may for other cuts
            question = withoutMemoryLimits(question);
    }
    STAGECRAFT_ASSIGN(solution, resolveAround(question, chosen.solution.partition, kept, progress));
    if (solution.partition == chosen.solution.partition || !choosesAny(question.options.recompute))
        solution = withStepBound(question, std::move(solution), overOf(progress, Seconds(0.2)));
    const bool isSame = solution.partition == chosen.solution.partition;
    ChosenPlan other = chosen;
    STAGECRAFT_TRY(takePartition(model, std::move(solution), other, progress));
    if (isSame)
        chosen = std::move(other); // with the bound of the search
    else
        takeIfBetter(std::move(other), chosen);
    return {};
}

// What keeps parts as they are is not searched for together with what is recomputed: the cuts are those that
// are best with every block recomputed, which holds little.
Result<void> cutForEveryBlock(const Model& model, const KeptParts& kept, ChosenPlan& chosen,
                              const Progress& progress)
{
    PartitionOptions options = chosen.problem.options;
    options.recompute = {.kind = RecomputeKind::Full};
    options.timeLimit = options.timeLimit * (1 - shareOfCuts);
    const std::shared_ptr<const Model> whole(std::shared_ptr<void>(), &model);
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(posed, recomputedProblem(whole, std::move(options), profiler, nullptr, progress));
    Result<Solution> solution = resolveAround(posed.problem, chosen.solution.partition, kept, progress);
    if (!solution.has_value())
        return solution.error().code == ErrorCode::Infeasible ? Result<void>() : solution.error();
    ChosenPlan other = chosen;
    STAGECRAFT_TRY(takePartition(model, *std::move(solution), other, progress));
    takeIfBetter(std::move(other), chosen);
    return {};
}

} // namespace

Result<void> improvePlan(const Model& model, const KeptParts& kept, ChosenPlan& chosen,
                         const Progress& progress)
{
    const PartitionOptions asked = chosen.problem.options;
    const bool isChosen = choosesAny(asked.recompute);
    STAGECRAFT_TRY(cutAnew(model, kept, chosen, progress));
    if (isChosen && !isEmpty(kept) && !chosen.solution.cost.fits())
        STAGECRAFT_TRY(cutForEveryBlock(model, kept, chosen, progress));
    if (isChosen && isEmpty(kept)) {
        ChosenPlan other = chosen;
        STAGECRAFT_TRY(searchAnew(model, asked, 1 - shareOfCuts, other, progress));
        takeIfBetter(std::move(other), chosen);
    }
    if (isChosen && !chosen.limitIsOfDevice && !chosen.solution.cost.fits())
        return Error{ErrorCode::Infeasible,
                     "no better plan was found that keeps the memory limits, whatever is recomputed; the one "
                     "that there is holds at most " +
                         formatBytes(chosen.solution.cost.peakMemory()) + " on a device"};
    return {};
}

} // namespace stagecraft::cli
