#include "core/chain_partition.h"

#include "core/base/sort_unique.h"
#include "core/float_ranges.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// Which nodes of its link are before a place.
std::vector<char> insideOf(const ModelChain& chain, const ChainPlace& place)
{
    if (!place.isSpan)
        return place.inside;
    std::vector<char> inside;
    double seconds = 0;
    for (const NodeId node : chain.links[place.link]) {
        seconds += chain.nodes[node].seconds;
        inside.push_back(seconds <= (place.least + place.most) / 2 ? 1 : 0);
    }
    return inside;
}

using StageOfNode = Table<NodeId, std::optional<StageId>>;

// Puts what floats where there is time for it, and of such stages where the least is sent for it.
//
//     stages      0   │   1   │   2   │   3
//     links     ──a───┼───────┼───────┼───r──     x and y between a and r: each group of floats that hang
//     floats       └──┼── x ──┼── y ──┼───┘       together is at one stage, as far as each of it may be there
class FloatsAtStages
{
public:
    FloatsAtStages(const PartitionProblem& problem, const StageOfNode& stageOf, std::size_t stages)
        : m_problem(problem), m_isFloat(stageOf.size(), 0), m_stages(stages)
    {
        Table<NodeId, std::optional<std::size_t>> placeOf(stageOf.size());
        for (const NodeId node : stageOf.ids()) {
            m_isFloat[node] = stageOf[node] ? 0 : 1;
            if (stageOf[node])
                placeOf[node] = stageOf[node]->index();
        }
        m_ranges = floatRanges(problem.precedences, placeOf, {0, stages - 1});
        findTogether();
        for (const ProblemValue& value : problem.values)
            for (const std::size_t group : groupsOf(value))
                m_values[group].push_back(&value);
    }

    // `spare`: seconds of each stage.
    void place(StageOfNode& stageOf, const Table<NodeId, ChainNode>& costs, std::vector<double> spare) const
    {
        std::vector<Group> groups(m_values.size());
        for (const NodeId node : stageOf.ids())
            if (m_isFloat[node] != 0) {
                groups[m_group[node]].nodes.push_back(node);
                groups[m_group[node]].seconds += costs[node].seconds;
            }
        std::vector<std::size_t> order(groups.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::ranges::greater(),
                                 [&](std::size_t group) { return groups[group].seconds; });
        for (const std::size_t group : order) {
            const std::size_t stage = bestFor(group, groups[group], costs, spare);
            for (const NodeId node : groups[group].nodes) {
                stageOf[node] = StageId(stageAt(node, stage));
                spare[stageOf[node]->index()] -= costs[node].seconds;
            }
        }
    }

private:
    struct Group
    {
        std::vector<NodeId> nodes;
        double seconds = 0;
    };

    // The last stage of those for which the least is sent; of who makes nothing for others the first.
    std::size_t bestFor(std::size_t group, const Group& of, const Table<NodeId, ChainNode>& costs,
                        const std::vector<double>& spare) const
    {
        const bool isRead = std::ranges::any_of(m_values[group], [this](const ProblemValue* value) {
            return m_isFloat[value->producer] != 0 &&
                   std::ranges::any_of(value->readers, [&](NodeId reader) { return m_isFloat[reader] == 0; });
        });
        std::vector<std::size_t> stages(m_stages);
        std::iota(stages.begin(), stages.end(), 0);
        if (isRead)
            std::ranges::reverse(stages);
        return std::ranges::min(stages, {}, [&](std::size_t stage) {
            return std::pair(late(of, stage, costs, spare), sent(group, stage));
        });
    }

    // Seconds for which there is no time.
    double late(const Group& group, std::size_t stage, const Table<NodeId, ChainNode>& costs,
                const std::vector<double>& spare) const
    {
        std::vector<double> added(m_stages, 0);
        for (const NodeId node : group.nodes)
            added[stageAt(node, stage)] += costs[node].seconds;
        double late = 0;
        for (std::size_t i = 0; i < m_stages; ++i)
            late += added[i] > 0 ? std::max(0.0, added[i] - std::max(0.0, spare[i])) : 0;
        return late;
    }

    // Those that hang together by values or order, other floats between them.
    void findTogether()
    {
        std::vector<std::size_t> parents(m_isFloat.size());
        std::iota(parents.begin(), parents.end(), 0);
        const auto rootOf = [&](NodeId node) {
            std::size_t root = node.index();
            while (parents[root] != root)
                root = parents[root] = parents[parents[root]];
            return root;
        };
        const auto join = [&](NodeId a, NodeId b) {
            if (m_isFloat[a] != 0 && m_isFloat[b] != 0)
                parents[rootOf(a)] = rootOf(b);
        };
        for (const Precedence& edge : m_problem.precedences)
            join(edge.before, edge.after);
        for (const ProblemValue& value : m_problem.values) // of one that is sent once
            for (const NodeId reader : value.readers)
                if (const auto first = std::ranges::find_if(
                        value.readers, [&](NodeId other) { return m_isFloat[other] != 0; });
                    first != value.readers.end())
                    join(*first, reader);
        m_group = Table<NodeId, std::size_t>(m_isFloat.size(), 0);
        std::map<std::size_t, std::size_t> groups; // by their roots
        for (const NodeId node : m_isFloat.ids())
            if (m_isFloat[node] != 0)
                m_group[node] = groups.try_emplace(rootOf(node), groups.size()).first->second;
        m_values.resize(groups.size());
    }

    std::vector<std::size_t> groupsOf(const ProblemValue& value) const
    {
        std::vector<std::size_t> groups;
        if (m_isFloat[value.producer] != 0)
            groups.push_back(m_group[value.producer]);
        for (const NodeId reader : value.readers)
            if (m_isFloat[reader] != 0)
                groups.push_back(m_group[reader]);
        sortUnique(groups);
        return groups;
    }

    // Where the others of its group are there, as far as it may.
    std::size_t stageAt(NodeId node, std::size_t stage) const
    {
        const auto& [earliest, latest] = m_ranges[node];
        return std::clamp(stage, earliest, std::max(earliest, latest));
    }

    // Bytes over boundaries, of values that have to do with a group.
    double sent(std::size_t group, std::size_t stage) const
    {
        double bytes = 0;
        for (const ProblemValue* const value : m_values[group]) {
            const std::size_t first = stageAt(value->producer, stage);
            std::size_t last = value->returned ? m_stages - 1 : first;
            for (const NodeId reader : value->readers)
                last = std::max(last, stageAt(reader, stage));
            bytes +=
                (value->forwardBytes + value->backwardBytes).asDouble() * static_cast<double>(last - first);
        }
        return bytes;
    }

    const PartitionProblem& m_problem;
    Table<NodeId, char> m_isFloat;
    Table<NodeId, FloatRange> m_ranges; // of stages
    std::size_t m_stages;
    Table<NodeId, std::size_t> m_group;
    std::vector<std::vector<const ProblemValue*>> m_values; // of each group
};

// Who reads comes no earlier, and who must share a stage does: both in the later one.
void makeLegal(const PartitionProblem& problem, Partition& partition)
{
    Table<NodeId, StageId>& stageOf = partition.stageOf;
    bool changed = true;
    const auto notBefore = [&](NodeId node, StageId stage) {
        if (stageOf[node] < stage) {
            stageOf[node] = stage;
            changed = true;
        }
    };
    while (std::exchange(changed, false)) {
        for (const ProblemValue& value : problem.values)
            for (const NodeId reader : value.readers)
                notBefore(reader, stageOf[value.producer]);
        for (const Colocation& group : problem.groups) {
            StageId last(0);
            for (const NodeId node : group.nodes)
                last = std::max(last, stageOf[node]);
            for (const NodeId node : group.nodes)
                notBefore(node, last);
        }
    }
}

} // namespace

Partition partitionAt(const PartitionProblem& problem, const ModelChain& chain,
                      std::span<const std::size_t> ends, std::vector<double> spare)
{
    StageOfNode stageOf(problem.nodes.size());
    for (std::size_t stage = ends.size(); stage-- > 0;) {
        const ChainPlace& end = chain.places[ends[stage]];
        for (std::size_t link = 0; link < end.link; ++link)
            for (const NodeId node : chain.links[link])
                stageOf[node] = StageId(stage);
        if (const std::vector<char> inside = insideOf(chain, end); !inside.empty())
            for (std::size_t i = 0; i < inside.size(); ++i)
                if (inside[i] != 0)
                    stageOf[chain.links[end.link][i]] = StageId(stage);
    }
    FloatsAtStages(problem, stageOf, ends.size()).place(stageOf, chain.nodes, std::move(spare));
    Partition partition{ends.size(), Table<NodeId, StageId>(stageOf.size(), StageId(0))};
    for (const NodeId node : stageOf.ids())
        partition.stageOf[node] = stageOf[node].value_or(StageId(0));
    makeLegal(problem, partition);
    return partition;
}

} // namespace stagecraft
