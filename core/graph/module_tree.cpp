#include "core/graph/module_tree.h"

#include <algorithm>

namespace stagecraft {

ModuleTree::ModuleTree()
{
    m_modules.add({});
    m_byPath.emplace("", root());
}

ModuleId ModuleTree::add(std::string_view path, std::string_view className)
{
    if (std::ranges::count(path, '.') >= maxDepth)
        return root();
    std::optional<ModuleId> id = find(path);
    if (!id) {
        const std::size_t dot = path.rfind('.');
        const std::string_view parentPath = dot == std::string_view::npos ? "" : path.substr(0, dot);
        const ModuleId parent = add(parentPath);
        Module module;
        module.path = path;
        module.name = dot == std::string_view::npos ? path : path.substr(dot + 1);
        module.parent = parent;
        id = m_modules.add(std::move(module));
        m_byPath.emplace(path, *id);
        m_modules[parent].children.push_back(*id);
    }
    if (m_modules[*id].className.empty())
        m_modules[*id].className = className;
    return *id;
}

std::optional<ModuleId> ModuleTree::find(std::string_view path) const
{
    const auto found = m_byPath.find(std::string(path));
    if (found == m_byPath.end())
        return std::nullopt;
    return found->second;
}

bool ModuleTree::contains(ModuleId outer, ModuleId inner) const
{
    std::optional<ModuleId> module = inner;
    while (module && *module != outer)
        module = m_modules[*module].parent;
    return module.has_value();
}

int ModuleTree::depth(ModuleId id) const
{
    int depth = 0;
    for (std::optional<ModuleId> parent = m_modules[id].parent; parent; parent = m_modules[*parent].parent)
        ++depth;
    return depth;
}

} // namespace stagecraft
