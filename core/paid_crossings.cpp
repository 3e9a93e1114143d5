#include "core/paid_crossings.h"

#include <algorithm>
#include <set>

namespace stagecraft {

PaidCrossings::PaidCrossings(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                             const ChainCrossings& crossings, const RecomputeGains& gains)
{
    Table<NodeId, char> makesOne(needs.size(), 0); // that is needed
    std::set<StorageId> takenOff;
    for (const NodeId node : needs.ids()) {
        makesOne[node] = std::ranges::count(needs[node].made, true, &NodeNeeds::Made::isNeeded) == 1;
        for (const NodeNeeds::Made& made : needs[node].made)
            takenOff.insert(made.keeps.begin(), made.keeps.end());
    }
    for (std::size_t place = 0; place < chain.places.size(); ++place) {
        m_first.push_back(m_all.size());
        for (const ChainCrossing& each : crossings.at(place))
            m_all.push_back(
                {.storage = each.storage,
                 .maker = each.maker,
                 .link = each.link,
                 .position = each.position,
                 .bytes = each.bytes,
                 .held = each.held,
                 .copied = each.copied,
                 .savedOrHeld = each.savedOrHeld,
                 .besides =
                     each.copied + std::max(0.0, std::max(each.held, each.savedOrHeld) -
                                                     gains.counted(each.storage, chain.places[place].link)),
                 .takenOff = takenOff.contains(each.storage) ? each.bytes : 0,
                 .isNeeded = each.isNeeded,
                 .isSaved = each.isSaved,
                 .isSavedBefore = each.isSavedBefore,
                 .isAlone = makesOne[each.maker] != 0});
    }
    m_first.push_back(m_all.size());
}

} // namespace stagecraft
