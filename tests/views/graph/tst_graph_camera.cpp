#include "views/graph/graph_camera.h"

#include "graph_sample.h"
#include "views/graph/graph_scene.h"

#include <QGraphicsView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestGraphCamera : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_paint = {};
        m_paint.plan = sample::plan(4, 4);
        m_tree = sample::treeOf(m_paint.plan);
        m_view.setScene(&m_scene);
        m_view.setFrameShape(QFrame::NoFrame);
        m_view.setTransformationAnchor(QGraphicsView::NoAnchor);
        m_view.resize(600, 400);
        m_view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_view));
        m_camera.forget();
        show(fullExpansion(*m_tree));
    }

    // Until somebody touches it, each drawing is shown from its top.
    void aNewDrawingIsShownFromItsTop()
    {
        const QPoint top = m_view.mapFromScene(QPointF(0, 0));
        QVERIFY(top.y() >= 0 && top.y() < 60);
        QVERIFY(m_camera.zoom() >= 0.55 && m_camera.zoom() <= 0.85);
    }

    void zoomingKeepsWhatIsUnderThePointer()
    {
        const QPoint pointer(200, 150);
        const QPointF before = m_view.mapToScene(pointer);
        m_camera.zoomBy(2, pointer);
        QVERIFY(QLineF(m_view.mapFromScene(before), pointer).length() <= 2);
        m_camera.zoomBy(1e6, pointer);
        QCOMPARE(m_camera.zoom(), 4.0);
        m_camera.zoomBy(1e-9, pointer);
        QCOMPARE(m_camera.zoom(), 0.01);
    }

    void whatIsAllInSightHasNoScrollBars()
    {
        const auto barsInSight = [this] {
            return int(m_view.horizontalScrollBar()->isVisible()) +
                   int(m_view.verticalScrollBar()->isVisible());
        };
        m_camera.zoomBy(4, {100, 100});
        QCOMPARE(barsInSight(), 2);
        m_camera.fitAll();
        QCOMPARE(barsInSight(), 0);
        const Size size = m_paint.layout->size;
        const QRect shown = m_view.mapFromScene(QRectF(0, 0, size.width, size.height)).boundingRect();
        QVERIFY(m_view.viewport()->rect().contains(shown));
        m_camera.zoomBy(4, {100, 100});
        QCOMPARE(barsInSight(), 2);
    }

    void aBoxThatIsClosedStaysWhereItWas()
    {
        m_camera.zoomBy(1 / m_camera.zoom(), {0, 0});
        const ItemId box = openBox();
        m_camera.scrollTo(toRect(m_paint.layout->items[box].rect));
        const QPoint before = cornerOf(box);
        Expansion expansion = m_paint.layout->expansion;
        expansion.close(*m_tree, *m_paint.layout->items[box].box);
        const GroupId group = m_tree->boxes[*m_paint.layout->items[box].box].group;
        m_camera.pinBox(box);
        show(expansion);
        for (const ItemId id : m_paint.layout->items.ids()) {
            const auto& now = m_paint.layout->items[id].box;
            if (now && m_tree->boxes[*now].group == group)
                QVERIFY(QLineF(cornerOf(id), before).length() <= 2);
        }
    }

    // What was pinned may lie in another line, far to the right; the stages begin where they did.
    void theLeftEdgeOfAPageStays()
    {
        Layout page = *m_paint.layout;
        page.page = PageShape{};
        const auto leftEdge = [this] { return m_view.mapFromScene(QPointF(0, 0)).x(); };
        showLayout(page);
        m_camera.touch();
        for (const bool drops : {false, true}) {
            const int before = leftEdge();
            for (const ItemId id : page.items.ids())
                page.items[id].rect.x += 70;
            drops ? m_camera.pinBoundary(BoundaryId(1), m_paint.boundaryPositions[1]) : m_camera.pinCenter();
            showLayout(page);
            QCOMPARE(leftEdge(), before);
        }
    }

    // A person fitted it: it stays fitted where a message takes room above it, and for a page of more lines.
    void whatWasFittedStaysSo()
    {
        Layout page = *m_paint.layout;
        page.page.emplace();
        showLayout(page);
        m_camera.fitAll();
        const auto isAllInSight = [&] {
            const Size size = m_paint.layout->size;
            return m_view.viewport()->rect().contains(
                m_view.mapFromScene(QRectF(0, 0, size.width, size.height)).boundingRect());
        };
        const double zoom = m_camera.zoom();
        const auto resizeTo = [&](int height) {
            const QSize before = m_view.viewport()->size();
            m_view.resize(600, height);
            m_camera.takeSize(before);
        };
        resizeTo(300);
        QVERIFY(isAllInSight());
        resizeTo(400);
        QVERIFY(isAllInSight());
        QVERIFY(std::abs(m_camera.zoom() - zoom) < 0.001);
        Layout larger = page;
        larger.size.height *= 1.5;
        m_camera.pinCenter();
        showLayout(larger);
        QVERIFY(isAllInSight());
        m_camera.pinCenter();
        showLayout(page);
        QVERIFY(std::abs(m_camera.zoom() - zoom) < 0.001);
        m_camera.zoomBy(1.5, {100, 100}); // what a person chose stays
        const double chosen = m_camera.zoom();
        resizeTo(300);
        m_camera.pinCenter();
        showLayout(larger);
        QCOMPARE(m_camera.zoom(), chosen);
    }

    void allOfATallDrawingFits()
    {
        Layout tall = *m_paint.layout;
        tall.size.height = 90'000;
        showLayout(tall);
        m_camera.fitAll();
        const QRect shown = m_view.mapFromScene(QRectF(0, 0, 10, tall.size.height)).boundingRect();
        QVERIFY2(shown.top() >= 0 && shown.bottom() <= m_view.viewport()->height(),
                 qPrintable(QString("%1 to %2").arg(shown.top()).arg(shown.bottom())));
        const double fitted = m_camera.zoom();
        m_camera.zoomBy(1e-9, {100, 100});
        QCOMPARE(m_camera.zoom(), fitted);
    }

    void whatIsLookedForCanBeRead()
    {
        const auto rectOf = [this](ItemId id) { return toRect(m_paint.layout->items[id].rect); };
        const auto isInSight = [this](const QRectF& rect) {
            return m_view.viewport()->rect().contains(m_view.mapFromScene(rect).boundingRect());
        };
        const QRectF op = rectOf(*m_paint.layout->itemOf[m_paint.layout->tree->order.back()]);
        m_camera.zoomBy(0.1, {100, 100});
        m_camera.showReadably(op);
        QVERIFY2(m_camera.zoom() >= 0.55 && isInSight(op), qPrintable(QString::number(m_camera.zoom())));
        m_camera.zoomBy(3, {100, 100}); // what a person chose, where it can be read
        const double chosen = m_camera.zoom();
        m_camera.showReadably(op);
        QCOMPARE(m_camera.zoom(), chosen);
        QVERIFY(isInSight(op));
        const QRectF all(0, 0, m_paint.layout->size.width, m_paint.layout->size.height);
        m_camera.fitAll();
        const double fitted = m_camera.zoom();
        m_camera.showReadably(all); // it has no room at another scale
        QVERIFY(m_camera.zoom() <= fitted);
    }

    void aPlaceIsComeBackTo()
    {
        m_camera.zoomBy(1.7, {100, 100});
        m_camera.panBy({-40, -300});
        const GraphPlace place = m_camera.place();
        QVERIFY(place.anchor);
        const ItemId anchor = *m_paint.layout->itemOf[*place.anchor];
        const QPoint before = cornerOf(anchor);
        m_camera.fitAll();
        QVERIFY(QLineF(cornerOf(anchor), before).length() > 20);
        m_camera.show(place);
        QCOMPARE(m_camera.zoom(), place.zoom);
        QVERIFY(QLineF(cornerOf(anchor), before).length() <= 1);
        Layout other = *m_paint.layout;
        for (const ItemId id : other.items.ids())
            other.items[id].rect.y += 50;
        m_camera.fitAll();
        showLayout(other);
        m_camera.show(place);
        QVERIFY(QLineF(cornerOf(anchor), before).length() <= 1);
    }

private:
    void showLayout(const Layout& layout)
    {
        m_paint.setLayout(std::make_shared<const Layout>(layout));
        m_paint.markPlan(Lines::Move);
        m_scene.rebuild();
        m_camera.takeDrawing();
    }
    void show(const Expansion& expansion)
    {
        m_camera.pinCenter();
        showLayout(*sample::layoutOf(m_paint.plan, m_tree, expansion));
    }
    ItemId openBox() const
    {
        for (const ItemId id : m_paint.layout->items.ids())
            if (m_paint.layout->items[id].kind == ItemKind::OpenBox && m_paint.layout->items[id].first > 0)
                return id;
        qFatal("no box is open");
    }
    QPoint cornerOf(ItemId id) const
    {
        return m_view.mapFromScene(
            QPointF(m_paint.layout->items[id].rect.x, m_paint.layout->items[id].rect.y));
    }

    GraphPaint m_paint;
    std::shared_ptr<const RunTree> m_tree;
    GraphScene m_scene{m_paint};
    QGraphicsView m_view;
    GraphCamera m_camera{&m_view, &m_scene, m_paint};
};

QTEST_MAIN(TestGraphCamera)
#include "tst_graph_camera.moc"
