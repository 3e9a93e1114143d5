#include "core/profile/memory/memory_timeline.h"

#include <algorithm>

namespace stagecraft {

MemoryTimeline memoryTimeline(const Trace& trace)
{
    MemoryTimeline timeline;
    timeline.samples.reserve(trace.ops.size());
    Bytes before;
    for (const TraceOp& op : trace.ops) {
        MemorySample sample;
        sample.phase = op.phase;
        sample.isRecomputed = op.isRecomputed;
        sample.node = op.node;
        sample.op = trace.opNames[op.name].name;
        sample.live = op.live;
        sample.peak = std::max(before, op.live) + op.scratch;
        before = op.live;
        timeline.samples.push_back(std::move(sample));
    }
    return timeline;
}

Bytes peakOf(const Trace& trace, Phase phase)
{
    Bytes peak = trace.liveAfterForward;
    if (phase == Phase::Backward)
        peak = std::max(peak, trace.liveAtEnd);
    for (const TraceOp& op : trace.ops)
        if (op.phase == phase)
            peak = std::max(peak, op.live);
    return peak;
}

} // namespace stagecraft
