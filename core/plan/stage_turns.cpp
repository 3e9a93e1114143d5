#include "core/plan/stage_turns.h"

namespace stagecraft {

namespace {

// By stage, of those that are asked for.
std::vector<std::vector<std::uint32_t>> turnsByStage(const TurnMemory::Way& way, const Partition& partition,
                                                     std::span<const char> isAsked)
{
    std::vector<std::vector<std::uint32_t>> turns(partition.stageCount);
    for (std::uint32_t i = 0; i < way.turns.size(); ++i)
        if (const std::size_t stage = partition.stageOf[way.turns[i].node].index(); isAsked[stage] != 0)
            turns[stage].push_back(i);
    return turns;
}

} // namespace

std::vector<StageTurns> turnsOfStages(const TurnMemory& memory, const Partition& partition,
                                      PipelineRuntime runtime, std::span<const char> isAsked,
                                      BackwardPass pass)
{
    std::vector<StageTurns> alive(partition.stageCount);
    const auto forward = turnsByStage(memory.forward, partition, isAsked);
    const auto backward = turnsByStage(memory.backward, partition, isAsked);
    for (std::size_t stage = 0; stage < alive.size(); ++stage) {
        const auto isInStage = [&](NodeId node) { return partition.stageOf[node].index() == stage; };
        if (isAsked[stage] != 0)
            alive[stage] = {aliveForward(memory, forward[stage], isInStage, runtime),
                            aliveBackward(memory, backward[stage], isInStage, runtime)};
    }
    if (pass == BackwardPass::AtOnce)
        return alive;
    const auto first = turnsByStage(memory.firstPart, partition, isAsked);
    for (std::size_t stage = 0; stage < alive.size(); ++stage)
        alive[stage].firstPart = aliveInFirstPart(
            memory, first[stage], [&](NodeId node) { return partition.stageOf[node].index() == stage; });
    return alive;
}

std::vector<StageTurns> turnsOfStages(const TurnMemory& memory, const Partition& partition,
                                      PipelineRuntime runtime)
{
    return turnsOfStages(memory, partition, runtime, std::vector<char>(partition.stageCount, 1));
}

} // namespace stagecraft
