// A whole model as a `.pt2` file, as if it had one stage.
#pragma once

#include "core/base/progress.h"
#include "core/base/quantities.h"
#include "core/load/model.h"
#include "core/stage/pt2_writer.h" // ExtraFiles

#include <filesystem>

namespace stagecraft {

// What openModel() and torch.export.load() of PyTorch 2.9 and later read. Of a structure-only model the
// latter reads the program and no weights. Fails where the model calls what may not be written
// (writable.h), where the file cannot be written, or when cancelled; then an older file is as it was.
// `extraFiles` go into its folder of such, where torch.export.load(extra_files=...) finds them.
Result<Bytes> writeModelPt2(const std::filesystem::path& path, const Model& model,
                            const Progress& progress = {}, const ExtraFiles& extraFiles = {});

} // namespace stagecraft
