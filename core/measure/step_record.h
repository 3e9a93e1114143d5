// What processes of a run say of one step, read from files:
//
// JSON    of the run-time's --profile (resources/python/stagecraft_runtime/profiling.py): "ranks" with slots,
//         "sends", "step_s". One file has all ranks of a pipeline, but several may share them out.
// trace   what torch.profiler exports, one file a process: its last step. A slot is what the run-time marks
//         by a record_function() of "stagecraft:F:0:3": action, stage, microbatch. Where the trace has GPU
//         kernels, a slot is from the first to the last one launched inside the mark.
//
// All of them may be packed by gzip. Traces do not say of which model and plan they are: only a schedule of
// other slots can be told.
#pragma once

#include "core/base/progress.h"
#include "core/schedule/measured_step.h"

#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>

namespace stagecraft {

// What the run must have been of.
struct PlannedRun
{
    std::size_t microbatches = 1;
    std::string schedule; // its name; empty: another than those that have names
    std::unordered_map<std::string, std::size_t> stageOfNode;
};

// Fails, naming the file and the entry, where one is neither; where it says to be of another number of
// microbatches, of another schedule, of nodes that the plan does not have or has in another stage; and where
// two files are of one rank. Whether each slot is there once, measuredStep() finds out.
Result<StepRecord> readStepRecord(std::span<const std::filesystem::path> files, const PlannedRun& planned,
                                  const Progress& progress = {});

} // namespace stagecraft
