#include "core/profile/model/sent_parts.h"

#include "core/base/contains.h"
#include "core/graph/received_layout.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

// Does a stage that keeps one of the parts keep all of it, or more?
bool areOne(Bytes whole, const std::vector<KeptPart<NodeId>>& parts)
{
    Bytes bytes;
    std::set<std::vector<NodeId>> keepers;
    for (const KeptPart<NodeId>& part : parts) {
        bytes += part.bytes;
        if (part.bytes > Bytes{})
            keepers.insert(part.keepers);
    }
    return bytes > whole || (bytes == whole && keepers.size() == 1);
}

} // namespace

SentParts::SentParts(const Graph& graph, const Trace& trace, const Table<ValueId, Bytes>& valueBytes)
    : m_graph(graph), m_trace(trace), m_bytes(valueBytes)
{
    std::vector<ValueId> returned;
    for (const Argument& output : graph.outputs())
        collectValues(output, returned);
    for (const ValueId value : returned)
        if (const std::optional<TraceTensorId> tensor = trace.values[value].tensor)
            m_returned.insert(trace[*tensor].storage);
}

std::vector<KeptPart<NodeId>> SentParts::of(StorageId storage, const std::vector<NodeId>& keepers)
{
    const Bytes whole = m_trace.storages[storage].bytes;
    std::map<ValueId, KeptPart<NodeId>> found;
    std::vector<KeptPart<NodeId>> parts;
    for (const NodeId keeper : keepers) {
        const std::vector<ValueId> through = keptThrough(keeper, storage);
        for (const ValueId value : through) {
            const std::optional<ValueId> part = partOf(value, storage);
            if (!part)
                return {};
            if (m_bytes[*part] == whole) {
                parts.push_back({{}, keeper, {keeper}});
                continue;
            }
            KeptPart<NodeId>& of =
                found.try_emplace(*part, KeptPart<NodeId>{m_bytes[*part], *m_graph[*part].producer, {}})
                    .first->second;
            if (!contains(of.keepers, keeper))
                of.keepers.push_back(keeper);
        }
        if (through.empty())
            return {};
    }
    if (found.empty() || m_returned.contains(storage) || mayLeaveGaps(found.begin()->first))
        return {};
    for (auto& [value, part] : found)
        parts.push_back(std::move(part));
    return areOne(whole, parts) ? std::vector<KeptPart<NodeId>>() : parts;
}

bool SentParts::isIn(StorageId storage, ValueId value) const
{
    const std::optional<TraceTensorId> tensor = m_trace.values[value].tensor;
    return tensor && m_trace[*tensor].storage == storage;
}

// What it reads of the storage; of what it makes itself its results.
std::vector<ValueId> SentParts::keptThrough(NodeId keeper, StorageId storage) const
{
    for (const auto& values : {m_graph[keeper].inputs, m_graph[keeper].results}) {
        std::vector<ValueId> in;
        std::ranges::copy_if(values, std::back_inserter(in),
                             [&](ValueId value) { return isIn(storage, value); });
        if (!in.empty())
            return in;
    }
    return {};
}

// The first of the values of its size on the way to it, each a view of the one before, the last of another
// size being all of the storage. None: there is no such way, or a stage could not be sent one of them.
std::optional<ValueId> SentParts::partOf(ValueId value, StorageId storage) const
{
    const Bytes whole = m_trace.storages[storage].bytes;
    const Bytes bytes = m_bytes[value];
    while (bytes != whole) {
        if (!isSendable(m_graph[value]) || !m_graph[value].producer)
            return std::nullopt;
        std::vector<ValueId> from;
        for (const ValueId input : m_graph[*m_graph[value].producer].inputs)
            if (isIn(storage, input))
                from.push_back(input);
        if (from.size() != 1 || (m_bytes[from.front()] != bytes && m_bytes[from.front()] != whole))
            return std::nullopt;
        if (m_bytes[from.front()] == whole)
            break;
        value = from.front();
    }
    return value;
}

bool SentParts::mayLeaveGaps(ValueId value)
{
    if (!m_use)
        m_use = findStorageUse(m_graph);
    return m_use->isWritten(value);
}

} // namespace stagecraft
