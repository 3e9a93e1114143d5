#include "core/graph/alias_sets.h"

#include "core/base/contains.h"
#include "core/base/sort_unique.h"

#include <algorithm>
#include <optional>

namespace stagecraft {

namespace {

// Union-find whose roots are the smallest members.
class Groups
{
public:
    explicit Groups(std::size_t count)
    {
        for (const ValueId id : idRange<ValueId>(count))
            m_parents.add(id);
    }
    ValueId root(ValueId id)
    {
        while (m_parents[id] != id) {
            m_parents[id] = m_parents[m_parents[id]];
            id = m_parents[id];
        }
        return id;
    }
    void join(ValueId a, ValueId b)
    {
        const ValueId rootA = root(a);
        const ValueId rootB = root(b);
        m_parents[std::max(rootA, rootB)] = std::min(rootA, rootB);
    }

private:
    Table<ValueId, ValueId> m_parents;
};

bool writesItsInputs(const Graph& graph, const AliasingOf& aliasing)
{
    const AliasSets sets = AliasSets::find(graph, aliasing);
    return std::ranges::any_of(graph.inputs(), [&](ValueId input) { return !sets.writers(input).empty(); });
}

NodeAliasing aliasingWithSubgraphs(const Node& node, const AliasingOf& aliasing)
{
    NodeAliasing result = aliasing(node);
    const auto writes = [&](const auto& subgraph) { return writesItsInputs(*subgraph, aliasing); };
    if (std::ranges::any_of(node.subgraphs, writes))
        result.written = node.inputs;
    return result;
}

// Finds pairs of nodes that storage puts in order. Keeps, for each set that is written at all, its last
// writer and the readers since.
class OrderFinder
{
public:
    OrderFinder(const Graph& graph, const AliasSets& sets)
        : m_graph(graph),
          m_sets(sets),
          m_uses(graph.valueCount()),
          m_added(graph.nodeCount()),
          m_markedFor(graph.nodeCount())
    {
    }

    std::vector<std::pair<NodeId, NodeId>> find()
    {
        for (const NodeId node : m_graph.nodes())
            addPairs(node, conflicts(node));
        return std::move(m_pairs);
    }

private:
    struct Uses
    {
        std::optional<NodeId> lastWriter;
        std::vector<NodeId> readersSince;
    };

    // Earlier nodes that `node` must stay behind, descending. Also notes what `node` itself does.
    std::vector<NodeId> conflicts(NodeId node)
    {
        std::vector<NodeId> earlier;
        std::vector<ValueId> touched;
        for (const ValueId input : m_graph[node].inputs)
            if (!m_sets.writers(input).empty())
                touched.push_back(m_sets.representative(input));
        sortUnique(touched);
        for (const ValueId set : touched) {
            Uses& uses = m_uses[set];
            if (uses.lastWriter)
                earlier.push_back(*uses.lastWriter);
            if (std::ranges::binary_search(m_sets.writers(set), node)) {
                earlier.insert(earlier.end(), uses.readersSince.begin(), uses.readersSince.end());
                uses = {node, {}};
            } else {
                uses.readersSince.push_back(node);
            }
        }
        std::ranges::sort(earlier, std::greater());
        earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
        return earlier;
    }

    // Adds those of `earlier` that no path leads from yet. Latest first: a path often leads through it.
    void addPairs(NodeId node, const std::vector<NodeId>& earlier)
    {
        if (earlier.empty())
            return;
        m_stack = {node};
        for (const NodeId before : earlier) {
            markAncestors(node, before);
            if (isMarked(before, node))
                continue;
            m_pairs.emplace_back(before, node);
            m_added[node].push_back(before);
            mark(before, node);
        }
    }

    bool isMarked(NodeId id, NodeId node) const { return m_markedFor[id] == node; }
    void mark(NodeId id, NodeId node)
    {
        if (isMarked(id, node))
            return;
        m_markedFor[id] = node;
        m_stack.push_back(id);
    }

    // Marks what `node` depends on, as far back as `limit`; what lies further back waits on the stack.
    void markAncestors(NodeId node, NodeId limit)
    {
        std::vector<NodeId> later;
        while (!m_stack.empty() && m_effort > 0) {
            const NodeId next = m_stack.back();
            m_stack.pop_back();
            if (next < limit) {
                later.push_back(next);
                continue;
            }
            --m_effort;
            for (const ValueId input : m_graph[next].inputs)
                if (const std::optional<NodeId> producer = m_graph[input].producer)
                    mark(*producer, node);
            for (const NodeId before : m_added[next])
                mark(before, node);
        }
        m_stack.insert(m_stack.end(), later.begin(), later.end());
    }

    const Graph& m_graph;
    const AliasSets& m_sets;
    Table<ValueId, Uses> m_uses;
    Table<NodeId, std::vector<NodeId>> m_added;
    std::vector<std::pair<NodeId, NodeId>> m_pairs;
    Table<NodeId, std::optional<NodeId>> m_markedFor; // of ancestors: the last node whose they were
    std::vector<NodeId> m_stack;
    std::int64_t m_effort = 20'000'000; // about a tenth of a second
};

} // namespace

AliasSets AliasSets::find(const Graph& graph, const AliasingOf& aliasing)
{
    Groups groups(graph.valueCount());
    std::vector<std::pair<NodeId, ValueId>> writes;
    for (const NodeId node : graph.nodes()) {
        const NodeAliasing effect = aliasingWithSubgraphs(graph[node], aliasing);
        for (const auto& [result, input] : effect.shared)
            groups.join(result, input);
        for (const ValueId value : effect.written)
            writes.emplace_back(node, value);
    }
    AliasSets sets;
    for (const ValueId value : graph.values())
        sets.m_representatives.add(groups.root(value));
    sets.m_writers = Table<ValueId, std::vector<NodeId>>(graph.valueCount());
    for (const auto& [node, value] : writes) {
        std::vector<NodeId>& writers = sets.m_writers[groups.root(value)];
        if (writers.empty() || writers.back() != node)
            writers.push_back(node);
    }
    return sets;
}

Table<ValueId, ValueId> firstVersions(const Graph& graph, const AliasingOf& aliasing)
{
    Table<ValueId, ValueId> first;
    for (const ValueId value : graph.values())
        first.add(value);
    for (const NodeId node : graph.nodes()) {
        const NodeAliasing does = aliasing(graph[node]);
        for (const auto& [result, input] : does.shared)
            if (contains(does.written, input))
                first[result] = first[input];
    }
    return first;
}

std::vector<std::pair<NodeId, NodeId>> storageOrder(const Graph& graph, const AliasSets& sets)
{
    return OrderFinder(graph, sets).find();
}

} // namespace stagecraft
