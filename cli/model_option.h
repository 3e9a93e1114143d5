// The model that a command is about, and what of it is said on the command line.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

struct ModelOption
{
    std::string file;
    std::string program;              // --program: of several that the file holds
    std::vector<std::string> inputs;  // --input: of TorchScript
    std::vector<std::string> weights; // --weights: those it takes the place of
    std::vector<std::string> sizes;   // --bind: "s0=8"
};

// --program and --input.
void addProgram(CLI::App& command, ModelOption& option);
// The model's file, and those.
void addModel(CLI::App& command, ModelOption& option);
// Those and --bind.
void addSizedModel(CLI::App& command, ModelOption& option);

// Opens the model; its graph is the one at the sizes. Fails as openModelFile,
// attachWeights, checkBindings and GraphBuilder::atSizes do; what is odd about the sizes becomes a note.
Result<Model> openedModel(const ModelOption& option, const Progress& progress);

} // namespace stagecraft::cli
