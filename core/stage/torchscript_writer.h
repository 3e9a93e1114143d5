// Writes a stage as TorchScript, which torch.jit.load() runs in Python and in C++ without any source.
//
// Parameters, buffers and constants are attributes of nested modules, under the model's own names where these
// are plain (letters, digits, underscores), else under names made plain. The file has code as text: it holds
// no other text of the model than literals of operators and keys of dicts, quoted, and is read back here
// before it is written, to see that each operator is understood as it was meant.
#pragma once

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/stage_program.h"

namespace stagecraft {

// The size of the file to a few kilobytes. Fails as writing it does.
Result<Bytes> torchScriptSize(const Model& model, const StageProgram& program);

// Fails, naming the node, where TorchScript cannot say what it does: graphs within, autocast, operators that
// are not LibTorch's; where the model has no weights, the file cannot be written, or when cancelled. What is
// in memory is the program, not the weights.
Result<void> writeStageTorchScript(OutputFile& file, const Model& model, const StageProgram& program);

} // namespace stagecraft
