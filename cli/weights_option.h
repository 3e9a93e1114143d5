// Options about files of weights: --weights, which opens a model together with those it is in, and
// --shard-size.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

void addWeightsOption(CLI::App& command, std::vector<std::string>& files);

// Opens `path`; with `files`, its weights are those (attachWeights).
Result<Model> openWithWeights(const std::string& path, const std::vector<std::string>& files,
                              const Progress& progress = {});

inline constexpr const char* usualShardSizeText = "5GB";

void addShardSize(CLI::App& command, std::string& size);

// A size in bytes, not 0: each tensor in a file of its own helps nobody.
Result<Bytes> readShardSize(const std::string& size);

} // namespace stagecraft::cli
