// The timeline of a step for a report's script.
#pragma once

#include "core/plan/problem.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

// {"title", "step_s", "shown_s", "bubble": {"communication", "imbalance", "schedule"}, "devices": [{"stages",
// "actions", "memory"}]}. Of an action nine whole numbers, one after the other: its kind (as ActionKind; 4
// more on the critical path), stage and microbatch; then, in nanoseconds, the time since the device's action
// before ended, how long it computes, how long before that it began to receive and for how long, how long
// behind that it begins to send and for how long. Of "memory" pairs: nanoseconds, bytes from then on. Where
// there are more actions than a page can show, those that begin before "shown_s". Fails as simulate() does.
Result<nlohmann::ordered_json> scheduleJson(const PartitionProblem& problem, const Partition& partition);

} // namespace stagecraft
