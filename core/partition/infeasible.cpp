#include "core/partition/infeasible.h"

#include "core/partition/order_dp.h"
#include "core/partition/orders.h"
#include "core/partition/stage_labels.h"

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

Bytes largestLimit(const ReducedProblem& reduced)
{
    return std::ranges::max(reduced.options.memoryLimits);
}

// The part that alone is too large for every stage.
std::optional<std::string> tooLargeAlone(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    const ReducedGroup* largest = nullptr;
    Bytes need;
    for (const ReducedGroup& group : reduced.groups) {
        Bytes alone = Bytes(group.state) + Bytes(group.saved) + Bytes(group.transient);
        for (const std::uint32_t shared : group.shared)
            alone += Bytes(reduced.shared[shared].bytes);
        if (largest == nullptr || alone > need) {
            largest = &group;
            need = alone;
        }
    }
    if (largest == nullptr || need <= largestLimit(reduced))
        return std::nullopt;
    const std::string others =
        largest->nodes.size() > 1
            ? " and the " + std::to_string(largest->nodes.size() - 1) + " that stay with it"
            : "";
    return "'" + problem.nodes[largest->nodes.front()].name + "'" + others + " alone needs " +
           formatBytes(need) + ", more than the limit of " + formatBytes(largestLimit(reduced)) +
           "; no number of stages helps";
}

std::optional<std::size_t> stagesThatWouldDo(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    if (!problem.options.pins.empty())
        return std::nullopt;
    for (const double factor : {1.25, 1.5, 2.0, 3.0, 4.0}) {
        const auto stages = static_cast<std::size_t>(static_cast<double>(reduced.stageCount()) * factor + 1);
        const PartitionProblem wider = withStageCount(problem, stages);
        if (!checkProblem(wider).has_value())
            continue;
        const auto trial = reduceProblem(wider);
        if (trial.has_value() &&
            sliceOrder(*trial, makeOrder(*trial, OrderRule::Program, OrderDirection::Forward),
                       std::numeric_limits<double>::infinity()))
            return stages;
    }
    return std::nullopt;
}

} // namespace

Error explainInfeasible(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    const std::string stages =
        std::to_string(reduced.stageCount()) + (reduced.stageCount() == 1 ? " stage" : " stages");
    if (!reduced.limitsMemory)
        return {ErrorCode::Infeasible, "no plan in " + stages + " keeps all pins and groups"};
    if (const auto alone = tooLargeAlone(problem, reduced))
        return {ErrorCode::Infeasible, *alone};
    const GroupOrder order = makeOrder(reduced, OrderRule::Program, OrderDirection::Forward);
    const Bytes least(leastMemoryLimit(reduced, order));
    ReducedProblem relaxed = reduced;
    relaxed.options.memoryLimits.assign(relaxed.stageCount(), least);
    std::string fullest;
    if (const auto plan = sliceOrder(relaxed, order, std::numeric_limits<double>::infinity())) {
        const auto figures = stageFigures(reduced, plan->stages);
        for (std::size_t stage = 0; stage < figures.size() && fullest.empty(); ++stage) {
            if (!reduced.fits(stage, figures[stage]))
                fullest = "; " + stageLabel(StageId(stage)) + " would not fit";
        }
    }
    std::string message = "no plan in " + stages + " fits a limit of " + formatBytes(largestLimit(reduced)) +
                          fullest + ". A limit of " + formatBytes(least) + " would do";
    if (const auto more = stagesThatWouldDo(problem, reduced))
        message += ", or " + std::to_string(*more) + " stages";
    return {ErrorCode::Infeasible, message};
}

} // namespace stagecraft
