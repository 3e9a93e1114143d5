// Export: writes the stages of a plan to a folder, ready to run under torch.distributed.pipelining.
//
//     manifest.json         what each stage takes and returns
//     README.md             how to run and train them
//     pipeline.py           runs the whole: torchrun
//     stagecraft_runtime    what pipeline.py is made of
//     examples              a training script, a job for Slurm
//     stage_I.py            the stage as Python code
//     stage_I.safetensors   its parameters, buffers and constants; over a size in shards (weight_shards.h)
//     stage_I.pt2           the same for torch.export.load()
//     stage_I.ts.pt         the same for torch.jit.load(), where asked for
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/profile/profile.h"
#include "core/stage/manifest.h"
#include "core/stage/stage_program.h"
#include "core/stage/weight_shards.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

enum class StageFormat : std::uint8_t {
    Python,      // stage_I.py and pipeline.py, with the weights as safetensors
    Pt2,         // stage_I.pt2, for torch 2.9 and later
    TorchScript, // stage_I.ts.pt
};

// "python", "pt2", "torchscript".
Result<StageFormat> parseStageFormat(std::string_view name);

struct ExportOptions
{
    std::filesystem::path folder; // made if missing, together with its parents
    std::vector<StageFormat> formats{StageFormat::Python, StageFormat::Pt2};
    std::string lossOutput;   // which output pipeline.py trains, as lossOutput() reads it; empty: by its rule
    std::string lossFunction; // or trains by this function of it (loss_function.h)
    std::optional<RunPlan> run;
    Bytes shardSize = usualShardSize; // of the tensors in one safetensors file
    RegionNotes regionNotes = {};     // in the code of what backward runs again
    ProfileRequest plannedFor = {};   // what the plan's figures are of; a note says how stages come to be so
};

struct ExportedFile
{
    std::string name; // within the folder
    Bytes size;

    friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

struct ExportReport
{
    std::filesystem::path folder;
    std::vector<ExportedFile> files;
    // "loss: ...", "no weights: ...", "wte.weight is in stage 1, stage 4: ..."
    std::vector<std::string> notes;

    Bytes total() const;
};

// What exportStages() would write; sizes of files with weights are exact to a few kilobytes. Fails where the
// partition cannot be cut, the model calls what may not be written (writable.h), it must be asked which
// output is the loss, or when cancelled.
Result<std::vector<ExportedFile>> planExport(const Model& model, const Partition& partition,
                                             const ExportOptions& options, const Progress& progress = {});

// Writes everything to a temporary folder that then takes the place of `options.folder` (export_folder.h),
// which is as it was or holds the whole export. Of an earlier export there the files that its manifest names
// go, everything else stays. Fails in one line where the partition cannot be cut, the model calls what
// may not be written, the folder holds files but is no export, the model's file changed on the way, there is
// no room or no permission, or when cancelled.
Result<ExportReport> exportStages(const Model& model, const Partition& partition,
                                  const ExportOptions& options, const Progress& progress = {});

} // namespace stagecraft
