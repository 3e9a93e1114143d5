#include "core/profile/memory/region_peaks.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Operators first, ..., last.
struct Window
{
    std::size_t first = SIZE_MAX;
    std::size_t last = 0;

    void include(std::size_t op)
    {
        first = std::min(first, op);
        last = std::max(last, op);
    }
};

struct RegionWindows
{
    Window forward;
    Window backward; // from its second run on; empty: it has none
};

Bytes peakIn(const Trace& trace, const Window& window, const std::vector<Bytes>& kept,
             const std::vector<Bytes>& letGo)
{
    const Bytes entry =
        window.first == 0 ? Bytes{} : trace.ops[OpId(window.first - 1)].live - letGo[window.first];
    const Bytes keptBefore = window.first == 0 ? Bytes{} : kept[window.first - 1];
    Bytes before = entry, peak;
    for (std::size_t i = window.first; i <= window.last; ++i) {
        const TraceOp& op = trace.ops[OpId(i)];
        // Its own gradients of parameters are there until they are added to those of microbatches before.
        const Bytes added = i == window.first ? Bytes{} : kept[i - 1] - keptBefore;
        const Bytes alive = std::max(before, op.live) + op.scratch - added;
        peak = std::max(peak, alive - entry);
        before = op.live;
    }
    return peak;
}

} // namespace

std::vector<Bytes> letGoBehind(const Trace& trace)
{
    std::vector<Bytes> letGo(trace.ops.size() + 1);
    for (const TraceStorage& storage : trace.storages)
        if (storage.birth && storage.death && *storage.death < letGo.size())
            letGo[*storage.death] += storage.bytes;
    return letGo;
}

std::vector<Bytes> parameterGradientsUpTo(const Trace& trace)
{
    std::vector<Bytes> made(trace.ops.size());
    for (const TraceStorage& storage : trace.storages)
        if (storage.storageClass == StorageClass::ParameterGradient && storage.birth)
            made[storage.birth->index()] += storage.bytes;
    for (std::size_t i = 1; i < made.size(); ++i)
        made[i] += made[i - 1];
    return made;
}

Table<NodeId, Bytes> regionPeaks(const Trace& trace)
{
    const Table<NodeId, std::uint32_t>& runs = trace.checkpointRuns;
    std::vector<RegionWindows> windows(runs.size() + 1);
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        if (!op.node || runs[*op.node] == 0)
            continue;
        RegionWindows& region = windows[runs[*op.node]];
        if (op.phase == Phase::Forward)
            region.forward.include(id.index());
        else if (op.isRecomputed || region.backward.first != SIZE_MAX)
            region.backward.include(id.index());
    }
    const std::vector<Bytes> kept = parameterGradientsUpTo(trace);
    const std::vector<Bytes> letGo = letGoBehind(trace);
    std::vector<Bytes> peaks(windows.size());
    for (std::size_t run = 1; run < windows.size(); ++run)
        if (windows[run].backward.first != SIZE_MAX)
            peaks[run] = std::max(peakIn(trace, windows[run].forward, kept, letGo),
                                  peakIn(trace, windows[run].backward, kept, letGo));
    Table<NodeId, Bytes> result(runs.size());
    for (const NodeId node : runs.ids())
        result[node] = peaks[runs[node]];
    return result;
}

bool updatesRunningAverages(const Node& node)
{
    if (node.target != "aten::batch_norm.default" &&
        node.target != "aten::_native_batch_norm_legit.default" &&
        node.target != "aten::native_batch_norm.default")
        return false;
    const Argument* const average = node.argument("running_mean");
    const Argument* training = node.argument("training");
    if (!training)
        training = node.argument("train");
    return average && std::holds_alternative<ValueId>(*average) && training &&
           std::holds_alternative<bool>(*training) && std::get<bool>(*training);
}

} // namespace stagecraft
