#include "core/profile/node_memory.h"

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

class Measures
{
public:
    Measures(const Graph& graph, const Trace& trace)
        : m_graph(graph),
          m_trace(trace),
          m_nodes(graph.nodeCount()),
          m_isSaved(trace.storages.size(), 0),
          m_isReturned(trace.storages.size(), 0),
          m_leaves(trace.storages.size(), 0)
    {
    }

    Table<NodeId, NodeMemory> make()
    {
        findSaved();
        for (const NodeId node : m_graph.nodes()) {
            addReturned(node);
            addHeld(node);
        }
        addSaved();
        findLeaving();
        addBackward();
        addPeaks();
        return std::move(m_nodes);
    }

private:
    bool isActivation(StorageId id) const
    {
        return m_trace.storages[id].storageClass == StorageClass::Activation;
    }

    void findSaved()
    {
        for (const SavedTensor& saved : m_trace.saved)
            if (isSavedForBackward(m_trace, saved))
                m_isSaved[saved.storage] = 1;
    }

    std::optional<StorageId> storageOf(ValueId value) const
    {
        const std::optional<TraceTensorId> tensor = m_trace.values[value].tensor;
        return tensor ? std::optional(m_trace[*tensor].storage) : std::nullopt;
    }

    void addReturned(NodeId node)
    {
        for (const ValueId result : m_graph[node].results) {
            const std::optional<StorageId> id = storageOf(result);
            if (!id || m_isReturned[*id] || !isActivation(*id) || m_trace.storages[*id].producer != node)
                continue;
            m_isReturned[*id] = 1;
            m_nodes[node].forwardOut += m_trace.storages[*id].bytes;
            if (m_isSaved[*id])
                m_nodes[node].forwardOutSaved += m_trace.storages[*id].bytes;
        }
    }

    void addHeld(NodeId node)
    {
        std::set<StorageId> seen;
        for (const ValueId input : m_graph[node].inputs) {
            const std::optional<StorageId> id = storageOf(input);
            if (!id || !seen.insert(*id).second)
                continue;
            const TraceStorage& storage = m_trace.storages[*id];
            if (storage.storageClass == StorageClass::Parameter)
                m_nodes[node].parameters += storage.bytes;
            if (storage.storageClass == StorageClass::Buffer)
                m_nodes[node].buffers += storage.bytes;
        }
    }

    void addSaved()
    {
        std::set<std::pair<NodeId, StorageId>> seen;
        for (const SavedTensor& saved : m_trace.saved) {
            if (!saved.node || !isSavedForBackward(m_trace, saved) || !isActivation(saved.storage) ||
                !seen.emplace(*saved.node, saved.storage).second)
                continue;
            const TraceStorage& storage = m_trace.storages[saved.storage];
            if (storage.producer != saved.node)
                m_nodes[*saved.node].forwardIn += storage.bytes;
            else if (!m_isReturned[saved.storage])
                m_nodes[*saved.node].forwardTemporary += storage.bytes;
        }
    }

    // Gradients that someone else reads, or that stay.
    void findLeaving()
    {
        for (const TraceOp& op : m_trace.ops)
            for (const TraceArgument& argument : m_trace.arguments(op))
                for (const TraceTensor& tensor : m_trace.tensors(argument))
                    if (op.node != m_trace.storages[tensor.storage].producer)
                        m_leaves[tensor.storage] = 1;
    }

    void addBackward()
    {
        for (const StorageId id : m_trace.storages.ids()) {
            const TraceStorage& storage = m_trace.storages[id];
            if (!storage.birth || !storage.producer || storage.birth->index() < m_trace.forwardEnd)
                continue;
            NodeMemory& info = m_nodes[*storage.producer];
            // What is run again of a checkpoint region serves backward, whoever reads it.
            const bool leaves = (m_leaves[id] && storage.storageClass != StorageClass::Activation) ||
                                storage.storageClass == StorageClass::ParameterGradient;
            (leaves ? info.backwardOut : info.backwardTemporary) += storage.bytes;
        }
    }

    // Runs of operators of one node in one phase; the peak is over all of them.
    void addPeaks()
    {
        std::optional<NodeId> running;
        Phase phase = Phase::Forward;
        Bytes entry, before;
        for (const TraceOp& op : m_trace.ops) {
            if (op.node != running || op.phase != phase) {
                running = op.node;
                phase = op.phase;
                entry = before;
            }
            if (op.node) {
                NodeMemory& info = m_nodes[*op.node];
                Bytes& peak = phase == Phase::Forward ? info.forwardPeak : info.backwardPeak;
                peak = std::max(peak, std::max(before, op.live) + op.scratch - entry);
            }
            before = op.live;
        }
    }

    const Graph& m_graph;
    const Trace& m_trace;
    Table<NodeId, NodeMemory> m_nodes;
    Table<StorageId, char> m_isSaved;
    Table<StorageId, char> m_isReturned;
    Table<StorageId, char> m_leaves; // read by another node than its maker
};

} // namespace

Table<NodeId, NodeMemory> nodeMemory(const Graph& graph, const Trace& trace)
{
    return Measures(graph, trace).make();
}

} // namespace stagecraft
