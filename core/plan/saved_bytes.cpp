#include "core/plan/saved_bytes.h"

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
