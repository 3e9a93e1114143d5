#include "core/recompute_drag.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

Bytes heldInStage(const StageCost& cost)
{
    return cost.peakMemory - cost.runtimeBytes;
}

} // namespace

RecomputeDrag::RecomputeDrag(std::shared_ptr<const RecomputeChooser> chooser, Partition traced, PlanCost cost)
    : m_chooser(std::move(chooser)),
      m_traced(std::move(traced)),
      m_cost(std::move(cost)),
      m_evaluator(m_chooser->ground().none, m_traced),
      m_asTraced(m_traced.stageCount),
      m_doubts(m_traced.stageCount)
{
    const PlanCost none = m_evaluator.cost();
    const std::vector<double>& speeds = m_chooser->ground().none.options.speeds;
    for (const StageId stage : m_asTraced.ids()) {
        const StageCost& asTraced = m_cost.stages[stage];
        m_asTraced[stage] = {(asTraced.compute() - none.stages[stage].compute()) * speeds[stage.index()],
                             asTraced.savedBytes, asTraced.nodeBytes, asTraced.turns};
    }
}

void RecomputeDrag::lookAhead()
{
    for (const StageId stage : m_asTraced.ids())
        doubtOf(stage);
}

PlanCost RecomputeDrag::of(const Partition& partition)
{
    std::vector<char> isTouched(partition.stageCount, 0);
    for (const NodeId node : partition.stageOf.ids())
        if (partition.stageOf[node] != m_traced.stageOf[node])
            isTouched[partition.stageOf[node].index()] = isTouched[m_traced.stageOf[node].index()] = 1;
    m_evaluator.moveTo(partition);
    for (const StageId stage : m_asTraced.ids())
        m_evaluator.setRecomputation(stage, isTouched[stage.index()] ? chosenFor(partition, stage)
                                                                     : m_asTraced[stage]);
    return m_evaluator.cost();
}

std::optional<RecomputedStage> RecomputeDrag::chosenFor(const Partition& partition, StageId stage)
{
    const Bytes room = roomOf(stage), doubt = doubtOf(stage);
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
    if (!doubt)
        doubt = heldInStage(m_cost.stages[stage]) -
                m_chooser->chooseOrLeast(m_traced, stage, roomOf(stage)).memory;
    return *doubt;
}

// Without what the run-time holds.
Bytes RecomputeDrag::roomOf(StageId stage) const
{
    const StageCost& cost = m_cost.stages[stage];
    const Bytes room = roomOfStage(cost.memoryLimit, m_chooser->ground().none.options);
    return room == Bytes::max() ? room : room - cost.runtimeBytes;
}

} // namespace stagecraft
