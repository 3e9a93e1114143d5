// What a Python made of an export's stages, in a form that is compared with the whole model's.
#pragma once

#include "core/stage/python_run.h"
#include "core/stage/run_result.h"

namespace stagecraft {

// Runs the stages of `run.folder` on `inputs`: tensors and numbers by the model's names; those that require
// gradients get some. Fills in the members of `run` that follow from them.
Result<RunResult> resultsInPython(PythonRun run, const std::map<std::string, c10::IValue>& inputs,
                                  const Progress& progress);

} // namespace stagecraft
