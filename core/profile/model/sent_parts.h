// Which parts of what is kept a stage can be sent alone (core/profile/kept_parts.h), and who keeps each.
#pragma once

#include "core/graph/graph.h"
#include "core/load/storage_use.h"
#include "core/profile/kept_parts.h"
#include "core/trace/trace.h"

#include <optional>
#include <set>
#include <vector>

namespace stagecraft {

class SentParts
{
public:
    // All must outlive it.
    SentParts(const Graph& graph, const Trace& trace, const Table<ValueId, Bytes>& valueBytes);

    // Of a storage that those nodes keep. None where each of their stages has all of it: parts that are
    // written to or returned come with their gaps (core/graph/received_layout.h); and where it is not plain
    // which parts there are, or they overlap.
    std::vector<KeptPart<NodeId>> of(StorageId storage, const std::vector<NodeId>& keepers);

private:
    bool isIn(StorageId storage, ValueId value) const;
    std::vector<ValueId> keptThrough(NodeId keeper, StorageId storage) const;
    std::optional<ValueId> partOf(ValueId value, StorageId storage) const;
    bool mayLeaveGaps(ValueId value);

    const Graph& m_graph;
    const Trace& m_trace;
    const Table<ValueId, Bytes>& m_bytes;
    std::set<StorageId> m_returned;
    std::optional<StorageUse> m_use; // found where it is asked for
};

} // namespace stagecraft
