// What stages have alive while their nodes run one after the other, forward and back (profile/turn_memory.h),
// above all that they save of a microbatch: more than a node's transient, where others have something there.
//
//     saved ─────╮ gelu      ╭──╮ linear: the gradient that gelu made, less what it kept, and what it makes
//                ╰───────────╯  ╰─
//
// What is sent and received lies in buffers of the run-time, which others count.
#pragma once

#include "core/plan/options.h"
#include "core/plan/partition.h"
#include "core/profile/turn_memory.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stagecraft {

enum class BackwardPass { AtOnce, InParts };
inline BackwardPass backwardPassOf(const PartitionOptions& options)
{
    return splitsBackward(options.schedule) ? BackwardPass::InParts : BackwardPass::AtOnce;
}

// Of the stages that are asked for; what a first part has, where the pass is in parts.
std::vector<StageTurns> turnsOfStages(const TurnMemory& memory, const Partition& partition,
                                      PipelineRuntime runtime, std::span<const char> isAsked,
                                      BackwardPass pass = BackwardPass::AtOnce);
// Of all.
std::vector<StageTurns> turnsOfStages(const TurnMemory& memory, const Partition& partition,
                                      PipelineRuntime runtime);

// Of one stage, that has those turns of memory.forward, ascending.
template <class IsInStage>
Bytes aliveForward(const TurnMemory& memory, std::span<const std::uint32_t> turns, const IsInStage& isInStage,
                   PipelineRuntime runtime)
{
    const bool holdsSent = runtime != PipelineRuntime::Ideal;
    TurnWalk walk(memory.forward, memory.activations.size());
    std::vector<char> isCounted(memory.activations.size(), 0);
    const auto isKept = [&](const TurnMemory::Passed& passed) {
        return std::ranges::any_of(passed.keepers, isInStage) ||
               TurnMemory::isHeld(passed, isInStage, holdsSent);
    };
    // Counted as saved or sent, before it is there.
    for (const std::uint32_t turn : turns)
        for (std::uint32_t i = memory.forward.turns[turn].makes.first;
             i < memory.forward.turns[turn].makes.end; ++i) {
            const std::uint32_t made = memory.forward.made[i];
            if (std::exchange(isCounted[made], 1) == 0 && isKept(memory.activations[made]))
                walk.letGo(memory.activations[made].bytes);
        }
    // What is sent, and held by nobody, others count.
    const auto bytesOf = [&](std::uint32_t index) {
        const TurnMemory::Passed& passed = memory.activations[index];
        const bool isOwn = isKept(passed) || !TurnMemory::isHeld(passed, isInStage, true);
        return isOwn ? passed.bytes : Bytes{};
    };
    for (const std::uint32_t turn : turns)
        walk.take(memory.forward.turns[turn], bytesOf);
    return walk.most();
}

// Of one that has those of memory.backward.
template <class IsInStage>
Bytes aliveBackward(const TurnMemory& memory, std::span<const std::uint32_t> turns,
                    const IsInStage& isInStage, PipelineRuntime runtime)
{
    TurnWalk walk(memory.backward, memory.gradients.size());
    for (const std::uint32_t i : turns) {
        const TurnMemory::Turn& turn = memory.backward.turns[i];
        walk.take(
            turn, [&](std::uint32_t gradient) { return memory.gradients[gradient]; },
            [&](std::uint32_t made) { return memory.backward.isMade(made, isInStage); });
        for (std::uint32_t k = turn.letsGo.first; k < turn.letsGo.end; ++k)
            if (memory.isLetGo(memory.letGo[k], isInStage, runtime != PipelineRuntime::Ideal))
                walk.letGo(memory.activations[memory.letGo[k].activation].bytes);
    }
    return walk.most();
}

// Of one that has those of memory.firstPart.
template <class IsInStage>
Bytes aliveInFirstPart(const TurnMemory& memory, std::span<const std::uint32_t> turns,
                       const IsInStage& isInStage)
{
    const auto bytesOf = [&](std::uint32_t content) { return memory.flowing[content]; };
    TurnWalk walk(memory.firstPart, memory.flowing.size());
    for (const std::uint32_t i : turns)
        walk.take(memory.firstPart.turns[i], bytesOf,
                  [&](std::uint32_t made) { return memory.firstPart.isMade(made, isInStage); });
    return walk.most();
}

} // namespace stagecraft
