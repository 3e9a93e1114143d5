// Do stages keep for backward what the plan of the export says?
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/manifest.h"
#include "core/stage/verify.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace stagecraft {

// Adds a comparison for each stage of which the manifest says what it keeps: its `.pt2`, traced, to the byte
// but for copies of what is sent without its gaps; and where stage_I.py was run that (`inPython` has what it
// kept; none: not known), of whose kernels those of another version of PyTorch may keep a little more or
// less. A note where sizes are not the exported ones.
Result<void> compareKept(const Model& model, const Manifest& manifest, const std::filesystem::path& folder,
                         const std::vector<std::optional<std::int64_t>>& inPython, const Progress& progress,
                         VerifyReport& report);

} // namespace stagecraft
