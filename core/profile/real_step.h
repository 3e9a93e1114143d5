// A training step for real, on this machine's CPU: forward, the loss (core/load/loss_output.h), backward.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/profile/stopwatch.h"
#include "core/run/interpreter.h"

namespace stagecraft {

struct StepTimes
{
    Seconds forward;
    Seconds backward; // with the loss
};

// `interpreter` was prepared for the whole graph of `model`, `values` hold its inputs. Gradients are dropped
// before, outputs after it, so that every step is like the first. Fails as the interpreter does, and where
// the backward pass fails.
Result<StepTimes> runStep(const Model& model, const Interpreter& interpreter, ValueTable& values,
                          Stopwatch::Clock clock, const Progress& progress = {});

} // namespace stagecraft
