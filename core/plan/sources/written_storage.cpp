#include "core/plan/sources/written_storage.h"

#include "core/base/contains.h"
#include "core/graph/received_layout.h"
#include "core/load/sharing.h"

#include <algorithm>
#include <optional>

namespace stagecraft {

namespace {

bool haveOneLayout(const Value& a, const Value& b)
{
    return a.meta && b.meta && a.meta->dtype == b.meta->dtype && a.meta->sizes == b.meta->sizes &&
           a.meta->strides == b.meta->strides && a.meta->layout == b.meta->layout;
}

// One set of values that may lie in one storage.
class StorageReader
{
public:
    StorageReader(const Graph& graph, const StorageUse& use, ValueId set, std::vector<ValueId> members)
        : m_graph(graph), m_use(use), m_writers(use.sets.writers(set)), m_members(std::move(members))
    {
    }

    std::optional<WrittenStorage> read()
    {
        const ValueId root = m_members.front(); // made before its views
        if (!areSeparable(root))
            return {};
        WrittenStorage storage{.spans = {}, .members = m_members};
        NodeId begin = *m_graph[root].producer;
        for (const NodeId writer : m_writers) {
            storage.spans.push_back({begin, writer, commonTensor(begin)});
            begin = writer;
        }
        return storage;
    }

private:
    ValueId tensorOf(ValueId value) const { return m_use.tensorOf[value]; }

    bool isWritingSimply(NodeId writer) const
    {
        return m_graph[writer].subgraphs.empty() && !readsStorage(m_graph[writer].target);
    }

    bool areSeparable(ValueId root) const
    {
        const auto isSimple = [&](ValueId member) {
            if (member == root)
                return m_graph[member].producer && m_graph[*m_graph[member].producer].subgraphs.empty() &&
                       !m_use.viewedTensor[member] && isSendable(m_graph[member]);
            if (tensorOf(member) != member)
                return haveOneLayout(m_graph[member], m_graph[tensorOf(member)]);
            return isPlainView(member);
        };
        return std::ranges::all_of(m_members, isSimple) &&
               std::ranges::all_of(m_writers, [&](NodeId writer) { return isWritingSimply(writer); }) &&
               std::ranges::all_of(m_members, [&](ValueId member) { return isReadSimply(member); });
    }

    // Can any stage that has what it is a view of make it again?
    bool isPlainView(ValueId view) const
    {
        const std::optional<ValueId>& viewed = m_use.viewedTensor[view];
        if (!m_graph[view].producer || !viewed || m_use.perhapsCopies.contains(view))
            return false;
        const Node& node = m_graph[*m_graph[view].producer];
        const auto isKnown = [&](ValueId input) {
            return input == *viewed ||
                   (m_graph[input].kind == ValueKind::SizeScalar && m_graph[input].scalar);
        };
        return node.subgraphs.empty() && !readsStorage(node.target) &&
               !isViewUnknownToAutograd(node.target) && std::ranges::all_of(node.inputs, isKnown);
    }

    bool isReadSimply(ValueId member) const
    {
        return std::ranges::none_of(m_graph[member].users,
                                    [&](NodeId user) { return readsStorage(m_graph[user].target); });
    }

    // Tensors from this one to the root.
    std::vector<ValueId> pathToRoot(ValueId tensor) const
    {
        std::vector<ValueId> path{tensor};
        while (const std::optional<ValueId> viewed = m_use.viewedTensor[path.back()])
            path.push_back(tensorOf(*viewed));
        return path;
    }

    bool isReadAfter(ValueId member, NodeId node) const
    {
        return m_graph.isOutput(member) ||
               std::ranges::any_of(m_graph[member].users, [&](NodeId user) { return user > node; });
    }

    // Of tensors that can be sent the deepest that all are views of, or are, that are there at `begin` and
    // read behind it.
    ValueId commonTensor(NodeId begin) const
    {
        std::vector<ValueId> common; // a path to the root
        for (const ValueId member : m_members) {
            if (*m_graph[member].producer > begin || !isReadAfter(member, begin))
                continue;
            const std::vector<ValueId> path = pathToRoot(tensorOf(member));
            if (common.empty())
                common = path;
            while (!contains(path, common.front()))
                common.erase(common.begin());
        }
        const auto sent =
            std::ranges::find_if(common, [&](ValueId tensor) { return isSendable(m_graph[tensor]); });
        return sent == common.end() ? m_members.front() : *sent;
    }

    const Graph& m_graph;
    const StorageUse& m_use;
    const std::vector<NodeId>& m_writers;
    std::vector<ValueId> m_members;
};

} // namespace

std::map<ValueId, WrittenStorage> separableStorage(const Graph& graph, const StorageUse& use)
{
    std::map<ValueId, std::vector<ValueId>> members;
    for (const ValueId id : graph.values()) {
        const std::vector<NodeId>& writers = use.sets.writers(id);
        const std::optional<NodeId>& producer = graph[id].producer;
        if (!writers.empty() && (!producer || *producer <= writers.back()))
            members[use.sets.representative(id)].push_back(id);
    }
    std::map<ValueId, WrittenStorage> found;
    for (auto& [set, values] : members)
        if (auto storage = StorageReader(graph, use, set, std::move(values)).read())
            found.emplace(set, std::move(*storage));
    return found;
}

} // namespace stagecraft
