#include "core/shared_of_chain.h"

#include "core/base/sort_unique.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

SharedOfChain::SharedOfChain(const PartitionProblem& problem, const ModelChain& chain)
{
    const auto linkOf = linksOfNodes(chain, problem.nodes.size());
    for (const SharedState& shared : problem.shared) {
        Shared each{.bytes = heldBy(shared).always().asDouble()};
        for (const NodeId user : shared.users)
            if (linkOf[user])
                each.links.push_back(*linkOf[user]);
        each.counted = linkOf[shared.users.front()];
        sortUnique(each.links);
        const bool isOfOther = each.links.size() > 1 || (each.links.size() == 1 && !each.counted);
        if (isOfOther && each.bytes > 0)
            m_shared.push_back(std::move(each));
    }
}

double SharedOfChain::besides(const ChainPlace& begin, const ChainPlace& end) const
{
    const std::size_t first = begin.firstWhole();
    double bytes = 0;
    for (const Shared& shared : m_shared) {
        if (shared.counted && *shared.counted >= begin.link)
            continue; // it may have that
        const auto user = std::ranges::lower_bound(shared.links, first);
        bytes += user != shared.links.end() && *user < end.link ? shared.bytes : 0;
    }
    return bytes;
}

} // namespace stagecraft
