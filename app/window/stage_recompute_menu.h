// StageRecomputeMenu: what the chosen stage recomputes, whatever the others do. Each choice is one step of
// undo.
#pragma once

#include "core/plan/partition.h"

#include <QMenu>

#include <optional>

class QActionGroup;

namespace stagecraft {

class Document;
class Selection;

class StageRecomputeMenu : public QMenu
{
    Q_OBJECT

public:
    // Both outlive it.
    StageRecomputeMenu(Document& document, const Selection& selection, QWidget* parent);

private:
    void add(const QString& title, const QString& policy); // empty: as all stages do
    void show();
    void choose(const QString& policy);
    // The one that is chosen, or that all chosen ops are in.
    std::optional<StageId> stage() const;

    Document& m_document;
    const Selection& m_selection;
    QActionGroup* m_choices;
};

} // namespace stagecraft
