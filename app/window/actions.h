// Actions: every command of the window, once. Menus, bars, context menus, keys and the key table show these.
#pragma once

#include <QAction>
#include <QList>

class QMenu;
class QMenuBar;
class QUndoStack;
class QWidget;

namespace stagecraft {

struct Actions
{
    // File
    QAction* open;
    QAction* openInWindow;
    QAction* newWindow;
    QAction* reload;
    QAction* attachWeights;
    QAction* openMeasured;
    QAction* save;
    QAction* saveAs;
    QAction* exportStages;
    QAction* exportPlan;
    QAction* exportPicture;
    QAction* exportReport;
    QAction* close;
    QAction* quit;
    // Edit
    QAction* undo;
    QAction* redo;
    QAction* find;
    QAction* findNext;
    QAction* findPrevious;
    QAction* listOperators;
    QAction* commands;
    QAction* selectAll;
    QAction* clearSelection;
    QAction* goBack;
    QAction* goForward;
    // View
    QAction* fitAll;
    QAction* fitSelection;
    QAction* actualSize;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* toggleBox;
    QAction* toggleBelow;
    QAction* expandAll;
    QAction* collapseAll;
    QAction* showHidden;
    QAction* foldRepeats;
    QAction* hidePanels;
    QAction* fullScreen;
    QList<QAction*> themes; // as the desktop, light, dark
    // Stages
    QAction* split;
    QAction* addBoundary;
    QAction* removeBoundary;
    QAction* boundaryUp;
    QAction* boundaryDown;
    QAction* boundaryBest;
    QAction* previousBoundary;
    QAction* nextBoundary;
    QAction* lockBoundary;
    QAction* sendUp;
    QAction* sendDown;
    QAction* pin;
    QAction* keepTogether;
    QAction* letApart;
    QAction* blockModule; // their texts name what is selected
    QAction* blockClass;
    QAction* keepStage;
    QAction* keepResults;
    QAction* blockDepth;
    QAction* planOptions;
    QAction* saveSchedule;
    // Analyse
    QAction* runStep;
    QAction* measureTimes;
    QAction* importTimes;
    QAction* estimateTimes;
    QAction* operatorCosts;
    QAction* largestBatch;
    QAction* curve;
    QAction* tradeOffs;
    QAction* advise;
    // Window, Help
    QAction* resetLayout;
    QAction* keyTable;
    QAction* about;
    QAction* aboutQt;

    // Those that need a model to act on.
    QList<QAction*> forModel() const;
    // Those whose keys are letters or such, which act only where the graph has the focus.
    QList<QAction*> forGraph() const;
};

Actions makeActions(QObject* parent, QUndoStack& undoStack);

// Menus that the window fills itself, or adds to.
struct Menus
{
    QMenu* file;
    QMenu* recent;
    QMenu* colorBy;
    QMenu* compare;
    QMenu* panels;
    QMenu* edit;
    QMenu* help;
    QMenu* stages;
};
Menus fillMenuBar(QMenuBar* bar, const Actions& actions);
// Context menus of the graph: what can be done to the chosen boundary, to the selected ops, to the view.
// Entries that cannot be used now are left out.
void fillBoundaryMenu(QMenu* menu, const Actions& actions);
void fillOpsMenu(QMenu* menu, const Actions& actions);
void fillGraphMenu(QMenu* menu, const Actions& actions);

} // namespace stagecraft
