// What the run-time of a pipeline holds of what crosses boundaries, beside what autograd keeps.
//
//                            torch-2.14                       torch-2.15
//     received activations   a buffer for each microbatch,    until their backward
//                            always
//     received gradients     likewise                         while they are used
//     sent activations       until their backward; where a device may run several stages,
//                            until the end of the step        until their backward
//     sent gradients         until the end of the step, but 1F1B the last one
//
// Exports hold what torch-2.14 does, but for what training by GPipe and 1F1B receives: their stages make each
// buffer when it is waited for, and let go of it (stagecraft_runtime/in_time.py). Activations are then there
// until their backward, and one gradient. On PyTorch 2.15 they hold what that does.
//
// What autograd keeps of these anyway is counted once. Over the turn of a V nothing is sent: both stages hold
// the same tensors. What is sent straight past stages goes by the run-time of an export
// (stagecraft_runtime/direct.py): activations are there until their backward, without one to the end of the
// step; so are gradients, where 1F1B lets go of those that their stage took up. Sources: stage.py
// (_setup_forward_recv_info, _create_grad_recv_info, fwd_cache) and schedules.py (send_ops,
// bwd_sends_to_wait) of torch.distributed.pipelining 2.13; of 2.15 its waits (WAIT_SEND_F, WAIT_SEND_B).
#pragma once

#include "core/plan/stage_cost.h"
#include "core/schedule/held_counts.h"

#include <string>
#include <vector>

namespace stagecraft {

// Whose buffers peaks of memory count, a line: "peak memory has the buffers of run-time torch-2.14".
std::string buffersNote(PipelineRuntime runtime);

// Does what a step keeps in flight go back again?
enum class StepKind : std::uint8_t { Forward, Training };

// Of one microbatch.
struct CrossingBytes
{
    Bytes forward;
    Bytes backward;    // of its gradient
    bool kept = false; // by autograd in this stage, which counts it as saved
};

class RuntimeMemory
{
public:
    RuntimeMemory() = default; // holds nothing
    // The options pass checkOptions.
    RuntimeMemory(const PartitionOptions& options, StepKind step);

    bool holdsNothing() const { return m_runtime == PipelineRuntime::Ideal; }
    // By a stage that pays for a value which stage `home` made (forEachPayment()). `isTaken` says whether a
    // stage reads it, or returns it as the model's; sent straight, it is asked of those behind `home`.
    template <class IsTaken>
    HeldBytes heldOf(CrossingBytes value, std::size_t home, std::size_t stage, Payment way,
                     const IsTaken& isTaken) const
    {
        if (!m_sendsStraight)
            return way == Payment::Receive ? received(stage, value)
                   : stage == home         ? sent(stage, value)
                                           : passedOn(value);
        if (way == Payment::Receive)
            return stage == home + 1 ? received(stage, value) : receivedPast(home, stage, value);
        return isTaken(home + 1) ? sent(stage, value) : sentPast(value);
    }
    // By a stage that receives it from earlier ones. What is counted as saved already is taken back.
    HeldBytes received(std::size_t stage, const CrossingBytes& value) const;
    // By the stage that made it; likewise.
    HeldBytes sent(std::size_t stage, const CrossingBytes& value) const;
    // By a stage that passes it on.
    HeldBytes passedOn(const CrossingBytes& value) const;
    // The same of what goes past the stages between.
    HeldBytes receivedPast(std::size_t home, std::size_t stage, const CrossingBytes& value) const;
    HeldBytes sentPast(const CrossingBytes& value) const;

private:
    bool keepsWarmUpSend(std::size_t stage) const;
    // Are buffers made when they are waited for? Without a backward pass fwd_cache keeps them all the same.
    bool receivesInTime() const
    {
        return m_runtime == PipelineRuntime::Exported && !m_runsActions && m_step == StepKind::Training;
    }
    // Is there a buffer for each microbatch, from the start?
    bool hasAllBuffers() const { return sendsAsBefore() && !receivesInTime(); }
    // Does a stage let go of what it sent as PyTorch up to 2.14 does?
    bool sendsAsBefore() const { return m_runtime != PipelineRuntime::Torch215; }
    bool turnsAt(std::size_t boundary) const { return boundary == m_turn; }

    PipelineRuntime m_runtime = PipelineRuntime::Ideal;
    StepKind m_step = StepKind::Training;
    bool m_sendsStraight = false;
    bool m_runsActions = false; // by a table of actions: a device may run several stages
    bool m_isOneFOneB = false;
    std::size_t m_microbatches = 1;
    std::size_t m_turn = static_cast<std::size_t>(-1); // the boundary between two stages of one device
    std::vector<std::size_t> m_inFlight;
};

// In the problem of a model: does a gradient flow anywhere?
StepKind stepKindOf(const PartitionProblem& problem);

} // namespace stagecraft
