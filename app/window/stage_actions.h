// StageActions: the actions on stages, boundaries and constraints, enabled while there is something for them
// to act on, and checked as that is.
#pragma once

#include "app/document/plan_constraints.h"
#include "app/window/actions.h"
#include "app/window/recompute_actions.h"
#include "app/window/window_views.h"

namespace stagecraft {

class StageActions : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    StageActions(const Actions& actions, const RecomputeActions& recompute, const WindowViews& views,
                 Document& document);

    void fillMenuOfOps(QMenu* menu) const;
    // Where it is visible; outlives this.
    void addToMenuOfOps(QMenu* menu) { m_ownMenu = menu; }
    void showChartsMenu(const QPoint& position);
    void showGraphMenu(GraphView::MenuSubject subject, const QPoint& position);

private:
    enum class Extent { OneModule, WholeClass };
    void connectStages();
    void connectBoundaries();
    void connectHolds();
    Blocks selectedBlocks(Extent extent) const;
    void toggleBlocks(Extent extent);
    // Of the chosen one.
    std::vector<BoundaryId> sidesOfStage() const;
    bool isStageKept() const;
    void toggleStage();
    void askForDepth();
    void show();
    void showHolds();
    void showBlocks();

    const Actions& m_actions;
    const RecomputeActions& m_recompute;
    const WindowViews& m_views;
    Selection* m_selection;
    Document& m_document;
    QMenu* m_ownMenu = nullptr;
};

} // namespace stagecraft
