#include "core/chain_partition.h"

#include "core/base/disjoint_sets.h"
#include "core/float_ranges.h"

#include <algorithm>
#include <functional>
#include <iterator>
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
    // `spare`: seconds of each stage.
    FloatsAtStages(const PartitionProblem& problem, const Table<NodeId, ChainNode>& costs,
                   const StageOfNode& stageOf, std::vector<double> spare)
        : m_problem(problem), m_costs(costs), m_spare(std::move(spare)), m_isFloat(stageOf.size(), 0)
    {
        Table<NodeId, std::optional<std::size_t>> placeOf(stageOf.size());
        for (const NodeId node : stageOf.ids()) {
            m_isFloat[node] = stageOf[node] ? 0 : 1;
            if (stageOf[node])
                placeOf[node] = stageOf[node]->index();
        }
        m_ranges = floatRanges(problem.precedences, placeOf, {0, m_spare.size() - 1});
        findGroups();
    }

    // Those first that take the longest.
    void place(StageOfNode& stageOf) &&
    {
        std::ranges::stable_sort(m_groups, std::ranges::greater(), &Group::seconds);
        for (const Group& group : m_groups) {
            const std::size_t stage = bestFor(group);
            for (const NodeId node : group.nodes) {
                stageOf[node] = StageId(stageAt(node, stage));
                m_spare[stageOf[node]->index()] -= m_costs[node].seconds;
            }
        }
    }

private:
    // Floats that hang together by values or order, other floats between them.
    struct Group
    {
        std::vector<NodeId> nodes;
        std::vector<const ProblemValue*> values; // that these make or read
        double seconds = 0;
    };

    void findGroups()
    {
        DisjointSets sets(m_isFloat.size());
        const auto rootOf = [&](NodeId node) { return sets.rootOf(node.index()); };
        for (const Precedence& edge : m_problem.precedences)
            if (m_isFloat[edge.before] != 0 && m_isFloat[edge.after] != 0)
                sets.join(edge.before.index(), edge.after.index());
        for (const ProblemValue& value : m_problem.values) { // who reads one that is sent once
            const std::vector<NodeId> floats = floatsOf(value);
            for (std::size_t i = 1; i < floats.size(); ++i)
                sets.join(floats[i].index(), floats.front().index());
        }
        std::map<std::size_t, std::size_t> groups; // by their roots
        for (const NodeId node : m_isFloat.ids())
            if (m_isFloat[node] != 0) {
                const auto [known, isNew] = groups.try_emplace(rootOf(node), m_groups.size());
                Group& group = isNew ? m_groups.emplace_back() : m_groups[known->second];
                group.nodes.push_back(node);
                group.seconds += m_costs[node].seconds;
            }
        for (const ProblemValue& value : m_problem.values)
            if (const std::vector<NodeId> floats = floatsOf(value); !floats.empty())
                m_groups[groups.at(rootOf(floats.front()))].values.push_back(&value);
    }

    std::vector<NodeId> floatsOf(const ProblemValue& value) const
    {
        std::vector<NodeId> floats;
        if (m_isFloat[value.producer] != 0)
            floats.push_back(value.producer);
        std::ranges::copy_if(value.readers, std::back_inserter(floats),
                             [this](NodeId reader) { return m_isFloat[reader] != 0; });
        return floats;
    }

    // The last stage of those for which the least is sent; of who makes nothing for others the first.
    std::size_t bestFor(const Group& group) const
    {
        const bool isRead = std::ranges::any_of(group.values, [this](const ProblemValue* value) {
            return m_isFloat[value->producer] != 0 &&
                   std::ranges::any_of(value->readers, [&](NodeId reader) { return m_isFloat[reader] == 0; });
        });
        std::vector<std::size_t> stages(m_spare.size());
        std::iota(stages.begin(), stages.end(), 0);
        if (isRead)
            std::ranges::reverse(stages);
        return std::ranges::min(
            stages, {}, [&](std::size_t stage) { return std::pair(late(group, stage), sent(group, stage)); });
    }

    // Where the others of its group are there, as far as it may.
    std::size_t stageAt(NodeId node, std::size_t stage) const
    {
        const auto& [earliest, latest] = m_ranges[node];
        return std::clamp(stage, earliest, std::max(earliest, latest));
    }

    // Seconds for which there is no time.
    double late(const Group& group, std::size_t stage) const
    {
        std::vector<double> added(m_spare.size(), 0);
        for (const NodeId node : group.nodes)
            added[stageAt(node, stage)] += m_costs[node].seconds;
        double late = 0;
        for (std::size_t i = 0; i < added.size(); ++i)
            late += added[i] > 0 ? std::max(0.0, added[i] - std::max(0.0, m_spare[i])) : 0;
        return late;
    }

    // Bytes over boundaries, of values that have to do with a group.
    double sent(const Group& group, std::size_t stage) const
    {
        double bytes = 0;
        for (const ProblemValue* const value : group.values) {
            const std::size_t first = stageAt(value->producer, stage);
            std::size_t last = value->returned ? m_spare.size() - 1 : first;
            for (const NodeId reader : value->readers)
                last = std::max(last, stageAt(reader, stage));
            bytes +=
                (value->forwardBytes + value->backwardBytes).asDouble() * static_cast<double>(last - first);
        }
        return bytes;
    }

    const PartitionProblem& m_problem;
    const Table<NodeId, ChainNode>& m_costs;
    std::vector<double> m_spare;
    Table<NodeId, char> m_isFloat;
    Table<NodeId, FloatRange> m_ranges; // of stages
    std::vector<Group> m_groups;
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
    FloatsAtStages(problem, chain.nodes, stageOf, std::move(spare)).place(stageOf);
    Partition partition{ends.size(), Table<NodeId, StageId>(stageOf.size(), StageId(0))};
    for (const NodeId node : stageOf.ids())
        partition.stageOf[node] = stageOf[node].value_or(StageId(0));
    makeLegal(problem, partition);
    return partition;
}

} // namespace stagecraft
