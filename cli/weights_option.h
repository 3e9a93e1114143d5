// --weights: opening a model together with the files that its weights are in.
#pragma once

#include "core/load/model.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

void addWeightsOption(CLI::App& command, std::vector<std::string>& files);

// Opens `path`; with `files`, its weights are those (attachWeights).
Result<Model> openWithWeights(const std::string& path, const std::vector<std::string>& files);

} // namespace stagecraft::cli
