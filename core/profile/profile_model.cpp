#include "core/profile/profile_model.h"

#include "core/profile/device_memory.h"
#include "core/profile/live_memory.h"
#include "core/profile/memory_timeline.h"
#include "core/profile/op_time.h"
#include "core/profile/optimizer.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Shares an operator's traffic and time between the halves of a backward pass as its FLOPs are shared; an
// operator without FLOPs goes to the half that its results are for.
double weightShare(const Trace& trace, const TraceOp& op, const OpFlops& flops)
{
    if (flops.total().value() > 0)
        return flops.weight / flops.total();
    return isWeightGradient(trace, op) ? 1 : 0;
}

Bytes scaled(Bytes bytes, double share)
{
    if (share >= 1)
        return bytes;
    return Bytes(static_cast<std::int64_t>(bytes.asDouble() * share));
}

void addBackward(NodeCost& cost, const PhaseCost& whole, const OpFlops& flops, double share)
{
    const PhaseCost weight{flops.weight, scaled(whole.bytesRead, share), scaled(whole.bytesWritten, share),
                           whole.time * share};
    cost.backwardWeight += weight;
    cost.backwardInput += {flops.input, whole.bytesRead - weight.bytesRead,
                           whole.bytesWritten - weight.bytesWritten, whole.time - weight.time};
}

void addOperators(const Trace& trace, const DeviceSpec& device, Profile& profile)
{
    for (const TraceOp& op : trace.ops) {
        const OpFlops flops = operatorFlops(trace, op);
        const OpTraffic traffic = operatorTraffic(trace, op);
        const PhaseCost whole{flops.total(), traffic.read, traffic.written,
                              operatorTime(trace, op, flops, traffic, device)};
        const bool isForward = op.phase == Phase::Forward;
        (isForward ? profile.totals.flopsForward : profile.totals.flopsBackward) += whole.flops;
        (isForward ? profile.totals.timeForward : profile.totals.timeBackward) += whole.time;
        if (!op.node)
            continue;
        NodeCost& cost = profile.nodes[*op.node];
        if (isForward)
            cost.forward += whole;
        else
            addBackward(cost, whole, flops, weightShare(trace, op, flops));
    }
}

// The most that is alive while a node's operators run, above what was alive when the first of them began.
void addTemporaryPeaks(const Trace& trace, Profile& profile)
{
    std::optional<NodeId> running;
    Phase phase = Phase::Forward;
    Bytes entry, before;
    for (const TraceOp& op : trace.ops) {
        if (op.node != running || op.phase != phase) {
            running = op.node;
            phase = op.phase;
            entry = before;
        }
        if (op.node) {
            Bytes& peak = profile.nodes[*op.node].temporaryPeak;
            peak = std::max(peak, std::max(before, op.live) + op.scratch - entry);
        }
        before = op.live;
    }
}

void addSavedBytes(const Trace& trace, Profile& profile)
{
    Table<StorageId, char> seen(trace.storages.size(), 0);
    for (const SavedTensor& saved : trace.saved) {
        const TraceStorage& storage = trace.storages[saved.storage];
        if (!isSavedForBackward(trace, saved) || storage.storageClass != StorageClass::Activation ||
            seen[saved.storage])
            continue;
        seen[saved.storage] = 1;
        profile.totals.savedBytes += storage.bytes;
        if (saved.node)
            profile.nodes[*saved.node].savedBytes += storage.bytes;
    }
}

// Parameters and buffers at the first node that reads them; outputs at the node that made their storage.
void addHeldBytes(const Graph& graph, const Trace& trace, Profile& profile)
{
    Table<StorageId, char> seen(trace.storages.size(), 0);
    const auto firstSight = [&](ValueId value) -> std::optional<StorageId> {
        const std::optional<TraceTensorId> tensor = trace.values[value].tensor;
        if (!tensor || seen[trace[*tensor].storage])
            return std::nullopt;
        seen[trace[*tensor].storage] = 1;
        return trace[*tensor].storage;
    };
    for (const NodeId node : graph.nodes()) {
        NodeCost& cost = profile.nodes[node];
        for (const ValueId input : graph[node].inputs) {
            const ValueKind kind = graph[input].kind;
            if (kind != ValueKind::Parameter && kind != ValueKind::Buffer)
                continue;
            if (const std::optional<StorageId> storage = firstSight(input))
                (kind == ValueKind::Parameter ? cost.parameterBytes : cost.bufferBytes) +=
                    trace.storages[*storage].bytes;
        }
        for (const ValueId result : graph[node].results)
            if (const std::optional<StorageId> storage = firstSight(result); storage)
                if (trace.storages[*storage].storageClass == StorageClass::Activation)
                    cost.outputBytes += trace.storages[*storage].bytes;
    }
}

Result<void> addValues(const Graph& graph, const Trace& trace, Profile& profile)
{
    for (const ValueId id : graph.values()) {
        const TraceValue& value = trace.values[id];
        if (value.tensor)
            profile.valueBytes[id] = trace.tensorBytes(trace[*value.tensor]);
        else if (graph[id].isTensor()) {
            STAGECRAFT_ASSIGN(bytes, byteSize(*graph[id].meta, profile.options.bindings));
            profile.valueBytes[id] = bytes;
        }
        profile.needsGradient[id] = value.requiresGrad ? 1 : 0;
    }
    return {};
}

Result<void> addParameters(const Model& model, Profile& profile)
{
    const bool trains = profile.options.mode == TrainingMode::Train;
    ProfileTotals& totals = profile.totals;
    for (const ParameterGroup& group : parameterGroups(model)) {
        const TensorMeta& meta = *model.graph[group.values.front()].meta;
        STAGECRAFT_ASSIGN(count, elementCount(meta, profile.options.bindings));
        const Bytes bytes = Bytes(itemSize(meta.dtype)) * count;
        totals.parameters += count;
        totals.parameterBytes += bytes;
        if (trains)
            for (const Bytes state : optimizerStateTensors(profile.options.optimizer, bytes))
                totals.optimizerBytes += state;
    }
    for (const InputSpec& input : model.signature.inputs) {
        if (!input.value || !model.graph[*input.value].isTensor())
            continue;
        if (input.kind == InputSpec::Kind::Buffer)
            totals.bufferBytes += profile.valueBytes[*input.value];
        if (input.kind == InputSpec::Kind::User)
            totals.inputBytes += profile.valueBytes[*input.value];
    }
    return {};
}

// The optimizer's state lives through the whole step, beside its parameters.
void addOptimizerState(OptimizerKind kind, MemoryTimeline& timeline)
{
    std::vector<LiveInterval> states;
    for (const LiveInterval& life : timeline.lives)
        if (life.category == MemoryCategory::Parameters)
            for (const Bytes bytes : optimizerStateTensors(kind, life.bytes)) {
                states.push_back(life);
                states.back().category = MemoryCategory::OptimizerState;
                states.back().bytes = bytes;
            }
    timeline.lives.insert(timeline.lives.begin(), states.begin(), states.end());
}

void addMemory(const Graph& graph, const Trace& trace, Profile& profile)
{
    MemoryTimeline& timeline = profile.memory;
    timeline = memoryTimeline(trace);
    timeline.lives = liveIntervals(trace, graph);
    if (trace.mode == TrainingMode::Train)
        addOptimizerState(profile.options.optimizer, timeline);
    profile.memoryAtPeak = memoryAt(timeline, timeline.peakSample);
    profile.totals.peakWithModel = profile.memoryAtPeak.total();
    const Table<NodeId, MemoryUse> byNode = memoryByNode(timeline, timeline.peakSample, graph.nodeCount());
    for (const NodeId node : graph.nodes())
        profile.nodes[node].atPeak = byNode[node];
}

void addPeaks(const Trace& trace, Profile& profile)
{
    ProfileTotals& totals = profile.totals;
    totals.liveAfterForward = trace.liveAfterForward;
    totals.peakForward = peakOf(trace, Phase::Forward);
    if (trace.mode == TrainingMode::Train) {
        totals.peakBackward = peakOf(trace, Phase::Backward);
        totals.gradientBytes = trace.liveAtEndOutputsDropped;
    }
    totals.peak = std::max(totals.peakForward, totals.peakBackward);
}

} // namespace

TraceOptions traceOptions(const ProfileOptions& options)
{
    TraceOptions wanted;
    wanted.mode = options.mode;
    wanted.bindings = options.bindings;
    wanted.lowering.kind = options.lowering;
    wanted.lowering.deviceType =
        options.device.kind == "cuda" ? LoweringTarget::DeviceType::Cuda : LoweringTarget::DeviceType::Cpu;
    wanted.lowering.computeCapability = options.device.computeCapability;
    return wanted;
}

Result<Profile> profileTrace(const Model& model, const Trace& trace, const ProfileOptions& options)
{
    Profile profile;
    profile.options = options;
    profile.nodes = Table<NodeId, NodeCost>(model.graph.nodeCount());
    profile.valueBytes = Table<ValueId, Bytes>(model.graph.valueCount());
    profile.needsGradient = Table<ValueId, char>(model.graph.valueCount(), 0);
    addOperators(trace, options.device, profile);
    addTemporaryPeaks(trace, profile);
    addSavedBytes(trace, profile);
    addHeldBytes(model.graph, trace, profile);
    STAGECRAFT_TRY(addValues(model.graph, trace, profile));
    STAGECRAFT_TRY(addParameters(model, profile));
    addPeaks(trace, profile);
    addMemory(model.graph, trace, profile);
    profile.stepMemory = replayStep(trace, options);
    for (const auto& [node, reason] : trace.inexact) {
        profile.nodes[node].origin = CostOrigin::Inexact;
        profile.notes.push_back("'" + model.graph[node].name + "' (" + model.graph[node].target +
                                ") is estimated by the sizes in the file: " + reason);
    }
    return profile;
}

Result<Profile> profileModel(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(trace, traceModel(model, traceOptions(options), progress));
    return profileTrace(model, trace, options);
}

} // namespace stagecraft
