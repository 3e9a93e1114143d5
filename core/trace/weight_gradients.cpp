#include "core/trace/weight_gradients.h"

#include <algorithm>

namespace stagecraft {

namespace {

enum class Use : std::uint8_t { None, WeightGradient, Other };

template <class Visit>
void forEachStorage(const Trace& trace, std::span<const TraceArgument> arguments, const Visit& visit)
{
    for (const TraceArgument& argument : arguments)
        for (const TraceTensor& tensor : trace.tensors(argument))
            visit(tensor.storage);
}

// Does the operator make something, and nothing that is of another use?
bool makesWeightGradientsOnly(const Trace& trace, const TraceOp& op, const Table<StorageId, Use>& uses)
{
    bool makesAny = false;
    bool makesOther = false;
    forEachStorage(trace, trace.results(op), [&](StorageId id) {
        makesAny = true;
        makesOther = makesOther || uses[id] != Use::WeightGradient;
    });
    return makesAny && !makesOther;
}

} // namespace

void markWeightGradients(Trace& trace)
{
    Table<StorageId, Use> uses(trace.storages.size(), Use::None);
    for (const StorageId id : trace.storages.ids())
        if (trace.storages[id].storageClass == StorageClass::ParameterGradient)
            uses[id] = Use::WeightGradient;
    for (std::size_t i = trace.ops.size(); i > trace.forwardEnd; --i) {
        const TraceOp& op = trace.ops[OpId(i - 1)];
        const Use use = makesWeightGradientsOnly(trace, op, uses) ? Use::WeightGradient : Use::Other;
        forEachStorage(trace, trace.arguments(op), [&](StorageId id) { uses[id] = std::max(uses[id], use); });
    }
    for (const StorageId id : trace.storages.ids()) {
        TraceStorage& storage = trace.storages[id];
        const bool isBornInBackward = storage.birth && storage.birth->index() >= trace.forwardEnd;
        storage.weightGradientOnly = isBornInBackward && uses[id] == Use::WeightGradient;
    }
}

} // namespace stagecraft
