#include "core/profile/device/dispatch_clock.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

double DispatchClock::handovers(const TraceOpName& name, const DeviceSpec& device)
{
    constexpr double convolution = 2, convolutionBackward = 5, ofTheMean = 12;
    if (name.name == "aten::convolution")
        return convolution;
    if (name.name != "aten::convolution_backward")
        return 1;
    return device.host.view > Seconds{} ? convolutionBackward : ofTheMean;
}

Seconds DispatchClock::run(Seconds alone, Phase phase, Turn turn, double handovers)
{
    const Seconds before = m_end, handover = handOver(alone, phase, handovers);
    m_dispatched += handover;
    const bool isAgain = turn == Turn::Again;
    Seconds waitedForOthers;
    if (m_device.kind == "cpu")
        m_end += std::exchange(m_preparing, {}) + dispatchIn(phase) + alone +
                 (phase == Phase::Backward ? m_device.host.gradient : Seconds{});
    else if (alone > Seconds{}) {
        const Seconds waited = std::max(Seconds{}, m_dispatched - m_end);
        waitedForOthers = std::min(waited, isAgain ? m_viewsFirst : m_viewsAgain);
        m_viewsFirst = m_viewsAgain = {};
        m_end += waited + alone;
    } else
        (isAgain ? m_viewsAgain : m_viewsFirst) += handover;
    m_takenByAgain = isAgain ? m_end - before - waitedForOthers : waitedForOthers;
    return m_end - before;
}

void DispatchClock::holdBack(Phase phase)
{
    m_dispatched = std::max(m_dispatched, m_end - dispatchIn(phase));
}

void DispatchClock::prepare(Seconds taken)
{
    if (taken <= Seconds{})
        return;
    m_preparing += taken;
    m_dispatched = std::max(m_dispatched, m_end) + taken;
}

Seconds DispatchClock::lead() const
{
    return m_device.kind == "cpu" ? Seconds{} : std::max(Seconds{}, m_end - m_dispatched);
}

Seconds DispatchClock::dispatchIn(Phase phase) const
{
    if (phase == Phase::Optimizer && m_device.host.optimizerHandover > Seconds{})
        return m_device.host.optimizerHandover;
    if (m_device.kind == "cpu")
        return m_device.dispatchOverhead;
    if (phase == Phase::Backward && m_device.backwardDispatch > Seconds{})
        return m_device.backwardDispatch;
    return m_device.dispatchOverhead * recordedShare(phase);
}

Seconds DispatchClock::viewDispatchIn(Phase phase) const
{
    const HostTimes& host = m_device.host;
    if (m_device.kind == "cpu" || phase == Phase::Optimizer || host.view <= Seconds{})
        return dispatchIn(phase);
    if (phase == Phase::Backward)
        return host.backwardView > Seconds{} ? host.backwardView : host.view;
    return host.view * recordedShare(phase);
}

double DispatchClock::recordedShare(Phase phase) const
{
    return m_mode == TrainingMode::Infer && phase == Phase::Forward ? m_device.host.unrecorded : 1;
}

Seconds DispatchClock::handOver(Seconds alone, Phase phase, double handovers) const
{
    return (alone > Seconds{} ? dispatchIn(phase) : viewDispatchIn(phase)) * handovers;
}

} // namespace stagecraft
