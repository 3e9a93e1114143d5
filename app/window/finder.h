// Finding ops by a query (core/advise/node_query.h), and the field that asks for them.
#pragma once

#include "app/window/actions.h"
#include "core/advise/node_query.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

class QStatusBar;

namespace stagecraft {

class Document;
class FindField;
class GraphView;
class Selection;

// Walks round and round over the matches of a query.
class Finder
{
public:
    // From before the first on; ascending.
    void setMatches(std::vector<NodeId> matches);
    // The match after or before the present one; none if there are no matches.
    std::optional<NodeId> next();
    std::optional<NodeId> previous();
    // Counts from 1; 0 before the first next() or previous().
    int current() const { return m_current; }
    const std::vector<NodeId>& matches() const { return m_matches; }
    int count() const { return static_cast<int>(m_matches.size()); }

private:
    std::optional<NodeId> at(int current);

    std::vector<NodeId> m_matches;
    int m_current = 0;
};

// What is typed into the field is found in the model, and marked in every view by the selection they share.
// Boxes open only for who has stopped typing, or asks for the next: half a word would open others.
class FindController : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    FindController(FindField* field, const Document& document, Selection* selection, GraphView* graph,
                   QStatusBar* status, const Actions& actions);

private:
    QuerySubject subject() const;
    void search(const QString& text);
    // The plan or what ops cost is another: matches may be others, and nothing is scrolled to.
    void searchAgain();
    bool find(const QString& text);
    void select(NodeId match);
    void show(std::optional<NodeId> match); // selected, and the boxes around it open
    void suggest(const QString& text);
    void complete(const QString& text);

    FindField* m_field;
    const Document& m_document;
    Selection* m_selection;
    QStatusBar* m_status;
    Finder m_finder;
    std::vector<NodeId> m_shown; // the match that was selected last
    QTimer m_pause;              // of who types
};

} // namespace stagecraft
