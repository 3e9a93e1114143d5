// From a TorchScript archive to a Model, as if torch.export had written it for the inputs at hand.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/load/zip_archive.h"
#include "core/script/script_argument.h"

#include <string>
#include <vector>

namespace stagecraft {

// `inputs` are texts as parseInput() reads them, in order or by name. Without any, those that a traced model
// was traced with are taken, where the file has them. Fails with code BadUsage, saying what forward() takes,
// where an argument without a default is given nothing; and, naming the line, where the model cannot be
// followed: its way depends on the numbers in a tensor, or it does what no graph can say.
Result<Model> readTorchScript(const ZipArchive& archive, const std::string& name,
                              const std::vector<std::string>& inputs, const Progress& progress);

struct ScriptSignature
{
    std::vector<ScriptArgument> arguments; // of forward(), without the model itself
    bool hasOwnInputs = false;             // it was traced, and keeps with what
};

// Fails as readTorchScript() does before it follows anything.
Result<ScriptSignature> readScriptSignature(const ZipArchive& archive, const Progress& progress);

} // namespace stagecraft
