// The schedule of a plan: as its panel shows it, and as a file for other programs.
#pragma once

#include "app/document/plan_state.h"
#include "core/load/model.h"
#include "core/schedule/schedule_csv.h"
#include "views/charts/schedule_view.h"

#include <filesystem>
#include <memory>
#include <span>

namespace stagecraft {

// The step of `state` as the simulator runs it; null while there are no costs.
std::shared_ptr<const ScheduleFigures> scheduleFigures(const PlanState& state);

// A step of a run, and the plan that it was of.
struct MeasuredRun
{
    QString name; // of its files
    MeasuredStep step;
    Schedule schedule;
    std::shared_ptr<const Partition> partition;
};

// Of the run of the stages of `state` that these files tell of. Fails while there are no costs, and as
// readMeasuredStep() does.
Result<MeasuredRun> readMeasuredRun(const Model& model, const PlanState& state,
                                    std::span<const std::filesystem::path> files,
                                    const Progress& progress = {});

// The run laid over the step of `state`; where that is another plan, it says so and nothing else.
std::shared_ptr<const MeasuredFigures> measuredFigures(const PlanState& state, const MeasuredRun& run);

// The order of a step as torch.distributed.pipelining reads it (schedule_csv.h).
struct ScheduleTable
{
    CsvForm form = CsvForm::ComputeOnly;
    CsvWaits waits = CsvWaits::Implied;
};

// What the name of `path` asks for: trace events for a *.json, which Perfetto shows, or such a table for a
// *.csv. An older file is replaced whole or stays. Fails for other names, while there are no costs, and where
// the file cannot be written.
Result<void> saveSchedule(const PlanState& state, const std::filesystem::path& path,
                          const ScheduleTable& table = {});

} // namespace stagecraft
