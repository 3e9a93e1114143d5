// Writes a stage as a `.pt2` file that torch.export.load() of PyTorch 2.9 and later reads.
//
// The JSON is a small subset of schema 8.
#pragma once

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <map>
#include <string>

namespace stagecraft {

// models/model.json: the stage as an exported program.
std::string stageJson(const Model& model, const StageProgram& program);

// Texts by name that lie in a file beside the program.
using ExtraFiles = std::map<std::string, std::string>;

// The whole file, a PT2 archive. Fails where the file cannot be written, where a tensor has no data in an
// otherwise complete model, or when cancelled. A structure-only model gives a structure-only file.
Result<void> writeStagePt2(OutputFile& file, const Model& model, const StageProgram& program,
                           const Progress& progress, const ExtraFiles& extraFiles = {});

} // namespace stagecraft
