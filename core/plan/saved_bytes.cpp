#include "core/plan/saved_bytes.h"

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

} // namespace stagecraft
