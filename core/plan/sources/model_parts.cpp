#include "core/plan/sources/model_parts.h"

namespace stagecraft {

std::vector<NamedNodes> partsOfModel(const Graph& graph)
{
    const ModuleTree& modules = graph.modules();
    Table<ModuleId, NamedNodes> parts;
    for (const ModuleId module : modules.ids())
        parts.add({modules[module].path, {}});
    for (const NodeId node : graph.nodes()) {
        for (auto module = std::optional(graph[node].module); module; module = modules[*module].parent)
            parts[*module].nodes.push_back(node);
    }
    std::vector<NamedNodes> found;
    for (const ModuleId module : modules.ids()) {
        if (module != ModuleTree::root() && !parts[module].nodes.empty())
            found.push_back(std::move(parts[module]));
    }
    return found;
}

} // namespace stagecraft
