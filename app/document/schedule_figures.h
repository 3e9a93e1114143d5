// The schedule of a plan: as its panel shows it, and as a file for other programs.
#pragma once

#include "app/document/plan_state.h"
#include "views/charts/schedule_view.h"

#include <filesystem>
#include <memory>

namespace stagecraft {

// The step of `state` as the simulator runs it; null while there are no costs.
std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state);

// What the name of `path` asks for: trace events for a *.json, which Perfetto shows, or the order of
// computing as torch.distributed.pipelining reads it for a *.csv. An older file is replaced whole or stays.
// Fails for other names, while there are no costs, and where the file cannot be written.
Result<void> saveSchedule(const PlanState& state, const std::filesystem::path& path);

} // namespace stagecraft
