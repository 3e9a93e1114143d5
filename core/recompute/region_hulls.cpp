#include "core/recompute/region_hulls.h"

#include "core/base/sort_unique.h"
#include "core/recompute/choice_hull.h"
#include "core/recompute/node_needs.h"
#include "core/recompute/second_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stagecraft {

namespace {

// What the trace says of each node: storages by their number.
struct NodeStorages
{
    std::vector<StorageId> results; // that it would keep: of its operators that are no views, kept by nobody
    Bytes transient;                // made when it runs again, and saved
};

Table<NodeId, NodeStorages> storagesOf(const Graph& graph, const Trace& trace)
{
    Table<NodeId, NodeStorages> nodes(graph.nodeCount());
    Table<StorageId, char> isCounted(trace.storages.size(), 0);
    for (const SavedTensor& saved : trace.saved) {
        const TraceStorage& storage = trace.storages[saved.storage];
        if (storage.storageClass != StorageClass::Activation || isCounted[saved.storage])
            continue;
        const bool isOfSecondRun = storage.birth && storage.birth->index() >= trace.forwardEnd;
        if (isSavedForBackward(trace, saved) || isOfSecondRun)
            isCounted[saved.storage] = 1;
        if (isOfSecondRun && storage.producer)
            nodes[*storage.producer].transient += storage.bytes;
    }
    for (const TraceOp& op : trace.ops) {
        if (op.phase != Phase::Forward || !op.node || trace.opNames[op.name].isView)
            continue;
        for (const TraceArgument& result : trace.results(op))
            for (const TraceTensor& tensor : trace.tensors(result))
                if (trace.storages[tensor.storage].storageClass == StorageClass::Activation &&
                    !isCounted[tensor.storage])
                    nodes[*op.node].results.push_back(tensor.storage);
    }
    for (NodeStorages& node : nodes)
        sortUnique(node.results);
    return nodes;
}

// A region's question: a choice of nodes, each an item, and after them of the storages that they need. Equal
// for regions that look the same.
struct RegionProblem
{
    ChoiceProblem choice;
    std::vector<std::size_t> nodes; // positions of the items that are nodes
    std::vector<Bytes> transients;  // of each of these
    std::int64_t time = 0;          // ticks of all that runs again
    Bytes transient;                // if nothing of it is kept

    friend bool operator==(const RegionProblem&, const RegionProblem&) = default;
};

class ProblemMaker
{
public:
    ProblemMaker(const Model& model, const Trace& trace, const Profile& profile, OperatorSchemas& schemas)
        : m_trace(trace),
          m_profile(profile),
          m_again(model, schemas),
          m_storages(storagesOf(model.graph, trace)),
          m_isView(viewNodes(model.graph, trace))
    {
    }

    RegionProblem problemOf(const RecomputeRegion& region) const
    {
        RegionProblem problem;
        const std::size_t firstRandom = firstRandomToKeep(region);
        std::optional<ChoiceItemId> lastRandom;
        for (std::size_t i = 0; i < region.nodes.size(); ++i) {
            const NodeId node = region.nodes[i];
            const std::int64_t time = ticksOf(m_profile.nodes[node].recomputed.time);
            problem.time += time;
            problem.transient += m_storages[node].transient;
            const bool isRandom = m_again.isRandom(node);
            const bool mayKeep = mayKeepAlso(region, node) && (!isRandom || i >= firstRandom);
            if (!mayKeep || (time == 0 && !isRandom))
                continue;
            const ChoiceItemId item = problem.choice.items.add({.bytes = 0, .time = -time});
            problem.nodes.push_back(i);
            problem.transients.push_back(m_storages[node].transient);
            if (isRandom && lastRandom)
                problem.choice.needs.emplace_back(*lastRandom, item);
            if (isRandom)
                lastRandom = item;
        }
        addStorages(region, problem);
        return problem;
    }

private:
    bool isKept(const RecomputeRegion& region, NodeId node) const
    {
        return std::ranges::binary_search(region.kept, node);
    }

    bool mayKeepAlso(const RecomputeRegion& region, NodeId node) const
    {
        return !isKept(region, node) && !m_isView[node] && m_again.mayKeep(node);
    }

    // One that draws random numbers and cannot be kept: nor can those before it.
    std::size_t firstRandomToKeep(const RecomputeRegion& region) const
    {
        for (std::size_t i = region.nodes.size(); i-- > 0;)
            if (const NodeId node = region.nodes[i];
                m_again.isRandom(node) && !isKept(region, node) && !m_again.mayKeep(node))
                return i + 1;
        return 0;
    }

    void addStorages(const RecomputeRegion& region, RegionProblem& problem) const
    {
        std::vector<std::pair<StorageId, ChoiceItemId>> users;
        for (std::size_t i = 0; i < problem.nodes.size(); ++i)
            for (const StorageId storage : m_storages[region.nodes[problem.nodes[i]]].results)
                users.emplace_back(storage, ChoiceItemId(i));
        std::ranges::sort(users);
        std::optional<ChoiceItemId> item;
        for (std::size_t i = 0; i < users.size(); ++i) {
            if (i == 0 || users[i].first != users[i - 1].first)
                item = problem.choice.items.add(
                    {.bytes = m_trace.storages[users[i].first].bytes.count(), .time = 0});
            problem.choice.needs.emplace_back(users[i].second, *item);
        }
    }

    const Trace& m_trace;
    const Profile& m_profile;
    SecondRun m_again;
    Table<NodeId, NodeStorages> m_storages;
    Table<NodeId, char> m_isView;
};

RegionHull hullOf(const RegionProblem& problem)
{
    RegionHull hull;
    for (const ChoicePoint& point : choiceHull(problem.choice)) {
        RegionChoice choice{.kept = {},
                            .keptBytes = Bytes(point.bytes),
                            .added = secondsOf(problem.time + point.time),
                            .transient = problem.transient};
        for (const ChoiceItemId item : point.chosen)
            if (item.index() < problem.nodes.size()) {
                choice.kept.push_back(problem.nodes[item.index()]);
                choice.transient -= problem.transients[item.index()];
            }
        hull.choices.push_back(std::move(choice));
    }
    return hull;
}

} // namespace

std::vector<std::shared_ptr<const RegionHull>> regionHulls(const Model& model, const RecomputePlan& plan,
                                                           const Trace& trace, const Profile& profile,
                                                           OperatorSchemas& schemas)
{
    const ProblemMaker maker(model, trace, profile, schemas);
    std::vector<std::pair<RegionProblem, std::shared_ptr<const RegionHull>>> different;
    std::vector<std::shared_ptr<const RegionHull>> hulls;
    for (const RecomputeRegion& region : plan.regions) {
        RegionProblem problem = maker.problemOf(region);
        auto known = std::ranges::find(different, problem,
                                       [](const auto& entry) -> const RegionProblem& { return entry.first; });
        if (known == different.end()) {
            auto hull = std::make_shared<const RegionHull>(hullOf(problem));
            known = different.emplace(different.end(), std::move(problem), std::move(hull));
        }
        hulls.push_back(known->second);
    }
    return hulls;
}

Table<NodeId, Bytes> bytesOfKeeping(const Graph& graph, const Trace& trace)
{
    const Table<NodeId, NodeStorages> storages = storagesOf(graph, trace);
    Table<NodeId, Bytes> bytes(graph.nodeCount());
    for (const NodeId node : graph.nodes())
        for (const StorageId storage : storages[node].results)
            bytes[node] += trace.storages[storage].bytes;
    return bytes;
}

RecomputePlan withChoices(RecomputePlan plan, std::span<const RegionChoice* const> choices)
{
    for (std::size_t i = 0; i < choices.size(); ++i) {
        RecomputeRegion& region = plan.regions[i];
        for (const std::size_t position : choices[i]->kept)
            region.kept.push_back(region.nodes[position]);
        std::ranges::sort(region.kept);
    }
    return plan;
}

} // namespace stagecraft
