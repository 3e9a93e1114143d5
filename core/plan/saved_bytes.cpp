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
    problem.parted.clear();
    for (const KeptTogether& kept : profile.keptTogether) {
        ProblemNode& first = problem.nodes[kept.nodes.front()];
        first.saved -= kept.bytes;
        const auto share = [&](const std::vector<NodeId>& users, Bytes bytes) {
            problem.shared.push_back({.name = first.name,
                                      .parameterBytes = {},
                                      .stateBytes = {},
                                      .users = users,
                                      .savedBytes = bytes});
        };
        if (kept.parts.empty()) {
            share(kept.nodes, kept.bytes);
            continue;
        }
        for (const KeptPart<NodeId>& part : kept.parts)
            if (part.bytes > Bytes{})
                share(part.keepers, part.bytes);
        problem.parted.push_back({.name = first.name, .bytes = kept.bytes, .parts = kept.parts});
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
    const auto isKeptLater = [&](NodeId user) { return isKept[user] != 0; };
    for (SharedState& shared : problem.shared)
        shared.isReleased = shared.savedBytes > Bytes{} && std::ranges::none_of(shared.users, isKeptLater);
    for (PartedState& parted : problem.parted)
        parted.isReleased = std::ranges::none_of(
            parted.parts, [&](const KeptPart<NodeId>& part) { return part.isKeptIn(isKeptLater); });
    for (ProblemValue& value : problem.values)
        value.isReleased = !value.keepers.empty() && std::ranges::none_of(value.keepers, isKeptLater);
}

std::vector<std::size_t> wholeInFlight(const PartitionOptions& options)
{
    std::vector<std::size_t> most;
    for (const std::vector<HeldCounts>& largest : largestCounts(scheduleOf(options).value())) {
        const auto whole = [&](const HeldCounts& counts) { return counts.inFlight - counts.released(); };
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
        saved[kept.nodes.front()] -= kept.bytes;
        std::set<StageId> counted;
        for (const NodeId node : kept.nodes) {
            const StageId stage = partition.stageOf[node];
            if (counted.insert(stage).second)
                saved[node] += kept.heldIn([&](NodeId other) { return partition.stageOf[other] == stage; });
        }
    }
    return saved;
}

} // namespace stagecraft
