#include "core/recompute_stages.h"

#include "core/plan/evaluate.h"
#include "core/recompute/policies.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int correctionsOfStages = 4;
constexpr int roundsOfStages = 3;

// Chooses for the stages of partitions.
class StageChooser
{
public:
    StageChooser(const RecomputeChooser& chooser, std::shared_ptr<const Model> model,
                 PartitionOptions options, const Profiler& profiler, const Progress& progress)
        : m_chooser(chooser),
          m_model(std::move(model)),
          m_options(std::move(options)),
          m_profiler(profiler),
          m_progress(progress)
    {
    }

    Result<RecomputedPlan> choose(const Partition& partition)
    {
        const PartitionProblem& none = m_chooser.ground().none;
        STAGECRAFT_TRY(checkPartition(none, partition));
        const std::vector<Bytes> limits = roomsOf(none.options);
        const RecomputePlan told = toldRegions(partition);
        std::vector<Bytes> rooms = limits;
        std::optional<RecomputedPlan> best;
        for (int i = 0; i < correctionsOfStages && !m_progress.stopRequested(); ++i) {
            const auto chosen = m_chooser.choose(partition, rooms);
            if (!chosen)
                break;
            STAGECRAFT_ASSIGN(planned, planWith(together(chosen->plan, told, partition), partition));
            const PlanCost& cost = planned.found.solution.cost;
            const bool changed = correct(*chosen, cost, limits, rooms);
            if (chooseFit(cost, limits) && (!best || isBetter(cost, best->found.solution.cost)))
                best = std::move(planned);
            if (!changed)
                break;
        }
        if (best)
            return *std::move(best);
        STAGECRAFT_ASSIGN(every, planWith(everyBlock(partition), partition));
        every.of.notes.emplace_back(
            "not every stage that recomputes as memory demands (auto) fits, though these "
            "recompute every block");
        return every;
    }

private:
    bool chooses(std::size_t stage) const
    {
        return policyOf(m_options.recompute, stage).kind == RecomputeKind::Auto;
    }

    // What stages may hold that choose; the others do as they are told.
    std::vector<Bytes> roomsOf(const PartitionOptions& options) const
    {
        std::vector<Bytes> rooms = options.memoryLimits;
        for (std::size_t stage = 0; stage < rooms.size(); ++stage)
            rooms[stage] =
                !chooses(stage) || rooms[stage] == Bytes::max()
                    ? Bytes::max()
                    : Bytes(rooms[stage].count() / static_cast<std::int64_t>(options.stagesEach()));
        return rooms;
    }

    // Of stages that choose none; the regions of the others.
    RecomputePlan toldRegions(const Partition& partition) const
    {
        RecomputePolicy policy = m_options.recompute;
        for (std::size_t stage = 0; stage < partition.stageCount; ++stage)
            if (chooses(stage))
                policy = withStages(std::move(policy), {stage, stage, RecomputeKind::None});
        return planOf(policy, partition);
    }

    RecomputePlan everyBlock(const Partition& partition) const
    {
        RecomputePolicy policy = m_options.recompute;
        policy.regions = {};
        return planOf(policy, partition);
    }

    RecomputePlan planOf(const RecomputePolicy& policy, const Partition& partition) const
    {
        OperatorSchemas schemas;
        return policyPlan(*m_model, policy, schemas, nodeStages(partition).get()).plan;
    }

    RecomputePlan together(const RecomputePlan& chosen, const RecomputePlan& told,
                           const Partition& partition) const
    {
        RecomputePlan all = told;
        const auto stageOf = [&](const RecomputeRegion& region) {
            return partition.stageOf[region.nodes.front()].index();
        };
        for (const RecomputeRegion& region : chosen.regions)
            if (chooses(stageOf(region)))
                all.regions.push_back(region);
        std::ranges::sort(all.regions, {}, [&](const RecomputeRegion& region) {
            return std::pair(stageOf(region), region.nodes.front());
        });
        return all;
    }

    Result<RecomputedPlan> planWith(RecomputePlan regions, const Partition& partition) const
    {
        PartitionOptions options = m_options;
        options.recompute = {.kind = RecomputeKind::Plan, .regions = std::move(regions)};
        STAGECRAFT_ASSIGN(posed,
                          recomputedProblem(m_model, std::move(options), m_profiler, &partition, m_progress));
        STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, partition, m_progress));
        RecomputedPlan planned{std::move(posed), {std::move(solution), {}}};
        RecomputePolicy& made = planned.of.problem.options.recompute;
        made.kind = m_options.recompute.kind;
        made.every = m_options.recompute.every;
        made.operators = m_options.recompute.operators;
        made.ofStages = m_options.recompute.ofStages;
        return planned;
    }

    // What a stage holds more than estimated, it has less room for, and the other way round.
    static bool correct(const RecomputeChooser::Choice& chosen, const PlanCost& cost,
                        const std::vector<Bytes>& limits, std::vector<Bytes>& rooms)
    {
        bool changed = false;
        for (std::size_t stage = 0; stage < rooms.size(); ++stage) {
            if (limits[stage] == Bytes::max())
                continue;
            const Bytes holds = cost.stages[StageId(stage)].peakMemory;
            const Bytes room = limits[stage] - (holds - chosen.memory[stage]);
            changed = changed || (room != rooms[stage] && (holds > limits[stage] || room > rooms[stage]));
            rooms[stage] = room;
        }
        return changed;
    }

    static bool chooseFit(const PlanCost& cost, const std::vector<Bytes>& limits)
    {
        for (std::size_t stage = 0; stage < limits.size(); ++stage)
            if (cost.stages[StageId(stage)].peakMemory > limits[stage])
                return false;
        return true;
    }

    const RecomputeChooser& m_chooser;
    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    const Progress& m_progress;
};

Result<RecomputedPlan> planOfCuts(const RecomputeChooser* chooser, const std::shared_ptr<const Model>& model,
                                  PartitionOptions options, const Partition& partition,
                                  const Profiler& profiler, const Progress& progress)
{
    if (options.recompute.kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    if (chooser)
        return chooseForStages(*chooser, model, std::move(options), partition, profiler, progress);
    STAGECRAFT_ASSIGN(posed, recomputedProblem(model, std::move(options), profiler, &partition, progress));
    STAGECRAFT_ASSIGN(solution, evaluatePlan(posed.problem, partition, progress));
    return RecomputedPlan{std::move(posed), {std::move(solution), {}}};
}

} // namespace

// To recompute takes time, and what is limited is memory.
Result<void> takeBoundOfAll(const std::shared_ptr<const Model>& model, PartitionOptions options,
                            const Profiler& profiler, Solution& solution, const Progress& progress)
{
    options.recompute = {.kind = RecomputeKind::None};
    STAGECRAFT_ASSIGN(none, recomputedProblem(model, std::move(options), profiler, nullptr, progress));
    const PartitionProblem free = withoutMemoryLimits(none.problem);
    STAGECRAFT_ASSIGN(bound, planBound(free, solution.cost, progress));
    solution.bound = std::move(bound);
    solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
    solution.iterationBound = quickStepBound(free, solution.bound);
    return {};
}

Result<RecomputedPlan> findPlanOfStages(const Solution& first, const RecomputeChooser* chooser,
                                        const std::shared_ptr<const Model>& model, PartitionOptions options,
                                        const Profiler& profiler, OverLimit overLimit,
                                        const Progress& progress)
{
    Partition partition = first.partition;
    Seconds solveTime = first.solveTime;
    std::optional<RecomputedPlan> best;
    for (int round = 0; round < roundsOfStages; ++round) {
        STAGECRAFT_ASSIGN(planned, planOfCuts(chooser, model, options, partition, profiler, progress));
        PartitionProblem problem = planned.of.problem;
        if (!best || isBetter(planned.found.solution.cost, best->found.solution.cost))
            best = std::move(planned);
        problem.options.timeLimit = options.timeLimit / roundsOfStages;
        Result<FoundPlan> next = findPlan(problem, {.current = &partition}, progress);
        if (!next.has_value() || next->solution.partition == partition)
            break;
        solveTime += next->solution.solveTime;
        partition = std::move(next->solution.partition);
    }
    Solution& solution = best->found.solution;
    const std::string why = "no plan was found that keeps the memory limits with what each stage is to "
                            "recompute (" +
                            printPolicy(options.recompute) + ")";
    if (!solution.cost.fits() && overLimit == OverLimit::Refused)
        return Error{ErrorCode::Infeasible, why};
    if (!solution.cost.fits())
        best->found.whyOverLimit = why;
    STAGECRAFT_TRY(takeBoundOfAll(model, std::move(options), profiler, solution, progress));
    solution.solveTime = solveTime;
    return *std::move(best);
}

Result<RecomputedPlan> chooseForStages(const RecomputeChooser& chooser,
                                       const std::shared_ptr<const Model>& model, PartitionOptions options,
                                       const Partition& partition, const Profiler& profiler,
                                       const Progress& progress)
{
    return StageChooser(chooser, model, std::move(options), profiler, progress).choose(partition);
}

} // namespace stagecraft
