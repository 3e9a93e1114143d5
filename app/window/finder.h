// Finding ops by words, and the field that asks for them.
#pragma once

#include "app/window/actions.h"
#include "core/graph/graph.h"

#include <QString>

#include <vector>

class QStatusBar;

namespace stagecraft {

class Document;
class FindField;
class GraphView;
class Selection;

// Nodes, in execution order, of which name, operator, module path and module class together contain every
// word of `text`, whatever the case. None for a text without words.
std::vector<NodeId> findNodes(const Graph& graph, const QString& text);

// What was probably meant by a text that nothing matches: each word that no op has, replaced by the nearest
// name of a module, a class or an operator. Empty where none is near.
QString correctedSearch(const Graph& graph, const QString& text);

// Walks round and round over the matches of a text.
class Finder
{
public:
    void search(const Graph& graph, const QString& text);
    void clear();
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

// What is typed into the field is found in the model, and shown in every view.
class FindController : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    FindController(FindField* field, const Document& document, Selection* selection, GraphView* graph,
                   QStatusBar* status, const Actions& actions);

private:
    void search(const QString& text);
    void show(std::optional<NodeId> match);

    FindField* m_field;
    const Document& m_document;
    Selection* m_selection;
    GraphView* m_graph;
    QStatusBar* m_status;
    Finder m_finder;
};

} // namespace stagecraft
