#include "core/recompute/node_needs.h"

#include "core/base/contains.h"
#include "core/base/sort_unique.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/dispatch_clock.h"
#include "core/recompute/node_moments.h"
#include "core/recompute/second_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace stagecraft {

namespace {

// The storages of activations, by who makes and who reads them.
void addStorages(const Graph& graph, const Trace& trace, Table<NodeId, NodeNeeds>& needs)
{
    Table<StorageId, char> isNeeded(trace.storages.size(), 0);
    Table<StorageId, std::vector<NodeId>> savers(trace.storages.size());
    for (const SavedTensor& saved : trace.saved)
        if (isSavedForBackward(trace, saved)) {
            isNeeded[saved.storage] = 1;
            if (saved.node)
                savers[saved.storage].push_back(*saved.node);
        }
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
    }
    for (const NodeId node : graph.nodes()) {
        for (const ValueId input : graph[node].inputs)
            if (const auto tensor = trace.values[input].tensor)
                if (const StorageId storage = trace[*tensor].storage;
                    isMade(trace.storages[storage]) && *trace.storages[storage].producer != node)
                    needs[node].reads.push_back(storage);
        sortUnique(needs[node].reads);
    }
}

// Of each node's forward pass, how much longer than its time where what the device waits for is of those that
// are handed over meanwhile, views too: below 0 where it waits for views of others.
Table<NodeId, Seconds> waitsForViews(const Profile& profile)
{
    Table<NodeId, Seconds> waits(profile.nodes.size());
    DispatchClock clock(profile.options.device, profile.options.mode);
    std::vector<std::pair<NodeId, double>> views; // since the device's last operator
    for (const MemorySample& sample : profile.memory.samples) {
        if (sample.phase != Phase::Forward)
            break;
        const bool isView = sample.alone <= Seconds{};
        clock.run(sample.alone, Phase::Forward,
                  isView ? DispatchClock::Turn::Again : DispatchClock::Turn::First, sample.handovers);
        if (isView) {
            if (sample.node)
                views.emplace_back(*sample.node, sample.handovers);
            continue;
        }
        double handovers = 0;
        for (const auto& [view, each] : views)
            handovers += each;
        if (sample.node && handovers > 0)
            for (const auto& [view, each] : views) {
                const Seconds waited = clock.takenByAgain() * (each / handovers);
                waits[view] += waited;
                waits[*sample.node] -= waited;
            }
        views.clear();
    }
    for (const NodeId node : waits.ids()) // measured times are as they are
        if (profile.nodes[node].origin != CostOrigin::Estimated)
            waits[node] = {};
    return waits;
}

// The operators of a node that are parts of its forward pass, and what each takes.
struct TimedOps
{
    std::vector<OpId> ops;
    std::vector<Seconds> times;

    // Of its time as a whole, what it takes until that operator has run; 0 where it is not known which
    // operator takes how long: that is never too much.
    Seconds upTo(OpId last, Seconds whole) const
    {
        if (times.size() != ops.size())
            return {};
        Seconds all, taken;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            all += times[i];
            taken += ops[i] <= last ? times[i] : Seconds{};
        }
        // The whole may be known better than its parts.
        return all > Seconds{} ? whole * (taken / all) : Seconds{};
    }
};

Table<NodeId, TimedOps> timedOps(const Graph& graph, const Trace& trace, const Profile& profile)
{
    Table<NodeId, TimedOps> timed(graph.nodeCount());
    for (const OpId id : trace.ops.ids())
        if (trace.ops[id].phase == Phase::Forward && trace.ops[id].node &&
            operatorTraffic(trace, trace.ops[id]).total() != Bytes()) // as parts are
            timed[*trace.ops[id].node].ops.push_back(id);
    for (const OpPart& part : profile.parts)
        if (part.phase == Phase::Forward && !part.isRecomputed && !part.isBias)
            timed[part.node].times.push_back(part.cost.time);
    return timed;
}

// Of each storage of the forward pass the last operator of its node that makes it or writes to it. Autograd
// saves it behind that: it refuses to go back with what was written to since (a mask of dropout is allocated,
// drawn and scaled, and then saved).
Table<StorageId, OpId> lastWrites(const Trace& trace)
{
    Table<StorageId, OpId> last(trace.storages.size(), OpId(0)); // of those that are born
    for (const StorageId id : trace.storages.ids())
        if (const auto birth = trace.storages[id].birth)
            last[id] = *birth;
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        const std::uint64_t written = trace.opNames[op.name].written;
        if (op.phase != Phase::Forward || op.isRecomputed || written == 0)
            continue;
        const auto arguments = trace.arguments(op);
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 64); ++i)
            if ((written >> i & 1) != 0)
                for (const TraceTensor& tensor : trace.tensors(arguments[i]))
                    if (trace.storages[tensor.storage].producer == op.node)
                        last[tensor.storage] = id;
    }
    return last;
}

// What the node alone saves of what it makes is kept, or let go of and made again, together: that takes as
// long as the last of it.
void makeTogether(NodeId node, std::vector<NodeNeeds::Made>& made)
{
    const auto isOwn = [&](const NodeNeeds::Made& each) {
        return each.isNeeded && !each.savers.empty() &&
               std::ranges::all_of(each.savers, [&](NodeId saver) { return saver == node; });
    };
    Seconds again;
    for (const NodeNeeds::Made& each : made)
        again = std::max(again, isOwn(each) ? each.again : Seconds{});
    for (NodeNeeds::Made& each : made)
        each.again = isOwn(each) ? again : each.again;
}

// What it takes to have once more what the node makes: where others save or read it, the second run has come
// to those, and so to the node's end.
void addTimes(const Table<StorageId, OpId>& written, const TimedOps& timed, NodeId node, Seconds whole,
              NodeNeeds& needs)
{
    needs.whole = whole;
    bool makesNeeded = false;
    for (NodeNeeds::Made& made : needs.made) {
        const Seconds upTo = timed.upTo(written[made.storage], whole);
        const bool mayStop = made.isNeeded && (made.savers.empty() || contains(made.savers, node));
        needs.toSave = std::max(needs.toSave, mayStop ? upTo : Seconds{});
        made.again = mayStop ? upTo : whole;
        makesNeeded = makesNeeded || made.isNeeded;
        needs.again = std::max(needs.again, made.isNeeded ? upTo : Seconds{});
    }
    makeTogether(node, needs.made);
    if (!makesNeeded && !timed.ops.empty())
        needs.again = timed.upTo(timed.ops.back(), whole);
}

// Who makes nothing but writes another's result, runs again with that: nobody saves it before it is written.
void addWriting(const Graph& graph, const Trace& trace, NodeId writer, Table<NodeId, NodeNeeds>& needs)
{
    NodeNeeds& maker = needs[*needs[writer].follows];
    for (NodeNeeds::Made& made : maker.made)
        for (const ValueId result : graph[writer].results)
            if (const auto tensor = trace.values[result].tensor;
                tensor && trace[*tensor].storage == made.storage) {
                made.again += needs[writer].whole;
                maker.again = std::max(maker.again, made.isNeeded ? made.again : Seconds{});
            }
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
                addRuns(node);
        for (const NodeId node : nodes)
            for (const NodeNeeds::Made& made : needs[node].made)
                addStorage(node, made);
        for (const auto& [givenUp, storage] : m_keeps)
            if (const auto kept = m_available.find(storage); kept != m_available.end())
                m_problem.needs.emplace_back(givenUp, kept->second);
        for (const NodeId node : nodes) {
            const NodeNeeds& of = needs[node];
            const bool isPart = of.follows && of.made.empty(); // of what its maker takes, the last
            if (const auto runs = m_runs.find(isPart ? *of.follows : node); runs != m_runs.end())
                for (const StorageId storage : of.reads)
                    if (const auto kept = m_available.find(storage); kept != m_available.end())
                        m_problem.needs.emplace_back(
                            (isPart ? runs->second.back() : runs->second.front()).item, kept->second);
        }
    }

    ChoiceProblem take() { return std::move(m_problem); }

private:
    // A node runs again up to where it makes the one or the other: each part takes the one before it.
    struct Run
    {
        std::int64_t upTo; // ticks
        ChoiceItemId item;
    };

    void addRuns(NodeId node)
    {
        std::vector<std::int64_t> ends;
        for (const NodeNeeds::Made& made : m_needs[node].made)
            ends.push_back(ticksOf(made.again));
        sortUnique(ends);
        std::int64_t before = 0;
        std::vector<Run>& runs = m_runs[node];
        for (const std::int64_t end : ends) {
            const ChoiceItemId item = m_problem.items.add({.bytes = 0, .time = end - before});
            if (!runs.empty())
                m_problem.needs.emplace_back(item, runs.back().item);
            runs.push_back({end, item});
            before = end;
        }
        if (runs.empty())
            m_runs.erase(node);
    }

    void addStorage(NodeId node, const NodeNeeds::Made& made)
    {
        const auto runs = m_runs.find(node);
        std::optional<ChoiceItemId> available;
        if (!made.isNeeded) {
            available = m_problem.items.add({.bytes = made.bytes.count(), .time = 0});
            m_available.emplace(made.storage, *available);
        }
        if (runs == m_runs.end() || (made.isNeeded && made.atOnce > m_largest))
            return;
        const ChoiceItemId givenUp = m_problem.items.add({.bytes = -made.bytes.count(), .time = 0});
        const auto run = std::ranges::find(runs->second, ticksOf(made.again), &Run::upTo);
        m_problem.needs.emplace_back(givenUp, run->item);
        if (available)
            m_problem.needs.emplace_back(givenUp, *available);
        for (const StorageId storage : made.keeps)
            m_keeps.emplace_back(givenUp, storage);
    }

    const Table<NodeId, NodeNeeds>& m_needs;
    Bytes m_largest;
    ChoiceProblem m_problem;
    std::map<NodeId, std::vector<Run>> m_runs;
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

Table<NodeId, char> viewNodes(const Graph& graph, const Trace& trace)
{
    Table<NodeId, char> hasOperator(graph.nodeCount(), 0), views(graph.nodeCount(), 1);
    for (const TraceOp& op : trace.ops)
        if (op.node && op.phase == Phase::Forward) {
            hasOperator[*op.node] = 1;
            views[*op.node] = views[*op.node] && trace.opNames[op.name].isView;
        }
    for (const NodeId node : graph.nodes())
        views[node] = views[node] && hasOperator[node];
    return views;
}

Table<NodeId, NodeNeeds> nodeNeeds(const Model& model, const Trace& trace, const Profile& profile,
                                   OperatorSchemas& schemas)
{
    const Graph& graph = model.graph;
    const SecondRun secondRun(model, schemas);
    Table<NodeId, NodeNeeds> needs(graph.nodeCount());
    addStorages(graph, trace, needs);
    const Table<NodeId, TimedOps> timed = timedOps(graph, trace, profile);
    const Table<StorageId, OpId> written = lastWrites(trace);
    const Table<NodeId, Seconds> waits = waitsForViews(profile);
    const Table<NodeId, char> views = viewNodes(graph, trace);
    for (const NodeId node : graph.nodes()) {
        needs[node].isView = views[node] != 0;
        needs[node].isRandom = secondRun.isRandom(node);
        needs[node].mayKeep = graph[node].subgraphs.empty() && !graph.context(graph[node].context).autocast;
        needs[node].follows = secondRun.makerOfWritten(node);
        if (needs[node].follows)
            needs[*needs[node].follows].writtenBy = node;
        // Whoever writes what has to be kept is kept, too.
        const bool followsKept =
            needs[node].follows && !std::isfinite(needs[*needs[node].follows].again.value());
        if (followsKept || !secondRun.mayRunAgain(node)) {
            NodeNeeds& of = needs[node];
            of.again = of.toSave = of.whole = Seconds(std::numeric_limits<double>::infinity());
            continue;
        }
        addTimes(written, timed[node], node,
                 std::max(Seconds{}, profile.nodes[node].forward.time + waits[node]), needs[node]);
    }
    for (const NodeId node : graph.nodes())
        if (needs[node].follows && needs[node].made.empty())
            addWriting(graph, trace, node, needs);
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

double LeastNeeds::costOf(std::span<const Point> hull, double price)
{
    double least = hull.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const Point& point : hull)
        least = std::min(least, price * point.bytes + point.seconds);
    return least;
}

} // namespace stagecraft
