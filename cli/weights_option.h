// Options about files of weights: --weights, which ModelOption has, and --shard-size.
#pragma once

#include "core/base/quantities.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

void addWeightsOption(CLI::App& command, std::vector<std::string>& files);

inline constexpr const char* usualShardSizeText = "5GB";

void addShardSize(CLI::App& command, std::string& size);

// A size in bytes, not 0: each tensor in a file of its own helps nobody.
Result<Bytes> readShardSize(const std::string& size);

} // namespace stagecraft::cli
