#include "views/graph/boundary_drag_controller.h"

#include "graph_sample.h"
#include "tests/views/view_test.h"

#include <QGraphicsView>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

// Without the graph's own view: a plain one that shows nothing.
class TestBoundaryDragController : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_paint = sample::openPaint();
        m_view.setSceneRect(0, 0, 100, m_paint.layout->size.height);
        m_view.resize(400, 300);
    }

    void itGoesWhereItMayAndIsDropped()
    {
        BoundaryDragController drag(&m_view, m_paint);
        const std::size_t start = m_paint.boundaryPositions[1];
        drag.setLegalPositions([&](BoundaryId) { return std::vector{start, start + 2}; });
        QSignalSpy dragged(&drag, &BoundaryDragController::dragged);
        QSignalSpy dropped(&drag, &BoundaryDragController::dropped);
        drag.start(BoundaryId(1), 0);
        QVERIFY(!drag.hasMoved());
        drag.moveTo(pixelOf(start + 3), Qt::AltModifier);
        QVERIFY(drag.hasMoved());
        QCOMPARE(drag.positionOf(BoundaryId(1)), start + 2);
        QCOMPARE(drag.positionOf(BoundaryId(0)), m_paint.boundaryPositions[0]);
        QCOMPARE(dragged.count(), 1);
        drag.drop();
        QVERIFY(!drag.isDragging());
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), start + 2);
    }

    void aDropWhereItBeganIsNone()
    {
        BoundaryDragController drag(&m_view, m_paint);
        QSignalSpy dropped(&drag, &BoundaryDragController::dropped);
        QSignalSpy cancelled(&drag, &BoundaryDragController::cancelled);
        drag.start(BoundaryId(0), 0);
        drag.drop();
        QCOMPARE(dropped.count(), 0);
        QCOMPARE(cancelled.count(), 1);
    }

    void whatIsGivenUpIsToldOnce()
    {
        BoundaryDragController drag(&m_view, m_paint);
        QSignalSpy cancelled(&drag, &BoundaryDragController::cancelled);
        drag.cancel();
        QCOMPARE(cancelled.count(), 0);
        drag.start(BoundaryId(0), 0);
        drag.moveTo(pixelOf(m_paint.boundaryPositions[0] + 2), Qt::AltModifier);
        drag.cancel();
        drag.cancel();
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(drag.positionOf(BoundaryId(0)), m_paint.boundaryPositions[0]);
    }

private:
    QPoint pixelOf(std::size_t position) const
    {
        return {50, m_view.mapFromScene(QPointF(0, positionY(*m_paint.layout, position))).y()};
    }

    QGraphicsView m_view;
    GraphPaint m_paint;
};

QTEST_MAIN(TestBoundaryDragController)
#include "tst_boundary_drag_controller.moc"
