#include "views/graph/graph_view.h"

#include "graph_fixture.h"
#include "tests/views/view_test.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;
using sample::GraphFixture;

namespace {

void sendWheel(GraphView& view, QPoint position, int delta, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(position, view.viewport()->mapToGlobal(position), QPoint(), QPoint(0, delta),
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &event);
}

} // namespace

class TestGraphView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    // Smaller than a scroll bar is wide: bars that came and went with the room beside them never ended.
    void aDrawingThatIsTinyComesToRest()
    {
        for (const bool isOpen : {false, true}) {
            GraphFixture f(4, isOpen);
            for (const double zoom : {0.0, 0.01, 0.02, 0.03, 0.05}) {
                if (zoom > 0)
                    f.view.zoomBy(zoom / f.view.zoom(), QPoint(30, 20));
                for (int size = 20; size < 900; size += 37) {
                    f.view.resize(size, 920 - size);
                    QCoreApplication::processEvents();
                }
                QVERIFY(f.view.zoom() > 0);
            }
        }
    }

    void aClickSelectsAndAnotherElsewhereDoesNot()
    {
        GraphFixture f;
        f.view.actualSize();
        const Rect& rect = f.layout().items[f.itemOf(1)].rect;
        f.scrollTo(rect.y);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, f.view.itemCenter(f.itemOf(1)));
        QCOMPARE(f.selection.nodes(), std::vector{NodeId(1)});
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                          f.view.itemCenter(f.itemOf(2)));
        QCOMPARE(f.selection.nodes(), (std::vector{NodeId(1), NodeId(2)}));
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, QPoint(f.view.viewport()->width() - 5, 200));
        QCOMPARE(f.selection.nodes().size(), 0u);
    }

    // A drawing that nobody has touched yet is fitted as it comes, also where Ctrl+E was pressed meanwhile.
    void aModifierAloneTouchesNothing()
    {
        GraphFixture f;
        QSignalSpy rooms(&f.view, &GraphView::roomChanged);
        for (const Qt::Key key : {Qt::Key_Control, Qt::Key_Shift, Qt::Key_Alt, Qt::Key_Meta})
            QTest::keyClick(&f.view, key);
        f.view.resize(800, 650);
        QTRY_VERIFY(!rooms.isEmpty());
        rooms.clear();
        QTest::keyClick(&f.view, Qt::Key_Down);
        f.view.resize(900, 700);
        QTest::qWait(50);
        QVERIFY(rooms.isEmpty());
    }

    void hoverIsShared()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().items[f.itemOf(3)].rect.y);
        QSignalSpy spy(&f.selection, &Selection::hoveredChanged);
        QTest::mouseMove(f.view.viewport(), f.view.itemCenter(f.itemOf(3)));
        QTRY_COMPARE(f.selection.hovered(), NodeId(3));
        QVERIFY(spy.count() >= 1);
        QTest::mouseMove(f.view.viewport(), QPoint(f.view.viewport()->width() - 3, 5));
        QTRY_VERIFY(!f.selection.hovered());
    }

    void whatIsNotLookedForFades()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().items[f.itemOf(1)].rect.y);
        const QImage before = f.view.viewport()->grab().toImage();
        f.view.setMatches(std::vector{NodeId(1)});
        const QImage after = f.view.viewport()->grab().toImage();
        const auto hasChanged = [&](ItemId item) {
            const QRect around(f.view.itemCenter(item) - QPoint(20, 10), QSize(40, 20));
            return before.copy(around) != after.copy(around);
        };
        QVERIFY(!hasChanged(f.itemOf(1)));
        QVERIFY(hasChanged(f.itemOf(2)));
        f.view.setMatches({});
        QVERIFY(before == f.view.viewport()->grab().toImage());
    }

    void theLineFollowsAPartitionFromElsewhere()
    {
        GraphFixture f;
        f.scrollTo(f.layout().boundaries[0].y);
        const int before = f.view.boundaryHandle(BoundaryId(0))->center().y();
        Partition moved = *f.plan.partition;
        moved.stageOf[f.tree->order[f.layout().boundaries[0].position]] = StageId(0);
        f.view.setPlan(sample::withPartition(f.plan, std::make_shared<const Partition>(moved)));
        QVERIFY(f.view.boundaryHandle(BoundaryId(0))->center().y() > before);
    }

    void aDoubleClickOpensAndClosesAndWhatWasClickedStays()
    {
        GraphFixture f(1, false);
        QSignalSpy requested(&f.view, &GraphView::expansionRequested);
        std::optional<ItemId> closed;
        for (const ItemId id : f.layout().items.ids())
            if (f.layout().items[id].kind == ItemKind::ClosedBox)
                closed = id;
        QVERIFY(closed.has_value());
        const Rect rect = f.layout().items[*closed].rect;
        const BoxId box = *f.layout().items[*closed].box;
        const QPoint corner = f.view.mapFromScene(QPointF(rect.x, rect.y));
        QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, f.view.itemCenter(*closed));
        QCOMPARE(requested.count(), 1);
        const auto expansion = argumentOf<Expansion>(requested[0][0]);
        QVERIFY(expansion.isOpen(*f.tree, box));
        f.view.setGraphLayout(sample::layoutOf(f.plan, f.tree, expansion));
        const Rect& opened = f.layout().items[*f.layout().itemOfBox[box]].rect;
        QVERIFY(opened.height > rect.height);
        const QPoint moved = f.view.mapFromScene(QPointF(opened.x, opened.y)) - corner;
        QVERIFY2(std::abs(moved.y()) <= 2, "the box must stay where it was on the screen");
        QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {},
                           f.view.mapFromScene(QPointF(opened.x + 60, opened.y + 12)));
        QCOMPARE(requested.count(), 2);
        QVERIFY(!argumentOf<Expansion>(requested[1][0]).isOpen(*f.tree, box));
    }

    void everythingOpensAndCloses()
    {
        GraphFixture f;
        QSignalSpy requested(&f.view, &GraphView::expansionRequested);
        f.view.expandAll();
        f.view.collapseAll();
        QCOMPARE(requested.count(), 2);
        QCOMPARE(argumentOf<Expansion>(requested[0][0]), fullExpansion(*f.tree));
        QCOMPARE(argumentOf<Expansion>(requested[1][0]), Expansion());
    }

    void theWheelScrollsAndZoomsAtThePointer()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().size.height / 2);
        const int before = f.view.verticalScrollBar()->value();
        sendWheel(f.view, QPoint(300, 300), -120);
        QVERIFY(f.view.verticalScrollBar()->value() > before);
        const QPointF fixed = f.view.mapToScene(QPoint(300, 300));
        sendWheel(f.view, QPoint(300, 300), 120, Qt::ControlModifier);
        QVERIFY(f.view.zoom() > 1.1);
        const QPointF now = f.view.mapToScene(QPoint(300, 300));
        QVERIFY2(std::abs(now.y() - fixed.y()) < 2, "what is under the pointer stays there");
    }

    void draggingNothingPans()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().size.height / 2);
        for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
            const int before = f.view.verticalScrollBar()->value();
            const QPoint from(f.view.viewport()->width() - 6, 300);
            QTest::mousePress(f.view.viewport(), button, {}, from);
            QTest::mouseMove(f.view.viewport(), from - QPoint(0, 40));
            QTest::mouseMove(f.view.viewport(), from - QPoint(0, 80));
            QTest::mouseRelease(f.view.viewport(), button, {}, from - QPoint(0, 80));
            QCOMPARE(f.view.verticalScrollBar()->value(), before + 80);
        }
    }

    void shiftDragSelectsAnArea()
    {
        GraphFixture f;
        f.view.fitAll();
        const QPoint from = f.view.mapFromScene(QPointF(0, 0));
        const QPoint to = f.view.mapFromScene(QPointF(f.layout().size.width, f.layout().size.height));
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(f.view.viewport(), (from + to) / 2);
        QTest::mouseMove(f.view.viewport(), to);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
        QCOMPARE(f.selection.nodes().size(), f.plan.graph->nodeCount());
    }

    void arrowsWalkAndBracketsChoose()
    {
        GraphFixture f;
        f.selection.setNodes({NodeId(0)});
        QTest::keyClick(&f.view, Qt::Key_Down);
        QCOMPARE(f.selection.nodes().size(), 1u);
        QVERIFY(f.selection.nodes().front() > NodeId(0));
        QTest::keyClick(&f.view, Qt::Key_Up);
        QCOMPARE(f.selection.nodes(), std::vector{NodeId(0)});
        QTest::keyClick(&f.view, Qt::Key_Period);
        QCOMPARE(f.selection.nodes(), std::vector{NodeId(1)});
        f.view.chooseBoundary(1);
        QCOMPARE(f.selection.boundary(), BoundaryId(0));
        f.view.chooseBoundary(-1);
        QCOMPARE(f.selection.boundary(), BoundaryId(2));
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(!f.selection.boundary());
    }

    void aChosenBoundaryIsMovedByKeys_data()
    {
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("step");
        QTest::newRow("one place") << int(Qt::NoModifier) << int(BoundaryStep::OnePlace);
        QTest::newRow("a module") << int(Qt::ShiftModifier) << int(BoundaryStep::OneModule);
        QTest::newRow("the best") << int(Qt::ControlModifier) << int(BoundaryStep::BestNearby);
    }

    void aChosenBoundaryIsMovedByKeys()
    {
        QFETCH(int, modifiers);
        QFETCH(int, step);
        GraphFixture f;
        f.selection.setBoundary(BoundaryId(1));
        QSignalSpy moved(&f.view, &GraphView::boundaryMoveRequested);
        QTest::keyClick(&f.view, Qt::Key_Down, Qt::KeyboardModifiers(modifiers));
        QTest::keyClick(&f.view, Qt::Key_Up, Qt::KeyboardModifiers(modifiers));
        QCOMPARE(moved.count(), 2);
        QCOMPARE(argumentOf<StageDirection>(moved[0][1]), StageDirection::Next);
        QCOMPARE(argumentOf<StageDirection>(moved[1][1]), StageDirection::Previous);
        QCOMPARE(int(argumentOf<BoundaryStep>(moved[0][2])), step);
    }

    void keysOfActionsAreLeftToTheWindow()
    {
        GraphFixture f;
        QSignalSpy split(&f.view, &GraphView::splitRequested);
        QSignalSpy moved(&f.view, &GraphView::boundaryMoveRequested);
        f.selection.setNodes({NodeId(5), NodeId(6)});
        f.selection.setBoundary(BoundaryId(1));
        QTest::keyClick(&f.view, Qt::Key_S);
        QTest::keyClick(&f.view, Qt::Key_Delete);
        QTest::keyClick(&f.view, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(split.count() + moved.count(), 0);
        QCOMPARE(f.selection.nodes(), (std::vector{NodeId(5), NodeId(6)}));
    }

    void aDoubleClickInTheGutterSplits()
    {
        GraphFixture f(1);
        f.view.actualSize();
        QSignalSpy split(&f.view, &GraphView::splitRequested);
        const Rect& rect = f.layout().items[f.itemOf(2)].rect;
        f.scrollTo(rect.y);
        const int y = f.view.mapFromScene(QPointF(0, f.layout().placeY[2])).y();
        QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, QPoint(10, y));
        QCOMPARE(split.count(), 1);
        const auto position = split[0][0].value<std::size_t>();
        QVERIFY2(position == 2 || position == 3, qPrintable(QString::number(position)));
    }

    void revealOpensAndScrolls()
    {
        GraphFixture f(1, false);
        QSignalSpy requested(&f.view, &GraphView::expansionRequested);
        const NodeId deep = f.tree->order[f.tree->order.size() - 3];
        f.selection.reveal({deep});
        QCOMPARE(requested.count(), 1);
        f.view.setGraphLayout(sample::layoutOf(f.plan, f.tree, argumentOf<Expansion>(requested[0][0])));
        const ItemId item = *f.layout().itemOf[deep];
        QVERIFY(f.layout().items[item].kind == ItemKind::Op);
        QVERIFY(f.view.viewport()->rect().contains(f.view.itemCenter(item)));
    }

    void fitShowsAllAndTheSelection()
    {
        GraphFixture f;
        f.view.fitAll();
        const QRect shown =
            f.view.mapFromScene(QRectF(0, 0, f.layout().size.width, f.layout().size.height)).boundingRect();
        QVERIFY(f.view.viewport()->rect().adjusted(-2, -2, 2, 2).contains(shown));
        f.selection.setNodes({NodeId(4)});
        f.view.fitSelection();
        QVERIFY(f.view.viewport()->rect().contains(f.view.itemCenter(f.itemOf(4))));
        QVERIFY(f.view.zoom() > 1);
        f.view.actualSize();
        QCOMPARE(f.view.zoom(), 1.0);
    }

    void operatorsChangeColourWhileABoundaryMoves()
    {
        GraphFixture f(2);
        f.view.actualSize();
        const std::size_t position = f.layout().boundaries[0].position;
        const NodeId moving = f.tree->order[position];
        const Rect& rect = f.layout().items[*f.layout().itemOf[moving]].rect;
        f.scrollTo(rect.y);
        const QPoint stripe = f.view.mapFromScene(QPointF(rect.x + 2, rect.centerY()));
        const auto colour = [&] { return f.view.viewport()->grab().toImage().pixelColor(stripe); };
        const QColor before = colour();
        Partition moved = *f.plan.partition;
        moved.stageOf[moving] = StageId(0);
        f.view.setPlan(sample::withPartition(f.plan, std::make_shared<const Partition>(moved)));
        QVERIFY(colour() != before);
    }

    void twoPicturesOfOneStateAreEqual()
    {
        GraphFixture f;
        for (const double zoom : {0.04, 0.1, 0.3, 0.6, 1.0, 2.0}) {
            f.view.zoomBy(zoom / f.view.zoom(), QPoint(300, 300));
            QCOMPARE(f.view.grab().toImage(), f.view.grab().toImage());
        }
    }

    void anotherModelDropsTheOldLayout()
    {
        GraphFixture f;
        f.view.setPlan(sample::plan(2, 2));
        QVERIFY(!f.view.graphLayout());
        QVERIFY(!f.view.boundaryHandle(BoundaryId(0)));
        f.view.grab();
        f.view.setPlan({});
        f.view.grab();
        f.view.fitSelection();
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, QPoint(300, 300));
    }

    void changingTheThemeRepaints()
    {
        GraphFixture f;
        const QColor before = f.view.viewport()->grab().toImage().pixelColor(300, 3);
        f.view.setPalette(darkPalette());
        QVERIFY(f.view.viewport()->grab().toImage().pixelColor(300, 3).lightness() < before.lightness());
    }
};

QTEST_MAIN(TestGraphView)
#include "tst_graph_view.moc"
