#include "core/profile/device/dispatch_clock.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

double DispatchClock::handovers(const TraceOpName& name)
{
    constexpr double convolution = 2, convolutionBackward = 12;
    if (name.name == "aten::convolution")
        return convolution;
    return name.name == "aten::convolution_backward" ? convolutionBackward : 1;
}

Seconds DispatchClock::run(Seconds alone, Phase phase, Turn turn, double handovers)
{
    const Seconds before = m_end;
    m_dispatched += dispatchIn(phase) * handovers;
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
        (isAgain ? m_viewsAgain : m_viewsFirst) += dispatchIn(phase) * handovers;
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
    const bool isBackward =
        phase == Phase::Backward && m_device.kind != "cpu" && m_device.backwardDispatch > Seconds{};
    return isBackward ? m_device.backwardDispatch : m_device.dispatchOverhead;
}

} // namespace stagecraft
