#include "views/charts/charts.h"

#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <qcustomplot.h>

using namespace stagecraft;

class TestCharts : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void aDraggedLineSnapsAndIsDropped();
    void theMagnetDrawsToValleysUnlessAltIsHeld();
    void aLineStopsBeforeItsNeighbour();
    void escapeAbortsADrag();
    void anotherButtonDoesNotDisturbADrag();
    void theCursorSaysWhatCanBeDragged();
    void aPlanThatArrivesDuringADragMovesTheLine();
    void aDragThatComesBackIsNone();
    void nothingCoversWhatADragComesTo();
    void aLockedLineStays();
    void draggingElsewhereSelectsARange();
    void clickSelectsOneOpAndControlAdds();
    void shiftAndADragAddARange();
    void controlAndADragZoomToAnArea();
    void spaceIsForgottenWithTheKeyboard();
    void hoverIsShared();
    void theWheelPansAndZooms();
    void keysChooseAndMoveABoundary();
    void doubleClickInTheGutterSplits();
    void byTimeAnEvenSplitHasEvenLines();
    void aSwitchShowsLogarithms();
    void withoutAProfileItSaysSo();

private:
    QPoint at(std::size_t position) const
    {
        return {qRound(m_charts->positionToPixel(position)), m_plot->height() / 2};
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {});
    void move(QPoint to, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<ExecutionCharts> m_charts;
    QWidget* m_plot = nullptr;
    PlanView m_plan;
};

void TestCharts::init()
{
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
    m_plan = sample::plan(4, 2); // 34 ops, the boundary at 17
    m_selection = std::make_unique<Selection>();
    m_charts = std::make_unique<ExecutionCharts>(m_selection.get());
    m_charts->resize(900, 400);
    m_charts->setPlan(m_plan);
    m_charts->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_charts.get()));
    QCoreApplication::processEvents(); // the queued replot lays the axes out
    m_plot = m_charts->focusProxy();
}

// QTest::mouseMove has no modifiers, so the event is made here.
void TestCharts::move(QPoint to, Qt::KeyboardModifiers modifiers)
{
    QMouseEvent event(QEvent::MouseMove, to, m_plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                      modifiers);
    QCoreApplication::sendEvent(m_plot, &event);
}

void TestCharts::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers)
{
    QTest::mousePress(m_plot, Qt::LeftButton, modifiers, from);
    move((from + to) / 2, modifiers);
    move(to, modifiers);
    QTest::mouseRelease(m_plot, Qt::LeftButton, modifiers, to);
}

void TestCharts::aDraggedLineSnapsAndIsDropped()
{
    QSignalSpy dragged(m_charts.get(), &ExecutionCharts::boundaryDragged);
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    drag(at(17), at(25) + QPoint(3, 0), Qt::AltModifier);
    QVERIFY(dragged.count() >= 1);
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(argumentOf<BoundaryId>(dropped[0][0]), BoundaryId(0));
    QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), std::size_t{25});
    QCOMPARE(m_selection->boundary(), std::optional(BoundaryId(0)));
    QVERIFY(m_selection->nodes().empty()); // it was not a range
}

void TestCharts::nothingCoversWhatADragComesTo()
{
    m_charts->setPlan(sample::withPartition(m_plan, sample::evenPartition(*m_plan.graph, 3))); // 12, 23
    QCoreApplication::processEvents();
    auto* plot = qobject_cast<QCustomPlot*>(m_plot);
    const auto handleOf = [&](const QString& name) {
        for (int i = 0; i < plot->itemCount(); ++i)
            if (auto* text = qobject_cast<QCPItemText*>(plot->item(i)); text && text->text().startsWith(name))
                return text;
        return static_cast<QCPItemText*>(nullptr);
    };
    QVERIFY(handleOf("1|2")->visible() && handleOf("2|3")->visible());
    QTest::mousePress(m_plot, Qt::LeftButton, Qt::AltModifier, at(12));
    move(at(22), Qt::AltModifier);
    QTRY_VERIFY(handleOf("1|2")->text().contains("B")); // bytes
    QVERIFY(handleOf("1|2")->visible());
    QVERIFY(!handleOf("2|3")->visible());
    move(at(13), Qt::AltModifier);
    QTRY_VERIFY(handleOf("2|3")->visible());
    QTest::mouseRelease(m_plot, Qt::LeftButton, Qt::AltModifier, at(13));
    QTRY_VERIFY(handleOf("2|3")->visible());
}

void TestCharts::aDragThatComesBackIsNone()
{
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    QSignalSpy cancelled(m_charts.get(), &ExecutionCharts::dragCancelled);
    QTest::mousePress(m_plot, Qt::LeftButton, Qt::AltModifier, at(17));
    move(at(25), Qt::AltModifier);
    move(at(17), Qt::AltModifier);
    QTest::mouseRelease(m_plot, Qt::LeftButton, Qt::AltModifier, at(17));
    QCOMPARE(dropped.count(), 0);
    QCOMPARE(cancelled.count(), 1); // who previewed it must know
}

void TestCharts::aLockedLineStays()
{
    auto constraints = std::make_shared<PlanConstraints>();
    constraints->isLocked = Table<BoundaryId, char>(1, 1);
    m_plan.constraints = constraints;
    m_charts->setPlan(m_plan);
    QCoreApplication::processEvents();
    QSignalSpy dragged(m_charts.get(), &ExecutionCharts::boundaryDragged);
    drag(at(17), at(25), Qt::AltModifier);
    QCOMPARE(dragged.count(), 0);
    QCOMPARE(m_selection->boundary(), std::optional(BoundaryId(0)));
}

void TestCharts::theMagnetDrawsToValleysUnlessAltIsHeld()
{
    // Between blocks only the residual stream crosses; one op further qkv's wide result does too.
    m_charts->resize(400, 400); // an op is about 10 pixels wide
    QCoreApplication::processEvents();
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    const QPoint besides = at(24); // a place inside the third block's mlp
    drag(at(17), besides, Qt::AltModifier);
    const auto exact = argumentOf<std::size_t>(dropped.takeFirst()[1]);
    QCOMPARE(exact, std::size_t{24});
    drag(at(24), besides + QPoint(1, 0));
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), std::size_t{25}); // the end of the block
}

void TestCharts::aLineStopsBeforeItsNeighbour()
{
    m_charts->setPlan(sample::withPartition(m_plan, sample::evenPartition(*m_plan.graph, 3))); // 12, 23
    QCoreApplication::processEvents();
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    drag(at(12), at(33), Qt::AltModifier);
    QCOMPARE(argumentOf<BoundaryId>(dropped[0][0]), BoundaryId(0));
    QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), std::size_t{22});
}

void TestCharts::escapeAbortsADrag()
{
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    QSignalSpy cancelled(m_charts.get(), &ExecutionCharts::dragCancelled);
    QTest::mousePress(m_plot, Qt::LeftButton, {}, at(17));
    move(at(22), Qt::AltModifier);
    QTest::keyClick(m_plot, Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 1);
    QTest::mouseRelease(m_plot, Qt::LeftButton, {}, at(22));
    QCOMPARE(dropped.count(), 0);
    drag(at(17), at(17) + QPoint(1, 0)); // the line is back where it was and can be taken again
    QCOMPARE(dropped.count(), 0);
    QCOMPARE(m_selection->boundary(), std::optional(BoundaryId(0)));
}

void TestCharts::anotherButtonDoesNotDisturbADrag()
{
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    QTest::mousePress(m_plot, Qt::LeftButton, {}, at(17));
    move(at(22), Qt::AltModifier);
    QTest::mousePress(m_plot, Qt::MiddleButton, {}, at(22));
    QTest::mouseRelease(m_plot, Qt::MiddleButton, {}, at(22));
    QCOMPARE(dropped.count(), 0);
    move(at(25), Qt::AltModifier);
    QTest::mouseRelease(m_plot, Qt::LeftButton, {}, at(25));
    QCOMPARE(dropped.count(), 1);
    QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), std::size_t{25});
}

void TestCharts::theCursorSaysWhatCanBeDragged()
{
    const auto hover = [this](QPoint to) {
        QMouseEvent event(QEvent::MouseMove, to, m_plot->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(m_plot, &event);
        return m_plot->cursor().shape();
    };
    QCOMPARE(hover(at(17) + QPoint(5, 0)), Qt::SizeHorCursor);
    QCOMPARE(hover(at(17) + QPoint(9, 0)), Qt::ArrowCursor);
}

void TestCharts::aPlanThatArrivesDuringADragMovesTheLine()
{
    QSignalSpy dropped(m_charts.get(), &ExecutionCharts::boundaryDropped);
    connect(m_charts.get(), &ExecutionCharts::boundaryDragged, this,
            [this](BoundaryId, std::size_t position) {
                auto partition = std::make_shared<Partition>(*m_plan.partition);
                for (const NodeId node : m_plan.graph->nodes())
                    partition->stageOf[node] = StageId(node.index() < position ? 0 : 1);
                m_charts->setPlan(sample::withPartition(m_plan, partition));
            });
    drag(at(17), at(9), Qt::AltModifier);
    QCOMPARE(argumentOf<std::size_t>(dropped[0][1]), std::size_t{9});
}

void TestCharts::draggingElsewhereSelectsARange()
{
    drag(at(3) + QPoint(8, 0), at(6) + QPoint(8, 0));
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(3), NodeId(4), NodeId(5), NodeId(6)}));
}

void TestCharts::clickSelectsOneOpAndControlAdds()
{
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, at(3) + QPoint(8, 0));
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(3)}));
    QTest::mouseClick(m_plot, Qt::LeftButton, Qt::ControlModifier, at(9) + QPoint(8, 0));
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(3), NodeId(9)}));
    QTest::keyClick(m_plot, Qt::Key_Escape);
    QVERIFY(m_selection->nodes().empty());
}

void TestCharts::shiftAndADragAddARange()
{
    m_selection->setNodes({NodeId(1)});
    drag(at(3) + QPoint(8, 0), at(5) + QPoint(8, 0), Qt::ShiftModifier);
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(1), NodeId(3), NodeId(4), NodeId(5)}));
}

void TestCharts::controlAndADragZoomToAnArea()
{
    m_selection->setNodes({NodeId(1)});
    drag(at(20) + QPoint(1, 0), at(24) + QPoint(1, 0), Qt::ControlModifier);
    QCoreApplication::processEvents();
    QCOMPARE(m_selection->nodes(), std::vector{NodeId(1)}); // nothing is selected by it
    QVERIFY(m_charts->positionToPixel(20) < m_charts->positionToPixel(21));
    QVERIFY(m_charts->positionToPixel(19) < 0.1 * m_plot->width());
    QVERIFY(m_charts->positionToPixel(25) > 0.9 * m_plot->width());
    QTest::keyClick(m_plot, Qt::Key_0);
    QCoreApplication::processEvents();
    const double all = m_charts->positionToPixel(20);
    drag(at(24), at(20), Qt::ControlModifier); // to the left, likewise
    QVERIFY(m_charts->positionToPixel(20) < all);
}

// It is let go while another widget has the keyboard, which hears of it in this one's place.
void TestCharts::spaceIsForgottenWithTheKeyboard()
{
    const QPoint by(8, 0);
    m_plot->setFocus();
    QTest::keyPress(m_plot, Qt::Key_Space);
    drag(at(3) + by, at(6) + by);
    QVERIFY(m_selection->nodes().empty()); // it is held: that scrolled
    QFocusEvent away(QEvent::FocusOut);
    QCoreApplication::sendEvent(m_plot, &away);
    drag(at(3) + by, at(6) + by);
    QCOMPARE(m_selection->nodes().size(), std::size_t{4});
}

void TestCharts::hoverIsShared()
{
    const QPoint to = at(5) + QPoint(8, 0);
    QMouseEvent event(QEvent::MouseMove, to, m_plot->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(m_plot, &event);
    QCOMPARE(m_selection->hovered(), std::optional(NodeId(5)));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_plot, &leave);
    QCOMPARE(m_selection->hovered(), std::nullopt);
}

void TestCharts::theWheelPansAndZooms()
{
    const auto wheel = [this](int delta, Qt::KeyboardModifiers modifiers) {
        const QPoint center = at(17);
        QWheelEvent event(center, m_plot->mapToGlobal(center), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_plot, &event);
        QCoreApplication::processEvents();
    };
    const auto opWidth = [this] { return m_charts->positionToPixel(18) - m_charts->positionToPixel(17); };
    const double width = opWidth();
    const double pixel = m_charts->positionToPixel(17);
    wheel(240, Qt::ControlModifier);
    QVERIFY(opWidth() > width * 1.4);
    QVERIFY(qAbs(m_charts->positionToPixel(17) - pixel) < 1.5); // zooms at the pointer
    wheel(-120, {});
    QVERIFY(m_charts->positionToPixel(17) < pixel - 5);
    QTest::keyClick(m_plot, Qt::Key_0);
    QCoreApplication::processEvents();
    QCOMPARE(opWidth(), width);
    m_selection->setNodes({NodeId(8), NodeId(9), NodeId(10)});
    QTest::keyClick(m_plot, Qt::Key_F);
    QVERIFY(opWidth() > width * 3);
}

void TestCharts::keysChooseAndMoveABoundary()
{
    m_charts->setPlan(sample::withPartition(m_plan, sample::evenPartition(*m_plan.graph, 3)));
    QSignalSpy moves(m_charts.get(), &ExecutionCharts::boundaryMoveRequested);
    QTest::keyClick(m_plot, Qt::Key_BracketRight);
    QTest::keyClick(m_plot, Qt::Key_BracketRight);
    QCOMPARE(m_selection->boundary(), std::optional(BoundaryId(1)));
    QTest::keyClick(m_plot, Qt::Key_Left);
    QTest::keyClick(m_plot, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(m_plot, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(moves.count(), 3);
    QCOMPARE(argumentOf<BoundaryId>(moves[0][0]), BoundaryId(1));
    QCOMPARE(argumentOf<StageDirection>(moves[0][1]), StageDirection::Previous);
    QCOMPARE(argumentOf<BoundaryStep>(moves[1][2]), BoundaryStep::OneModule);
    QCOMPARE(argumentOf<BoundaryStep>(moves[2][2]), BoundaryStep::BestNearby);
}

void TestCharts::doubleClickInTheGutterSplits()
{
    QSignalSpy splits(m_charts.get(), &ExecutionCharts::splitRequested);
    QTest::mouseDClick(m_plot, Qt::LeftButton, {}, {at(8).x(), 3});
    QCOMPARE(splits.count(), 1);
    QCOMPARE(argumentOf<std::size_t>(splits[0][0]), std::size_t{8});
    QTest::mouseDClick(m_plot, Qt::LeftButton, {}, at(8));
    QCOMPARE(splits.count(), 1);
}

void TestCharts::byTimeAnEvenSplitHasEvenLines()
{
    m_charts->setAxis(ExecutionAxis::CumulativeTime);
    QCOMPARE(m_charts->findChild<QComboBox*>()->currentIndex(), 1);
    QCoreApplication::processEvents();
    const auto pixel = [this](std::size_t position) { return m_charts->positionToPixel(position); };
    Seconds until;
    for (std::size_t i = 0; i < 17; ++i)
        until += m_plan.profile->nodes[NodeId(i)].time();
    const double share = until / (m_plan.profile->totals.timeForward + m_plan.profile->totals.timeBackward);
    QVERIFY(qAbs((pixel(17) - pixel(0)) / (pixel(34) - pixel(0)) - share) < 0.01);
}

void TestCharts::aSwitchShowsLogarithms()
{
    const auto picture = [this] {
        QCoreApplication::processEvents();
        return m_plot->grab().toImage();
    };
    QAction* logarithmic = nullptr;
    for (QAction* action : m_charts->actions())
        if (action->isCheckable())
            logarithmic = action;
    QVERIFY(logarithmic && logarithmic->text() == "Logarithmic values");
    const QImage plain = picture();
    logarithmic->trigger();
    const QImage powers = picture();
    QVERIFY(powers != plain);
    m_charts->setPlan(sample::withPartition(m_plan, sample::evenPartition(*m_plan.graph, 3)));
    m_charts->setPlan(m_plan);
    QCOMPARE(picture(), powers); // another plan keeps it
    logarithmic->trigger();
    QCOMPARE(picture(), plain);
}

void TestCharts::withoutAProfileItSaysSo()
{
    PlanView plan = m_plan;
    plan.profile = nullptr;
    m_charts->setPlan(plan);
    QVERIFY(m_plot->isHidden());
    m_charts->setPlan({});
    QVERIFY(m_plot->isHidden());
    m_charts->setPlan(m_plan);
    QVERIFY(!m_plot->isHidden());
}

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
