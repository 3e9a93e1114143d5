#include "core/profile/memory/passed_sums.h"

#include "core/trace/trace_storages.h"

#include <optional>

namespace stagecraft {

namespace {

class SumFinder
{
public:
    explicit SumFinder(const Trace& trace) : m_trace(trace), m_maker(trace.storages.size(), std::nullopt) {}

    PassedSums find()
    {
        std::optional<NodeId> node; // what belongs to none goes with the node before
        for (m_now = m_trace.forwardEnd; m_now < m_trace.ops.size(); ++m_now) {
            const TraceOp& op = m_trace.ops[OpId(m_now)];
            node = op.node ? op.node : node;
            if (node && isSum(op))
                add(op, *node);
            const auto make = [&](StorageId id) {
                if (m_trace.storages[id].birth == std::optional(OpId(m_now)) || isSum(op))
                    m_maker[id] = node;
            };
            forEachStorage(m_trace, m_trace.results(op), make);
        }
        return std::move(m_sums);
    }

private:
    bool flows(StorageId id) const
    {
        const TraceStorage& storage = m_trace.storages[id];
        return storage.storageClass == StorageClass::Gradient && !storage.weightGradientOnly;
    }

    // Of two gradients: by autograd, or by a node, which then reads the sum itself.
    bool isSum(const TraceOp& op) const
    {
        const std::string& name = m_trace.opNames[op.name].name;
        bool flow = name == "aten::add" || name == "aten::add_";
        if (flow)
            forEachStorage(m_trace, m_trace.arguments(op), [&](StorageId id) { flow = flow && flows(id); });
        return flow;
    }

    bool reads(const TraceOp& op, StorageId storage) const
    {
        bool found = false;
        forEachStorage(m_trace, m_trace.arguments(op), [&](StorageId id) { found = found || id == storage; });
        return found;
    }

    void add(const TraceOp& sum, NodeId before)
    {
        std::optional<StorageId> made;
        forEachStorage(m_trace, m_trace.results(sum), [&](StorageId id) { made = id; });
        bool isFresh = !made;
        forEachStorage(m_trace, m_trace.arguments(sum), [&](StorageId id) {
            isFresh = isFresh || (id != *made && m_maker[id] == std::optional(before));
        });
        if (isFresh)
            return;
        if (const std::optional<NodeId> reader = readerOf(*made))
            m_sums.emplace(std::pair(m_now, *made), *reader);
    }

    std::optional<NodeId> readerOf(StorageId storage) const
    {
        for (std::size_t next = m_now + 1; next < m_trace.ops.size(); ++next)
            if (const TraceOp& op = m_trace.ops[OpId(next)]; reads(op, storage)) {
                if (isSum(op))
                    forEachStorage(m_trace, m_trace.results(op), [&](StorageId id) { storage = id; });
                else if (op.node)
                    return op.node;
            }
        return std::nullopt;
    }

    const Trace& m_trace;
    Table<StorageId, std::optional<NodeId>> m_maker; // of what is in it now
    PassedSums m_sums;
    std::uint32_t m_now = 0;
};

} // namespace

PassedSums passedSums(const Trace& trace)
{
    return SumFinder(trace).find();
}

} // namespace stagecraft
