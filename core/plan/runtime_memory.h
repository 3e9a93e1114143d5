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
// Exports hold what torch-2.14 does, but in training by GPipe and 1F1B: their stages make each buffer when it
// is waited for, and let go of it, and of what was sent once it has arrived (stagecraft_runtime/in_time.py).
// Activations are then there until their backward, and one gradient. On PyTorch 2.15 they hold what that
// does. The gradient of what a stage passes on unread is copied by autograd, but not in exports.
//
// Beside the buffer of a gradient that arrives is its sum with that of what its own stage does with the
// value. The gradient of a value from farther back than the stage before, or that its own stage reads too, is
// there for the whole backward pass of a stage that reads it, or its first part: what skips others is read
// late, and its gradient made first. One too many, where the stage holds most behind all that reads it.
//
// What is sent is there while all of its stage goes back, also where its maker keeps it (`sigmoid`) and is
// through: what nodes in front of that take is then no less than ProblemValue::inFront.
//
// What autograd keeps of these anyway is counted once. Over the turn of a V nothing is sent: both stages hold
// the same tensors, also those that one of them only passes on. What is sent straight past stages goes by the
// run-time of an export (stagecraft_runtime/direct.py): activations are there until their backward, without
// one to the end of the step; so are gradients, where 1F1B lets go of those that their stage took up. What
// comes back straight is no buffer of the schedule's, and waits for the second part of a split backward pass.
// Between two stages of one device it counts as sent, though both hold one tensor. A stage that reads a value
// and passes it on is taken to add up its gradients in the first part of a split backward pass: one too many,
// as the other is added once that has ended. Sources: stage.py (_setup_forward_recv_info,
// _create_grad_recv_info, fwd_cache) and schedules.py (send_ops, bwd_sends_to_wait) of
// torch.distributed.pipelining 2.13; of 2.15 its waits (WAIT_SEND_F, WAIT_SEND_B).
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
    Bytes backward;     // of its gradient
    bool kept = false;  // by autograd in this stage, which counts it as saved
    Bytes letGo = {};   // of that: by autograd after the first part of a split backward pass, as released
    Bytes inFront = {}; // where it is kept: ProblemValue::inFront
};

class RuntimeMemory
{
public:
    RuntimeMemory() = default; // holds nothing
    // The options pass checkOptions.
    RuntimeMemory(const PartitionOptions& options, StepKind step);

    bool holdsNothing() const { return m_runtime == PipelineRuntime::Ideal; }
    // By a stage that pays for a value which stage `home` made (forEachPayment()). `isTaken` says whether a
    // stage reads it, whoever makes it, or returns it as the model's.
    template <class IsTaken>
    HeldBytes heldOf(const CrossingBytes& value, std::size_t home, std::size_t stage, Payment way,
                     const IsTaken& isTaken) const
    {
        if (way == Payment::Receive)
            return receivedFrom(home, stage, value, {.here = isTaken(stage), .atHome = isTaken(home)});
        if (stage != home)
            return passedOn(value) - sharedOverTurn(stage, value, isTaken);
        if (!m_sendsStraight)
            return sentBy(stage, value, {.isReadThere = isTaken(home), .isReadNext = true}) -
                   sharedOverTurn(stage, value, isTaken);
        bool isReadPast = false;
        for (std::size_t reader = home + 2; reader < m_inFlight.size() && !isReadPast; ++reader)
            isReadPast = isTaken(reader);
        return sentBy(stage, value, {isTaken(home), isTaken(home + 1), isReadPast});
    }
    // By a stage that receives it from the one before. What is counted as saved already is taken back.
    HeldBytes received(std::size_t stage, const CrossingBytes& value) const;
    // By the stage that made it, and sends it to the next; likewise.
    HeldBytes sent(std::size_t stage, const CrossingBytes& value) const;
    // By a stage that passes it on.
    HeldBytes passedOn(const CrossingBytes& value) const;
    // Of what the last two hold the buffers of gradients.
    HeldBytes gradientBuffers(const CrossingBytes& value) const;
    // Of those what a stage holds that sends the value or passes it on, whoever reads it.
    HeldBytes leastSent(std::size_t stage, const CrossingBytes& value) const
    {
        return mayShare(stage) ? HeldBytes{} : gradientBuffers(value);
    }
    // By a stage that sends and reads it, beside that.
    HeldBytes gradientSum(const CrossingBytes& value) const;

private:
    // Who reads a value, seen from the stage that makes it.
    struct Readers
    {
        bool isReadThere = false;
        bool isReadNext = false; // or sent there
        bool isReadPast = false; // past the next, and sent there straight
    };

    // By the stage that receives it, and that makes it.
    struct Taken
    {
        bool here = false;
        bool atHome = false;
    };
    HeldBytes receivedFrom(std::size_t home, std::size_t stage, const CrossingBytes& value,
                           const Taken& taken) const;
    HeldBytes receivedPast(std::size_t home, std::size_t stage, const CrossingBytes& value) const;
    HeldBytes sentBy(std::size_t stage, const CrossingBytes& value, const Readers& readers) const;
    HeldBytes sentPast(const CrossingBytes& value) const;
    bool keepsWarmUpSend(std::size_t stage) const;
    // Is all that crosses there while it is needed? Without a backward pass fwd_cache keeps it all the same.
    bool holdsInTime() const
    {
        return m_runtime == PipelineRuntime::Exported && !m_runsActions && m_step == StepKind::Training;
    }
    // Is there a buffer for each microbatch, from the start?
    bool hasAllBuffers() const { return sendsAsBefore() && !holdsInTime(); }
    // Does a stage let go of what it sent as PyTorch up to 2.14 does?
    bool sendsAsBefore() const { return m_runtime != PipelineRuntime::Torch215; }
    bool turnsAt(std::size_t boundary) const { return boundary == m_turn; }
    // What the stage behind a turn passes on unread goes back as it came, in exports.
    bool mayShare(std::size_t stage) const
    {
        return m_runtime == PipelineRuntime::Exported && turnsAt(stage) && hasAllBuffers();
    }
    template <class IsTaken>
    HeldBytes sharedOverTurn(std::size_t stage, const CrossingBytes& value, const IsTaken& isTaken) const
    {
        return mayShare(stage) && !isTaken(stage + 1) ? gradientBuffers(value) : HeldBytes{};
    }

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
