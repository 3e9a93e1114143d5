// Merging: the state dict of the whole model from those of its stages, as safetensors.
#pragma once

#include "core/base/progress.h"
#include "core/base/quantities.h"
#include "core/base/result.h"
#include "core/stage/weight_shards.h"

#include <filesystem>

namespace stagecraft {

struct MergeReport
{
    std::size_t tensors = 0; // a tied one under each of its names
    Bytes size;
    std::size_t files = 1;      // that have tensors
    std::filesystem::path file; // `output`, or the index of the shards
};

// `folder` is an export with weights; `states` has the files stage_I.safetensors with the state of each
// stage under the names that the model has, or their shards with an index: the same folder, or what was saved
// after training. Writes what the model itself takes with load_state_dict(strict=True): `output`, or, over
// `shardSize` of tensors, shards with an index beside it (weight_shards.h). They are written under other
// names and then renamed, an index last: half of a model is never there. Fails, naming file and tensor, where
// one is missing, of another shape, of no stage, or where two stages hold unlike copies of it; where a file
// would be written that is read, or shards beside a whole file that would be taken for them; when cancelled.
Result<MergeReport> mergeStages(const std::filesystem::path& folder, const std::filesystem::path& states,
                                const std::filesystem::path& output, Bytes shardSize = usualShardSize,
                                const Progress& progress = {});

} // namespace stagecraft
