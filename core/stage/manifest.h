// The manifest of an export: which stage takes and returns what, in which files. Format 1.
#pragma once

#include "core/load/loss_output.h"
#include "core/load/model.h"
#include "core/plan/options.h"
#include "core/stage/loss_function.h"
#include "core/stage/stage_program.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

inline constexpr int manifestFormat = 1;
inline constexpr const char* manifestFileName = "manifest.json";

struct SharedParameter
{
    std::string name;
    std::vector<StageId> stages; // ascending, at least two
};

// Parameters that several stages hold a copy of: their gradients must be summed.
std::vector<SharedParameter> sharedParameters(const Model& model, const std::vector<StageProgram>& programs);

// Which files of a stage an export holds.
struct StageFiles
{
    std::string code;    // "stage_0.py"; empty: not written
    std::string program; // "stage_0.pt2"
    std::string script;  // "stage_0.ts.pt"
    // "stage_0.safetensors", or the index of its shards (weight_shards.h); empty: the model has no data
    std::string weights;
    // Lines of the code, from 1, that run once for each of several nodes: of blocks that are written once.
    std::map<std::size_t, std::vector<std::string>> sharedLines;
    std::optional<Bytes> savedBytes; // kept for backward (kept_bytes.h); none: not known
};

// Could an export hold a file of this name? "stage_0.py", "examples/train.py".
bool isExportFileName(const std::string& name);

// Has an export a folder of this name, for files that are not the stages'?
bool isExportFolderName(const std::string& name);

// A file as it was written, so that later changes show.
struct WrittenFile
{
    std::string name;
    Bytes size;
    std::string sha256; // empty for weights in exports of earlier versions, and in plans
};

// How the plan means its stages to be run: what the run-time takes unless it is told otherwise.
struct RunPlan
{
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::size_t microbatches = 0;
    SendKind send = SendKind::Relay;

    friend bool operator==(const RunPlan&, const RunPlan&) = default;
};

inline RunPlan runPlan(const PartitionOptions& options)
{
    return {options.schedule, options.microbatches, options.send};
}

// What is trained, and how.
struct TrainingPlan
{
    LossOutput loss;
    std::optional<LossFunction> function; // instead of an output
    std::optional<RunPlan> run;           // none: nobody said
};

// The text of manifest.json. Fields that came later than format 1's first, which older exports lack:
//
//     "plan": {"schedule": "1f1b", "microbatches": 8, "send": "relay"}    of the whole; {}: nobody said
//     "loss_function": {"name": "cross_entropy", "output": 0}    of "model": fed the leaf `output` of what
//                                the model returns; null: loss_output is the loss
//     "torchscript": "stage_0.ts.pt"                             of a stage: its file for torch.jit.load()
//     "shared_lines": {"58": ["mul_3", "mul_9"]}    of a stage: lines of its code that run once for each of
//                                several nodes, one after the other, where blocks are written once
//     "regions": [{"first": "mul_4", "last": "add_9", "nodes": 12, "kept": ["linear_2"],
//                  "in_program": true}]    of a stage: what backward runs again, in order, but for what the
//                                kept nodes make; absent: nothing. "in_program": its .pt2 has the region as
//                                PyTorch's operator, in which what is to be kept runs again, too
//     "saved_bytes": 65536       of a stage that recomputes: what it keeps for backward of a microbatch of
//                                the exported sizes on a CPU, its inputs and weights left out; null: unknown
//     "state": [{"name", "dtype", "shape", "alias_of"}]    of a stage: its share of the model's state dict;
//                                "alias_of": of which of them it is another name, null: of none
//     "requires_grad": true      of what a stage takes from the one before, and returns: a gradient flows
//                                back through it, as far as the graph tells
//     "made_by": 0               the same: the stage that gave it its content; a relayed value comes from
//                                further away than the stage before. null: it was given to the model
std::string manifestJson(const Model& model, const std::vector<StageProgram>& programs,
                         const std::vector<StageFiles>& files, const TrainingPlan& training,
                         const std::vector<WrittenFile>& written);

// How the manifest describes a value: "float32[8, s77]"; "number" where it is no tensor.
std::string describedType(const Value& value);

// What verification reads back.
struct ManifestStage
{
    struct Input
    {
        std::string name;
        bool fromModel = false;
        std::string value;        // name of the value in the model's graph
        std::string type;         // as describedType()
        bool hasGradient = false; // of one from the stage before: one flows back
    };
    struct Region // by names of nodes
    {
        std::string first;
        std::string last;
        std::size_t nodes = 0;
        std::vector<std::string> kept;
        bool isInProgram = false;
    };
    struct StateEntry
    {
        std::string name;
        std::string type;
        std::string aliasOf;
    };
    StageFiles files;
    std::vector<Input> inputs;
    std::vector<Region> regions;
    std::vector<StateEntry> state; // empty in exports of earlier versions
    std::vector<std::string> outputs;
    std::vector<std::string> outputTypes; // as many
    std::vector<std::string> parameters;
    std::vector<std::string> buffers;
    std::vector<std::string> constants;
};

struct Manifest
{
    std::string modelName;
    std::vector<std::string> modelInputs;
    std::vector<ManifestStage> stages;          // at least one
    std::vector<WrittenFile> written;           // empty in exports of earlier versions
    std::string text;                           // of the whole file
    std::optional<std::size_t> lossOutput = {}; // among what the model returns; none: the sum of all
    std::optional<RunPlan> run = {};
};

// Fails, naming the file, where there is none, it is not a manifest of format 1, or it contradicts itself:
// stages out of order, a stage that takes what the one before does not return or the model does not have,
// files of other names than an export's.
Result<Manifest> readManifest(const std::filesystem::path& folder);

// The names of all files that the export in `folder` wrote, manifest.json among them. Fails as
// readManifest().
Result<std::vector<std::string>> exportedFiles(const std::filesystem::path& folder);

// Does the manifest say of the model what the model says? Fails in one line that names what differs.
Result<void> checkManifest(const Manifest& manifest, const Model& model);

// Does it say of a stage what the stage's own file says? `stage` was read from it.
Result<void> checkManifestStage(const Manifest& manifest, std::size_t index, const Model& stage);

} // namespace stagecraft
