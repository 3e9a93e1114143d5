// FindController: what is typed into the field is found in the model, and shown in every view.
#pragma once

#include "app/window/actions.h"
#include "app/window/finder.h"

class QStatusBar;

namespace stagecraft {

class Document;
class FindField;
class GraphView;
class Selection;

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
