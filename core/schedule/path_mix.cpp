#include "core/schedule/path_mix.h"

#include "core/schedule/action_times.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

Result<PathMix> PathMix::make(const Schedule& schedule)
{
    STAGECRAFT_ASSIGN(actions, actionsInOrder(schedule));

    PathMix mix;
    mix.m_stageCount = schedule.stageCount;
    mix.m_last.assign(schedule.deviceCount(), none);
    std::vector<std::size_t> forward(schedule.stageCount * schedule.microbatches, none);
    std::vector<std::size_t> backward(forward);
    for (const ActionSpan& span : actions) {
        const Action& action = span.action;
        const std::size_t slot = action.stage * schedule.microbatches + action.microbatch;
        Step step{.action = action, .before = mix.m_last[span.device]};
        const std::size_t index = mix.m_steps.size();
        mix.m_last[span.device] = index;
        if (action.kind == ActionKind::Forward) {
            step.source = action.stage == 0 ? none : forward[slot - schedule.microbatches];
            forward[slot] = index;
        } else if (action.kind != ActionKind::BackwardWeight) {
            const bool isLast = action.stage + 1 == schedule.stageCount;
            step.source = isLast ? none : backward[slot + schedule.microbatches];
            backward[slot] = index;
        }
        mix.m_steps.push_back(step);
    }
    return mix;
}

std::vector<ChainCounts> PathMix::longest(const std::vector<StageTimes>& stages, double blur)
{
    m_ends.assign(m_steps.size(), 0);
    const auto endOf = [&](std::size_t step) { return step == none ? 0.0 : m_ends[step]; };
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        m_ends[i] = std::max(endOf(step.before), endOf(step.source)) +
                    computeTime(step.action, stages[step.action.stage]).value();
    }
    double latest = 0;
    for (const std::size_t step : m_last)
        latest = std::max(latest, endOf(step));
    m_shares.assign(m_steps.size(), 0);
    double sum = 0;
    for (const std::size_t step : m_last)
        sum += step == none ? 0 : std::exp((endOf(step) - latest) / blur);
    for (const std::size_t step : m_last) {
        if (step != none)
            m_shares[step] = std::exp((endOf(step) - latest) / blur) / sum;
    }
    std::vector<ChainCounts> counts(m_stageCount);
    for (std::size_t i = m_steps.size(); i-- > 0;) {
        const Step& step = m_steps[i];
        ChainCounts& stage = counts[step.action.stage];
        const ActionKind kind = step.action.kind;
        stage.forward += kind == ActionKind::Forward ? m_shares[i] : 0;
        stage.backwardInput += makesInputGradients(kind) ? m_shares[i] : 0;
        stage.backwardWeight += makesWeightGradients(kind) ? m_shares[i] : 0;
        if (step.before == none && step.source == none)
            continue;
        const double lead = endOf(step.source) - endOf(step.before);
        const double bySource = step.source == none   ? 0
                                : step.before == none ? 1
                                                      : 1 / (1 + std::exp(-lead / blur));
        if (kind == ActionKind::Forward)
            stage.receiveActivations += m_shares[i] * (1 - bySource);
        else if (kind != ActionKind::BackwardWeight)
            stage.receiveGradients += m_shares[i] * (1 - bySource);
        if (step.source != none)
            m_shares[step.source] += m_shares[i] * bySource;
        if (step.before != none)
            m_shares[step.before] += m_shares[i] * (1 - bySource);
    }
    return counts;
}

} // namespace stagecraft
