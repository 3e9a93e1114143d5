// StageChain: the .pt2 files of an export, run one after the other on what the one before returned.
#pragma once

#include "core/stage/manifest.h"
#include "core/stage/model_run.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stagecraft {

class StageChain
{
public:
    // Of the export of `whole` in `folder`; `manifest` must outlive the chain, `options` are the whole's.
    StageChain(const Model& whole, const Manifest& manifest, std::filesystem::path folder,
               const ModelRunOptions& options);
    ~StageChain();

    // From the model's inputs by name. Fails, naming the file, where one is not of this model, contradicts
    // the manifest or cannot be run.
    Result<void> forward(const std::map<std::string, c10::IValue>& inputs, const Progress& progress);
    // Each stage from the gradients of what the next one received, as a pipeline does. Fails, naming the
    // file, where PyTorch cannot go back through it.
    Result<void> backward();
    // What came out, but for the inputs' gradients; good while the chain lives, in whose files some of it is.
    // Fails where a stage's file was changed meanwhile.
    Result<void> collect(RunResult& result) const;

private:
    struct StageRun;

    Error inStage(std::size_t index, const std::string& what) const;
    Result<void> goBack(std::size_t index, const std::vector<at::Tensor>& roots,
                        const std::vector<at::Tensor>& gradients) const;
    Result<StageRun> open(std::size_t index) const;
    Result<void> fromThisModel(const Model& stage) const;
    Result<void> give(std::size_t index, StageRun& stage, const std::map<std::string, c10::IValue>& inputs);

    std::map<std::string, std::string> m_parameters; // of the whole model: type and shape
    const Manifest& m_manifest;
    std::filesystem::path m_folder;
    ModelRunOptions m_options;
    std::vector<StageRun> m_stages;
};

} // namespace stagecraft
