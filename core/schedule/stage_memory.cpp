#include "core/schedule/stage_memory.h"

#include <algorithm>
#include <cassert>

namespace stagecraft {

std::vector<std::vector<StageMoment>> memoryByStage(const Timeline& timeline,
                                                    std::span<const StageTimes> stages)
{
    std::vector<std::vector<StageMoment>> memory;
    for (const StageTimes& stage : stages)
        memory.push_back({{.time = {}, .bytes = stage.state, .running = {}}});
    for (const ActionSpan& span : timeline.spans) {
        const StageTimes& stage = stages[span.action.stage];
        auto& moments = memory[span.action.stage];
        StageMoment moment = moments.back();
        moment.kept += span.action.kind == ActionKind::Forward ? 1 : 0;
        const Bytes alive = moment.bytes + keptFromStart(stage, span.action.kind);
        moment.time = span.start;
        moment.bytes = alive + transientOf(stage, span.action.kind);
        moment.running = span.action;
        moments.push_back(moment);
        moment.kept -= makesWeightGradients(span.action.kind) ? 1 : 0;
        moment.time = span.end;
        moment.bytes = alive + keptFromEnd(stage, span.action.kind);
        moment.running.reset();
        moments.push_back(moment);
    }
    return memory;
}

const StageMoment& momentAt(std::span<const StageMoment> moments, Seconds time)
{
    assert(!moments.empty());
    const auto later = std::ranges::upper_bound(moments, time, {}, &StageMoment::time);
    return later == moments.begin() ? moments.front() : *(later - 1);
}

const StageMoment& peakOf(std::span<const StageMoment> moments)
{
    assert(!moments.empty());
    return *std::ranges::max_element(moments, {}, &StageMoment::bytes);
}

} // namespace stagecraft
