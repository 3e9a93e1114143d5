#include "core/recompute_drag.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace stagecraft {

RecomputeDrag::RecomputeDrag(std::shared_ptr<const RecomputeChooser> chooser,
                             std::shared_ptr<const PartitionProblem> problem, Partition traced)
    : m_chooser(std::move(chooser)),
      m_problem(std::move(problem)),
      m_traced(std::move(traced)),
      m_evaluator(m_chooser->ground().none, m_traced),
      m_doubts(m_traced.stageCount)
{
    assert(m_traced.stageCount == m_chooser->ground().none.stageCount());
    for (std::size_t stage = 0; stage < m_traced.stageCount; ++stage)
        m_evaluator.setFigures(StageId(stage), m_problem.get());
    m_cost = m_evaluator.cost();
}

void RecomputeDrag::lookAhead()
{
    for (const StageId stage : m_cost.stages.ids())
        doubtOf(stage);
}

PlanCost RecomputeDrag::of(const Partition& partition)
{
    std::vector<char> isTouched(partition.stageCount, 0);
    for (const NodeId node : partition.stageOf.ids())
        if (partition.stageOf[node] != m_traced.stageOf[node])
            isTouched[partition.stageOf[node].index()] = isTouched[m_traced.stageOf[node].index()] = 1;
    m_evaluator.moveTo(partition);
    for (const StageId stage : m_cost.stages.ids()) {
        const bool asTraced = isTouched[stage.index()] == 0;
        m_evaluator.setFigures(stage, asTraced ? m_problem.get() : nullptr);
        m_evaluator.setRecomputation(stage, asTraced ? std::nullopt : std::optional(RecomputedStage()));
    }
    Table<StageId, std::optional<RecomputedStage>> chosen(m_cost.stages.size());
    for (const StageId stage : chosen.ids())
        if (isTouched[stage.index()] != 0)
            chosen[stage] = chosenFor(partition, stage, roomIn(m_evaluator, stage), doubtOf(stage));
    for (const StageId stage : chosen.ids())
        m_evaluator.setRecomputation(stage, chosen[stage]);
    return m_evaluator.cost();
}

std::optional<RecomputedStage> RecomputeDrag::chosenFor(const Partition& partition, StageId stage, Bytes room,
                                                        Bytes doubt) const
{
    const RecomputeChooser::OfStage chosen =
        m_chooser->chooseOrLeast(partition, stage, room == Bytes::max() ? room : room - doubt);
    if (chosen.regions.empty())
        return std::nullopt;
    const auto withDoubt = [&](Bytes bytes) { return std::max(Bytes{}, bytes + doubt); };
    return RecomputedStage{chosen.added,
                           chosen.saved,
                           withDoubt(chosen.transient),
                           {withDoubt(chosen.turns.forward), withDoubt(chosen.turns.backward)}};
}

// What the stage as it was traced holds more than its choice was estimated to.
Bytes RecomputeDrag::doubtOf(StageId stage)
{
    std::optional<Bytes>& doubt = m_doubts[stage.index()];
    if (doubt)
        return *doubt;
    PlanEvaluator evaluator(m_chooser->ground().none, m_traced);
    for (const StageId other : m_cost.stages.ids())
        evaluator.setRecomputation(other, RecomputedStage());
    evaluator.setRecomputation(stage, chosenFor(m_traced, stage, roomIn(evaluator, stage), Bytes()));
    doubt = m_cost.stages[stage].peakMemory - evaluator.costOf(stage).peakMemory;
    return *doubt;
}

// Of a stage that chooses, beside what the run-time holds there.
Bytes RecomputeDrag::roomIn(PlanEvaluator& evaluator, StageId stage) const
{
    const StageCost& cost = evaluator.costOf(stage);
    const Bytes room = roomOfStage(cost.memoryLimit, m_chooser->ground().none.options);
    return room == Bytes::max() ? room : room - cost.runtimeBytes;
}

} // namespace stagecraft
