#include "core/load/storage_use.h"

#include "core/base/contains.h"
#include "core/load/operator_aliasing.h"
#include "core/load/sharing.h"

#include <memory>
#include <unordered_map>
#include <utility>

namespace stagecraft {

namespace {

// A result that shares with an input which the node does not write is a view of it.
void recordViews(const Graph& graph, NodeId node, const NodeAliasing& aliasing, StorageUse& use)
{
    for (const auto& [result, input] : aliasing.shared) {
        if (contains(aliasing.written, input))
            continue;
        // Where nothing is written, a view and a copy are the same.
        const Sharing sharing =
            use.isWritten(result) ? sharingOf(graph, graph[node], result, input) : Sharing::Always;
        if (sharing == Sharing::Never)
            continue;
        use.viewedTensor[result] = input;
        if (sharing == Sharing::Unknown)
            use.perhapsCopies.insert(result);
    }
}

// Asks once for each node: schemas are looked up by name.
AliasingOf askedOnce(AliasingOf aliasing)
{
    return [aliasing = std::move(aliasing),
            known = std::make_shared<std::unordered_map<const Node*, NodeAliasing>>()](const Node& node) {
        const auto [entry, isNew] = known->try_emplace(&node);
        if (isNew)
            entry->second = aliasing(node);
        return entry->second;
    };
}

} // namespace

StorageUse findStorageUse(const Graph& graph)
{
    OperatorSchemas schemas;
    const AliasingOf aliasingOf = askedOnce(operatorAliasing(schemas));
    StorageUse use{.sets = AliasSets::find(graph, aliasingOf),
                   .tensorOf = firstVersions(graph, aliasingOf),
                   .versions = {},
                   .viewedTensor = Table<ValueId, std::optional<ValueId>>(graph.valueCount()),
                   .perhapsCopies = {},
                   .members = Table<ValueId, std::vector<ValueId>>(graph.valueCount())};
    for (const NodeId node : graph.nodes())
        recordViews(graph, node, aliasingOf(graph[node]), use);
    for (const ValueId value : graph.values()) {
        const ValueId tensor = use.tensorOf[value];
        if (tensor != value) {
            std::vector<ValueId>& versions = use.versions[tensor];
            if (versions.empty())
                versions.push_back(tensor);
            versions.push_back(value);
        } else if (use.isWritten(value)) {
            use.members[use.sets.representative(value)].push_back(value);
        }
    }
    return use;
}

} // namespace stagecraft
