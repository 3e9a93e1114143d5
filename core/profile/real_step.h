// A training step for real, on this machine's CPU: forward, the sum of the outputs, backward.
#pragma once

#include "core/base/progress.h"
#include "core/profile/stopwatch.h"
#include "core/run/interpreter.h"

namespace stagecraft {

struct StepTimes
{
    Seconds forward;
    Seconds backward; // with the loss: the sum of the outputs
};

// `interpreter` was prepared for the whole `graph`, `values` hold its inputs. Gradients are dropped before,
// outputs after it, so that every step is like the first. Fails as the interpreter does, and where the
// backward pass fails.
Result<StepTimes> runStep(const Graph& graph, const Interpreter& interpreter, ValueTable& values,
                          Stopwatch::Clock clock, const Progress& progress = {});

} // namespace stagecraft
