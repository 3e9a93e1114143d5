// A training step for real, on this machine's CPU: forward, the loss (core/load/loss_output.h), backward.
#pragma once

#include "core/base/progress.h"
#include "core/measure/stopwatch.h"
#include "core/run/interpreter.h"

#include <span>

namespace stagecraft {

struct StepTimes
{
    Seconds forward;
    Seconds backward; // with the loss
};

// `interpreter` was prepared for the whole `graph`, `values` hold its inputs; the loss is the sum of
// `outputs`. Gradients are dropped before, outputs after it, so that every step is like the first. Fails as
// the interpreter does, and where the backward pass fails.
Result<StepTimes> runStep(const Graph& graph, std::span<const ValueId> outputs,
                          const Interpreter& interpreter, ValueTable& values, Stopwatch::Clock clock,
                          const Progress& progress = {});

} // namespace stagecraft
