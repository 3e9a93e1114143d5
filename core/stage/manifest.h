// The manifest of an export: which stage takes and returns what, in which files. Format 1.
#pragma once

#include "core/load/loss_output.h"
#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

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
    std::string weights; // "stage_0.safetensors"; empty: the model has no data
};

// The text of manifest.json.
std::string manifestJson(const Model& model, const std::vector<StageProgram>& programs,
                         const std::vector<StageFiles>& files, const LossOutput& loss);

// What verification reads back.
struct ManifestStage
{
    struct Input
    {
        std::string name;
        bool fromModel = false;
        std::string value; // name of the value in the model's graph
    };
    StageFiles files;
    std::vector<Input> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> parameters;
    std::vector<std::string> buffers;
};

struct Manifest
{
    std::string modelName;
    std::vector<std::string> modelInputs;
    std::vector<ManifestStage> stages;
    std::optional<std::size_t> lossOutput = {}; // among what the model returns; none: the sum of all
};

// Fails, naming the file, where there is none, or it is not a manifest of format 1.
Result<Manifest> readManifest(const std::filesystem::path& folder);

} // namespace stagecraft
