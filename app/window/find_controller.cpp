#include "app/window/find_controller.h"

#include "app/document/document.h"
#include "views/base/find_field.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_view.h"

#include <QStatusBar>

namespace stagecraft {

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

} // namespace stagecraft
