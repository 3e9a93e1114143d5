#include "core/plan/saved_bytes.h"

#include "core/schedule/held_counts.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace stagecraft {

void takeSaved(const Profile& profile, PartitionProblem& problem)
{
    for (const NodeId node : problem.nodes.ids())
        problem.nodes[node].saved = profile.nodes[node].savedBytes;
    std::erase_if(problem.shared, [](const SharedState& shared) { return shared.savedBytes > Bytes{}; });
    for (const KeptTogether& kept : profile.keptTogether) {
        ProblemNode& first = problem.nodes[kept.nodes.front()];
        first.saved -= kept.bytes;
        problem.shared.push_back({.name = first.name,
                                  .parameterBytes = {},
                                  .stateBytes = {},
                                  .users = kept.nodes,
                                  .savedBytes = kept.bytes});
    }
}

void markReleased(const Graph& graph, PartitionProblem& problem)
{
    Table<NodeId, char> isKept(problem.nodes.size(), 0);
    for (const NodeId node : std::views::reverse(graph.nodes())) {
        const auto isKeptAfter = [&](NodeId after) { return isKept[after] != 0; };
        isKept[node] =
            problem.nodes[node].waiting > Bytes{} || std::ranges::any_of(graph.successors(node), isKeptAfter);
        if (!isKept[node])
            problem.nodes[node].released = problem.nodes[node].saved;
    }
    for (SharedState& shared : problem.shared)
        shared.isReleased =
            shared.savedBytes > Bytes{} &&
            std::ranges::none_of(shared.users, [&](NodeId user) { return isKept[user] != 0; });
}

std::vector<std::size_t> wholeInFlight(const PartitionProblem& problem)
{
    const bool releases =
        std::ranges::any_of(problem.nodes, [](const ProblemNode& node) { return node.released > Bytes{}; }) ||
        std::ranges::any_of(problem.shared, &SharedState::isReleased);
    std::vector<std::size_t> most;
    for (const std::vector<HeldCounts>& largest : largestCounts(scheduleOf(problem.options).value())) {
        const auto whole = [&](const HeldCounts& counts) {
            return counts.inFlight - (releases ? counts.released() : 0);
        };
        most.push_back(std::ranges::max(largest | std::views::transform(whole)));
    }
    return most;
}

Table<NodeId, Bytes> savedInStages(const Profile& profile, const Partition& partition)
{
    Table<NodeId, Bytes> saved(profile.nodes.size());
    for (const NodeId node : saved.ids())
        saved[node] = profile.nodes[node].savedBytes;
    for (const KeptTogether& kept : profile.keptTogether) {
        std::set<StageId> counted{partition.stageOf[kept.nodes.front()]};
        for (const NodeId node : kept.nodes)
            if (counted.insert(partition.stageOf[node]).second)
                saved[node] += kept.bytes;
    }
    return saved;
}

} // namespace stagecraft
