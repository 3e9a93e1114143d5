// From a trace to a profile.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/profile/profile.h"
#include "core/trace/trace_model.h"

#include <optional>

namespace stagecraft {

// What to trace so that a profile for `options` can be derived.
TraceOptions traceOptions(const ProfileOptions& options);

// The steps that memory is replayed from (device_memory.h).
struct StepTraceSet
{
    Trace later;
    std::optional<Trace> first; // none: it is like the later ones
    OptimizerTrace optimizer;
};

// Fails as traceModel does.
Result<StepTraceSet> traceSteps(const Model& model, const ProfileOptions& options,
                                const Progress& progress = {});

// Every figure of the profile, from what the trace says happened. `trace` was made from `model` with
// traceOptions(options). Fails where a size of the model cannot be evaluated under options.bindings.
Result<Profile> profileTrace(const Model& model, const Trace& trace, const ProfileOptions& options);

// Both in one call.
Result<Profile> profileModel(const Model& model, const ProfileOptions& options,
                             const Progress& progress = {});

} // namespace stagecraft
