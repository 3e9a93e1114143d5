#include "core/profile/device_memory.h"

#include "core/profile/caching_allocator.h"
#include "core/profile/optimizer.h"

#include <algorithm>
#include <vector>

namespace stagecraft {

namespace {

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

class Replay
{
public:
    explicit Replay(const Trace& trace)
        : m_trace(trace), m_events(eventsOf(trace)), m_held(trace.storages.size())
    {
    }

    // Parameters, buffers, constants and inputs.
    void placeModel()
    {
        for (const StorageId id : m_trace.storages.ids())
            if (isGiven(m_trace.storages[id].storageClass))
                place(id);
    }

    void placeOptimizerState(OptimizerKind kind)
    {
        for (const TraceStorage& storage : m_trace.storages)
            if (storage.storageClass == StorageClass::Parameter)
                for (const Bytes state : optimizerStateTensors(kind, storage.bytes))
                    (void)m_allocator.allocate(state);
    }

    void runStep()
    {
        for (std::size_t op = 0; op < m_trace.ops.size(); ++op) {
            releaseAll(m_events.deaths[op]);
            for (const StorageId id : m_events.births[op])
                place(id);
        }
        releaseAll(m_events.deaths[m_trace.ops.size()]);
    }

    // What is left of a step: the gradients of the parameters.
    void dropGradients()
    {
        for (const StorageId id : m_trace.storages.ids())
            if (m_trace.storages[id].birth)
                release(id);
    }

    const AllocatorPeaks& peaks() const { return m_allocator.peaks(); }

private:
    void place(StorageId id) { m_held[id] = m_allocator.allocate(m_trace.storages[id].bytes); }

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
    Events m_events;
    CachingAllocator m_allocator;
    Table<StorageId, std::optional<AllocationId>> m_held;
};

DeviceMemory deviceMemory(const AllocatorPeaks& peaks, const DeviceSpec& device)
{
    return {peaks.allocated, peaks.reserved, peaks.reserved + device.contextMemory};
}

} // namespace

StepMemory replayStep(const Trace& trace, const ProfileOptions& options)
{
    Replay replay(trace);
    StepMemory memory;
    replay.placeModel();
    replay.runStep();
    memory.firstStep = deviceMemory(replay.peaks(), options.device);
    if (trace.mode == TrainingMode::Train) {
        replay.placeOptimizerState(options.optimizer);
        replay.dropGradients();
        replay.runStep();
    }
    memory.laterSteps = deviceMemory(replay.peaks(), options.device);
    memory.fits = memory.laterSteps.total <= options.device.memory;
    return memory;
}

} // namespace stagecraft
