// Every line of the key table, done with real events of mouse and keys: a line that no table here has fails.
#include "window_fixture.h"

#include "app/window/key_table.h"
#include "long_job.h"
#include "views/base/progress_chip.h"

#include <QKeySequence>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeView>
#include <QWheelEvent>

#include <functional>
#include <map>
#include <memory>

using namespace stagecraft;

namespace {

struct Gestures : WindowFixture
{
    Gestures()
    {
        if (!open(tinyModel))
            qFatal("the model does not open");
        graph = window->views().graph;
        selection = window->views().selection;
        takeKeyboard();
    }

    // From another window that was there meanwhile, too.
    void takeKeyboard() const
    {
        window->activateWindow();
        graph->setFocus();
        if (!QTest::qWaitFor([&] { return graph->hasFocus(); }, patience))
            qFatal("the graph gets no keyboard");
    }

    QWidget* surface() const { return graph->viewport(); }
    const Layout& layout() const { return *graph->graphLayout(); }
    std::size_t stages() const { return document().state().partition->stageCount; }

    // The operators one by one, and the first one that a boundary follows.
    NodeId expandAndFindLast()
    {
        graph->expandAll();
        settle();
        const NodeId last = layout().tree->order[boundary(0) - 1];
        selection->setNodes({last});
        selection->reveal({last});
        QCoreApplication::processEvents();
        return last;
    }

    void wheel(QWidget* widget, QPoint at, int delta, Qt::KeyboardModifiers held = {}) const
    {
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, held, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(widget, &event);
    }
    void press(QWidget* widget, QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton,
               Qt::KeyboardModifiers held = {}) const
    {
        QTest::mousePress(widget, button, held, from);
        for (int step = 1; step <= 6; ++step) {
            const QPoint at = from + (to - from) * step / 6;
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, button, held);
            QApplication::sendEvent(widget, &move);
        }
    }
    void drag(QWidget* widget, QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton,
              Qt::KeyboardModifiers held = {}) const
    {
        press(widget, from, to, button, held);
        QTest::mouseRelease(widget, button, held, to);
    }

    GraphView* graph;
    Selection* selection;
};

using Check = std::function<bool(Gestures&)>;

bool scrolls(Gestures& f)
{
    f.graph->expandAll();
    f.settle();
    f.graph->actualSize();
    const QScrollBar* bar = f.graph->verticalScrollBar();
    f.graph->goTo(0);
    const int top = bar->value();
    f.wheel(f.surface(), {300, 300}, -240);
    const int turned = bar->value();
    f.drag(f.surface(), {300, 300}, {300, 240}, Qt::MiddleButton);
    return turned > top && bar->value() > turned;
}

bool zoomsAtThePointer(Gestures& f)
{
    f.graph->fitAll();
    const double before = f.graph->zoom();
    f.wheel(f.surface(), {300, 300}, 120, Qt::ControlModifier);
    const double larger = f.graph->zoom();
    f.wheel(f.surface(), {300, 300}, -120, Qt::ControlModifier);
    return larger > before && f.graph->zoom() < larger;
}

bool zoomsToAnArea(Gestures& f)
{
    f.graph->fitAll();
    const double before = f.graph->zoom();
    f.drag(f.surface(), {200, 150}, {320, 240}, Qt::LeftButton, Qt::ControlModifier);
    const ExecutionCharts* charts = f.window->views().charts;
    const auto opsWide = [&] { return charts->positionToPixel(f.boundary(0)) - charts->positionToPixel(0); };
    QWidget* plot = charts->focusProxy();
    const double all = opsWide();
    const int x = qRound(charts->positionToPixel(f.boundary(0) / 4));
    f.drag(plot, {x, plot->height() / 2}, {x + 60, plot->height() / 2}, Qt::LeftButton, Qt::ControlModifier);
    return f.graph->zoom() > before && opsWide() > all;
}

std::optional<ItemId> closedBox(const Gestures& f)
{
    for (const ItemId id : f.layout().items.ids())
        if (f.layout().items[id].kind == ItemKind::ClosedBox)
            return id;
    return {};
}

// Does `act` change which boxes are open, with all of them closed and one of them clicked?
bool opensWhatWasClicked(Gestures& f, const std::function<void(QPoint center)>& act)
{
    f.graph->collapseAll();
    f.settle();
    f.graph->fitAll();
    const auto closed = closedBox(f);
    if (!closed)
        return false;
    const Expansion before = f.document().expansion();
    act(f.graph->itemCenter(*closed));
    f.settle();
    return f.document().expansion() != before;
}

bool opensABox(Gestures& f)
{
    const auto byKey = [&](Qt::KeyboardModifiers held) {
        return opensWhatWasClicked(f, [&f, held](QPoint center) {
            QTest::mouseClick(f.surface(), Qt::LeftButton, {}, center);
            QTest::keyClick(f.graph, Qt::Key_Return, held);
        });
    };
    return opensWhatWasClicked(
               f, [&f](QPoint center) { QTest::mouseDClick(f.surface(), Qt::LeftButton, {}, center); }) &&
           byKey({}) && byKey(Qt::AltModifier);
}

bool goesToTheBoxAround(Gestures& f)
{
    f.expandAndFindLast();
    const std::size_t before = f.selection->nodes().size();
    QTest::keyClick(f.graph, Qt::Key_Backspace);
    return before == 1 && f.selection->nodes().size() > before;
}

bool keyChangesSelection(Gestures& f, Qt::Key key)
{
    const std::vector<NodeId> before = f.selection->nodes();
    QTest::keyClick(f.graph, key);
    return f.selection->nodes() != before && !f.selection->nodes().empty();
}

bool walksAlongEdges(Gestures& f)
{
    f.expandAndFindLast();
    return keyChangesSelection(f, Qt::Key_Up) && keyChangesSelection(f, Qt::Key_Down);
}

bool walksFromEdgeToEdge(Gestures& f)
{
    f.expandAndFindLast();
    QTest::keyClick(f.graph, Qt::Key_N);
    return keyChangesSelection(f, Qt::Key_Up); // to its other end
}

bool walksInOrder(Gestures& f)
{
    const NodeId last = f.expandAndFindLast();
    const bool isBefore = keyChangesSelection(f, Qt::Key_Comma);
    QTest::keyClick(f.graph, Qt::Key_Period);
    return isBefore && f.selection->nodes() == std::vector{last};
}

bool goesToTheEnds(Gestures& f)
{
    f.graph->expandAll();
    f.settle();
    f.graph->actualSize();
    QTest::keyClick(f.graph, Qt::Key_End);
    const int bottom = f.graph->verticalScrollBar()->value();
    QTest::keyClick(f.graph, Qt::Key_Home);
    return f.graph->verticalScrollBar()->value() < bottom;
}

bool beginsAStage(Gestures& f)
{
    f.expandAndFindLast();
    const auto handle = f.graph->boundaryHandle(BoundaryId(0));
    const std::size_t before = f.stages();
    for (int below = 40; handle && f.stages() == before && below < 200; below += 20)
        QTest::mouseDClick(f.surface(), Qt::LeftButton, {}, QPoint(10, handle->center().y() + below));
    return f.stages() == before + 1;
}

bool selectsAnArea(Gestures& f)
{
    f.graph->fitAll();
    f.drag(f.surface(), {2, 2}, QPoint(f.surface()->width() - 2, f.surface()->height() - 2), Qt::LeftButton,
           Qt::ShiftModifier);
    const std::size_t inGraph = f.selection->nodes().size();
    f.selection->clear();
    QWidget* plot = f.window->views().charts->focusProxy();
    const int x = qRound(f.window->views().charts->positionToPixel(f.boundary(0) / 4));
    f.drag(plot, {x, plot->height() / 2}, {x + 30, plot->height() / 2});
    return inGraph > 1 && f.selection->nodes().size() > 1;
}

bool addsARange(Gestures& f)
{
    QWidget* plot = f.window->views().charts->focusProxy();
    const int x = qRound(f.window->views().charts->positionToPixel(f.boundary(0) / 4));
    const QPoint from(x, plot->height() / 2);
    f.selection->setNodes({NodeId(0)});
    f.drag(plot, from, from + QPoint(30, 0), Qt::LeftButton, Qt::ShiftModifier);
    const std::vector<NodeId> nodes = f.selection->nodes();
    return nodes.size() > 2 && nodes.front() == NodeId(0) && nodes[1] != NodeId(1);
}

bool sendsOps(Gestures& f)
{
    const NodeId last = f.expandAndFindLast();
    const QPoint from = f.graph->itemCenter(*f.layout().itemOf[last]);
    const QPoint to(from.x(), f.graph->boundaryHandle(BoundaryId(0))->center().y() + 40);
    f.drag(f.surface(), from, to);
    return f.document().state().partition->stageOf[last] == StageId(1);
}

bool movesABoundary(Gestures& f)
{
    f.expandAndFindLast();
    const std::size_t first = f.boundary(0);
    const QPoint handle = f.graph->boundaryHandle(BoundaryId(0))->center();
    f.drag(f.surface(), handle, handle - QPoint(0, 120));
    const std::size_t dragged = f.boundary(0);
    f.selection->setBoundary(BoundaryId(0));
    QTest::keyClick(f.graph, Qt::Key_Down);
    const std::size_t keyed = f.boundary(0);
    QWidget* plot = f.window->views().charts->focusProxy();
    plot->setFocus();
    QTest::keyClick(plot, Qt::Key_Left);
    return dragged < first && keyed > dragged && f.boundary(0) < keyed;
}

bool movesByAModule(Gestures& f)
{
    f.selection->setBoundary(BoundaryId(0));
    const std::size_t before = f.boundary(0);
    QTest::keyClick(f.graph, Qt::Key_Up, Qt::ShiftModifier);
    const std::size_t byModule = f.boundary(0);
    QTest::keyClick(f.graph, Qt::Key_Down, Qt::ControlModifier);
    return byModule < before && f.boundary(0) != byModule;
}

// In the charts: with the magnet a line goes to a valley near the pointer, without it to the pointer.
bool dragsWithoutMagnet(Gestures& f)
{
    ExecutionCharts* charts = f.window->views().charts;
    QWidget* plot = charts->focusProxy();
    const auto dragTo = [&](int x, Qt::KeyboardModifiers held) {
        const int from = qRound(charts->positionToPixel(f.boundary(0)));
        f.press(plot, {from, plot->height() / 2}, {x, plot->height() / 2}, Qt::LeftButton, held);
        const std::size_t reached = f.boundary(0);
        QTest::keyClick(plot, Qt::Key_Escape);
        QTest::mouseRelease(plot, Qt::LeftButton, held, {x, plot->height() / 2});
        return reached;
    };
    const int from = qRound(charts->positionToPixel(f.boundary(0)));
    for (int x = from - 60; x < from - 10; ++x)
        if (dragTo(x, {}) != dragTo(x, Qt::AltModifier))
            return true;
    return false;
}

bool givesUpADrag(Gestures& f)
{
    const std::size_t before = f.boundary(0);
    f.expandAndFindLast();
    const QPoint handle = f.graph->boundaryHandle(BoundaryId(0))->center();
    f.press(f.surface(), handle, handle - QPoint(0, 120));
    const bool wasDragging = f.document().isDragging();
    QTest::keyClick(f.graph, Qt::Key_Escape);
    QTest::mouseRelease(f.surface(), Qt::LeftButton, {}, handle - QPoint(0, 120));
    return wasDragging && !f.document().isDragging() && f.boundary(0) == before;
}

bool endsAJob(Gestures& f)
{
    JobQueue& queue = f.document().heavyQueue();
    bool isAbandoned = false;
    addLongJob(queue, isAbandoned);
    const auto* chip = f.window->findChild<ProgressChip*>();
    if (!QTest::qWaitFor([&] { return chip->isVisible(); }, patience))
        return false;
    f.selection->setNodes({NodeId(0)});
    QTest::keyClick(f.graph, Qt::Key_Escape);
    const bool isEmptied = f.selection->isEmpty() && queue.isBusy();
    QTest::keyClick(f.graph, Qt::Key_Escape);
    return isEmptied && isAbandoned && !queue.isBusy();
}

bool movesInTheTable(Gestures& f)
{
    auto* table = f.window->views().stages->findChild<QTreeView*>();
    f.selection->setStage(StageId(0));
    f.selection->setBoundary(BoundaryId(0));
    table->setFocus();
    const std::size_t before = f.boundary(0);
    QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
    const std::size_t up = f.boundary(0);
    QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
    return up < before && f.boundary(0) > up;
}

bool filtersRows(Gestures& f)
{
    auto* table = f.window->views().stages->findChild<QTreeView*>();
    const auto countShown = [table] {
        int count = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            count += !table->isRowHidden(row, {});
        return count;
    };
    const int all = countShown();
    QTest::keyClick(table, Qt::Key_Slash);
    auto* field = f.window->views().stages->findChild<QLineEdit*>();
    QTest::keyClicks(field, "slowest");
    const int left = countShown();
    QTest::keyClick(field, Qt::Key_Escape);
    return all > 1 && left == 1 && countShown() == all;
}

// By the first words of the line.
const std::map<QString, Check> gestures{
    {"Scroll", scrolls},
    {"Zoom at the pointer", zoomsAtThePointer},
    {"Zoom to an area", zoomsToAnArea},
    {"Open or close a box", opensABox},
    {"The box around", goesToTheBoxAround},
    {"Walk along edges", walksAlongEdges},
    {"From edge to edge of an op; then Up, Down to its ends", walksFromEdgeToEdge},
    {"The op before, after", walksInOrder},
    {"To the top, to the bottom", goesToTheEnds},
    {"Begin a stage here", beginsAStage},
    {"Select an area", selectsAnArea},
    {"Add another range to what is selected", addsARange},
    {"Send ops or a box to another stage", sendsOps},
    {"Move a boundary", movesABoundary},
    {"… by a module, to the best place nearby", movesByAModule},
    {"… without being drawn to good places", dragsWithoutMagnet},
    {"Give up a drag", givesUpADrag},
    {"Select nothing; then end the job that goes on", endsAJob},
    {"Move a boundary in the table of stages", movesInTheTable},
    {"Only the rows of a table with some words", filtersRows},
};

// Keys of menus that only the graph knows: nothing triggers their actions but a click.
const std::map<QString, Check> graphKeys{
    {"Open or close box", opensABox},
    {"Open or close with all below", opensABox},
    {"Move boundary up by a module", movesByAModule},
    {"Move boundary down by a module", movesByAModule},
    {"Move boundary to the best place nearby", movesByAModule},
};

void pressKeys(QWidget* widget, const QKeySequence& keys)
{
    for (int i = 0; i < keys.count(); ++i)
        QTest::keyClick(widget, keys[i].key(), keys[i].keyboardModifiers());
}

} // namespace

class TestKeySheet : public QObject
{
    Q_OBJECT

private slots:
    void everyGestureDoesWhatItsLineSays_data()
    {
        QTest::addColumn<QString>("line");
        const WindowFixture f;
        const auto sections = keySections(*f.window->menuBar());
        for (const auto& [what, key] : sections.back().keys)
            QTest::newRow(qPrintable(what)) << what;
    }
    void everyGestureDoesWhatItsLineSays()
    {
        QFETCH(const QString, line);
        const auto found = gestures.find(line);
        QVERIFY2(found != gestures.end(), "the key table has a line that no test does");
        Gestures f;
        QVERIFY(found->second(f));
    }

    void everyKeyOfTheMenusReachesItsAction_data()
    {
        QTest::addColumn<QString>("text");
        const WindowFixture f;
        for (const QAction* action : menuActions(*f.window))
            if (!action->shortcut().isEmpty())
                QTest::newRow(qPrintable(action->text())) << action->text();
    }

    // What the action does is in other tests; here it does nothing, so that no dialog waits.
    void everyKeyOfTheMenusReachesItsAction()
    {
        QFETCH(const QString, text);
        Gestures& f = shared();
        f.selection->setNodes({nodesByStage(*f.document().state().partition)[1].front()});
        f.selection->setBoundary(BoundaryId(0));
        QAction* wanted = nullptr;
        for (QAction* action : menuActions(*f.window))
            if (action->text() == text || (!wanted && action->text().startsWith(text + ' '))) // "Undo …"
                wanted = action;
        QVERIFY(wanted);
        wanted->disconnect(SIGNAL(triggered(bool)));
        wanted->disconnect(SIGNAL(toggled(bool)));
        wanted->setEnabled(true);
        for (const QKeySequence& keys : wanted->shortcuts()) {
            QSignalSpy triggered(wanted, &QAction::triggered);
            QTest::qWait(1);
            f.graph->setFocus();
            wanted->setEnabled(true);
            pressKeys(f.graph, keys);
            QTRY_VERIFY2(triggered.count() == 1, qPrintable(keys.toString()));
        }
    }

    void keysThatOnlyTheGraphKnows_data()
    {
        QTest::addColumn<QString>("line");
        const WindowFixture f;
        for (const QAction* action : menuActions(*f.window))
            if (const QStringList parts = action->text().remove('&').split('\t'); parts.size() == 2)
                QTest::newRow(qPrintable(parts[0])) << parts[0];
    }
    void keysThatOnlyTheGraphKnows()
    {
        QFETCH(const QString, line);
        const auto found = graphKeys.find(line);
        QVERIFY2(found != graphKeys.end(), "a menu shows a key that no test presses");
        QVERIFY(found->second(shared()));
    }

    void cleanupTestCase() { m_shared.reset(); }

private:
    // One window for many lines, with something to undo and to do again.
    Gestures& shared()
    {
        if (m_shared) {
            m_shared->takeKeyboard();
            return *m_shared;
        }
        m_shared = std::make_unique<Gestures>();
        for (int i = 0; i < 2; ++i)
            m_shared->document().addBoundary(m_shared->boundary(0) / 2);
        m_shared->document().undoStack().undo();
        if (!m_shared->settle())
            qFatal("the plan does not settle");
        return *m_shared;
    }

    std::unique_ptr<Gestures> m_shared;
};

QTEST_MAIN(TestKeySheet)
#include "tst_key_sheet.moc"
