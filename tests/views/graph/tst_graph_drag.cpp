// Drags in the graph: of boundaries, and of ops and boxes to another stage.
#include "graph_fixture.h"
#include "tests/views/view_test.h"

#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;
using sample::GraphFixture;

class TestGraphDrag : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void draggingAHandleSnapsAndDropsOnce()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[1].y);
        QSignalSpy dragged(&f.view, &GraphView::boundaryDragged);
        QSignalSpy dropped(&f.view, &GraphView::boundaryDropped);
        const auto layout = f.view.graphLayout();
        f.dragHandle(BoundaryId(1), 160);
        QCOMPARE(f.view.draggedBoundary(), BoundaryId(1));
        QCOMPARE(f.selection.boundary(), BoundaryId(1));
        QVERIFY(dragged.count() >= 1);
        QCOMPARE(dropped.count(), 0);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {},
                            f.view.boundaryHandle(BoundaryId(1))->center());
        QCOMPARE(dropped.count(), 1);
        const auto position = dropped[0][1].value<std::size_t>();
        QVERIFY(position > f.layout().boundaries[1].position);
        QCOMPARE(dragged.last()[1].value<std::size_t>(), position);
        QCOMPARE(argumentOf<BoundaryId>(dropped[0][0]), BoundaryId(1));
        QVERIFY(!f.view.draggedBoundary());
        QCOMPARE(f.view.graphLayout(), layout); // nothing was laid out
    }

    void aDragGoesOnlyToLegalPlaces()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[0].y);
        const std::size_t start = f.layout().boundaries[0].position;
        f.view.setLegalPositions([&](BoundaryId boundary) {
            return boundary == BoundaryId(0) ? std::vector{start - 3, start, start + 2} : std::vector{start};
        });
        QSignalSpy dragged(&f.view, &GraphView::boundaryDragged);
        f.dragHandle(BoundaryId(0), 300, Qt::AltModifier);
        f.dragHandle(BoundaryId(0), -300, Qt::AltModifier);
        for (const auto& arguments : dragged) {
            const auto position = arguments[1].value<std::size_t>();
            QVERIFY2(position == start - 3 || position == start || position == start + 2, "an illegal place");
        }
        QVERIFY(dragged.count() >= 1);
        QTest::keyClick(&f.view, Qt::Key_Escape);
    }

    void escapeAborts()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[1].y);
        QSignalSpy dropped(&f.view, &GraphView::boundaryDropped);
        QSignalSpy cancelled(&f.view, &GraphView::dragCancelled);
        const QRect before = *f.view.boundaryHandle(BoundaryId(1));
        f.dragHandle(BoundaryId(1), 150);
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(*f.view.boundaryHandle(BoundaryId(1)), before);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, before.center());
        QCOMPARE(dropped.count(), 0);
    }

    void anotherButtonDoesNotDisturbADrag()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[1].y);
        QSignalSpy dropped(&f.view, &GraphView::boundaryDropped);
        f.dragHandle(BoundaryId(1), 150);
        const QPoint here = f.view.boundaryHandle(BoundaryId(1))->center();
        QTest::mousePress(f.view.viewport(), Qt::MiddleButton, {}, here);
        QTest::mouseRelease(f.view.viewport(), Qt::MiddleButton, {}, here);
        QCOMPARE(f.view.draggedBoundary(), BoundaryId(1));
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, here);
        QCOMPARE(dropped.count(), 1);
        QVERIFY(!f.view.draggedBoundary());
    }

    void aClickOnAHandleOnlyChoosesIt()
    {
        GraphFixture f;
        f.scrollTo(f.layout().boundaries[0].y);
        QSignalSpy dragged(&f.view, &GraphView::boundaryDragged);
        QSignalSpy dropped(&f.view, &GraphView::boundaryDropped);
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {},
                          f.view.boundaryHandle(BoundaryId(0))->center());
        QCOMPARE(f.selection.boundary(), BoundaryId(0));
        QCOMPARE(dragged.count() + dropped.count(), 0);
    }

    void anOpIsDraggedOverALineToAnotherStage()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[0].y);
        const NodeId last = f.tree->order[f.layout().boundaries[0].position - 1];
        QSignalSpy dragged(&f.view, &GraphView::boxesDragged);
        QSignalSpy dropped(&f.view, &GraphView::boxesDropped);
        const QPoint from = f.view.itemCenter(*f.layout().itemOf[last]);
        const QPoint below = f.below(BoundaryId(0));
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), from + QPoint(0, 15)); // still in its own stage
        QVERIFY(f.view.boxDrag());
        QVERIFY(!f.view.boxDrag()->card(f.plan).stage);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(f.view.viewport(), from + (below - from) * step / 4);
        QCOMPARE(argumentOf<StageId>(dragged.last()[1]), StageId(1));
        QCOMPARE(argumentOf<std::vector<NodeId>>(dragged.last()[0]), std::vector{last});
        QCOMPARE(dragged.count(), 2); // once for each stage, however often the mouse moves
        QCOMPARE(dropped.count(), 0);
        f.view.viewport()->grab();
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, below);
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(argumentOf<std::vector<NodeId>>(dropped[0][0]), std::vector{last});
        QCOMPARE(argumentOf<StageId>(dropped[0][1]), StageId(1));
        QVERIFY(!f.view.boxDrag());
        QCOMPARE(f.selection.nodes(), std::vector{last});
    }

    void whatIsSelectedIsDraggedWithIt()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[0].y);
        const NodeId last = f.tree->order[f.layout().boundaries[0].position - 1];
        f.selection.setNodes({NodeId(0), last});
        QSignalSpy dropped(&f.view, &GraphView::boxesDropped);
        const QPoint from = f.view.itemCenter(*f.layout().itemOf[last]);
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), f.below(BoundaryId(0)));
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, f.below(BoundaryId(0)));
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(argumentOf<std::vector<NodeId>>(dropped[0][0]), (std::vector{NodeId(0), last}));
    }

    void aDragOfAnOpIsGivenUpByEscapeAndByDroppingItAtHome()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[0].y);
        const ItemId item = *f.layout().itemOf[f.tree->order[f.layout().boundaries[0].position - 1]];
        const QPoint from = f.view.itemCenter(item);
        QSignalSpy dropped(&f.view, &GraphView::boxesDropped);
        QSignalSpy cancelled(&f.view, &GraphView::dragCancelled);
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), f.below(BoundaryId(0)));
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(!f.view.boxDrag());
        QCOMPARE(cancelled.count(), 1);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, f.below(BoundaryId(0)));
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), f.below(BoundaryId(0)));
        QTest::mouseMove(f.view.viewport(), from);
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from);
        QCOMPARE(cancelled.count(), 2);
        QCOMPARE(dropped.count(), 0);
        QCOMPARE(f.view.itemCenter(item), from); // nothing scrolled
    }

    void aDragThatIsRefusedSaysWhy()
    {
        GraphFixture f;
        f.view.actualSize();
        f.scrollTo(f.layout().boundaries[0].y);
        connect(&f.view, &GraphView::boxesDragged, &f.view, [&] { f.view.refuseBoxDrag("it is pinned"); });
        const ItemId item = *f.layout().itemOf[f.tree->order[f.layout().boundaries[0].position - 1]];
        const QPoint from = f.view.itemCenter(item);
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), f.below(BoundaryId(0)));
        const DragCard card = f.view.boxDrag()->card(f.plan);
        QVERIFY(card.isRefused);
        QCOMPARE(card.lines, QStringList("it is pinned"));
        QCOMPARE(f.view.viewport()->cursor().shape(), Qt::ForbiddenCursor);
        QTest::keyClick(&f.view, Qt::Key_Escape);
    }

    void withoutBoundariesADragPans()
    {
        GraphFixture f(1);
        f.view.actualSize();
        f.scrollTo(f.layout().size.height / 2);
        const ItemId item = f.itemOf(12);
        f.scrollTo(f.layout().items[item].rect.y);
        const QPoint from = f.view.itemCenter(item);
        QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(f.view.viewport(), from + QPoint(0, -60));
        QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from + QPoint(0, -60));
        QCOMPARE(f.view.itemCenter(item).y(), from.y() - 60);
    }
};

QTEST_MAIN(TestGraphDrag)
#include "tst_graph_drag.moc"
