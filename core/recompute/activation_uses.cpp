#include "core/recompute/activation_uses.h"

#include <algorithm>

namespace stagecraft {

ActivationUses activationUses(const Table<NodeId, NodeNeeds>& needs)
{
    std::size_t count = 0;
    for (const NodeNeeds& node : needs) {
        for (const NodeNeeds::Made& made : node.made)
            count = std::max<std::size_t>(count, made.storage.index() + 1);
        for (const StorageId storage : node.reads)
            count = std::max<std::size_t>(count, storage.index() + 1);
    }
    ActivationUses uses(count);
    for (const NodeId node : needs.ids()) {
        for (const NodeNeeds::Made& made : needs[node].made)
            uses[made.storage] = {node, made.bytes, made.isNeeded, made.savers, {}};
        for (const StorageId storage : needs[node].reads)
            uses[storage].readers.push_back(node);
    }
    return uses;
}

} // namespace stagecraft
