#include "core/measure/step_room.h"

#include "core/profile/memory/memory_timeline.h"
#include "core/trace/trace_model.h"

#include <algorithm>

namespace stagecraft {

namespace {

Bytes peakWithModel(const Trace& trace)
{
    Bytes bytes = std::max(peakOf(trace, Phase::Forward), peakOf(trace, Phase::Backward));
    for (const TraceStorage& storage : trace.storages)
        if (isGiven(storage))
            bytes += storage.bytes;
    return bytes;
}

} // namespace

Result<void> checkRoomForStep(const Model& model, const Bindings& bindings, const std::string& lossOutput,
                              Bytes available, const Progress& progress)
{
    TraceOptions onCpu{.lowering = {.kind = LoweringKind::Device}, .bindings = bindings};
    onCpu.lossOutput = lossOutput;
    const Result<Trace> trace = traceModel(model, onCpu, progress);
    if (!trace.has_value())
        return progress.stopRequested() ? cancelled() : Result<void>();
    const Bytes needed = peakWithModel(*trace);
    if (needed <= available)
        return {};
    return Error{ErrorCode::Infeasible, "a real step takes " + formatBytes(needed) +
                                            " of memory and this machine has " + formatBytes(available) +
                                            " free: only smaller inputs, or a machine with more, can run it"};
}

} // namespace stagecraft
