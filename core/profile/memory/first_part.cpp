#include "core/profile/memory/first_part.h"

#include "core/trace/trace_storages.h"

#include <limits>
#include <set>
#include <vector>

namespace stagecraft {

namespace {

class FirstPart
{
public:
    FirstPart(const Trace& trace, const PassedSums& sums, TurnMemory& memory)
        : m_trace(trace),
          m_sums(sums),
          m_memory(memory),
          m_writes(trace.storages.size(), 0),
          m_content(trace.storages.size(), none),
          m_born(trace.ops.size()),
          m_dies(trace.ops.size())
    {
    }

    void find()
    {
        for (const StorageId id : m_trace.storages.ids()) {
            const TraceStorage& storage = m_trace.storages[id];
            if (!flows(id) || !storage.birth || storage.birth->index() < m_trace.forwardEnd)
                continue;
            m_born[storage.birth->index()].push_back(id);
            if (storage.death && *storage.death > storage.birth->index() &&
                *storage.death <= m_trace.ops.size())
                m_dies[*storage.death - 1].push_back(id);
        }
        forEachOperator([this](const TraceOp& op, NodeId) { noteWaiting(op); });
        forEachOperator([this](const TraceOp& op, NodeId node) { addTurn(op, node); });
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    // A storage, after so many writes.
    using Content = std::pair<StorageId, std::uint32_t>;

    // visit(operator, node): what belongs to none, as sums of gradients do, goes with the node before.
    template <class Visit>
    void forEachOperator(const Visit& visit)
    {
        m_writes = Table<StorageId, std::uint32_t>(m_trace.storages.size(), 0);
        std::optional<NodeId> node;
        for (m_now = m_trace.forwardEnd; m_now < m_trace.ops.size(); ++m_now) {
            const TraceOp& op = m_trace.ops[OpId(m_now)];
            node = op.node ? op.node : node;
            if (node && !op.isRecomputed)
                visit(op, *node);
            for (const StorageId id : writtenBy(op))
                ++m_writes[id];
        }
    }

    bool isOfWeights(StorageId id) const
    {
        const TraceStorage& storage = m_trace.storages[id];
        return storage.weightGradientOnly || storage.storageClass == StorageClass::ParameterGradient;
    }
    bool flows(StorageId id) const
    {
        return m_trace.storages[id].storageClass == StorageClass::Gradient && !isOfWeights(id);
    }

    std::set<StorageId> writtenBy(const TraceOp& op) const
    {
        std::set<StorageId> storages;
        const std::uint64_t written = m_trace.opNames[op.name].written;
        const auto arguments = m_trace.arguments(op);
        for (std::size_t i = 0; written != 0 && i < std::min<std::size_t>(arguments.size(), 64); ++i)
            if ((written >> i & 1) != 0)
                forEachStorage(m_trace, arguments.subspan(i, 1), [&](StorageId id) { storages.insert(id); });
        return storages;
    }

    enum class Makes { Others, WeightsToo, WeightsAlone };
    Makes makes(const TraceOp& op) const
    {
        bool weights = false, others = false;
        forEachStorage(m_trace, m_trace.results(op),
                       [&](StorageId id) { (isOfWeights(id) ? weights : others) = true; });
        return !weights ? Makes::Others : others ? Makes::WeightsToo : Makes::WeightsAlone;
    }

    void noteWaiting(const TraceOp& op)
    {
        if (makes(op) != Makes::Others)
            forEachStorage(m_trace, m_trace.arguments(op), [this](StorageId id) {
                if (flows(id))
                    m_waiting.insert({id, m_writes[id]});
            });
    }

    // A node adds to the gradient where it is, unless that waits as it was.
    std::uint32_t contentOf(StorageId id, bool isAnew)
    {
        if (isAnew || m_content[id] == none) {
            m_content[id] = static_cast<std::uint32_t>(m_memory.flowing.size());
            m_memory.flowing.push_back(m_trace.storages[id].bytes);
        }
        return m_content[id];
    }

    void make(StorageId id, bool isAnew)
    {
        m_memory.firstPart.made.push_back(contentOf(id, isAnew));
        const auto sum = m_sums.find({static_cast<std::uint32_t>(m_now), id});
        m_memory.firstPart.addedFor.push_back(sum == m_sums.end() ? std::nullopt
                                                                  : std::optional(sum->second));
    }

    void addTurn(const TraceOp& op, NodeId node)
    {
        const bool isLeft = makes(op) == Makes::WeightsAlone; // to the second part
        TurnMemory::Way& way = m_memory.firstPart;
        TurnMemory::Turn turn{.node = node, .peak = isLeft ? Bytes{} : op.scratch};
        turn.makes.first = static_cast<std::uint32_t>(way.made.size());
        for (const StorageId id : m_born[m_now])
            make(id, true);
        for (const StorageId id : writtenBy(op))
            if (flows(id))
                make(id, m_waiting.contains({id, m_writes[id]}));
        turn.makes.end = static_cast<std::uint32_t>(way.made.size());
        turn.drops.first = static_cast<std::uint32_t>(way.dropped.size());
        for (const StorageId id : m_dies[m_now]) {
            const std::uint32_t writes = m_writes[id] + (writtenBy(op).contains(id) ? 1 : 0);
            if (m_content[id] != none && !m_waiting.contains({id, writes}))
                way.dropped.push_back(m_content[id]);
        }
        turn.drops.end = static_cast<std::uint32_t>(way.dropped.size());
        if (turn.makes.first < turn.makes.end || turn.drops.first < turn.drops.end || turn.peak > Bytes{})
            way.turns.push_back(turn);
    }

    const Trace& m_trace;
    const PassedSums& m_sums;
    TurnMemory& m_memory;
    Table<StorageId, std::uint32_t> m_writes;  // how often it was written to so far
    Table<StorageId, std::uint32_t> m_content; // of memory.flowing, as it is now; none: not there yet
    std::vector<std::vector<StorageId>> m_born, m_dies; // with that operator
    std::set<Content> m_waiting;                        // for the second part
    std::size_t m_now = 0;
};

} // namespace

void addFirstPart(const Trace& trace, const PassedSums& sums, TurnMemory& memory)
{
    FirstPart(trace, sums, memory).find();
}

} // namespace stagecraft
