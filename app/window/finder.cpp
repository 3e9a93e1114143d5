#include "app/window/finder.h"

#include "app/document/document.h"
#include "core/base/text.h"
#include "views/base/find_field.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_view.h"

#include <QStatusBar>
#include <QStringList>

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

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

FindController::FindController(FindField* field, const Document& document, Selection* selection,
                               GraphView* graph, QStatusBar* status, const Actions& actions)
    : m_field(field), m_document(document), m_selection(selection), m_graph(graph), m_status(status)
{
    connect(actions.find, &QAction::triggered, this, [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    connect(actions.findNext, &QAction::triggered, this, [this] { show(m_finder.next()); });
    connect(actions.findPrevious, &QAction::triggered, this, [this] { show(m_finder.previous()); });
    connect(m_field, &FindField::searchChanged, this, &FindController::search);
    connect(m_field, &FindField::nextRequested, actions.findNext, &QAction::trigger);
    connect(m_field, &FindField::previousRequested, actions.findPrevious, &QAction::trigger);
    connect(m_field, &FindField::closed, m_graph, [graph] { graph->setFocus(); });
    connect(&m_document, &Document::modelGone, this, [this] {
        m_finder.clear();
        m_field->clear();
    });
}

void FindController::search(const QString& text)
{
    if (!m_document.hasModel())
        return;
    m_finder.search(m_document.model()->graph, text);
    m_field->setMatches(m_finder.current(), m_finder.count());
    m_field->setToolTip(QString());
    m_status->clearMessage();
    const bool isLooking = !text.trimmed().isEmpty();
    m_graph->setMatches(isLooking ? std::optional(m_finder.matches()) : std::nullopt);
    if (m_finder.count() > 0)
        return show(m_finder.next());
    const QString meant = shownText(correctedSearch(m_document.model()->graph, text));
    if (meant.isEmpty())
        return;
    m_field->setToolTip(toolTipText(tr("Did you mean “%1”?").arg(meant)));
    m_status->showMessage(tr("No op has “%1”. Did you mean “%2”?").arg(text.trimmed(), meant), 6000);
}

void FindController::show(std::optional<NodeId> match)
{
    if (!match)
        return;
    m_field->setMatches(m_finder.current(), m_finder.count());
    m_selection->setNodes({*match});
    m_selection->reveal({*match});
}

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
            return editDistance(word.toLower().toStdString(), name.toLower().toStdString());
        };
        const auto nearest = std::ranges::min_element(names, {}, distance);
        if (nearest == names.end() || distance(*nearest) > static_cast<std::size_t>(word.size()) / 3)
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
