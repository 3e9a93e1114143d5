// Activations by storage: who makes each, reads it, and saves it.
#pragma once

#include "core/recompute/node_needs.h"

#include <vector>

namespace stagecraft {

struct ActivationUse
{
    NodeId maker{0};
    Bytes bytes;
    bool isNeeded = false; // by backward
    std::vector<NodeId> savers = {};
    std::vector<NodeId> readers = {};
    bool isCopied = false; // what is sent of it is another tensor than what is kept of it
};
using ActivationUses = Table<StorageId, ActivationUse>; // no bytes: it is none

ActivationUses activationUses(const Table<NodeId, NodeNeeds>& needs);

} // namespace stagecraft
