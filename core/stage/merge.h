// Merging: the state dict of the whole model from those of its stages, as one safetensors file.
#pragma once

#include "core/base/progress.h"
#include "core/base/quantities.h"
#include "core/base/result.h"

#include <filesystem>

namespace stagecraft {

struct MergeReport
{
    std::size_t tensors = 0; // a tied one under each of its names
    Bytes size;
};

// `folder` is an export with weights; `states` has the files stage_I.safetensors with the state of each stage
// under the names that the model has: the same folder, or what was saved after training. Writes what the
// model itself takes with load_state_dict(strict=True), under a name beside `output` that is then renamed:
// half of a file is never there. Fails, naming file and tensor, where one is missing, of another shape, of no
// stage, or where two stages hold unlike copies of it; where `output` is a file that is read; when cancelled.
Result<MergeReport> mergeStages(const std::filesystem::path& folder, const std::filesystem::path& states,
                                const std::filesystem::path& output, const Progress& progress = {});

} // namespace stagecraft
