#include "core/graph/module_containers.h"

#include "core/base/digits.h"

#include <algorithm>

namespace stagecraft {

Table<ModuleId, char> containersOf(const Graph& graph)
{
    const ModuleTree& modules = graph.modules();
    Table<ModuleId, char> runsNodes(modules.size(), 0);
    for (const NodeId node : graph.nodes())
        runsNodes[graph[node].module] = 1;
    const auto isNumbered = [&](ModuleId id) { return isDigits(modules[id].name); };
    Table<ModuleId, char> containers(modules.size(), 0);
    for (const ModuleId id : modules.ids()) {
        const Module& module = modules[id];
        const bool isHeld = module.className.empty() && !runsNodes[id] && !module.children.empty() &&
                            std::ranges::all_of(module.children, isNumbered);
        containers[id] = module.className.starts_with("torch.nn.modules.container.") || isHeld;
    }
    containers[ModuleTree::root()] = 0;
    return containers;
}

} // namespace stagecraft
