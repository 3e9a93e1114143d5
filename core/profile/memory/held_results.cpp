#include "core/profile/memory/held_results.h"

#include <algorithm>
#include <set>
#include <vector>

namespace stagecraft {

namespace {

class HeldResults
{
public:
    HeldResults(const Graph& graph, const Trace& trace)
        : m_graph(graph),
          m_trace(trace),
          m_backward(graph.nodeCount()),
          m_born(trace.ops.size()),
          m_makesGradients(graph.nodeCount(), 0),
          m_inFront(trace.storages.size())
    {
        for (const OpId id : trace.ops.ids()) {
            const TraceOp& op = trace.ops[id];
            if (op.node && op.phase == Phase::Backward)
                m_backward[*op.node].push_back(id);
        }
        for (const TraceStorage& storage : trace.storages)
            addBirth(storage);
        for (const SavedTensor& saved : trace.saved)
            if (isSavedForBackward(trace, saved))
                addSaved(saved);
    }

    Bytes of(ValueId value) const
    {
        const std::optional<TraceTensorId> tensor = m_trace.values[value].tensor;
        return tensor && m_graph[value].producer ? m_inFront[m_trace[*tensor].storage] : Bytes{};
    }

private:
    void addBirth(const TraceStorage& storage)
    {
        if (!storage.birth)
            return;
        m_born[*storage.birth] += storage.bytes;
        if (storage.producer && m_trace.ops[*storage.birth].phase == Phase::Backward)
            m_makesGradients[*storage.producer] = 1;
    }

    void addSaved(const SavedTensor& saved)
    {
        const TraceStorage& storage = m_trace.storages[saved.storage];
        const bool isResult = saved.node && storage.producer == saved.node && storage.birth &&
                              storage.storageClass == StorageClass::Activation;
        if (isResult && !m_backward[*saved.node].empty())
            m_inFront[saved.storage] = inFrontOf(*saved.node, storage);
    }

    // The gradient that arrives lies in a buffer of the run-time, which counts it.
    Bytes inFrontOf(NodeId maker, const TraceStorage& result) const
    {
        const OpId first = m_backward[maker].front();
        const Bytes kept = m_trace.ops[first].live - m_born[first] - result.bytes;
        Bytes most;
        for (const NodeId node : nodesInFront(maker))
            for (const OpId op : m_backward[node]) {
                const bool isGone = result.death && *result.death <= op.index();
                const Bytes alive = m_trace.ops[op].live + m_trace.ops[op].scratch;
                most = std::max(most, alive + (isGone ? result.bytes : Bytes{}) - kept);
            }
        return most;
    }

    // The nearest that make gradients; what makes none, as views, only passes them on.
    std::set<NodeId> nodesInFront(NodeId maker) const
    {
        std::set<NodeId> found, seen;
        std::vector<NodeId> open{maker};
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const ValueId input : m_graph[node].inputs) {
                const std::optional<NodeId> before = m_graph[input].producer;
                if (!before || !seen.insert(*before).second)
                    continue;
                if (m_makesGradients[*before])
                    found.insert(*before);
                else
                    open.push_back(*before);
            }
        }
        return found;
    }

    const Graph& m_graph;
    const Trace& m_trace;
    Table<NodeId, std::vector<OpId>> m_backward;
    Table<OpId, Bytes> m_born;
    Table<NodeId, char> m_makesGradients;
    Table<StorageId, Bytes> m_inFront;
};

} // namespace

Table<ValueId, Bytes> inFrontOfResults(const Graph& graph, const Trace& trace)
{
    const HeldResults results(graph, trace);
    Table<ValueId, Bytes> inFront(graph.valueCount());
    for (const ValueId value : graph.values())
        inFront[value] = results.of(value);
    return inFront;
}

} // namespace stagecraft
