// What all stages hold over a step, on one axis of time: as figures, rows and text.
//
//     stage 1   ▂▄▆▇▆▇▆▇▅▃▂     on one device or on several, in the order of the schedule: the figures of the
//     stage 2    ▂▄▅▄▅▄▅▃▂      simulation that the plan's own peaks come from
#pragma once

#include "core/plan/partition.h"
#include "core/schedule/stage_memory.h"
#include "views/charts/memory_rows.h"

#include <QString>

#include <span>
#include <vector>

namespace stagecraft {

struct StagesMemory
{
    struct Device
    {
        std::vector<StageId> stages; // ascending
        Bytes limit = Bytes::max();  // on all that they hold together; Bytes::max(): none
        std::vector<MemoryStep> memory;
    };
    std::vector<StageTimes> stages;
    std::vector<std::vector<StageMoment>> memory; // by stage
    std::vector<Device> devices;
    Seconds end;

    bool sharesDevices() const { return devices.size() < stages.size(); }
    Bytes highest() const; // of any stage or device
};

// `stages` are those of the costs that `timeline` was simulated with, `devices` those of the same plan.
StagesMemory stagesMemoryOf(const Timeline& timeline, std::vector<StageTimes> stages,
                            std::span<const DeviceCost> devices);

// The stage that holds most at its peak; there is one.
StageId fullestStage(const StagesMemory& memory);
// "Peak of Stage 2: 12.3 GiB at 1.20 ms".
QString peakText(const StagesMemory& memory);

// What each stage holds at `time`, of what below it; where stages share devices, below their devices.
std::vector<MemoryRow> rowsAt(const StagesMemory& memory, Seconds time);
// The same in a line each, without what it is made of.
QString heldText(const StagesMemory& memory, Seconds time);

// CSV: a row for each moment at which a stage comes to hold something else, a column of bytes for each stage.
QString seriesCsv(const StagesMemory& memory);

} // namespace stagecraft
