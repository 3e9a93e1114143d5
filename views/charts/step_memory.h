// What is alive over a whole step, by category: of the model on one device, or of one stage of a plan.
//
//     forward ─────────► backward ─────────► optimizer
//           ▁▂▃▄▅▆▇▇▆▅▄▃▂▁▁                             for one microbatch
//     ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                        of a stage: what others in flight keep
//     ██████████████████████████                        parameters, optimizer state
#pragma once

#include "views/base/plan_view.h"
#include "views/charts/memory_rows.h"

#include <vector>

namespace stagecraft {

struct StackedMemory
{
    std::vector<std::size_t> samples; // those of the profile's memory that are shown
    std::vector<MemoryUse> uses;      // after each of them
    // Of a stage: what microbatches keep that are in flight besides, and buffers of the run-time.
    Bytes others;
    std::size_t peak = 0; // by position in `samples`

    Bytes totalAt(std::size_t position) const { return uses[position].total() + others; }
};
// Empty without a profile of a training step or of inference. `stage`: none: the whole model.
StackedMemory stackedMemory(const PlanView& plan, std::optional<StageId> stage);

// What is alive at a position, by category, with the largest storages below each.
std::vector<MemoryRow> rowsAt(const PlanView& plan, std::optional<StageId> stage, const StackedMemory& memory,
                              std::size_t position, Lists lists = Lists::Shortened);

// A line a position: what ran, and the bytes of each category after it.
QString seriesCsv(const PlanView& plan, const StackedMemory& memory);

// Where another plan of the graph, with its own profile, runs what runs at `position` of `memory`; none:
// nowhere.
std::optional<std::size_t> samePosition(const Profile& profile, const StackedMemory& memory,
                                        std::size_t position, const Profile& otherProfile,
                                        const StackedMemory& other);

} // namespace stagecraft
