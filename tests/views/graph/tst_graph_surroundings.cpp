// Nobody gets lost in a graph: the strip beside it, the crumbs over it, what follows a selection and what
// does not, and edges for those who have no mouse.
#include "graph_fixture.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"
#include "views/graph/graph_tooltip.h"

#include <QContextMenuEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace stagecraft;
using stagecraft::sample::GraphFixture;

class TestGraphSurroundings : public QObject
{
    Q_OBJECT

private slots:
    void theStripGoesWhereItIsClicked()
    {
        GraphFixture f;
        f.view.zoomBy(1.5 / f.view.zoom(), {0, 0});
        f.view.goTo(0);
        QTest::qWait(20);
        GraphStrip* strip = f.view.strip();
        QVERIFY(!strip->accessibleName().isEmpty());
        const QRect before = strip->shownFrame();
        QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(20, strip->height() - 3));
        QTest::qWait(20);
        QVERIFY2(strip->shownFrame().top() > before.top(), "the frame goes where the graph goes");
        QVERIFY(sees(f, f.tree->order.back()));
        QTest::keyClick(strip, Qt::Key_Home);
        QTest::qWait(20);
        QVERIFY(sees(f, f.tree->order.front()));
        QVERIFY(strip->accessibleDescription().contains(QStringLiteral("shows ops 1 to")));
    }

    void theFrameOfTheStripIsDragged()
    {
        GraphFixture f;
        f.view.zoomBy(1.5 / f.view.zoom(), {0, 0});
        f.view.goTo(0);
        QTest::qWait(20);
        GraphStrip* strip = f.view.strip();
        const int top = strip->shownFrame().top();
        const QPoint grip(20, strip->shownFrame().center().y());
        QTest::mousePress(strip, Qt::LeftButton, {}, grip);
        QTest::mouseMove(strip, grip + QPoint(0, strip->height() / 2));
        QTest::mouseRelease(strip, Qt::LeftButton, {}, grip + QPoint(0, strip->height() / 2));
        QTest::qWait(20);
        QVERIFY(strip->shownFrame().top() > top);
    }

    void aBoundaryIsDraggedInTheStrip()
    {
        GraphFixture f;
        QSignalSpy dropped(&f.view, &GraphView::boundaryDropped);
        GraphStrip* strip = f.view.strip();
        const std::size_t from = f.layout().boundaries[0].position;
        const QPoint grip(20, strip->yOf(from));
        QTest::mousePress(strip, Qt::LeftButton, {}, grip);
        const QPoint next(20, strip->yOf(from + 1) + 1);
        QTest::mouseMove(strip, next);
        QTest::mouseRelease(strip, Qt::LeftButton, {}, next);
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped[0][1].value<std::size_t>(), from + 1);
    }

    void aRightClickInTheStripActsOnWhatIsUnderIt()
    {
        GraphFixture f;
        QSignalSpy menus(&f.view, &GraphView::menuRequested);
        GraphStrip* strip = f.view.strip();
        const auto rightClick = [&](int y) {
            const QPoint at(20, y);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, strip->mapToGlobal(at));
            QApplication::sendEvent(strip, &event);
        };
        const auto subject = [&] { return menus.takeFirst()[0].value<GraphView::MenuSubject>(); };
        const std::size_t boundary = f.layout().boundaries[0].position;
        rightClick(strip->yOf(boundary));
        QCOMPARE(menus.count(), 1);
        QCOMPARE(subject(), GraphView::MenuSubject::Boundary);
        QCOMPARE(f.selection.boundary(), std::optional(BoundaryId(0)));
        QVERIFY(f.selection.nodes().empty());
        rightClick(strip->height() - 1); // the last op's row
        QCOMPARE(menus.count(), 1);
        QCOMPARE(subject(), GraphView::MenuSubject::Ops);
        QVERIFY(!f.selection.boundary());
        QCOMPARE(f.selection.nodes(), std::vector{f.tree->order.back()});
    }

    void escapeInTheStripIsTheWindowsUnlessALineIsDragged()
    {
        GraphFixture f;
        GraphStrip* strip = f.view.strip();
        const auto isUsed = [&] {
            QKeyEvent press(QEvent::KeyPress, Qt::Key_Escape, {});
            static_cast<QObject*>(strip)->event(&press); // not to the widgets around it
            return press.isAccepted();
        };
        QVERIFY(!isUsed());
        QSignalSpy cancelled(&f.view, &GraphView::dragCancelled);
        const std::size_t from = f.layout().boundaries[0].position;
        QTest::mousePress(strip, Qt::LeftButton, {}, QPoint(20, strip->yOf(from)));
        QVERIFY(isUsed());
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!isUsed());
    }

    // The key is let go where another widget has the keyboard.
    void spaceIsForgottenWithTheKeyboard()
    {
        GraphFixture f;
        f.view.zoomBy(1.5 / f.view.zoom(), {0, 0});
        f.view.goTo(f.tree->order.size() / 2);
        QTest::qWait(20);
        const auto* bar = f.view.verticalScrollBar();
        const auto dragAnOp = [&] {
            const int before = bar->value();
            const QPoint middle = f.view.viewport()->rect().center();
            QPoint from;
            for (std::size_t node = 0; node < f.tree->order.size(); ++node)
                if (const QPoint at = f.view.itemCenter(f.itemOf(node));
                    (at - middle).manhattanLength() < (from - middle).manhattanLength())
                    from = at;
            QTest::mousePress(f.view.viewport(), Qt::LeftButton, {}, from);
            for (const int by : {15, 30})
                QTest::mouseMove(f.view.viewport(), from - QPoint(0, by));
            const int moved = bar->value() - before;
            QTest::keyClick(&f.view, Qt::Key_Escape);
            QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, from);
            return moved;
        };
        QTest::keyPress(&f.view, Qt::Key_Space);
        QVERIFY(dragAnOp() != 0); // all of the picture
        QFocusEvent away(QEvent::FocusOut);
        QCoreApplication::sendEvent(&f.view, &away);
        QCOMPARE(dragAnOp(), 0); // the op
    }

    void whatAnotherViewSelectsComesIntoSightUnlessThatIsLocked()
    {
        GraphFixture f;
        f.view.zoomBy(2 / f.view.zoom(), {0, 0});
        f.view.goTo(0);
        f.view.clearFocus();
        const NodeId last = f.tree->order.back();
        QVERIFY(!sees(f, last));
        f.view.lock()->setChecked(true);
        f.selection.setNodes({last});
        QVERIFY2(!sees(f, last), "locked");
        f.view.lock()->setChecked(false);
        f.selection.setNodes({});
        f.selection.setNodes({last});
        QVERIFY(sees(f, last));
    }

    void atItsNaturalSizeWhatIsSelectedIsSeen()
    {
        GraphFixture f;
        f.view.fitAll();
        const NodeId last = f.tree->order.back();
        f.selection.setNodes({last});
        f.view.actualSize();
        QCOMPARE(f.view.zoom(), 1.0);
        QVERIFY(sees(f, last));
        f.selection.setNodes({});
        f.view.fitAll();
        f.view.actualSize();
        const QRectF shown = f.view.mapToScene(f.view.viewport()->rect()).boundingRect();
        QVERIFY(std::ranges::any_of(f.layout().items, [&](const LayoutItem& item) {
            return item.kind == ItemKind::Op && shown.intersects(toRect(item.rect));
        }));
    }

    // Between what is drawn there are places where only an edge of an op is in sight.
    void atItsNaturalSizeTheMiddleIsNotEmpty()
    {
        GraphFixture f;
        f.view.resize(500, 400);
        f.view.zoomBy(1 / f.view.zoom(), {0, 0});
        const QRect all = f.view.viewport()->rect();
        const QRect middle =
            all.adjusted(all.width() / 4, all.height() / 4, -all.width() / 4, -all.height() / 4);
        const auto isEmpty = [&](const QRect& pixels) {
            const QRectF shown = f.view.mapToScene(pixels).boundingRect();
            return std::ranges::none_of(f.layout().items, [&](const LayoutItem& item) {
                return item.kind != ItemKind::Stage && item.kind != ItemKind::OpenBox &&
                       shown.intersects(toRect(item.rect));
            });
        };
        const auto isAtTheEdgeOnly = [&] { return isEmpty(middle) && !isEmpty(all); };
        for (double x = 0; x < f.layout().size.width && !isAtTheEdgeOnly(); x += 20)
            for (double y = 0; y < f.layout().size.height && !isAtTheEdgeOnly(); y += 20)
                f.view.centerOn(x, y);
        QVERIFY(isAtTheEdgeOnly());
        f.view.actualSize();
        QVERIFY(!isEmpty(middle));
    }

    void aDoubleClickOnTheInsideOfAnOpenBoxChangesNothing()
    {
        GraphFixture f;
        QSignalSpy requested(&f.view, &GraphView::expansionRequested);
        for (const LayoutItem& item : f.layout().items) {
            if (item.kind != ItemKind::OpenBox)
                continue;
            f.view.zoomBy(1 / f.view.zoom(), {0, 0});
            f.view.centerOn(item.rect.x + 6, item.rect.bottom() - 6);
            const QPoint inside = f.view.mapFromScene(QPointF(item.rect.x + 6, item.rect.bottom() - 6));
            QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, inside);
        }
        QCOMPARE(requested.count(), 0);
    }

    void crumbsLeadToTheBoxesAround()
    {
        GraphFixture f;
        std::optional<ItemId> inner;
        for (const ItemId id : f.layout().items.ids())
            if (f.layout().items[id].kind == ItemKind::Op && f.layout().items[id].depth >= 2)
                inner = id;
        QVERIFY(inner.has_value());
        f.view.makeCurrent(*inner);
        QVERIFY(f.view.crumbs()->isVisible());
        QCOMPARE(f.view.crumbs()->names().size(), f.layout().items[*inner].depth + 1);
        auto* button = f.view.crumbs()->findChild<QToolButton*>();
        QVERIFY(button);
        const std::size_t before = f.selection.nodes().size();
        button->click();
        QVERIFY2(f.selection.nodes().size() > before, "the whole box");
    }

    void edgesAreWalkedAndTold()
    {
        GraphFixture f;
        const auto edge = std::ranges::find_if(f.layout().edges, [&](const LayoutEdge& candidate) {
            return candidate.tail && candidate.head && f.layout().items[*candidate.tail].node &&
                   f.layout().items[*candidate.head].node;
        });
        QVERIFY(edge != f.layout().edges.end());
        const ItemId tail = *edge->tail;
        f.view.makeCurrent(tail);
        f.view.setFocus();
        QTest::keyClick(&f.view, Qt::Key_N);
        QVERIFY(f.view.accessibleDescription().startsWith(QStringLiteral("Edge: ")));
        const QString told = edgeTooltip(f.layout(), f.plan, edge->values);
        for (const char* what : {"Tensor", "From", "To"})
            QVERIFY2(told.contains(QLatin1String(what)), what);
        // Round and round: as many edges as it has, and the first again.
        const auto first = nextEdge(f.layout(), tail, {}, 1);
        auto at = first;
        int count = 0;
        do {
            at = nextEdge(f.layout(), tail, at, 1);
            ++count;
        } while (at != first && count < 100);
        QVERIFY(count < 100);
        const auto end = edgeEnd(f.layout(), static_cast<std::size_t>(edge - f.layout().edges.begin()), tail,
                                 WalkDirection::Down);
        QVERIFY(end.has_value() && *end != tail);
    }

private:
    static bool sees(const GraphFixture& f, NodeId node)
    {
        const auto item = f.layout().itemOf[node];
        const QRectF shown = f.view.mapToScene(f.view.viewport()->rect()).boundingRect();
        return item && shown.contains(toRect(f.layout().items[*item].rect).center());
    }
};

QTEST_MAIN(TestGraphSurroundings)
#include "tst_graph_surroundings.moc"
