// The flat zip of PyTorch 2.5 to 2.7: records without a root folder, tensors in nested zips of torch.save.
//
//     serialized_exported_program.json
//     serialized_state_dict.pt         parameters and persistent buffers
//     serialized_constants.pt
//     serialized_example_inputs.pt
#pragma once

#include "core/base/progress.h"
#include "core/graph/alias_sets.h"
#include "core/load/model.h"
#include "core/load/zip_archive.h"

namespace stagecraft {

bool isFlatZip(const ZipArchive& archive);

// `name` becomes the model's.
Result<Model> readFlatZip(const ZipArchive& archive, const std::string& name, const AliasingOf& aliasing,
                          const Progress& progress);

} // namespace stagecraft
