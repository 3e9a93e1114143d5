#include "app/window/finder.h"

#include "app/document/document.h"
#include "core/advise/query_completion.h"
#include "views/base/find_field.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/graph/graph_view.h"

#include <QStatusBar>

#include <chrono>

namespace stagecraft {

FindController::FindController(FindField* field, const Document& document, Selection* selection,
                               GraphView* graph, QStatusBar* status, const Actions& actions)
    : m_field(field), m_document(document), m_selection(selection), m_status(status)
{
    connect(actions.find, &QAction::triggered, this, [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    connect(actions.findNext, &QAction::triggered, this, [this] { show(m_finder.next()); });
    connect(actions.findPrevious, &QAction::triggered, this, [this] { show(m_finder.previous()); });
    constexpr std::chrono::milliseconds untilTypingIsOver{600};
    m_pause.setSingleShot(true);
    m_pause.setInterval(untilTypingIsOver);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_selection->nodes() == m_shown) // nothing else was clicked meanwhile
            m_selection->reveal(m_shown);
    });
    connect(m_field, &FindField::searchChanged, this, &FindController::search);
    connect(m_field, &FindField::completionsWanted, this, &FindController::complete);
    connect(m_field, &FindField::nextRequested, actions.findNext, &QAction::trigger);
    connect(m_field, &FindField::previousRequested, actions.findPrevious, &QAction::trigger);
    connect(m_field, &FindField::closed, graph, [graph] { graph->setFocus(); });
    connect(&m_document, &Document::planChanged, this, &FindController::searchAgain);
    connect(&m_document, &Document::modelGone, this, [this] {
        m_field->clear();
        m_finder.setMatches({});
        m_selection->setMatches({});
    });
}

QuerySubject FindController::subject() const
{
    const PlanState& state = m_document.state();
    return {m_document.model()->graph, state.profile.get(), state.partition.get()};
}

// False: what is wrong with the query is told.
bool FindController::find(const QString& text)
{
    const Result<std::vector<NodeId>> found = findNodes(subject(), text.toStdString());
    m_finder.setMatches(found.has_value() ? *found : std::vector<NodeId>());
    const bool isLooking = found.has_value() && !text.trimmed().isEmpty();
    m_selection->setMatches(isLooking ? std::optional(m_finder.matches()) : std::nullopt);
    if (found.has_value())
        m_field->setMatches(m_finder.current(), m_finder.count());
    else
        m_field->setProblem(shownText(found.error().message));
    return found.has_value();
}

void FindController::search(const QString& text)
{
    m_pause.stop();
    if (!m_document.hasModel())
        return;
    m_status->clearMessage();
    if (!find(text))
        return;
    if (const std::optional<NodeId> first = m_finder.next()) {
        select(*first);
        m_pause.start();
    } else {
        suggest(text);
    }
}

void FindController::searchAgain()
{
    if (m_document.hasModel() && !m_field->text().trimmed().isEmpty())
        find(m_field->text());
}

void FindController::suggest(const QString& text)
{
    const QString meant = shownText(correctedQuery(subject(), text.toStdString()));
    if (meant.isEmpty())
        return;
    m_field->setToolTip(toolTipText(tr("Did you mean “%1”?").arg(meant)));
    m_status->showMessage(tr("No op has “%1”. Did you mean “%2”?").arg(text.trimmed(), meant), 6000);
}

void FindController::complete(const QString& text)
{
    std::vector<Completion> completions;
    if (m_document.hasModel())
        for (const QueryCompletion& completion : completeQuery(subject(), text.toStdString()))
            completions.push_back(
                {dataText(completion.text), shownText(completion.shown), shownText(completion.help)});
    m_field->setCompletions(std::move(completions));
}

void FindController::select(NodeId match)
{
    m_field->setMatches(m_finder.current(), m_finder.count());
    m_shown = {match};
    m_selection->setNodes(m_shown);
}

void FindController::show(std::optional<NodeId> match)
{
    if (!match)
        return;
    m_pause.stop();
    select(*match);
    m_selection->reveal({*match});
}

void Finder::setMatches(std::vector<NodeId> matches)
{
    m_matches = std::move(matches);
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
