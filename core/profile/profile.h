// Profile: what every node of a model costs on a device, and what is alive when.
//
// Derived from a Trace. Figures stand beside the graph, indexed by NodeId; sums by module, stage or operator
// are made by whoever shows them (profile/summary.h).
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/argument.h"
#include "core/graph/sym_int.h"
#include "core/profile/device/device.h"
#include "core/profile/kept_parts.h"
#include "core/profile/memory_use.h"
#include "core/profile/node_memory.h"
#include "core/profile/segments.h"
#include "core/profile/split_memory.h"
#include "core/trace/lowering.h"
#include "core/trace/optimizer_trace.h"
#include "core/trace/substitutes.h"
#include "core/trace/trace_model.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct TurnMemory; // profile/turn_memory.h

enum class CostOrigin : std::uint8_t {
    Estimated, // from a trace and the device's figures
    Inexact,   // the trace could not run the operator: shapes from the file, no FLOPs
    Measured,  // timed on this machine
    Imported,
};

struct PhaseCost
{
    Flops flops;
    Bytes bytesRead;
    Bytes bytesWritten;
    Seconds time;

    PhaseCost& operator+=(const PhaseCost& other);
};

struct NodeCost
{
    PhaseCost forward;
    PhaseCost backwardInput;  // gradients of activations
    PhaseCost backwardWeight; // gradients of parameters
    PhaseCost recomputed;     // part of backwardInput: its forward pass, run again for a checkpoint region
    Bytes outputBytes;        // of the tensors it returns, as storages it made
    Bytes savedBytes;         // storages autograd keeps until backward, first kept by this node, whole
    Bytes parameterBytes; // of parameters it is the first to read; a shared one counts at its first reader
    Bytes bufferBytes;
    Bytes temporaryPeak; // most bytes alive inside it, above those at its entry, forward or backward
    // Of a node in a checkpoint region the most that the whole region takes at a time (region_peaks.h).
    Bytes regionPeak;
    // Held between the parts of a split backward pass, for its weights' gradients (waiting_gradients.h).
    Bytes waitingBytes;
    MemoryUse atPeak; // what it holds of all that is alive at the peak of the step
    CostOrigin origin = CostOrigin::Estimated;

    PhaseCost backward() const;
    Seconds time() const; // forward + backward
    NodeCost& operator+=(const NodeCost& other);
};

// One operator that a node is made of (profile/cost/operator_parts.h).
struct OpPart
{
    NodeId node;
    Phase phase = Phase::Forward;
    bool isRecomputed = false; // a part of the forward pass that is run again in backward
    std::string op;
    bool isBias = false; // an addition that was split off the operator before it; takes no time of its own
    PhaseCost cost;
};

// Live bytes just after one operator of the step.
struct MemorySample
{
    Phase phase = Phase::Forward;
    bool isRecomputed = false;  // of a checkpoint region that is run again
    std::optional<NodeId> node; // none: the loss, an accumulation of gradients, the optimizer
    std::string op;             // the aten operator that ran
    Bytes live;                 // born in this step and still alive; what is there before it is left out
    Bytes peak;                 // most alive since the sample before
    Seconds time;               // by how much it moves the end of the step on
    Seconds alone;              // that it takes on the device, before anything waits; zero of a view
    double handovers = 1;       // what handing it over takes, in times of the device's dispatch
};

// What an operator takes: see MemorySample.
struct OperatorSpan
{
    Seconds time, alone;
    double handovers = 1; // see profile/device/dispatch_clock.h
};

struct MemoryTimeline
{
    // One for each operator of a later step, forward, backward, then the optimizer's.
    std::vector<MemorySample> samples;
    std::size_t peakSample = 0;
    std::vector<LiveInterval> lives; // of every storage, by `first`; see profile/memory/live_memory.h
};

struct ProfileTotals
{
    std::int64_t parameters = 0; // elements; tied ones once
    Bytes parameterBytes;
    Bytes bufferBytes;
    Bytes inputBytes;
    Bytes optimizerBytes; // its state, master weights included
    Bytes workspaceBytes; // of cuBLAS
    Bytes gradientBytes;
    Flops flopsForward;
    Flops flopsBackward;
    Flops flopsRecomputed; // of flopsBackward: checkpoint regions, run again
    Bytes savedBytes;
    Bytes liveAfterForward;
    Bytes peakForward;
    Bytes peakBackward;
    Bytes peak;          // of forward and backward
    Bytes peakOptimizer; // while the optimizer steps: gradients and what it takes for a moment
    Bytes peakWithModel; // with everything that was there before the step: what memoryAtPeak sums up to
    Seconds timeForward;
    Seconds timeBackward;
    Seconds timeRecomputed; // of timeBackward
    Seconds timeOptimizer;
};

// Peaks on a real device, replayed through the caching allocator (profile/memory/device_memory.h).
struct DeviceMemory
{
    Bytes allocated; // tensors, each rounded up to 512 bytes
    Bytes reserved;  // what the allocator has taken from the device to serve them
    Bytes total;     // with the driver's context
};

struct StepMemory
{
    DeviceMemory firstStep;
    DeviceMemory laterSteps; // with the optimizer's state
    Bytes convolutionCopies; // of those, estimated: the most that cuDNN copies images to in one operator
    bool fits = false;       // does the whole run stay within the device's memory?
};

// What is asked of a profile, besides the device.
struct ProfileRequest
{
    TrainingMode mode = TrainingMode::Train;
    LoweringKind lowering = LoweringKind::Device;
    OptimizerKind optimizer = OptimizerKind::AdamW;
    OptimizerVariant optimizerVariant = OptimizerVariant::Default;
    MasterWeights masterWeights = MasterWeights::None;
    GradientStart gradients = GradientStart::Absent; // before every step but the first
    SegmentKind segments = SegmentKind::Fixed;       // of the device's memory
    Precision precision = Precision::AsExported;
    Bindings bindings;      // of symbolic sizes
    Bindings bounds;        // the most that sizes can be which data decide (core/trace/size_bounds.h)
    std::string lossOutput; // as lossOutput() of core/load/loss_output.h reads it; empty: by its rule

    friend bool operator==(const ProfileRequest&, const ProfileRequest&) = default;
};

struct ProfileOptions : ProfileRequest
{
    DeviceSpec device;
    std::shared_ptr<const Substitutes> substitutes; // costs of operators that are not known here; none: null
    // The stage of each node, where checkpoint regions run stage by stage (TraceOptions::parts); one: null.
    std::shared_ptr<const Table<NodeId, std::uint32_t>> parts = nullptr;
};

// What is worth knowing of some nodes: said once of all of which the same is to be said.
struct NodeNote
{
    std::string kind; // the same of all of them
    std::string text; // a sentence about the first
    std::vector<NodeId> nodes;
};

struct Profile
{
    Table<NodeId, NodeCost> nodes;
    Table<ValueId, Bytes> valueBytes;   // what sending the value would take: numel x itemsize; 0 for scalars
    Table<ValueId, char> needsGradient; // does a gradient flow back through it?
    // Which nodes keep all that it lies in, where that is nothing more; of several such values in one storage
    // the first has them, and those that are made of it alone. Empty: autograd does not keep it so.
    Table<ValueId, std::vector<NodeId>> keptBy;
    Table<ValueId, Bytes> inFront; // memory/held_results.h; empty: not known
    Table<NodeId, NodeMemory> nodeMemory;
    Table<NodeId, SplitMemory> splitMemory;  // empty: not known
    std::shared_ptr<const TurnMemory> turns; // null: not known, or inference
    std::vector<KeptTogether> keptTogether;
    std::vector<OpPart> parts; // in the order they run, forward then backward
    MemoryTimeline memory;
    MemoryUse memoryAtPeak; // of the whole model; nodes[...].atPeak have it by node, but for inputs and loss
    ProfileTotals totals;
    StepMemory stepMemory;
    ProfileOptions options;
    std::vector<std::string> notes;  // where figures come from, and the like
    std::vector<NodeNote> nodeNotes; // operators estimated by size, and the like
};

// How often the forward pass of a node is run again in backward, by time: 0 outside of checkpoint regions.
double recomputedShare(const NodeCost& cost);

void addNote(Profile& profile, const std::string& kind, const std::string& text, NodeId node);
// "node 'scan' is estimated ...", "...; likewise 12 more nodes".
std::string noteText(const NodeNote& note);
// All notes as lines for a person, those of nodes first.
std::vector<std::string> noteTexts(const Profile& profile);

// Was every operator traced and costed by what it really runs?
bool isExact(const Profile& profile);

// Where its times are from, and how far off such are: "measured on this CPU", "imported for 3 of 7 operators,
// estimated for the others", accuracyText().
std::string timesText(const Profile& profile);

} // namespace stagecraft
