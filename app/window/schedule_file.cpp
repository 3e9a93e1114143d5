#include "app/window/schedule_file.h"

#include "core/base/output_file.h"
#include "core/plan/evaluate.h"
#include "core/schedule/schedule_csv.h"
#include "core/schedule/trace_events.h"

namespace stagecraft {

namespace {

Result<std::string> traceOf(const Schedule& schedule, const PlanState& state)
{
    const ScheduleCosts costs = scheduleCosts(*state.problem, *state.partition);
    STAGECRAFT_ASSIGN(timeline, simulate(schedule, costs));
    STAGECRAFT_ASSIGN(bubble, bubbleParts(schedule, costs));
    return traceEventJson(timeline, bubble);
}

} // namespace

Result<void> saveSchedule(const PlanState& state, const std::filesystem::path& path)
{
    const bool isTrace = path.extension() == ".json";
    if (!isTrace && path.extension() != ".csv")
        return Error{ErrorCode::BadUsage,
                     path.string() + ": a schedule is saved as trace events (.json) or as a table (.csv)"};
    if (!state.problem || state.problem->stageCount() != state.partition->stageCount)
        return Error{ErrorCode::BadUsage, "the costs of this model are not known yet"};
    STAGECRAFT_ASSIGN(schedule, scheduleOf(state.problem->options));
    std::string text = printScheduleCsv(schedule);
    if (isTrace) {
        STAGECRAFT_ASSIGN(trace, traceOf(schedule, state));
        text = std::move(trace);
    }
    STAGECRAFT_TRY(writeTextFile(path, text));
    return {};
}

} // namespace stagecraft
