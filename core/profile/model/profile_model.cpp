#include "core/profile/model/profile_model.h"

#include "core/base/contains.h"
#include "core/load/loss_output.h"
#include "core/profile/cost/checked_times.h"
#include "core/profile/cost/fused_kernels.h"
#include "core/profile/cost/operator_parts.h"
#include "core/profile/cost/operator_time.h"
#include "core/profile/cost/substitute_costs.h"
#include "core/profile/device/dispatch_clock.h"
#include "core/profile/memory/device_memory.h"
#include "core/profile/memory/held_results.h"
#include "core/profile/memory/node_turns.h"
#include "core/profile/memory/region_peaks.h"
#include "core/profile/memory/step_memory.h"
#include "core/profile/memory/waiting_gradients.h"
#include "core/profile/model/loose_masks.h"
#include "core/profile/model/sent_parts.h"
#include "core/run/interpreter.h"
#include "core/trace/size_bounds.h"

#include <algorithm>
#include <utility>

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

// Of each operator, where a compiled step runs it in a kernel with others; of another step none.
Table<OpId, FusedOp> fusedIn(const Trace& trace, const ProfileOptions& options)
{
    return options.lowering == LoweringKind::Compiled ? fusedKernels(trace, options.device)
                                                      : Table<OpId, FusedOp>(trace.ops.size());
}

// The time of each operator, on the way, by the `clock` of the device.
std::vector<OperatorSpan> addOperators(const Trace& trace, const DeviceSpec& device, DispatchClock& clock,
                                       Profile& profile)
{
    std::vector<OperatorSpan> times;
    times.reserve(trace.ops.size());
    std::optional<NodeId> lastAgain; // for whose views the device may wait behind it
    const Table<OpId, FusedOp> fused = fusedIn(trace, profile.options);
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        const OpFlops flops = operatorFlops(trace, op);
        const OpTraffic traffic = fused[id].fused ? fused[id].traffic : operatorTraffic(trace, op);
        const Seconds alone =
            fused[id].fused ? fused[id].alone : operatorTime(trace, op, flops, traffic, device);
        const double handovers = DispatchClock::handovers(trace.opNames[op.name], device);
        PhaseCost whole{flops.total(), traffic.read, traffic.written,
                        clock.run(alone, op.isRecomputed ? Phase::Forward : op.phase,
                                  op.isRecomputed ? DispatchClock::Turn::Again : DispatchClock::Turn::First,
                                  handovers)};
        times.push_back({whole.time, alone, handovers});
        const bool isForward = op.phase == Phase::Forward;
        (isForward ? profile.totals.flopsForward : profile.totals.flopsBackward) += whole.flops;
        (isForward ? profile.totals.timeForward : profile.totals.timeBackward) += whole.time;
        if (!op.node)
            continue;
        NodeCost& cost = profile.nodes[*op.node];
        if (op.isRecomputed)
            lastAgain = *op.node;
        if (const Seconds again = clock.takenByAgain(); again > Seconds{} && lastAgain) {
            NodeCost& ranAgain = profile.nodes[*lastAgain];
            ranAgain.recomputed.time += again;
            ranAgain.backwardInput.time += again;
            profile.totals.timeRecomputed += again;
            whole.time -= again;
        }
        if (op.isRecomputed) {
            cost.recomputed += PhaseCost{whole.flops, whole.bytesRead, whole.bytesWritten, {}};
            profile.totals.flopsRecomputed += whole.flops;
        }
        if (isForward)
            cost.forward += whole;
        else
            addBackward(cost, whole, flops, weightShare(trace, op, flops));
    }
    return times;
}

// Of both steps. A program that is ahead of the device by `lead` prepares them while the device still works.
std::vector<OperatorSpan> optimizerTimes(const OptimizerTrace& optimizer, std::size_t parameters,
                                         const DeviceSpec& device, Seconds lead)
{
    const Trace& trace = optimizer.trace;
    const Seconds preparing =
        device.host.optimizerStep + device.host.optimizerHandover * static_cast<double>(parameters);
    std::vector<OperatorSpan> times;
    DispatchClock clock(device);
    for (const OpId id : trace.ops.ids()) {
        if (id.index() == 0 || id.index() == optimizer.firstStepEnd)
            clock.prepare(preparing - lead);
        const TraceOp& op = trace.ops[id];
        const Seconds alone =
            operatorTime(trace, op, operatorFlops(trace, op), operatorTraffic(trace, op), device);
        times.push_back({clock.run(alone, op.phase), alone});
    }
    return times;
}

// Parameters that get a gradient, in the order of the graph's inputs.
std::vector<OptimizerParameter> optimizerParameters(const Trace& trace)
{
    std::vector<OptimizerParameter> parameters;
    for (const TraceStorage& storage : trace.storages)
        if (storage.storageClass == StorageClass::ParameterGradient && storage.value) {
            const TraceTensor& tensor = trace[*trace.values[*storage.value].tensor];
            const auto sizes = trace.sizes(tensor);
            parameters.push_back({{sizes.begin(), sizes.end()}, tensor.dtype, storage.value});
        }
    std::ranges::sort(parameters, {}, &OptimizerParameter::value);
    return parameters;
}

OptimizerOptions optimizerOptions(const ProfileOptions& options)
{
    OptimizerOptions wanted{options.optimizer, options.optimizerVariant, options.masterWeights};
    if (wanted.variant == OptimizerVariant::Default)
        wanted.variant = options.device.kind == "cuda" ? OptimizerVariant::Foreach : OptimizerVariant::Single;
    return wanted;
}

// Sums of bytes stop at the last that 63 bits can count, and a figure that stopped there would look like any
// other. Fails where all tensors of the step together, or all that its operators read and write, have more.
Result<void> checkCountable(const Trace& trace, const Profile& profile)
{
    Bytes tensors;
    for (const TraceStorage& storage : trace.storages)
        tensors += storage.bytes;
    Bytes traffic;
    for (const NodeCost& cost : profile.nodes) {
        const PhaseCost backward = cost.backward();
        traffic += cost.forward.bytesRead + cost.forward.bytesWritten;
        traffic += backward.bytesRead + backward.bytesWritten;
    }
    if (tensors < Bytes::max() && traffic < Bytes::max())
        return {};
    return Error{ErrorCode::Unsupported,
                 "the tensors of a step would have over " + formatBytes(Bytes::max()) +
                     " together, more than can be counted; give smaller sizes (--bind, in the window among "
                     "the plan's options)"};
}

void addSplitMemory(const Graph& graph, const Trace& trace, Profile& profile)
{
    profile.splitMemory = splitMemory(graph, trace);
    for (const NodeId node : graph.nodes())
        profile.nodes[node].waitingBytes = profile.splitMemory[node].waiting;
}

void addTemporaryPeaks(Profile& profile)
{
    for (const NodeId node : profile.nodes.ids())
        profile.nodes[node].temporaryPeak =
            std::max(profile.nodeMemory[node].forwardPeak, profile.nodeMemory[node].backwardPeak);
}

// A model all in float32 that is computed in a lower type: empty where it is not.
std::string lostCastsNote(const Graph& graph, Precision precision)
{
    const std::optional<DType> lower = pureType(precision);
    const bool isFloat32 = std::ranges::all_of(graph.values(), [&](ValueId value) {
        const std::optional<TensorMeta>& meta = graph[value].meta;
        return !meta || !isDifferentiable(meta->dtype) || meta->dtype == DType::F32;
    });
    if (!lower || itemSize(*lower) >= itemSize(DType::F32) || !isFloat32)
        return {};
    const std::string type(shortName(*lower));
    return "exported in float32: casts that the model itself makes to float32, in a loss or a norm, are not "
           "in it, nor in figures for " +
           type + " (peaks were up to 28 % higher); export it in " + type + " to count them";
}

bool hasRegions(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [&](NodeId node) {
        return !graph.context(graph[node].context).recomputeRegions.empty() ||
               std::ranges::any_of(graph[node].subgraphs,
                                   [](const auto& inner) { return hasRegions(*inner); });
    });
}

// What checkpoint regions take, and what a person should know of them.
void addRegions(const Graph& graph, const Trace& trace, Profile& profile)
{
    const Table<NodeId, Bytes> peaks = regionPeaks(trace);
    std::vector<std::string> twice;
    for (const NodeId node : graph.nodes()) {
        profile.nodes[node].regionPeak = peaks[node];
        if (profile.nodes[node].recomputed.time > Seconds{} && updatesRunningAverages(graph[node]))
            twice.push_back(describeNode(graph, node));
        if (std::ranges::any_of(graph[node].subgraphs, [](const auto& inner) { return hasRegions(*inner); }))
            profile.notes.push_back(
                describeNode(graph, node) +
                ": checkpoint regions in its inner graphs are counted as if they were none");
    }
    if (!twice.empty())
        profile.notes.push_back(
            twice.front() + (twice.size() > 1 ? " and " + std::to_string(twice.size() - 1) + " more" : "") +
            " in a checkpoint region: its running averages are updated twice a step, as PyTorch does");
}

// Of each storage, which nodes keep it for backward.
using StorageKeepers = Table<StorageId, std::vector<NodeId>>;

StorageKeepers addSavedBytes(const Trace& trace, Profile& profile)
{
    Table<StorageId, char> seen(trace.storages.size(), 0);
    StorageKeepers keepers(trace.storages.size());
    for (const SavedTensor& saved : trace.saved) {
        const TraceStorage& storage = trace.storages[saved.storage];
        if (!isSavedForBackward(trace, saved) || storage.storageClass != StorageClass::Activation)
            continue;
        std::vector<NodeId>& of = keepers[saved.storage];
        if (saved.node && !contains(of, *saved.node))
            of.push_back(*saved.node);
        if (std::exchange(seen[saved.storage], 1) != 0)
            continue;
        profile.totals.savedBytes += storage.bytes;
        if (saved.node)
            profile.nodes[*saved.node].savedBytes += storage.bytes;
    }
    return keepers;
}

// Of values that are all of a storage, each read by one node alone that makes the next of it: the first. No
// stage is sent two of them.
Table<ValueId, std::optional<ValueId>> firstViews(const Graph& graph, const Trace& trace,
                                                  const Table<ValueId, Bytes>& bytes)
{
    Table<ValueId, std::optional<ValueId>> first(bytes.size());
    const auto storageOf = [&](ValueId value) { return trace[*trace.values[value].tensor].storage; };
    for (const ValueId value : first.ids()) {
        if (!trace.values[value].tensor || trace.storages[storageOf(value)].bytes != bytes[value])
            continue;
        first[value] = value;
        if (!graph[value].producer)
            continue;
        for (const ValueId input : graph[*graph[value].producer].inputs)
            if (first[input] && storageOf(input) == storageOf(value) && graph[input].users.size() == 1)
                first[value] = first[input];
    }
    return first;
}

// Wants valueBytes.
void addKeepers(const Graph& graph, const Trace& trace, StorageKeepers keepers, Profile& profile)
{
    profile.keptBy = Table<ValueId, std::vector<NodeId>>(profile.valueBytes.size());
    const auto first = firstViews(graph, trace, profile.valueBytes);
    Table<StorageId, std::optional<ValueId>> given(trace.storages.size());
    for (const ValueId value : profile.keptBy.ids()) {
        if (!first[value])
            continue;
        const StorageId storage = trace[*trace.values[value].tensor].storage;
        given[storage] = given[storage].value_or(value);
        if (given[storage] == first[value])
            profile.keptBy[value] = keepers[storage];
    }
    SentParts sent(graph, trace, profile.valueBytes);
    for (const StorageId storage : keepers.ids()) {
        KeptTogether kept{.bytes = trace.storages[storage].bytes, .nodes = std::move(keepers[storage])};
        if (!kept.nodes.empty())
            kept.parts = sent.of(storage, kept.nodes);
        if (kept.nodes.size() > 1 || !kept.parts.empty())
            profile.keptTogether.push_back(std::move(kept));
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
    ProfileTotals& totals = profile.totals;
    for (const ParameterGroup& group : parameterGroups(model)) {
        const TensorMeta& meta = *model.graph[group.values.front()].meta;
        STAGECRAFT_ASSIGN(count, elementCount(meta, profile.options.bindings));
        totals.parameters += count;
        totals.parameterBytes += profile.valueBytes[group.values.front()];
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

Result<OptimizerTrace> optimizerOf(const Trace& trace, const ProfileOptions& options)
{
    if (options.mode == TrainingMode::Infer)
        return OptimizerTrace();
    return traceOptimizer(optimizerParameters(trace), optimizerOptions(options));
}

// None: the first step is like the later ones.
Result<std::optional<Trace>> otherFirstStep(const Model& model, const ProfileOptions& options)
{
    if (options.gradients == GradientStart::Absent || options.mode == TrainingMode::Infer)
        return std::optional<Trace>();
    TraceOptions firstStep = traceOptions(options);
    firstStep.gradients = GradientStart::Absent;
    STAGECRAFT_ASSIGN(first, traceModel(model, firstStep));
    return std::optional<Trace>(std::move(first));
}

// What depends on more than one step: the optimizer, which nobody compiles, on the device as it is, from when
// the program is ahead of it by `lead`; the first step beside the later ones.
Result<void> addStep(const Model& model, const Trace& trace, const std::vector<OperatorSpan>& times,
                     const DeviceSpec& device, Seconds lead, Profile& profile)
{
    const ProfileOptions& options = profile.options;
    STAGECRAFT_ASSIGN(optimizer, optimizerOf(trace, options));
    addStepMemory(model.graph, trace, optimizer, times,
                  optimizerTimes(optimizer, optimizerParameters(trace).size(), device, lead), profile);
    STAGECRAFT_ASSIGN(first, otherFirstStep(model, options));
    profile.stepMemory = replaySteps({first ? *first : trace, trace, optimizer}, options);
    return {};
}

} // namespace

TraceOptions traceOptions(const ProfileOptions& options)
{
    TraceOptions wanted;
    wanted.mode = options.mode;
    wanted.bindings = options.bindings;
    wanted.gradients = options.gradients;
    wanted.lowering.precision = options.precision;
    wanted.bounds = options.bounds;
    wanted.substitutes = options.substitutes;
    wanted.parts = options.parts;
    wanted.lossOutput = options.lossOutput;
    wanted.lowering.kind =
        options.lowering == LoweringKind::Compiled ? LoweringKind::Device : options.lowering;
    wanted.lowering.deviceType =
        options.device.kind == "cuda" ? LoweringTarget::DeviceType::Cuda : LoweringTarget::DeviceType::Cpu;
    wanted.lowering.computeCapability = options.device.computeCapability;
    return wanted;
}

Result<StepTraceSet> traceSteps(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(later, traceModel(model, traceOptions(options), progress));
    STAGECRAFT_ASSIGN(optimizer, optimizerOf(later, options));
    STAGECRAFT_ASSIGN(first, otherFirstStep(model, options));
    return StepTraceSet{std::move(later), std::move(first), std::move(optimizer)};
}

Result<Profile> profileTrace(const Model& model, const Trace& trace, const ProfileOptions& options)
{
    Profile profile;
    profile.options = options;
    STAGECRAFT_ASSIGN(sizes, boundSizes(model.graph, options.bindings, options.bounds));
    profile.options.bindings = sizes.bindings;
    profile.nodes = Table<NodeId, NodeCost>(model.graph.nodeCount());
    profile.valueBytes = Table<ValueId, Bytes>(model.graph.valueCount());
    profile.needsGradient = Table<ValueId, char>(model.graph.valueCount(), 0);
    if (options.lowering == LoweringKind::Compiled) {
        profile.options.device = compiledOn(options.device);
        profile.notes.push_back(
            "rough: times as torch.compile may make them, pointwise operators and reductions fused and "
            "handed over all at once, held against two steps of one model alone; memory and optimizer as "
            "without it");
    }
    DispatchClock clock(profile.options.device, options.mode);
    std::vector<OperatorSpan> times = addOperators(trace, profile.options.device, clock, profile);
    STAGECRAFT_TRY(checkCountable(trace, profile));
    if (std::string note = keepWhatWasChecked(trace, times, profile.options.device); !note.empty())
        profile.notes.push_back(std::move(note));
    for (std::string note :
         {uncountedNote(trace, options.device), lostCastsNote(model.graph, options.precision)})
        if (!note.empty())
            profile.notes.push_back(std::move(note));
    profile.parts = operatorParts(trace, times);
    profile.nodeMemory = nodeMemory(model.graph, trace);
    addTemporaryPeaks(profile);
    addSplitMemory(model.graph, trace, profile);
    profile.inFront = inFrontOfResults(model.graph, trace);
    if (options.mode == TrainingMode::Train)
        profile.turns = std::make_shared<const TurnMemory>(turnMemory(model.graph, trace));
    addRegions(model.graph, trace, profile);
    noteLooseMasks(model.graph, trace, profile);
    StorageKeepers keepers = addSavedBytes(trace, profile);
    addHeldBytes(model.graph, trace, profile);
    STAGECRAFT_TRY(addValues(model.graph, trace, profile));
    addKeepers(model.graph, trace, std::move(keepers), profile);
    STAGECRAFT_TRY(addParameters(model, profile));
    if (options.substitutes)
        STAGECRAFT_TRY(applySubstitutes(model.graph, trace, *options.substitutes, times, profile));
    STAGECRAFT_TRY(addStep(model, trace, times, options.device, clock.lead(), profile));
    STAGECRAFT_ASSIGN(loss, lossOutput(model, options.lossOutput));
    if (options.mode == TrainingMode::Train && lossQuestion(loss))
        profile.notes.push_back(lossText(loss));
    for (const InexactNode& inexact : trace.inexact) {
        profile.nodes[inexact.node].origin = CostOrigin::Inexact;
        addNote(profile, inexact.reason,
                describeNode(model.graph, inexact.node) +
                    " is estimated by the sizes in the file: " + inexact.text(),
                inexact.node);
    }
    return profile;
}

Result<Profile> profileModel(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(trace, traceModel(model, traceOptions(options), progress));
    return profileTrace(model, trace, options);
}

} // namespace stagecraft
