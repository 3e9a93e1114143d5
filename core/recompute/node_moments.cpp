#include "core/recompute/node_moments.h"

#include "core/base/sort_unique.h"
#include "core/profile/memory/region_peaks.h"

#include <algorithm>
#include <optional>

namespace stagecraft {

namespace {

// Runs of operators of one node in one phase, each above what was alive before it.
void addPeaks(const Trace& trace, Table<NodeId, NodeMoments>& moments)
{
    const std::vector<Bytes> deaths = letGoBehind(trace), kept = parameterGradientsUpTo(trace);
    Table<NodeId, char> hasStep(moments.size(), 0);
    std::optional<NodeId> running;
    Phase phase = Phase::Forward;
    Bytes entry, keptAtEntry, before;
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        const Bytes alive = before - deaths[id.index()];
        if (op.node != running || op.phase != phase) {
            running = op.node;
            phase = op.phase;
            entry = alive;
            keptAtEntry = id.index() == 0 ? Bytes{} : kept[id.index() - 1];
        }
        if (op.node && phase != Phase::Optimizer) {
            NodeMoments& of = moments[*op.node];
            if (phase == Phase::Forward && !hasStep[*op.node] && !trace.opNames[op.name].isView) {
                hasStep[*op.node] = 1;
                of.forwardStep = std::max(Bytes{}, op.live - alive) + op.scratch;
            }
            Bytes& peak = phase == Phase::Forward ? of.forwardPeak : of.backwardPeak;
            const Bytes added = id.index() == 0 ? Bytes{} : kept[id.index() - 1] - keptAtEntry;
            peak = std::max(peak, std::max(alive, op.live) + op.scratch - added - entry);
            of.hasBackward = of.hasBackward || phase == Phase::Backward;
        }
        before = op.live;
    }
}

// What is no gradient, backward has because it was saved.
bool readsSaved(const Trace& trace, const TraceOp& op)
{
    for (const TraceArgument& argument : trace.arguments(op))
        for (const TraceTensor& tensor : trace.tensors(argument)) {
            const StorageClass is = trace.storages[tensor.storage].storageClass;
            if (is != StorageClass::Gradient && is != StorageClass::ParameterGradient)
                return true;
        }
    return false;
}

void addLevels(const Trace& trace, Table<NodeId, NodeMoments>& moments)
{
    const std::vector<Bytes> deaths = letGoBehind(trace), kept = parameterGradientsUpTo(trace);
    Table<NodeId, Bytes> entries(moments.size());
    for (std::size_t i = std::max<std::size_t>(1, trace.forwardEnd); i < trace.ops.size(); ++i) {
        const TraceOp& op = trace.ops[OpId(i)];
        if (!op.node || op.phase != Phase::Backward)
            continue;
        NodeMoments& of = moments[*op.node];
        const Bytes before = trace.ops[OpId(i - 1)].live - deaths[i];
        const bool reads = readsSaved(trace, op);
        if (!of.backwardEntry) {
            Bytes& entry = entries[*op.node];
            entry = std::max(entry, before - kept[i - 1]);
            if (reads)
                of.backwardEntry = entry;
        }
        if (reads)
            of.backwardTop = std::max(of.backwardTop, std::max(before, op.live) + op.scratch - kept[i - 1]);
    }
}

void addGradients(const Trace& trace, Table<NodeId, NodeMoments>& moments)
{
    for (const TraceStorage& storage : trace.storages) {
        if (storage.storageClass != StorageClass::Gradient || !storage.birth)
            continue;
        if (const auto node = trace.ops[*storage.birth].node)
            moments[*node].gradientsMade += storage.bytes;
        if (!storage.death || *storage.death == 0 || *storage.death > trace.ops.size())
            continue;
        if (const auto node = trace.ops[OpId(*storage.death - 1)].node)
            moments[*node].gradientsLetGo += storage.bytes;
    }
}

} // namespace

Table<NodeId, NodeMoments> nodeMoments(const Graph& graph, const Trace& trace)
{
    Table<NodeId, NodeMoments> moments(graph.nodeCount());
    addPeaks(trace, moments);
    addLevels(trace, moments);
    addGradients(trace, moments);
    for (const SavedTensor& saved : trace.saved)
        if (saved.node && isSavedForBackward(trace, saved)) {
            NodeMoments& of = moments[*saved.node];
            of.saves = true;
            of.savesOwn = of.savesOwn || trace.storages[saved.storage].producer == saved.node;
        }
    Table<NodeId, int> operators(moments.size(), 0); // that are no views
    for (const TraceOp& op : trace.ops) {
        if (op.phase != Phase::Forward || !op.node || trace.opNames[op.name].isView)
            continue;
        ++operators[*op.node];
        for (const TraceArgument& result : trace.results(op))
            for (const TraceTensor& tensor : trace.tensors(result))
                if (trace.storages[tensor.storage].storageClass == StorageClass::Activation)
                    moments[*op.node].results.push_back(tensor.storage);
    }
    for (const NodeId node : moments.ids())
        moments[node].savesFirst = moments[node].saves && !moments[node].savesOwn && operators[node] == 1;
    for (NodeMoments& of : moments)
        sortUnique(of.results);
    return moments;
}

} // namespace stagecraft
