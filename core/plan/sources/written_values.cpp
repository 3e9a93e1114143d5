#include "core/plan/sources/written_values.h"

#include "core/base/contains.h"
#include "core/base/sort_unique.h"
#include "core/graph/received_layout.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

class WrittenValues
{
public:
    WrittenValues(const Graph& graph, const Profile& profile, const StorageUse& use,
                  const WrittenStorage& written)
        : m_graph(graph), m_profile(profile), m_use(use), m_written(written)
    {
    }

    std::vector<ProblemValue> make(const Table<ValueId, ValueReaders>& readers)
    {
        for (const WriteSpan& span : m_written.spans)
            addSpan(span);
        addWhatIsReadAfterwards(readers);
        std::vector<ProblemValue> values;
        for (Sent& sent : m_sent) {
            sortUnique(sent.value.readers);
            if (!sent.value.readers.empty() || sent.value.returned)
                values.push_back(std::move(sent.value));
        }
        return values;
    }

private:
    struct Sent
    {
        ValueId tensor; // its first version
        ProblemValue value;
    };

    // Once something that needs a gradient was written, all of the storage does.
    bool needsGradient(NodeId upTo) const
    {
        return m_profile.options.mode == TrainingMode::Train &&
               std::ranges::any_of(m_written.members, [&](ValueId member) {
                   return m_profile.needsGradient[member] && *m_graph[member].producer <= upTo;
               });
    }

    std::vector<NodeId> readers(NodeId begin, NodeId end) const
    {
        std::vector<NodeId> found;
        for (const ValueId member : m_written.members)
            for (const NodeId user : m_graph[member].users)
                if (user > begin && user <= end)
                    found.push_back(user);
        return found;
    }

    void addSpan(const WriteSpan& span)
    {
        addReaders(sentFrom(span.sent, span.begin).readers, readers(span.begin, span.end));
    }

    void addWhatIsReadAfterwards(const Table<ValueId, ValueReaders>& readers)
    {
        const NodeId last = m_written.lastWriter();
        for (const ValueId member : m_written.members) {
            std::vector<NodeId> later;
            std::ranges::copy_if(readers[member].nodes, std::back_inserter(later),
                                 [&](NodeId user) { return user > last; });
            if (later.empty() && !readers[member].returned)
                continue;
            ProblemValue& value = sentFrom(sendableBase(m_use.tensorOf[member]), last);
            addReaders(value.readers, later);
            value.returned = value.returned || readers[member].returned;
        }
        addKeepers(last);
    }

    // What is sent is the storage itself, where it is all of it: autograd keeps it in the stage that sends
    // it, and what a stage receives of it behind the last write.
    void addKeepers(NodeId last)
    {
        const auto kept = std::ranges::find_if(m_written.members, [&](ValueId member) {
            return member.index() < m_profile.keptBy.size() && !m_profile.keptBy[member].empty();
        });
        if (m_profile.options.mode != TrainingMode::Train || kept == m_written.members.end())
            return;
        const auto isAll = [&](const Sent& sent) {
            const std::optional<TensorMeta>& meta = m_graph[sent.tensor].meta;
            return sent.value.forwardBytes == m_profile.valueBytes[*kept] && (!meta || isRowMajor(*meta));
        };
        std::vector<NodeId> sentBy; // already
        for (Sent& sent : m_sent) {
            if (!isAll(sent) || contains(sentBy, sent.value.producer))
                continue;
            sentBy.push_back(sent.value.producer);
            std::ranges::copy_if(
                m_profile.keptBy[*kept], std::back_inserter(sent.value.keepers), [&](NodeId node) {
                    return node <= sent.value.producer ||
                           (sent.value.producer == last && contains(sent.value.readers, node));
                });
        }
    }

    ValueId sendableBase(ValueId tensor) const
    {
        while (!isSendable(m_graph[tensor]) && m_use.viewedTensor[tensor])
            tensor = m_use.tensorOf[*m_use.viewedTensor[tensor]];
        return tensor;
    }

    static void addReaders(std::vector<NodeId>& readers, const std::vector<NodeId>& more)
    {
        readers.insert(readers.end(), more.begin(), more.end());
    }

    // What `tensor` is sent as behind `begin`: what it was sent as before, if that costs as much. Behind the
    // last write it is another value, for what a stage receives before that it writes to a copy of.
    ProblemValue& sentFrom(ValueId tensor, NodeId begin)
    {
        const Bytes bytes = m_profile.valueBytes[tensor];
        const Bytes gradient = needsGradient(begin) ? bytes : Bytes{};
        for (Sent& sent : m_sent)
            if (sent.tensor == tensor && sent.value.backwardBytes == gradient && goesOn(sent, begin))
                return sent.value;
        m_sent.push_back({tensor,
                          {.value = ownName(tensor, begin),
                           .producer = begin,
                           .readers = {},
                           .forwardBytes = bytes,
                           .backwardBytes = gradient}});
        return m_sent.back().value;
    }

    // Was it sent up to here, or from here on?
    bool goesOn(const Sent& sent, NodeId begin) const
    {
        return sent.value.producer == begin ||
               (begin != m_written.lastWriter() && contains(sent.value.readers, begin));
    }

    // A value of the graph to know it by that no other of them is known by.
    ValueId ownName(ValueId tensor, NodeId begin) const
    {
        const auto isFree = [&](ValueId id) {
            return std::ranges::none_of(m_sent, [&](const Sent& sent) { return sent.value.value == id; });
        };
        if (isFree(tensor))
            return tensor;
        for (const ValueId result : m_graph[begin].results)
            if (contains(m_written.members, result) && isFree(result))
                return result;
        const auto other = std::ranges::find_if(m_written.members, isFree);
        return other == m_written.members.end() ? tensor : *other;
    }

    const Graph& m_graph;
    const Profile& m_profile;
    const StorageUse& m_use;
    const WrittenStorage& m_written;
    std::vector<Sent> m_sent;
};

} // namespace

std::vector<ProblemValue> writtenValues(const Graph& graph, const Profile& profile, const StorageUse& use,
                                        const WrittenStorage& written,
                                        const Table<ValueId, ValueReaders>& readers)
{
    return WrittenValues(graph, profile, use, written).make(readers);
}

Table<ValueId, ValueReaders> readersOfSent(const Graph& graph, const StorageUse& use,
                                           const Table<ValueId, char>& returned,
                                           const Table<ValueId, char>& kept)
{
    Table<ValueId, ValueReaders> readers(graph.valueCount());
    for (const ValueId id : graph.values())
        readers[id] = {graph[id].users, returned[id] != 0};
    for (std::size_t i = graph.valueCount(); i-- > 0;) {
        const ValueId id(i);
        if (!graph[id].producer || kept[id] || !use.viewedTensor[id] || isSendable(graph[id]))
            continue;
        const ValueReaders moved = std::exchange(readers[id], {});
        for (const ValueId input : graph[*graph[id].producer].inputs) {
            ValueReaders& base = readers[input];
            base.nodes.insert(base.nodes.end(), moved.nodes.begin(), moved.nodes.end());
            base.returned = base.returned || moved.returned;
        }
    }
    for (ValueReaders& found : readers)
        sortUnique(found.nodes);
    return readers;
}

bool hasPlainGradients(const Graph& graph, const Profile& profile, const WrittenStorage& written)
{
    const auto needs = [&](ValueId member) { return profile.needsGradient[member] != 0; };
    const auto isDetached = [&](ValueId member) {
        return graph[*graph[member].producer].target.starts_with("aten::detach");
    };
    return profile.options.mode != TrainingMode::Train || std::ranges::none_of(written.members, needs) ||
           std::ranges::none_of(written.members, isDetached);
}

} // namespace stagecraft
