#include "core/plan/runtime_memory.h"

#include <algorithm>

namespace stagecraft {

std::string buffersNote(PipelineRuntime runtime)
{
    if (runtime == PipelineRuntime::Ideal)
        return "peak memory is without buffers of a run-time; --runtime torch-2.14 counts those of PyTorch";
    return "peak memory has the buffers of run-time " + std::string(nameOf(pipelineRuntimes, runtime));
}

RuntimeMemory::RuntimeMemory(const PartitionOptions& options, StepKind step)
    : m_runtime(options.runtime),
      m_step(step),
      m_sendsStraight(options.send == SendKind::Direct),
      m_runsActions(options.schedule != ScheduleKind::OneFOneB && options.schedule != ScheduleKind::GPipe),
      m_isOneFOneB(options.schedule == ScheduleKind::OneFOneB),
      m_microbatches(options.microbatches)
{
    if (holdsNothing())
        return;
    if (options.stageCount > 1 && traitsOf(options.schedule).turnsBack)
        m_turn = options.stageCount / 2 - 1;
    m_inFlight = peakInFlight(scheduleOf(options).value());
}

HeldBytes RuntimeMemory::received(std::size_t stage, const CrossingBytes& value) const
{
    HeldBytes held;
    if (holdsNothing())
        return held;
    if (hasAllBuffers()) {
        held.state += value.forward * static_cast<std::int64_t>(m_microbatches);
        held.saved -= value.kept ? value.forward : Bytes{};
    } else if (m_step == StepKind::Training) {
        held.saved += value.kept ? Bytes{} : value.forward;
        held.staying += value.forward;
    }
    held.released -= value.letGo;
    if (turnsAt(stage - 1))
        return held;
    if (!m_isOneFOneB)
        held.sentBackward += value.backward;
    else if (!holdsInTime() &&
             m_microbatches > m_inFlight[stage]) // that of the microbatch before, while one goes back
        held.state += value.backward;
    return held;
}

// Schedule1F1B holds on to the last send of its warm-up: to what it sent, when that has gone back.
bool RuntimeMemory::keepsWarmUpSend(std::size_t stage) const
{
    const std::size_t warmUp = m_inFlight[stage];
    return sendsAsBefore() && !holdsInTime() && warmUp > 1 && m_microbatches + 1 >= 2 * warmUp;
}

HeldBytes RuntimeMemory::sent(std::size_t stage, const CrossingBytes& value) const
{
    HeldBytes held = gradientBuffers(value);
    if (holdsNothing())
        return held;
    held.inFront += value.kept ? value.inFront : Bytes{};
    const Bytes kept = value.kept ? value.forward : Bytes{};
    const bool toTheEnd = m_step == StepKind::Forward || (m_runsActions && sendsAsBefore());
    if (turnsAt(stage)) { // the next stage holds it
        held.saved -= sendsAsBefore() ? kept : Bytes{};
        held.released -= sendsAsBefore() ? value.letGo : Bytes{};
    } else if (toTheEnd) {
        held.sentForward += value.forward;
        held.saved -= kept;
        held.released -= value.letGo;
    } else {
        held.saved += value.forward - kept;
        if (m_isOneFOneB && keepsWarmUpSend(stage))
            held.state += value.forward;
    }
    return held;
}

HeldBytes RuntimeMemory::gradientBuffers(const CrossingBytes& value) const
{
    HeldBytes held;
    if (!holdsNothing() && sendsAsBefore())
        held.state += value.backward * static_cast<std::int64_t>(holdsInTime() ? 1 : m_microbatches);
    return held;
}

HeldBytes RuntimeMemory::gradientSum(const CrossingBytes& value) const
{
    HeldBytes held;
    held.state += holdsNothing() ? Bytes{} : value.backward;
    held.sums = held.state;
    return held;
}

// Autograd copies the gradient of an input that is an output.
HeldBytes RuntimeMemory::passedOn(const CrossingBytes& value) const
{
    HeldBytes held = gradientBuffers(value);
    if (!holdsNothing() && m_runtime != PipelineRuntime::Exported)
        held.state += value.backward;
    return held;
}

HeldBytes RuntimeMemory::receivedFrom(std::size_t home, std::size_t stage, const CrossingBytes& value,
                                      const Taken& taken) const
{
    const bool isRead = taken.here;
    const bool isFromAfar = stage > home + 1;
    HeldBytes held =
        m_sendsStraight && isFromAfar ? receivedPast(home, stage, value) : received(stage, value);
    if (holdsNothing())
        return held;
    // Behind a turn it is the buffer of the stage before, or, where that made it, what that sent.
    if (turnsAt(stage - 1) && home + 1 != stage && !m_sendsStraight && hasAllBuffers())
        held.state -= value.forward * static_cast<std::int64_t>(m_microbatches);
    if (isRead && (isFromAfar || taken.atHome))
        held.flowing += value.backward;
    const bool sendsItsBuffer = !isRead && m_runtime == PipelineRuntime::Exported && hasAllBuffers();
    if (sendsItsBuffer && !m_isOneFOneB && !turnsAt(stage - 1))
        held.sentBackward -= value.backward;
    return held;
}

HeldBytes RuntimeMemory::receivedPast(std::size_t home, std::size_t stage, const CrossingBytes& value) const
{
    HeldBytes held;
    if (holdsNothing() || m_step == StepKind::Forward)
        return held;
    held.saved += value.kept ? Bytes{} : value.forward;
    if (m_isOneFOneB) // stage `home` has that many more in flight, and took up the gradients of all others
        held.state += value.backward * static_cast<std::int64_t>(m_inFlight[home] - m_inFlight[stage]);
    else
        held.sentBackward += value.backward;
    return held;
}

HeldBytes RuntimeMemory::sentBy(std::size_t stage, const CrossingBytes& value, const Readers& readers) const
{
    HeldBytes held = readers.isReadNext ? sent(stage, value) : sentPast(value);
    if (holdsNothing())
        return held;
    if (readers.isReadPast) { // as it arrives; it or its sum with that of the next stage waits
        held.state += value.backward;
        held.waiting += sendsAsBefore() ? value.backward : Bytes{};
    }
    if (readers.isReadThere || (readers.isReadNext && readers.isReadPast))
        held += gradientSum(value);
    return held;
}

HeldBytes RuntimeMemory::sentPast(const CrossingBytes& value) const
{
    HeldBytes held;
    if (holdsNothing())
        return held;
    held.inFront += value.kept ? value.inFront : Bytes{};
    const Bytes notKept = value.kept ? Bytes{} : value.forward;
    (m_step == StepKind::Forward ? held.sentForward : held.saved) += notKept;
    return held;
}

StepKind stepKindOf(const PartitionProblem& problem)
{
    const auto goesBack = [](const ProblemNode& node) {
        return node.saved > Bytes{} || node.backwardInput + node.backwardWeight > Seconds{};
    };
    return std::ranges::any_of(problem.nodes, goesBack) ? StepKind::Training : StepKind::Forward;
}

} // namespace stagecraft
