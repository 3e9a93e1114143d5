#include "core/profile/memory/waiting_gradients.h"

#include "core/trace/trace_storages.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

class WaitingGradients
{
public:
    WaitingGradients(const Graph& graph, const Trace& trace)
        : m_trace(trace), m_bytes(graph.nodeCount()), m_writes(trace.storages.size(), 0)
    {
    }

    Table<NodeId, Bytes> find()
    {
        for (std::size_t i = m_trace.forwardEnd; i < m_trace.ops.size(); ++i) {
            const TraceOp& op = m_trace.ops[OpId(i)];
            if (op.node && !op.isRecomputed && makesWeightGradients(op))
                addArriving(op);
            noteWrites(op);
        }
        return std::move(m_bytes);
    }

private:
    // Alone, or with gradients of activations, as convolution_backward does.
    bool makesWeightGradients(const TraceOp& op) const
    {
        bool makes = false;
        forEachStorage(m_trace, m_trace.results(op), [&](StorageId id) {
            const TraceStorage& storage = m_trace.storages[id];
            makes = makes || storage.weightGradientOnly ||
                    storage.storageClass == StorageClass::ParameterGradient;
        });
        return makes;
    }

    void addArriving(const TraceOp& op)
    {
        forEachStorage(m_trace, m_trace.arguments(op), [&](StorageId id) {
            const TraceStorage& storage = m_trace.storages[id];
            if (storage.storageClass == StorageClass::Gradient && !storage.weightGradientOnly &&
                m_counted.emplace(id, m_writes[id]).second)
                m_bytes[*op.node] += storage.bytes;
        });
    }

    void noteWrites(const TraceOp& op)
    {
        const std::uint64_t written = m_trace.opNames[op.name].written;
        if (written == 0)
            return;
        const auto arguments = m_trace.arguments(op);
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 64); ++i)
            if ((written >> i & 1) != 0)
                forEachStorage(m_trace, arguments.subspan(i, 1), [&](StorageId id) { ++m_writes[id]; });
    }

    const Trace& m_trace;
    Table<NodeId, Bytes> m_bytes;
    Table<StorageId, std::uint32_t> m_writes;                // how often it was written to so far
    std::set<std::pair<StorageId, std::uint32_t>> m_counted; // after so many writes
};

} // namespace

Table<NodeId, Bytes> waitingGradients(const Graph& graph, const Trace& trace)
{
    return WaitingGradients(graph, trace).find();
}

} // namespace stagecraft
