#include "core/recompute/node_needs.h"

#include "core/base/sort_unique.h"
#include "core/profile/cost/traffic.h"
#include "core/recompute/node_moments.h"
#include "core/recompute/second_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace stagecraft {

namespace {

// The storages of activations, by who makes and who reads them; returns the last operator of each node that
// makes something needed.
Table<NodeId, std::optional<OpId>> addStorages(const Graph& graph, const Trace& trace,
                                               Table<NodeId, NodeNeeds>& needs)
{
    Table<StorageId, char> isNeeded(trace.storages.size(), 0);
    Table<StorageId, std::vector<NodeId>> savers(trace.storages.size());
    for (const SavedTensor& saved : trace.saved)
        if (isSavedForBackward(trace, saved)) {
            isNeeded[saved.storage] = 1;
            if (saved.node)
                savers[saved.storage].push_back(*saved.node);
        }
    Table<NodeId, std::optional<OpId>> last(graph.nodeCount());
    const auto isMade = [&](const TraceStorage& storage) {
        return storage.storageClass == StorageClass::Activation && storage.producer && storage.birth;
    };
    for (const StorageId id : trace.storages.ids()) {
        const TraceStorage& storage = trace.storages[id];
        if (!isMade(storage))
            continue;
        needs[*storage.producer].made.push_back({.storage = id,
                                                 .bytes = storage.bytes,
                                                 .isNeeded = isNeeded[id] != 0,
                                                 .savers = std::move(savers[id])});
        if (auto& of = last[*storage.producer]; isNeeded[id])
            of = std::max(of.value_or(*storage.birth), *storage.birth);
    }
    for (const NodeId node : graph.nodes()) {
        for (const ValueId input : graph[node].inputs)
            if (const auto tensor = trace.values[input].tensor)
                if (const StorageId storage = trace[*tensor].storage;
                    isMade(trace.storages[storage]) && *trace.storages[storage].producer != node)
                    needs[node].reads.push_back(storage);
        sortUnique(needs[node].reads);
    }
    return last;
}

// Of what those save that cannot run again: what they have to keep besides.
void addKept(const Graph& graph, const Trace& trace, Table<NodeId, NodeNeeds>& needs)
{
    Table<NodeId, std::vector<StorageId>> saves(graph.nodeCount());
    for (const SavedTensor& saved : trace.saved)
        if (const auto producer = trace.storages[saved.storage].producer;
            saved.node && producer && producer != saved.node && isSavedForBackward(trace, saved) &&
            !std::isfinite(needs[*saved.node].again.value()))
            saves[*saved.node].push_back(saved.storage);
    for (const NodeId node : graph.nodes()) {
        sortUnique(saves[node]);
        std::vector<StorageId> keeps;
        Bytes bytes;
        for (const ValueId result : graph[node].results)
            for (const NodeNeeds::Made& made : needs[node].made)
                if (const auto tensor = trace.values[result].tensor;
                    !made.isNeeded && tensor && trace[*tensor].storage == made.storage) {
                    keeps.push_back(made.storage);
                    bytes += made.bytes;
                }
        for (const StorageId storage : saves[node])
            for (NodeNeeds::Made& made : needs[*trace.storages[storage].producer].made)
                if (made.storage == storage && made.isNeeded) {
                    made.keeps.insert(made.keeps.end(), keeps.begin(), keeps.end());
                    made.gain -= Bytes(bytes.count() / static_cast<std::int64_t>(saves[node].size()));
                    made.gain = std::max(Bytes{}, made.gain);
                }
    }
}

// A region that makes it again has a node that saves it, which finds it there in the region's first run.
void addAtOnce(const Graph& graph, const Trace& trace, Table<NodeId, NodeNeeds>& needs)
{
    const Table<NodeId, NodeMoments> moments = nodeMoments(graph, trace);
    for (const NodeId node : needs.ids())
        for (NodeNeeds::Made& made : needs[node].made) {
            std::optional<Bytes> least;
            for (const NodeId saver : made.savers) {
                const Bytes besides = saver == node ? Bytes{} : made.bytes;
                const Bytes alive = besides + moments[saver].forwardPeak;
                least = std::min(least.value_or(alive), alive);
            }
            made.atOnce = std::max(made.bytes, least.value_or(made.bytes));
        }
}

// A stage's nodes as a choice of what runs again. What is needed is kept to begin with; giving it up takes
// running its node again, which takes what the node reads; of that, what is not needed has to be kept for it,
// or to run again itself.
class StageProblem
{
public:
    StageProblem(const Table<NodeId, NodeNeeds>& needs, std::span<const NodeId> nodes, Bytes largest)
        : m_needs(needs), m_largest(largest)
    {
        for (const NodeId node : nodes)
            if (std::isfinite(needs[node].again.value()))
                m_run.emplace(node, m_problem.items.add({.bytes = 0, .time = ticksOf(needs[node].again)}));
        for (const NodeId node : nodes)
            for (const NodeNeeds::Made& made : needs[node].made)
                addStorage(node, made);
        for (const auto& [givenUp, storage] : m_keeps)
            if (const auto kept = m_available.find(storage); kept != m_available.end())
                m_problem.needs.emplace_back(givenUp, kept->second);
        for (const auto& [node, run] : m_run)
            for (const StorageId storage : needs[node].reads)
                if (const auto kept = m_available.find(storage); kept != m_available.end())
                    m_problem.needs.emplace_back(run, kept->second);
    }

    ChoiceProblem take() { return std::move(m_problem); }

private:
    void addStorage(NodeId node, const NodeNeeds::Made& made)
    {
        const auto run = m_run.find(node);
        std::optional<ChoiceItemId> available;
        if (!made.isNeeded) {
            available = m_problem.items.add({.bytes = made.bytes.count(), .time = 0});
            m_available.emplace(made.storage, *available);
        }
        if (run == m_run.end() || (made.isNeeded && made.atOnce > m_largest))
            return;
        const ChoiceItemId givenUp = m_problem.items.add({.bytes = -made.bytes.count(), .time = 0});
        m_problem.needs.emplace_back(givenUp, run->second);
        if (available)
            m_problem.needs.emplace_back(givenUp, *available);
        for (const StorageId storage : made.keeps)
            m_keeps.emplace_back(givenUp, storage);
    }

    const Table<NodeId, NodeNeeds>& m_needs;
    Bytes m_largest;
    ChoiceProblem m_problem;
    std::map<NodeId, ChoiceItemId> m_run;
    std::map<StorageId, ChoiceItemId> m_available; // of what is not needed
    std::vector<std::pair<ChoiceItemId, StorageId>> m_keeps;
};

} // namespace

Bytes NodeNeeds::needed() const
{
    Bytes bytes;
    for (const Made& storage : made)
        bytes += storage.isNeeded ? storage.bytes : Bytes{};
    return bytes;
}

Table<NodeId, NodeNeeds> nodeNeeds(const Model& model, const Trace& trace, const Profile& profile,
                                   OperatorSchemas& schemas)
{
    const Graph& graph = model.graph;
    const SecondRun secondRun(model, schemas);
    Table<NodeId, NodeNeeds> needs(graph.nodeCount());
    const Table<NodeId, std::optional<OpId>> last = addStorages(graph, trace, needs);
    Table<NodeId, std::vector<OpId>> ops(graph.nodeCount());
    for (const OpId id : trace.ops.ids())
        if (trace.ops[id].phase == Phase::Forward && trace.ops[id].node &&
            operatorTraffic(trace, trace.ops[id]).total() != Bytes()) // as parts are
            ops[*trace.ops[id].node].push_back(id);
    Table<NodeId, std::vector<Seconds>> times(graph.nodeCount());
    for (const OpPart& part : profile.parts)
        if (part.phase == Phase::Forward && !part.isRecomputed && !part.isBias)
            times[part.node].push_back(part.cost.time);
    for (const NodeId node : graph.nodes()) {
        needs[node].isRandom = secondRun.isRandom(node);
        needs[node].mayKeep = graph[node].subgraphs.empty() && !graph.context(graph[node].context).autocast;
        needs[node].follows = secondRun.makerOfWritten(node);
        if (needs[node].follows)
            needs[*needs[node].follows].writtenBy = node;
        if (needs[node].follows)
            for (std::size_t i = needs[node].follows->index() + 1; i <= node.index(); ++i)
                needs[NodeId(i)].isInPlaceSpan = true;
        if (!secondRun.mayRunAgain(node)) {
            needs[node].again = needs[node].whole = Seconds(std::numeric_limits<double>::infinity());
            continue;
        }
        needs[node].whole = profile.nodes[node].forward.time;
        // Where it is not known which operator takes how long, nothing: that is never too much.
        if (times[node].size() != ops[node].size())
            continue;
        Seconds all, upToLast;
        for (std::size_t i = 0; i < ops[node].size(); ++i) {
            all += times[node][i];
            upToLast += !last[node] || ops[node][i] <= *last[node] ? times[node][i] : Seconds{};
        }
        if (all > Seconds{}) // times may be known better than those of the parts
            needs[node].again = profile.nodes[node].forward.time * (upToLast / all);
    }
    addKept(graph, trace, needs);
    addAtOnce(graph, trace, needs);
    return needs;
}

const std::vector<LeastNeeds::Point>& LeastNeeds::of(std::span<const NodeId> nodes)
{
    ChoiceProblem problem = StageProblem(m_needs, nodes, m_largest).take();
    Bytes needed;
    for (const NodeId node : nodes)
        needed += m_needs[node].needed();
    const auto known = std::ranges::find_if(m_known, [&](const std::unique_ptr<Known>& other) {
        return other->needed == needed && other->problem == problem;
    });
    if (known != m_known.end())
        return (*known)->hull;
    std::vector<Point> hull;
    for (const ChoicePoint& point : choiceHull(problem))
        hull.push_back({needed.asDouble() + static_cast<double>(point.bytes), secondsOf(point.time).value()});
    m_known.push_back(std::make_unique<Known>(Known{std::move(problem), needed, std::move(hull)}));
    return m_known.back()->hull;
}

} // namespace stagecraft
