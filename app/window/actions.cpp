#include "app/window/actions.h"

#include "views/base/icons.h"
#include "views/base/plain_text.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

namespace stagecraft {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

struct Maker
{
    QObject* parent;

    QAction* operator()(const char* text, const char* tip, const QKeySequence& key = {},
                        const char* icon = nullptr) const
    {
        auto* action = new QAction(tr(text), parent);
        setUp(action, tr(tip), key, icon);
        return action;
    }

    void setUp(QAction* action, const QString& tip, const QKeySequence& key, const char* icon) const
    {
        action->setShortcut(key);
        action->setStatusTip(tip);
        action->setToolTip(
            key.isEmpty() ? tip : QString("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
        if (icon)
            action->setIcon(themedIcon(icon));
    }

    QAction* toggle(const char* text, const char* tip, const QKeySequence& key = {}) const
    {
        QAction* action = (*this)(text, tip, key);
        action->setCheckable(true);
        return action;
    }
};

void makeFileActions(const Maker& make, Actions& a)
{
    a.open = make("&Open…", "Open a model or a plan", QKeySequence::Open, "open");
    a.openInWindow = make("Open in another &window…", "Open a model or a plan in a window of its own",
                          QKeySequence("Ctrl+Shift+O"));
    a.newWindow = make("New win&dow", "A window of its own for another model", QKeySequence("Ctrl+Shift+N"));
    a.reload = make("Re&load", "Read the model's file again", QKeySequence("F5"));
    a.attachWeights =
        make("Attach wei&ghts…", "Take the model's weights from .safetensors files, or a checkpoint's index");
    a.openMeasured = make("Open &measured step…", "Lay what a run of the stages took over the planned step: "
                                                  "files of pipeline.py --profile or of torch.profiler");
    a.save = make("&Save plan", "Save the split to its *.stagecraft file", QKeySequence::Save, "save");
    a.saveAs =
        make("Save plan &as…", "Save the split to another *.stagecraft file", QKeySequence("Ctrl+Shift+S"));
    a.exportStages =
        make("&Export stages…", "Write the stages as modules that run", QKeySequence("Ctrl+E"), "export");
    a.exportPlan = make("Export plan for other &frameworks…",
                        "The plan as torchtitan, Megatron, DeepSpeed and others read it");
    a.exportPicture = make("Export &picture…", "Save the drawing of the graph as SVG, PDF or PNG",
                           QKeySequence("Ctrl+Shift+E"));
    a.exportReport = make("Export repor&t…", "Save plan and figures as one page for any browser");
    a.close = make("&Close window", "Close this window", QKeySequence("Ctrl+W"));
    a.quit = make("&Quit", "Close all windows", QKeySequence("Ctrl+Q"));
}

// Its tooltip says which step it is: "Undo: Precision: bfloat16 (Ctrl+Z)".
auto namesStep(QAction* action, const QString& verb)
{
    return [action, verb, usual = action->toolTip()](QString step) {
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        step.replace("&&", "&"); // as menus have it
        action->setToolTip(step.isEmpty() ? usual
                                          : toolTipText(QStringLiteral("%1: %2 (%3)").arg(verb, step, key)));
    };
}

void makeEditActions(const Maker& make, QUndoStack& undoStack, Actions& a)
{
    a.undo = undoStack.createUndoAction(make.parent, tr("&Undo"));
    make.setUp(a.undo, tr("Take back the last change of the plan"), QKeySequence::Undo, "undo");
    a.redo = undoStack.createRedoAction(make.parent, tr("&Redo"));
    make.setUp(a.redo, tr("Do again what was taken back"), QKeySequence("Ctrl+Shift+Z"), "redo");
    QObject::connect(&undoStack, &QUndoStack::undoTextChanged, a.undo, namesStep(a.undo, tr("Undo")));
    QObject::connect(&undoStack, &QUndoStack::redoTextChanged, a.redo, namesStep(a.redo, tr("Redo")));
    a.undo->setWhatsThis(tr("Undo"));
    a.redo->setWhatsThis(tr("Redo"));
    a.find = make("&Find…", "Find ops by name, module, stage, shape or what they cost", QKeySequence::Find,
                  "find");
    a.findNext = make("Find &next", "Go to the next match", QKeySequence("F3"));
    a.findPrevious = make("Find &previous", "Go to the match before", QKeySequence("Shift+F3"));
    a.listOperators =
        make("List &operators", "What is looked for, or all ops, in a table with what they cost",
             QKeySequence("Ctrl+Shift+F"));
    a.commands =
        make("Co&mmands…", "Find anything that can be done or gone to by its name", QKeySequence("Ctrl+K"));
    a.commands->setShortcuts({QKeySequence("Ctrl+K"), QKeySequence("Ctrl+Shift+P")});
    a.selectAll = make("Select &all ops", "Select every op", QKeySequence("Ctrl+A"));
    a.clearSelection = make("&Clear selection", "Select nothing", QKeySequence("Ctrl+Shift+A"));
    a.goBack = make("Previous se&lection", "Select what was selected before", QKeySequence("Alt+Left"));
    a.goForward = make("Next selec&tion", "Select what was selected after this", QKeySequence("Alt+Right"));
    for (QAction* action : {a.goBack, a.goForward})
        action->setEnabled(false);
}

void makeViewActions(const Maker& make, Actions& a)
{
    a.fitAll = make("&Fit all", "Show the whole graph", QKeySequence("0"), "fit");
    a.fitSelection = make("Frame &selection", "Show what is selected as large as it fits", QKeySequence("F"));
    a.actualSize = make("&100 %", "Show the graph at its natural size", QKeySequence("Ctrl+0"));
    a.zoomIn = make("Zoom &in", "Show the graph larger", QKeySequence("+"), "zoom-in");
    a.zoomIn->setShortcuts({QKeySequence("+"), QKeySequence("=")}); // the same key without Shift
    a.zoomOut = make("Zoom &out", "Show the graph smaller", QKeySequence("-"), "zoom-out");
    a.toggleBox = make("Open or c&lose box\tEnter", "Show or hide what is inside the selected box");
    a.toggleBelow = make("Open or close with all &below\tAlt+Enter", "The same for every box inside it");
    a.expandAll = make("&Expand all", "Open every box", QKeySequence("E"), "expand");
    a.collapseAll = make("&Collapse all", "Close every box", QKeySequence("Shift+E"), "collapse");
    a.showHidden = make.toggle("Show &hidden ops", "Draw ops that nothing depends on: counters, assertions");
    a.foldRepeats = make.toggle("Fold &repeats", "Draw equal neighbours once, with a count");
    a.foldRepeats->setChecked(true);
    a.hidePanels = make.toggle("Hi&de all panels", "Leave the graph alone in the window", QKeySequence("F9"));
    a.fullScreen = make.toggle("F&ull screen", "Use the whole screen", QKeySequence("F11"));
    auto* themes = new QActionGroup(make.parent);
    a.themes = {make.toggle("As the &desktop", "Light or dark as the desktop is"),
                make.toggle("&Light", "Dark text on a light background"),
                make.toggle("&Dark", "Light text on a dark background")};
    for (QAction* theme : a.themes)
        themes->addAction(theme);
}

void makeStageActions(const Maker& make, Actions& a)
{
    a.split = make("Split &automatically", "Search for the best split into this many stages",
                   QKeySequence("Ctrl+Return"), "auto-split");
    a.addBoundary = make("&Split before selection", "Begin a new stage at the first selected op",
                         QKeySequence("S"), "split");
    a.removeBoundary = make("&Remove boundary", "Join the stages on both sides of the chosen boundary",
                            QKeySequence::Delete, "boundary-remove");
    a.previousBoundary = make("Choose &previous boundary", "Choose the boundary above", QKeySequence("["));
    a.nextBoundary = make("Choose &next boundary", "Choose the boundary below", QKeySequence("]"));
    a.boundaryUp = make("Move boundary &up by a module\tShift+Up",
                        "Give the chosen boundary's module above to the stage "
                        "after it");
    a.boundaryDown = make("Move boundary &down by a module\tShift+Down",
                          "Give the chosen boundary's module below to the stage before it");
    a.boundaryBest = make("Move boundary to the &best place nearby\tCtrl+Down",
                          "Where the slower of the two stages beside the chosen boundary is fastest");
    a.lockBoundary = make.toggle("&Lock boundary",
                                 "Keep the chosen boundary where it is, whatever is searched "
                                 "for; without one, pin the selected ops to their stage",
                                 QKeySequence("L"));
    a.pin = make.toggle("P&in to this stage", "Keep the selected ops in the stages that they are in");
    a.keepTogether = make("&Keep together", "Keep the selected ops in one stage", QKeySequence("Ctrl+G"));
    a.letApart =
        make("Let &apart", "No longer keep the selected ops in one stage", QKeySequence("Ctrl+Shift+G"));
    a.blockModule =
        make.toggle("Treat module as one &block", "Never part the module that all selected ops are in");
    a.blockClass = make.toggle("Treat e&very module of its class as a block",
                               "Never part a module of the class that all selected ops are in");
    a.blockDepth = make("Treat modules at a de&pth as blocks…",
                        "Never part a module that is so many levels below the model itself");
    a.keepStage = make.toggle("Keep the chosen sta&ge as it is",
                              "Both boundaries of the stage stay where they are, whatever is searched for");
    a.keepResults = make.toggle("Never send its resul&ts",
                                "Who reads a result of the selected ops stays in the stage that makes it");
    a.sendUp =
        make("Send to &previous stage", "Move the selected ops, and what must go along, to the stage before",
             QKeySequence("Ctrl+Shift+Up"), "boundary-up");
    a.sendDown =
        make("Send to &next stage", "Move the selected ops, and what must go along, to the stage after",
             QKeySequence("Ctrl+Shift+Down"), "boundary-down");
    a.planOptions =
        make("Device and &options", "What the plan is made for", QKeySequence("Ctrl+P"), "device");
    a.saveSchedule = make("Save sc&hedule…", "Save the order in which the stages run: as trace events for "
                                             "Perfetto, or as a table for torch.distributed.pipelining");
}

void makeAnalyseActions(const Maker& make, Actions& a)
{
    a.runStep = make("&Statistics of a real step…",
                     "Run a training step on this machine: spread, zeros, NaN of every tensor and gradient",
                     QKeySequence("Ctrl+R"));
    a.measureTimes = make("&Measure times", "Time every op on this machine, and plan with that");
    a.importTimes =
        make("Read times from a &file…", "Plan with the times of a CSV, a JSON or a torch.profiler trace");
    a.estimateTimes = make("&Estimate times again", "Plan with the times that the device's figures give");
    a.operatorCosts =
        make("Costs of unknown &operators…", "Say what operators compute that are not known here");
    a.largestBatch = make("Find the &largest batch", "The largest batch whose step fits on the device");
    a.curve = make("&Compare 1 to 16 stages", "The best plan for every number of stages beside each other");
    a.tradeOffs = make("Find &trade-offs", "Plans of as many stages that need less memory or send less");
    a.advise = make("&Why no faster", "Why the slowest stage is slow, and what would help");
}

void makeHelpActions(const Maker& make, Actions& a)
{
    a.resetLayout = make("&Reset layout", "Put all panels back where they were at first");
    a.keyTable = make("&Keys", "Every key and what it does", QKeySequence("?"), "help");
    a.about = make("&About Stagecraft", "Version and licence");
    a.aboutQt = make("About &Qt", "The version of Qt");
}

} // namespace

Actions makeActions(QObject* parent, QUndoStack& undoStack)
{
    Actions actions{};
    const Maker make{parent};
    makeFileActions(make, actions);
    makeEditActions(make, undoStack, actions);
    makeViewActions(make, actions);
    makeStageActions(make, actions);
    makeAnalyseActions(make, actions);
    makeHelpActions(make, actions);
    return actions;
}

QList<QAction*> Actions::forModel() const
{
    return {reload,           openMeasured,   attachWeights, save,         saveAs,
            exportStages,     exportPicture,  find,          findNext,     findPrevious,
            selectAll,        clearSelection, listOperators, fitAll,       fitSelection,
            actualSize,       zoomIn,         zoomOut,       expandAll,    collapseAll,
            showHidden,       foldRepeats,    split,         addBoundary,  removeBoundary,
            previousBoundary, nextBoundary,   sendUp,        sendDown,     boundaryUp,
            boundaryDown,     boundaryBest,   lockBoundary,  pin,          keepTogether,
            letApart,         toggleBox,      toggleBelow,   blockModule,  blockClass,
            runStep,          measureTimes,   importTimes,   largestBatch, curve,
            tradeOffs,        advise,         saveSchedule,  exportPlan,   exportReport,
            keepResults,      keepStage,      blockDepth,    operatorCosts};
}

QList<QAction*> Actions::forGraph() const
{
    return {fitAll,      fitSelection, actualSize,     zoomIn,           zoomOut,      expandAll,
            collapseAll, addBoundary,  removeBoundary, previousBoundary, nextBoundary, lockBoundary};
}

Menus fillMenuBar(QMenuBar* bar, const Actions& a)
{
    Menus menus{};
    QMenu* file = bar->addMenu(tr("&File"));
    menus.file = file;
    file->addActions({a.newWindow, a.open, a.openInWindow});
    menus.recent = file->addMenu(tr("Open &recent"));
    file->addAction(a.reload);
    file->addActions({a.attachWeights, a.openMeasured});
    file->addSeparator();
    file->addActions({a.save, a.saveAs});
    file->addSeparator();
    file->addActions({a.exportStages, a.exportPlan, a.exportPicture, a.exportReport});
    file->addSeparator();
    file->addActions({a.close, a.quit});

    QMenu* edit = bar->addMenu(tr("&Edit"));
    menus.edit = edit;
    edit->addActions({a.undo, a.redo});
    edit->addSeparator();
    edit->addActions({a.find, a.findNext, a.findPrevious, a.listOperators, a.commands});
    edit->addSeparator();
    edit->addActions({a.selectAll, a.clearSelection, a.goBack, a.goForward});

    QMenu* view = bar->addMenu(tr("&View"));
    view->addActions({a.fitAll, a.fitSelection, a.actualSize, a.zoomIn, a.zoomOut});
    view->addSeparator();
    view->addActions({a.toggleBox, a.toggleBelow, a.expandAll, a.collapseAll, a.foldRepeats, a.showHidden});
    view->addSeparator();
    menus.colorBy = view->addMenu(tr("Colour b&y"));
    view->addMenu(tr("&Theme"))->addActions(a.themes);
    view->addSeparator();
    menus.panels = view->addMenu(tr("&Panels"));
    view->addActions({a.hidePanels, a.fullScreen});

    QMenu* stages = menus.stages = bar->addMenu(tr("&Stages"));
    stages->addActions({a.split, a.planOptions, a.saveSchedule});
    stages->addSeparator();
    QMenu* boundary = stages->addMenu(tr("&Boundary"));
    boundary->addActions({a.addBoundary, a.removeBoundary, a.previousBoundary, a.nextBoundary});
    boundary->addSeparator();
    boundary->addActions({a.boundaryUp, a.boundaryDown, a.boundaryBest, a.lockBoundary, a.keepStage});
    QMenu* ops = stages->addMenu(tr("Se&lected ops"));
    ops->addActions({a.sendUp, a.sendDown});
    ops->addSeparator();
    ops->addActions({a.pin, a.keepTogether, a.letApart, a.keepResults});
    stages->addMenu(tr("Bloc&ks"))->addActions({a.blockModule, a.blockClass, a.blockDepth});

    QMenu* analyse = bar->addMenu(tr("&Analyse"));
    analyse->addActions({a.advise, a.curve, a.tradeOffs, a.largestBatch});
    analyse->addSeparator();
    analyse->addActions({a.measureTimes, a.importTimes, a.estimateTimes, a.operatorCosts});
    analyse->addSeparator();
    analyse->addActions({a.runStep});
    menus.compare = bar->addMenu(tr("&Compare"));
    bar->addMenu(tr("&Window"))->addAction(a.resetLayout);
    menus.help = bar->addMenu(tr("&Help"));
    menus.help->addActions({a.keyTable, a.about, a.aboutQt});
    return menus;
}

void fillBoundaryMenu(QMenu* menu, const Actions& a)
{
    menu->addActions({a.boundaryUp, a.boundaryDown, a.boundaryBest});
    menu->addSeparator();
    menu->addActions({a.lockBoundary, a.removeBoundary, a.split});
}

void fillOpsMenu(QMenu* menu, const Actions& a)
{
    for (QAction* action : {a.toggleBox, a.toggleBelow})
        if (action->isEnabled())
            menu->addAction(action);
    menu->addSeparator();
    menu->addActions({a.addBoundary, a.sendUp, a.sendDown});
    menu->addSeparator();
    menu->addActions({a.pin, a.keepTogether, a.keepResults});
    for (QAction* action : {a.letApart, a.blockModule, a.blockClass})
        if (action->isEnabled())
            menu->addAction(action);
    menu->addSeparator();
    menu->addActions({a.fitSelection, a.clearSelection});
}

void fillGraphMenu(QMenu* menu, const Actions& a)
{
    menu->addActions({a.fitAll, a.actualSize, a.zoomIn, a.zoomOut});
    menu->addSeparator();
    menu->addActions({a.expandAll, a.collapseAll, a.foldRepeats, a.showHidden});
    menu->addSeparator();
    menu->addActions({a.split, a.exportPicture});
}

} // namespace stagecraft
