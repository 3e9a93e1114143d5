// Whether a real step has room on this machine, told before it runs: without, it fails after minutes.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <string>

namespace stagecraft {

// Of a training step on the CPU, with symbolic sizes so bound and that output as its loss (lossOutput()):
// fails, with both figures, where the model and the peak of the step's trace are more than `available`. Of
// models that have no trace nothing is known, so they pass.
Result<void> checkRoomForStep(const Model& model, const Bindings& bindings, const std::string& lossOutput,
                              Bytes available, const Progress& progress = {});

} // namespace stagecraft
