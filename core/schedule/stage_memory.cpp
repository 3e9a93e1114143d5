#include "core/schedule/stage_memory.h"

#include <algorithm>
#include <cassert>

namespace stagecraft {

namespace {

bool endsBackward(const Action& action)
{
    return action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight;
}

StageMoment momentOf(const StageTimes& stage, Seconds time, std::size_t kept, std::optional<Action> running)
{
    return {.time = time,
            .bytes = stage.state + stage.saved * static_cast<std::int64_t>(kept) +
                     (running ? stage.transient : Bytes{}),
            .kept = kept,
            .running = running};
}

} // namespace

std::vector<std::vector<StageMoment>> memoryByStage(const Timeline& timeline,
                                                    std::span<const StageTimes> stages)
{
    std::vector<std::vector<StageMoment>> memory;
    for (const StageTimes& stage : stages)
        memory.push_back({momentOf(stage, {}, 0, {})});
    for (const ActionSpan& span : timeline.spans) {
        const StageTimes& stage = stages[span.action.stage];
        auto& moments = memory[span.action.stage];
        std::size_t kept = moments.back().kept;
        if (span.action.kind == ActionKind::Forward)
            ++kept;
        moments.push_back(momentOf(stage, span.start, kept, span.action));
        if (endsBackward(span.action))
            --kept;
        moments.push_back(momentOf(stage, span.end, kept, {}));
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
