#include "core/profile/memory/live_memory.h"

#include <algorithm>

namespace stagecraft {

namespace {

// From an operator (inclusive) to another (exclusive).
struct Span
{
    std::uint32_t first = UINT32_MAX;
    std::uint32_t end = 0;
};

// Finds out of every storage which category it is of, and cuts its life where that changes.
class Lives
{
public:
    Lives(const Trace& trace, const Graph& graph, std::uint32_t stepEnd)
        : m_trace(trace),
          m_stepEnd(stepEnd),
          m_opCount(static_cast<std::uint32_t>(trace.ops.size())),
          m_saved(trace.storages.size()),
          m_isOutput(trace.storages.size(), 0),
          m_travels(trace.storages.size(), 0),
          m_resizes(trace.storages.size()),
          m_readers(firstReaders(trace, graph))
    {
    }

    std::vector<LiveInterval> make()
    {
        findSaved();
        findOutputs();
        findTravellers();
        for (const StorageResize& resize : m_trace.resizes)
            m_resizes[resize.storage].push_back(resize);
        for (const StorageId id : m_trace.storages.ids())
            addLife(id);
        std::ranges::stable_sort(m_lives, {}, &LiveInterval::first);
        return std::move(m_lives);
    }

private:
    // Of several tensors in one storage: from the first that is kept to the last that is let go.
    void findSaved()
    {
        for (const SavedTensor& saved : m_trace.saved) {
            Span& span = m_saved[saved.storage];
            span.first = std::min(span.first, saved.op.index());
            span.end = std::max(span.end, saved.release.value_or(m_opCount));
        }
    }

    void findOutputs()
    {
        for (const StorageId id : m_trace.outputs)
            m_isOutput[id] = 1;
        if (m_trace.loss)
            m_isOutput[*m_trace.loss] = 1;
    }

    // Gradients that another node's backward reads.
    void findTravellers()
    {
        for (const TraceOp& op : m_trace.ops)
            for (const TraceArgument& argument : m_trace.arguments(op))
                for (const TraceTensor& tensor : m_trace.tensors(argument))
                    if (op.node && op.node != m_trace.storages[tensor.storage].producer)
                        m_travels[tensor.storage] = 1;
    }

    void addLife(StorageId id)
    {
        const TraceStorage& storage = m_trace.storages[id];
        if (!storage.birth && !isGiven(storage))
            return; // never returned by an operator: it does not count
        LiveInterval life;
        life.bytes = storage.bytes;
        life.value = storage.value;
        life.node = storage.birth ? storage.producer : m_readers[id];
        life.first = storage.birth ? storage.birth->index() : 0;
        life.end = storage.birth && storage.death ? std::min(*storage.death, m_opCount) : m_stepEnd;
        if (storage.storageClass == StorageClass::ParameterGradient)
            if (const std::optional<NodeId> reader = readerOfParameter(storage))
                life.node = reader;
        for (const StorageResize& resize : m_resizes[id]) {
            LiveInterval before = life;
            before.bytes = resize.before;
            before.end = std::min(resize.op.index(), life.end);
            addBySaving(id, before);
            life.bytes = resize.after;
            life.first = before.end;
        }
        addBySaving(id, life);
    }

    std::optional<NodeId> readerOfParameter(const TraceStorage& gradient) const
    {
        const auto tensor = gradient.value ? m_trace.values[*gradient.value].tensor : std::nullopt;
        return tensor ? m_readers[m_trace[*tensor].storage] : std::nullopt;
    }

    // Cuts at the moments when autograd starts and stops to keep it.
    void addBySaving(StorageId id, LiveInterval life)
    {
        const StorageClass storageClass = m_trace.storages[id].storageClass;
        life.category = categoryOf(id, storageClass);
        if (storageClass != StorageClass::Activation) {
            add(life);
            return;
        }
        const std::uint32_t keep = std::clamp(m_saved[id].first, life.first, life.end);
        const std::uint32_t release = std::clamp(m_saved[id].end, keep, life.end);
        add(life, life.first, keep);
        add(life, release, life.end);
        life.category = MemoryCategory::SavedActivations;
        add(life, keep, release);
    }

    void add(LiveInterval life, std::uint32_t first, std::uint32_t end)
    {
        life.first = first;
        life.end = end;
        add(life);
    }

    void add(const LiveInterval& life)
    {
        if (life.first < life.end && life.bytes > Bytes(0))
            m_lives.push_back(life);
    }

    MemoryCategory categoryOf(StorageId id, StorageClass storageClass) const
    {
        switch (storageClass) {
        case StorageClass::Parameter:
            return MemoryCategory::Parameters;
        case StorageClass::Buffer:
            return MemoryCategory::Buffers;
        case StorageClass::Constant:
        case StorageClass::Input:
            return MemoryCategory::Inputs;
        case StorageClass::OptimizerState:
            return MemoryCategory::OptimizerState;
        case StorageClass::ParameterGradient:
            return MemoryCategory::Gradients;
        case StorageClass::Gradient:
            return m_travels[id] ? MemoryCategory::GradientsInFlight : MemoryCategory::Temporaries;
        case StorageClass::Activation:
            break;
        }
        return m_isOutput[id] ? MemoryCategory::Outputs : MemoryCategory::Temporaries;
    }

    const Trace& m_trace;
    std::uint32_t m_stepEnd;
    std::uint32_t m_opCount;
    Table<StorageId, Span> m_saved;
    Table<StorageId, char> m_isOutput;
    Table<StorageId, char> m_travels;
    Table<StorageId, std::vector<StorageResize>> m_resizes;
    Table<StorageId, std::optional<NodeId>> m_readers;
    std::vector<LiveInterval> m_lives;
};

// Calls `visit` for everything that is alive after a sample.
template <class Visit>
void forEachLive(const MemoryTimeline& timeline, std::size_t sample, const Visit& visit)
{
    for (const LiveInterval& life : timeline.lives) {
        if (life.first > sample)
            break;
        if (life.end > sample)
            visit(life);
    }
}

} // namespace

Table<StorageId, std::optional<NodeId>> firstReaders(const Trace& trace, const Graph& graph)
{
    Table<StorageId, std::optional<NodeId>> readers(trace.storages.size());
    for (const NodeId node : graph.nodes())
        for (const ValueId input : graph[node].inputs)
            if (const auto tensor = trace.values[input].tensor)
                if (std::optional<NodeId>& reader = readers[trace[*tensor].storage]; !reader)
                    reader = node;
    return readers;
}

std::vector<LiveInterval> liveIntervals(const Trace& trace, const Graph& graph, std::uint32_t stepEnd)
{
    return Lives(trace, graph, stepEnd).make();
}

std::vector<LiveInterval> liveAt(const MemoryTimeline& timeline, std::size_t sample)
{
    std::vector<LiveInterval> alive;
    forEachLive(timeline, sample, [&](const LiveInterval& life) { alive.push_back(life); });
    std::ranges::stable_sort(alive, std::ranges::greater{}, &LiveInterval::bytes);
    return alive;
}

MemoryUse memoryAt(const MemoryTimeline& timeline, std::size_t sample)
{
    MemoryUse use;
    forEachLive(timeline, sample, [&](const LiveInterval& life) { use[life.category] += life.bytes; });
    return use;
}

std::vector<MemoryUse> memoryOverStep(const MemoryTimeline& timeline,
                                      const std::function<bool(const LiveInterval&)>& counts)
{
    std::vector<MemoryUse> changes(timeline.samples.size() + 1);
    for (const LiveInterval& life : timeline.lives) {
        if (!counts(life))
            continue;
        changes[std::min<std::size_t>(life.first, timeline.samples.size())][life.category] += life.bytes;
        changes[std::min<std::size_t>(life.end, timeline.samples.size())][life.category] -= life.bytes;
    }
    for (std::size_t i = 1; i < changes.size(); ++i)
        changes[i] += changes[i - 1];
    changes.pop_back();
    return changes;
}

Table<NodeId, MemoryUse> memoryByNode(const MemoryTimeline& timeline, std::size_t sample,
                                      std::size_t nodeCount)
{
    Table<NodeId, MemoryUse> nodes(nodeCount);
    forEachLive(timeline, sample, [&](const LiveInterval& life) {
        if (life.node)
            nodes[*life.node][life.category] += life.bytes;
    });
    return nodes;
}

} // namespace stagecraft
