#include "core/profile/memory/waiting_gradients.h"

#include "core/trace/trace_storages.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <vector>

namespace stagecraft {

namespace {

class SplitBackward
{
public:
    SplitBackward(const Graph& graph, const Trace& trace)
        : m_trace(trace),
          m_nodes(graph.nodeCount()),
          m_made(graph.nodeCount()),
          m_arrives(graph.nodeCount()),
          m_most(graph.nodeCount())
    {
    }

    Table<NodeId, SplitMemory> find()
    {
        if (m_nodes.size() == 0)
            return {};
        forEachBackward([this](const TraceOp& op, NodeId) {
            if (op.node && makesWeightGradients(op))
                addArriving(op);
        });
        for (const SplitMemory& node : m_nodes)
            m_waitUpTo.push_back(m_waitUpTo.back() + (node.waiting > Bytes{} ? 1 : 0));
        forEachBackward([this](const TraceOp& op, NodeId node) {
            addMade(op, node);
            noteMost(op, node);
        });
        addWeights();
        addUp();
        return std::move(m_nodes);
    }

private:
    // A storage, after so many writes.
    using Content = std::pair<StorageId, std::uint32_t>;

    // visit(operator, node): what belongs to none, as sums of gradients do, goes with the node before.
    template <class Visit>
    void forEachBackward(const Visit& visit)
    {
        m_writes = Table<StorageId, std::uint32_t>(m_trace.storages.size(), 0);
        NodeId node(m_nodes.size() - 1);
        for (m_now = m_trace.forwardEnd; m_now < m_trace.ops.size(); ++m_now) {
            const TraceOp& op = m_trace.ops[OpId(m_now)];
            node = op.node.value_or(node);
            if (!op.isRecomputed)
                visit(op, node);
            forEachWritten(op, [this](StorageId id) { ++m_writes[id]; });
        }
    }

    template <class Visit>
    void forEachWritten(const TraceOp& op, const Visit& visit) const
    {
        const std::uint64_t written = m_trace.opNames[op.name].written;
        if (written == 0)
            return;
        const auto arguments = m_trace.arguments(op);
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 64); ++i)
            if ((written >> i & 1) != 0)
                forEachStorage(m_trace, arguments.subspan(i, 1), visit);
    }

    bool isWeightGradient(StorageId id) const
    {
        const TraceStorage& storage = m_trace.storages[id];
        return storage.weightGradientOnly || storage.storageClass == StorageClass::ParameterGradient;
    }
    bool isPassedOn(StorageId id) const
    {
        return m_trace.storages[id].storageClass == StorageClass::Gradient && !isWeightGradient(id);
    }

    // Alone, or with gradients of activations, as convolution_backward does.
    bool makesWeightGradients(const TraceOp& op) const
    {
        bool makes = false;
        forEachStorage(m_trace, m_trace.results(op),
                       [&](StorageId id) { makes = makes || isWeightGradient(id); });
        return makes;
    }

    void addArriving(const TraceOp& op)
    {
        forEachStorage(m_trace, m_trace.arguments(op), [&](StorageId id) {
            if (isPassedOn(id) && m_waiting.try_emplace({id, m_writes[id]}, *op.node).second)
                m_nodes[*op.node].waiting += m_trace.storages[id].bytes;
        });
    }

    // What the operator returns or writes to, as it leaves it.
    std::set<Content> madeBy(const TraceOp& op) const
    {
        std::set<StorageId> written;
        forEachWritten(op, [&](StorageId id) { written.insert(id); });
        std::set<Content> made;
        const auto add = [&](StorageId id) {
            if (isPassedOn(id) &&
                (written.contains(id) || m_trace.storages[id].birth == std::optional(OpId(m_now))))
                made.emplace(id, m_writes[id] + (written.contains(id) ? 1 : 0));
        };
        forEachStorage(m_trace, m_trace.results(op), add);
        std::ranges::for_each(written, add);
        return made;
    }

    void addMade(const TraceOp& op, NodeId node)
    {
        for (const Content& content : madeBy(op)) {
            const auto waiting = m_waiting.find(content);
            if (waiting == m_waiting.end())
                continue;
            const Bytes bytes = m_trace.storages[content.first].bytes;
            m_made[node] += bytes;
            m_arrives[anyWaits(waiting->second, node) ? waiting->second : node] += bytes;
        }
    }

    // Nodes between these two: then a stage may be of them alone, past which goes what `behind` makes.
    bool anyWaits(NodeId before, NodeId behind) const
    {
        return behind.index() > before.index() && m_waitUpTo[behind.index()] > m_waitUpTo[before.index() + 1];
    }

    // With gradients that do not wait: what it reads and makes, and of the same node what is alive.
    void noteMost(const TraceOp& op, NodeId node)
    {
        if (m_aliveIn != node)
            m_alive.clear();
        m_aliveIn = node;
        std::erase_if(m_alive, [this](StorageId id) {
            return m_trace.storages[id].death.value_or(m_now + 1) <= m_now;
        });
        forEachStorage(m_trace, m_trace.arguments(op), [this](StorageId id) {
            if (isPassedOn(id) && !m_waiting.contains({id, m_writes[id]}))
                m_alive.insert(id);
        });
        for (const Content& content : madeBy(op)) {
            if (m_waiting.contains(content))
                m_alive.erase(content.first); // what is added up in place
            else
                m_alive.insert(content.first);
        }
        Bytes bytes = m_made[node];
        for (const StorageId id : m_alive)
            bytes += m_trace.storages[id].bytes;
        m_most[node] = std::max(m_most[node], bytes);
    }

    void addWeights()
    {
        for (const StorageId id : m_trace.storages.ids()) {
            const TraceStorage& storage = m_trace.storages[id];
            if (isWeightGradient(id) && storage.producer)
                m_nodes[*storage.producer].weight += storage.bytes;
        }
    }

    void addUp()
    {
        Bytes made, arrives, read;
        for (const NodeId node : std::views::reverse(m_nodes.ids())) {
            SplitMemory& memory = m_nodes[node];
            memory.madeBehind = arrives;
            memory.readBehind = read;
            memory.input = made + m_most[node];
            made += m_made[node];
            arrives += m_arrives[node];
            read += memory.waiting;
            memory.read = read;
            memory.weight += read;
        }
    }

    const Trace& m_trace;
    Table<NodeId, SplitMemory> m_nodes;
    Table<NodeId, Bytes> m_made;
    Table<NodeId, Bytes> m_arrives;         // the same, but of what goes past nodes that wait, at its reader
    Table<NodeId, Bytes> m_most;            // in the first part, of what it makes and reads
    std::map<Content, NodeId> m_waiting;    // for which node
    std::vector<std::size_t> m_waitUpTo{0}; // for how many nodes in front of each something waits
    std::uint32_t m_now = 0;
    Table<StorageId, std::uint32_t> m_writes; // how often it was written to so far
    std::set<StorageId> m_alive;              // of those that do not wait
    std::optional<NodeId> m_aliveIn;
};

} // namespace

Table<NodeId, SplitMemory> splitMemory(const Graph& graph, const Trace& trace)
{
    return SplitBackward(graph, trace).find();
}

} // namespace stagecraft
