#include "app/finder.h"

#include <QStringList>

#include <algorithm>

namespace stagecraft {

std::vector<NodeId> findNodes(const Graph& graph, const QString& text)
{
    const QStringList words = text.simplified().split(' ', Qt::SkipEmptyParts);
    std::vector<NodeId> found;
    if (words.isEmpty())
        return found;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        const Module& module = graph.modules()[node.module];
        const QString all = QString::fromStdString(node.name + ' ' + node.target + ' ' + module.path + ' ' +
                                                   module.className);
        const auto contained = [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); };
        if (std::ranges::all_of(words, contained))
            found.push_back(id);
    }
    return found;
}

void Finder::search(const Graph& graph, const QString& text)
{
    m_matches = findNodes(graph, text);
    m_current = 0;
}

void Finder::clear()
{
    m_matches.clear();
    m_current = 0;
}

std::optional<NodeId> Finder::at(int current)
{
    if (m_matches.empty())
        return {};
    m_current = current;
    return m_matches[static_cast<std::size_t>(current - 1)];
}

std::optional<NodeId> Finder::next()
{
    return at(m_current >= count() ? 1 : m_current + 1);
}

std::optional<NodeId> Finder::previous()
{
    return at(m_current <= 1 ? count() : m_current - 1);
}

} // namespace stagecraft
