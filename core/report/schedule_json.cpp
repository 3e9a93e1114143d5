#include "core/report/schedule_json.h"

#include "core/plan/evaluate.h"
#include "core/schedule/bubble.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostActions = 8000; // a page of a megabyte at the most, and drawn without a halt

std::int64_t nanoseconds(Seconds time)
{
    return std::llround(time.value() * 1e9);
}

// All before it are shown.
Seconds shownUntil(const Timeline& timeline)
{
    if (timeline.spans.size() <= mostActions)
        return timeline.makespan;
    std::vector<Seconds> starts;
    for (const ActionSpan& span : timeline.spans)
        starts.push_back(span.start);
    const auto last = starts.begin() + mostActions;
    std::ranges::nth_element(starts, last);
    return *last;
}

void addAction(Json& actions, const ActionSpan& span, bool isCritical, Seconds freeSince)
{
    const Action& action = span.action;
    actions.push_back(static_cast<int>(action.kind) + (isCritical ? 4 : 0));
    actions.push_back(action.stage);
    actions.push_back(action.microbatch);
    for (const Seconds time :
         {span.start - freeSince, span.end - span.start, span.start - span.receiveStart,
          span.received - span.receiveStart, span.sendStart - span.end, span.sendEnd - span.sendStart})
        actions.push_back(nanoseconds(time));
}

Json devicesJson(const Schedule& schedule, const Timeline& timeline, Seconds until)
{
    std::vector<char> isCritical(timeline.spans.size(), 0);
    for (const std::size_t span : timeline.criticalPath)
        isCritical[span] = 1;
    std::vector<Json> actions(schedule.deviceCount(), Json::array());
    std::vector<Seconds> freeSince(schedule.deviceCount());
    for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
        const ActionSpan& span = timeline.spans[i];
        if (span.start >= until)
            continue;
        addAction(actions[span.device], span, isCritical[i] != 0, freeSince[span.device]);
        freeSince[span.device] = span.end;
    }
    Json devices = Json::array();
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        Json stages = Json::array();
        for (std::size_t stage = 0; stage < schedule.stageCount; ++stage)
            if (schedule.deviceOfStage[stage] == device)
                stages.push_back(stage);
        Json memory = Json::array();
        for (const MemoryStep& step : timeline.memory[device]) {
            if (step.time > until)
                break;
            memory.push_back(nanoseconds(step.time));
            memory.push_back(step.bytes.count());
        }
        devices.push_back({{"stages", std::move(stages)},
                           {"actions", std::move(actions[device])},
                           {"memory", std::move(memory)}});
    }
    return devices;
}

} // namespace

Result<Json> scheduleJson(const PartitionProblem& problem, const Partition& partition)
{
    STAGECRAFT_ASSIGN(schedule, scheduleOf(problem.options));
    const ScheduleCosts costs = scheduleCosts(problem, partition);
    STAGECRAFT_ASSIGN(timeline, simulate(schedule, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(schedule, costs));
    const Seconds until = shownUntil(timeline);
    return Json{{"title", traitsOf(problem.options.schedule).title},
                {"step_s", timeline.makespan.value()},
                {"shown_s", until.value()},
                {"bubble",
                 {{"communication", bubble.communication},
                  {"imbalance", bubble.imbalance},
                  {"schedule", bubble.schedule}}},
                {"devices", devicesJson(schedule, timeline, until)}};
}

} // namespace stagecraft
