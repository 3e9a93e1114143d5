#include "app/window/finder.h"

#include "views/base/format.h"

#include <QStringList>

#include <algorithm>
#include <numeric>
#include <set>

namespace stagecraft {

namespace {

// Characters to insert, to leave out or to replace until one is the other.
qsizetype editDistance(const QString& from, const QString& to)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(to.size()) + 1);
    std::iota(row.begin(), row.end(), qsizetype{0});
    for (qsizetype i = 0; i < from.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < to.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const qsizetype changed = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[at + 1];
            row[at + 1] = std::min({changed, row[at + 1] + 1, row[at] + 1});
        }
    }
    return row.back();
}

std::set<QString> namesIn(const Graph& graph)
{
    std::set<QString> names;
    for (const ModuleId id : graph.modules().ids()) {
        names.insert(QString::fromStdString(graph.modules()[id].path));
        names.insert(QString::fromStdString(graph.modules()[id].name));
        names.insert(shortClass(graph.modules()[id].className));
    }
    for (const NodeId node : graph.nodes())
        names.insert(shortTarget(graph[node].target));
    names.erase(QString());
    return names;
}

} // namespace

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

QString correctedSearch(const Graph& graph, const QString& text)
{
    const std::set<QString> names = namesIn(graph);
    QStringList words = text.simplified().split(' ', Qt::SkipEmptyParts);
    bool isOther = false;
    for (QString& word : words) {
        if (!findNodes(graph, word).empty())
            continue;
        const auto distance = [&](const QString& name) {
            return editDistance(word.toLower(), name.toLower());
        };
        const auto nearest = std::ranges::min_element(names, {}, distance);
        if (nearest == names.end() || distance(*nearest) > word.size() / 3)
            return {};
        word = *nearest;
        isOther = true;
    }
    return isOther && !findNodes(graph, words.join(' ')).empty() ? words.join(' ') : QString();
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
