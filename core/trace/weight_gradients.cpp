#include "core/trace/weight_gradients.h"

#include "core/trace/trace_storages.h"

#include <algorithm>

namespace stagecraft {

namespace {

enum class Use : std::uint8_t { None, WeightGradient, Other };

// Nodes that no user input reaches over tensors.
Table<NodeId, char> findParameterNodes(const Graph& graph)
{
    Table<ValueId, char> depends(graph.valueCount(), 0);
    Table<NodeId, char> isParameterNode(graph.nodeCount(), 0);
    for (const ValueId input : graph.inputs())
        depends[input] = graph[input].kind == ValueKind::UserInput ? 1 : 0;
    for (const NodeId id : graph.nodes()) {
        const bool isReached = std::ranges::any_of(
            graph[id].inputs, [&](ValueId input) { return graph[input].isTensor() && depends[input] != 0; });
        isParameterNode[id] = isReached ? 0 : 1;
        for (const ValueId result : graph[id].results)
            depends[result] = isReached ? 1 : 0;
    }
    return isParameterNode;
}

// Goes backwards over the operators of a backward pass, from the gradients of parameters.
class Marker
{
public:
    Marker(Trace& trace, const Graph& graph)
        : m_trace(trace),
          m_graph(graph),
          m_isParameterNode(findParameterNodes(graph)),
          m_uses(trace.storages.size(), Use::None),
          m_parameterOf(trace.storages.size())
    {
    }

    void run()
    {
        for (const StorageId id : m_trace.storages.ids())
            if (const TraceStorage& storage = m_trace.storages[id];
                storage.storageClass == StorageClass::ParameterGradient) {
                m_uses[id] = Use::WeightGradient;
                m_parameterOf[id] = storage.value ? storageOf(*storage.value) : std::nullopt;
            }
        for (std::size_t i = m_trace.ops.size(); i > m_trace.forwardEnd; --i)
            if (const TraceOp& op = m_trace.ops[OpId(i - 1)]; !op.isRecomputed)
                noteUses(op);
        for (const StorageId id : m_trace.storages.ids()) {
            TraceStorage& storage = m_trace.storages[id];
            const bool isBornInBackward = storage.birth && storage.birth->index() >= m_trace.forwardEnd &&
                                          storage.storageClass != StorageClass::Activation;
            storage.weightGradientOnly = isBornInBackward && m_uses[id] == Use::WeightGradient;
        }
    }

private:
    void noteUses(const TraceOp& op)
    {
        const bool makesWeightGradients = makesWeightGradientsOnly(op);
        const std::optional<StorageId> parameter = makesWeightGradients ? accumulatedFor(op) : std::nullopt;
        forEachStorage(m_trace, m_trace.arguments(op), [&](StorageId id) {
            const TraceStorage& storage = m_trace.storages[id];
            const bool isShare = parameter && storage.producer && reads(*storage.producer, *parameter);
            if (isShare)
                m_parameterOf[id] = parameter;
            const bool isForWeights = makesWeightGradients && (isShare || staysWithParameters(op, storage));
            m_uses[id] = std::max(m_uses[id], isForWeights ? Use::WeightGradient : Use::Other);
        });
    }

    // Does the operator make something, and nothing that is of another use?
    bool makesWeightGradientsOnly(const TraceOp& op) const
    {
        bool makesAny = false;
        bool makesOther = false;
        forEachStorage(m_trace, m_trace.results(op), [&](StorageId id) {
            makesAny = true;
            makesOther = makesOther || m_uses[id] != Use::WeightGradient;
        });
        return makesAny && !makesOther;
    }

    // Is the operator that reads the storage part of the same node, an accumulation, or on the side of
    // parameters?
    bool staysWithParameters(const TraceOp& reader, const TraceStorage& storage) const
    {
        return !reader.node || reader.node == storage.producer || m_isParameterNode[*reader.node];
    }

    // The parameter whose gradients from several nodes the operator adds up; none: it does no such thing.
    // Autograd adds them while one of those nodes runs.
    std::optional<StorageId> accumulatedFor(const TraceOp& op) const
    {
        const std::string& name = m_trace.opNames[op.name].name;
        std::optional<StorageId> parameter;
        if (name == "aten::add" || name == "aten::add_")
            forEachStorage(m_trace, m_trace.results(op),
                           [&](StorageId id) { parameter = m_parameterOf[id]; });
        return parameter;
    }

    bool reads(NodeId node, StorageId parameter) const
    {
        return std::ranges::any_of(m_graph[node].inputs,
                                   [&](ValueId input) { return storageOf(input) == parameter; });
    }

    std::optional<StorageId> storageOf(ValueId value) const
    {
        const std::optional<TraceTensorId> tensor = m_trace.values[value].tensor;
        return tensor ? std::optional(m_trace[*tensor].storage) : std::nullopt;
    }

    Trace& m_trace;
    const Graph& m_graph;
    Table<NodeId, char> m_isParameterNode;
    Table<StorageId, Use> m_uses;
    Table<StorageId, std::optional<StorageId>> m_parameterOf; // of gradients, whole or a share
};

} // namespace

void markWeightGradients(Trace& trace, const Graph& graph)
{
    Marker(trace, graph).run();
}

} // namespace stagecraft
