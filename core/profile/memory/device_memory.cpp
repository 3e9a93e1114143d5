#include "core/profile/memory/device_memory.h"

#include "core/profile/cost/convolution_copies.h"
#include "core/profile/device/operator_class.h"
#include "core/profile/memory/caching_allocator.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace stagecraft {

namespace {

bool isMatrixProduct(const Trace& trace, const TraceOp& op)
{
    static constexpr std::array<std::string_view, 5> products{"aten::mm", "aten::addmm", "aten::bmm",
                                                              "aten::baddbmm", "aten::addmv"};
    return std::ranges::find(products, trace.opNames[op.name].name) != products.end();
}

// Storages by the operator before which they die, and by the operator that makes them.
struct Events
{
    std::vector<std::vector<StorageId>> deaths; // one more than operators
    std::vector<std::vector<StorageId>> births;
};

Events eventsOf(const Trace& trace)
{
    Events events;
    events.deaths.resize(trace.ops.size() + 1);
    events.births.resize(trace.ops.size());
    for (const StorageId id : trace.storages.ids()) {
        const TraceStorage& storage = trace.storages[id];
        if (!storage.birth)
            continue;
        events.births[storage.birth->index()].push_back(id);
        if (storage.death)
            events.deaths[std::min<std::size_t>(*storage.death, trace.ops.size())].push_back(id);
    }
    return events;
}

// One trace's storages in an allocator that it shares with others.
class Replay
{
public:
    Replay(const Trace& trace, const DeviceSpec& device, CachingAllocator& allocator)
        : m_trace(trace),
          m_device(device),
          m_allocator(allocator),
          m_events(eventsOf(trace)),
          m_held(trace.storages.size())
    {
    }

    // Parameters, buffers, constants and inputs.
    void placeGiven()
    {
        for (const StorageId id : m_trace.storages.ids())
            if (isGiven(m_trace.storages[id]))
                place(id);
    }

    // Operators first, ..., end - 1. `workspace` is what the first matrix product of each pass takes.
    void run(std::size_t first, std::size_t end, Bytes workspace = Bytes(0))
    {
        for (std::size_t i = first; i < end && m_fits; ++i) {
            const TraceOp& op = m_trace.ops[OpId(i)];
            releaseAll(m_events.deaths[i]);
            if (bool& has = m_hasWorkspace[op.phase == Phase::Forward ? 0 : 1];
                !has && isMatrixProduct(m_trace, op)) {
                m_fits &= m_allocator.allocate(workspace).has_value();
                has = true;
            }
            for (const StorageId id : m_events.births[i])
                place(id);
            passThrough(op);
        }
        releaseAll(m_events.deaths[end]);
    }
    void runAll(Bytes workspace) { run(0, m_trace.ops.size(), workspace); }

    // Did the allocator serve everything so far?
    bool fits() const { return m_fits; }

    // What is left of a step: the gradients of the parameters.
    void dropGradients()
    {
        for (const StorageId id : m_trace.storages.ids())
            if (m_trace.storages[id].birth)
                release(id);
    }

private:
    void place(StorageId id)
    {
        m_held[id] = m_allocator.allocate(m_trace.storages[id].bytes);
        m_fits &= m_held[id].has_value();
    }

    // What an operator takes inside, as one block, and what cuDNN takes beside it: where that does not fit,
    // PyTorch tries another of its plans (try_configs() in ATen/native/cudnn/Conv_v8.cpp).
    void passThrough(const TraceOp& op)
    {
        const Bytes copies = convolutionWorkspace(m_trace, op, m_device);
        std::optional<AllocationId> own, ofCudnn;
        if (op.scratch > Bytes(0)) {
            own = m_allocator.allocate(op.scratch);
            m_fits &= own.has_value();
        }
        if (copies > Bytes(0))
            ofCudnn = m_allocator.allocate(copies);
        for (const std::optional<AllocationId>& block : {own, ofCudnn})
            if (block)
                m_allocator.release(*block);
    }

    void release(StorageId id)
    {
        if (m_held[id])
            m_allocator.release(*m_held[id]);
        m_held[id].reset();
    }

    void releaseAll(const std::vector<StorageId>& storages)
    {
        for (const StorageId id : storages)
            release(id);
    }

    const Trace& m_trace;
    const DeviceSpec& m_device;
    CachingAllocator& m_allocator;
    Events m_events;
    Table<StorageId, std::optional<AllocationId>> m_held;
    std::array<bool, 2> m_hasWorkspace{};
    bool m_fits = true;
};

DeviceMemory deviceMemory(const AllocatorPeaks& peaks, const DeviceSpec& device)
{
    return {peaks.allocated, peaks.reserved, peaks.reserved + device.contextMemory};
}

// With so much that the allocator may take; ends where something does not fit.
StepMemory replay(const StepTraces& traces, const ProfileOptions& options, Bytes capacity)
{
    const Bytes workspace = workspacePerHandle(options.device);
    const std::size_t firstEnd = traces.optimizer.firstStepEnd;
    CachingAllocator allocator(std::max(capacity, Bytes(0)), options.segments);
    const DeviceSpec& device = options.device;
    Replay first(traces.first, device, allocator), later(traces.later, device, allocator),
        optimizer(traces.optimizer.trace, device, allocator);
    StepMemory memory;
    first.placeGiven();
    first.runAll(workspace);
    optimizer.run(0, firstEnd);
    memory.firstStep = deviceMemory(allocator.peaks(), options.device);
    if (traces.first.mode == TrainingMode::Train) {
        if (&traces.first == &traces.later) {
            first.dropGradients();
            first.runAll(workspace);
        } else
            later.runAll(Bytes(0));
        optimizer.run(firstEnd, traces.optimizer.trace.ops.size());
    }
    memory.laterSteps = deviceMemory(allocator.peaks(), options.device);
    for (const TraceOp& op : traces.later.ops)
        memory.convolutionCopies =
            std::max(memory.convolutionCopies, convolutionWorkspace(traces.later, op, device));
    memory.fits = first.fits() && later.fits() && optimizer.fits();
    return memory;
}

} // namespace

Bytes workspacePerHandle(const DeviceSpec& device)
{
    if (device.kind != "cuda")
        return Bytes(0);
    constexpr Bytes kib(1024);
    return device.computeCapability >= 90 ? kib * 4096 * 8 : kib * (2 * 4096 + 8 * 16);
}

Bytes workspaceBytes(const Trace& trace, const DeviceSpec& device)
{
    std::array<bool, 2> has{};
    for (const TraceOp& op : trace.ops)
        has[op.phase == Phase::Forward ? 0 : 1] |= isMatrixProduct(trace, op);
    return workspacePerHandle(device) * (std::int64_t{has[0]} + std::int64_t{has[1]});
}

std::string uncountedNote(const Trace& trace, const DeviceSpec& device)
{
    bool convolves = false;
    Bytes most;
    for (const TraceOp& op : trace.ops) {
        convolves |= operatorClassOf(trace.opNames[op.name].name) == OperatorClass::Convolution;
        most = std::max(most, convolutionWorkspace(trace, op, device));
    }
    if (device.kind != "cuda" || !convolves)
        return "";
    const std::string without = "memory is without what cuDNN takes inside of convolutions";
    // Short: it stands over the graph in the window.
    return without + (most > Bytes{} ? " but copies, about " + formatBytes(most) : ", which it alone knows");
}

StepMemory replaySteps(const StepTraces& traces, const ProfileOptions& options)
{
    const StepMemory free = replay(traces, options, Bytes::max());
    if (free.laterSteps.total <= options.device.memory)
        return free;
    StepMemory full = replay(traces, options, options.device.memory - options.device.contextMemory);
    if (full.fits)
        return full;
    StepMemory tooMuch = free;
    tooMuch.fits = false;
    return tooMuch;
}

} // namespace stagecraft
