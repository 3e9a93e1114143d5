#include "core/profile/memory/step_memory.h"

#include "core/profile/memory/device_memory.h"
#include "core/profile/memory/live_memory.h"
#include "core/profile/memory/memory_timeline.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Gradients of parameters as they are after a backward pass, whether the step made them or found them.
Bytes gradientBytes(const Trace& trace)
{
    Bytes sum;
    for (const TraceStorage& storage : trace.storages)
        if (storage.storageClass == StorageClass::ParameterGradient)
            sum += storage.bytes;
    return sum;
}

void setSpan(MemorySample& sample, const OperatorSpan& span)
{
    sample.time = span.time;
    sample.alone = span.alone;
    sample.handovers = span.handovers;
}

// Samples of the optimizer's later step, behind those of the backward pass.
void addOptimizerSamples(const Trace& trace, const OptimizerTrace& optimizer,
                         const std::vector<OperatorSpan>& times, MemoryTimeline& timeline)
{
    Bytes before = trace.liveAtEndOutputsDropped;
    for (std::size_t i = optimizer.firstStepEnd; i < optimizer.trace.ops.size(); ++i) {
        const TraceOp& op = optimizer.trace.ops[OpId(i)];
        MemorySample sample;
        sample.phase = Phase::Optimizer;
        sample.op = optimizer.trace.opNames[op.name].name;
        sample.live = trace.liveAtEndOutputsDropped + op.live - optimizer.state;
        sample.peak = std::max(before, sample.live) + op.scratch;
        setSpan(sample, times[i]);
        before = sample.live;
        timeline.samples.push_back(std::move(sample));
    }
}

// The optimizer's state lives through the whole step, at the node that reads its parameter; what a step takes
// for a moment belongs to no node.
void addOptimizerLives(const Graph& graph, const Trace& trace, const OptimizerTrace& optimizer,
                       MemoryTimeline& timeline)
{
    const auto stepEnd = static_cast<std::uint32_t>(timeline.samples.size());
    const std::uint32_t offset = static_cast<std::uint32_t>(trace.ops.size()) - optimizer.firstStepEnd;
    const Table<StorageId, std::optional<NodeId>> readers = firstReaders(trace, graph);
    for (const TraceStorage& storage : optimizer.trace.storages) {
        LiveInterval life{.bytes = storage.bytes, .first = 0, .end = stepEnd, .value = storage.value};
        if (storage.storageClass == StorageClass::OptimizerState) {
            life.category = MemoryCategory::OptimizerState;
            if (life.value)
                life.node = readers[trace[*trace.values[*life.value].tensor].storage];
        } else if (storage.birth && storage.birth->index() >= optimizer.firstStepEnd) {
            life.first = storage.birth->index() + offset;
            life.end = storage.death ? std::min(*storage.death + offset, stepEnd) : stepEnd;
        } else
            continue;
        if (life.first < life.end && life.bytes > Bytes(0))
            timeline.lives.push_back(life);
    }
}

void addWorkspace(Bytes bytes, MemoryTimeline& timeline)
{
    const auto stepEnd = static_cast<std::uint32_t>(timeline.samples.size());
    if (bytes > Bytes(0))
        timeline.lives.push_back(
            {.category = MemoryCategory::Workspaces, .bytes = bytes, .first = 0, .end = stepEnd});
}

void addTotals(const Trace& trace, const OptimizerTrace& optimizer,
               const std::vector<OperatorSpan>& optimizerTimes, Profile& profile)
{
    ProfileTotals& totals = profile.totals;
    totals.optimizerBytes = optimizer.state;
    totals.liveAfterForward = trace.liveAfterForward;
    totals.peakForward = peakOf(trace, Phase::Forward);
    if (trace.mode == TrainingMode::Train) {
        totals.peakBackward = peakOf(trace, Phase::Backward);
        totals.gradientBytes = gradientBytes(trace);
    }
    totals.peak = std::max(totals.peakForward, totals.peakBackward);
    for (std::size_t i = optimizer.firstStepEnd; i < optimizerTimes.size(); ++i)
        totals.timeOptimizer += optimizerTimes[i].time;
    for (const MemorySample& sample : profile.memory.samples)
        if (sample.phase == Phase::Optimizer)
            totals.peakOptimizer = std::max(totals.peakOptimizer, sample.live);
}

} // namespace

void addStepMemory(const Graph& graph, const Trace& trace, const OptimizerTrace& optimizer,
                   const std::vector<OperatorSpan>& times, const std::vector<OperatorSpan>& optimizerTimes,
                   Profile& profile)
{
    MemoryTimeline& timeline = profile.memory;
    timeline = memoryTimeline(trace);
    for (std::size_t i = 0; i < times.size(); ++i)
        setSpan(timeline.samples[i], times[i]);
    addOptimizerSamples(trace, optimizer, optimizerTimes, timeline);
    addTotals(trace, optimizer, optimizerTimes, profile);

    timeline.lives = liveIntervals(trace, graph, static_cast<std::uint32_t>(timeline.samples.size()));
    addOptimizerLives(graph, trace, optimizer, timeline);
    profile.totals.workspaceBytes = workspaceBytes(trace, profile.options.device);
    addWorkspace(profile.totals.workspaceBytes, timeline);
    std::ranges::stable_sort(timeline.lives, {}, &LiveInterval::first);

    const auto highest = std::ranges::max_element(timeline.samples, {}, &MemorySample::live);
    timeline.peakSample = static_cast<std::size_t>(highest - timeline.samples.begin());
    profile.memoryAtPeak = memoryAt(timeline, timeline.peakSample);
    profile.totals.peakWithModel = profile.memoryAtPeak.total();
    const Table<NodeId, MemoryUse> byNode = memoryByNode(timeline, timeline.peakSample, graph.nodeCount());
    for (const NodeId node : graph.nodes())
        profile.nodes[node].atPeak = byNode[node];
}

} // namespace stagecraft
