// The schedule panel: where actions are drawn, what they say of themselves, and what clicks and keys do.
#include "tests/views/charts/sample_schedule.h"
#include "views/base/format.h"
#include "views/charts/schedule_legend.h"

#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestScheduleView : public QObject
{
    Q_OBJECT

private slots:
    void everyActionIsFoundWhereItIsDrawn();
    void rowsFillTheArea();
    void zoomKeepsThePlaceUnderTheMouse();
    void ticksAreRound();
    void clickChoosesTheStage();
    void keysChooseStages();
    void keysZoomAndMoveAlong();
    void theLegendNamesWhatIsThere();
    void theLegendHasALineOfItsOwnInANarrowView();
    void memoryIsReadAtTheMouse();
    void zoomSurvivesNewFigures();
    void theSeriesHasEveryAction();
    void emptyPanelSaysSo();
    void summaryAddsUp();
};

namespace {

ScheduleGeometry geometryOf(const Timeline& timeline)
{
    return {QRectF(50, 20, 1000, 400), timeline.devices.size(), 0, timeline.makespan.value()};
}

} // namespace

void TestScheduleView::everyActionIsFoundWhereItIsDrawn()
{
    for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::ZeroBubble1}) {
        const auto figures = sample::scheduleFigures(kind, 4, 4, 6);
        const ScheduleGeometry geometry = geometryOf(figures->timeline);
        for (std::size_t i = 0; i < figures->timeline.spans.size(); ++i) {
            const QPointF middle = geometry.compute(figures->timeline.spans[i]).center();
            QCOMPARE(spanAt(figures->timeline, geometry, middle), std::optional(i));
        }
        QVERIFY(!spanAt(figures->timeline, geometry, QPointF(10, 30)));
        QVERIFY(!spanAt(figures->timeline, geometry, geometry.memory(1).center()));
    }
}

void TestScheduleView::rowsFillTheArea()
{
    const ScheduleGeometry geometry{QRectF(0, 0, 100, 90), 3, 0, 1};
    for (std::size_t device = 0; device < 3; ++device) {
        QVERIFY(geometry.row(device).contains(geometry.bar(device)));
        QVERIFY(geometry.row(device).contains(geometry.memory(device)));
        QVERIFY(!geometry.bar(device).intersects(geometry.memory(device)));
        QCOMPARE(geometry.deviceAt(geometry.row(device).center().y()), std::optional(device));
    }
    QVERIFY(!geometry.deviceAt(-1) && !geometry.deviceAt(90));
    QVERIFY(!ScheduleGeometry{}.deviceAt(0));
}

void TestScheduleView::zoomKeepsThePlaceUnderTheMouse()
{
    const ScheduleGeometry whole{QRectF(0, 0, 100, 90), 3, 0, 10};
    const ScheduleGeometry near = whole.zoomed(4, 30, Seconds(10));
    QVERIFY(qFuzzyCompare(near.timeAt(30).value(), whole.timeAt(30).value()));
    QVERIFY(qFuzzyCompare(near.to - near.from, 2.5));
    const ScheduleGeometry back = near.zoomed(0.01, 30, Seconds(10));
    QCOMPARE(back.from, 0.0);
    QCOMPARE(back.to, 10.0);
    const ScheduleGeometry right = near.moved(1000, Seconds(10));
    QCOMPARE(right.to, 10.0);
    QVERIFY(qFuzzyCompare(right.to - right.from, 2.5));
}

void TestScheduleView::ticksAreRound()
{
    QCOMPARE(tickStep(10, 10), 1.0);
    QCOMPARE(tickStep(10, 6), 2.0);
    QVERIFY(qFuzzyCompare(tickStep(0.0137, 5), 0.005));
    QCOMPARE(tickStep(0, 5), 1.0);
}

void TestScheduleView::clickChoosesTheStage()
{
    Selection selection;
    ScheduleView view(&selection);
    view.resize(800, 300);
    const auto figures = sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6);
    view.setFigures(figures);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (const std::size_t index : {std::size_t(0), figures->timeline.spans.size() / 2}) {
        const ActionSpan& span = figures->timeline.spans[index];
        const QPoint place = view.drawnGeometry().compute(span).center().toPoint();
        QTest::mouseClick(&view, Qt::LeftButton, {}, place);
        QVERIFY(selection.stage().has_value());
        QCOMPARE(std::size_t(selection.stage()->index()), span.action.stage);
        const QString text = view.describe(index);
        QVERIFY(text.contains(stageName(StageId(span.action.stage))));
    }
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(2, 2));
    QVERIFY(!selection.stage());
}

void TestScheduleView::keysChooseStages()
{
    Selection selection;
    ScheduleView view(&selection);
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(!selection.stage()); // there is nothing to choose
    view.setFigures(sample::scheduleFigures(ScheduleKind::OneFOneB, 3, 3, 4));
    for (const std::size_t expected : {0u, 1u, 2u, 2u}) {
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(selection.stage(), std::optional(StageId(expected)));
    }
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(selection.stage(), std::optional(StageId(1)));
}

void TestScheduleView::keysZoomAndMoveAlong()
{
    Selection selection;
    ScheduleView view(&selection);
    view.resize(800, 300);
    view.setFigures(sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6));
    const double whole = view.drawnGeometry().to;
    QTest::keyClick(&view, Qt::Key_Plus);
    QTest::keyClick(&view, Qt::Key_Plus);
    const ScheduleGeometry near = view.drawnGeometry();
    QVERIFY(near.to - near.from < whole / 2);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.drawnGeometry().from > near.from);
    QTest::keyClick(&view, Qt::Key_Left);
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(view.drawnGeometry().from < near.from);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.drawnGeometry().from, 0.0);
    QCOMPARE(view.drawnGeometry().to, whole);
}

void TestScheduleView::theLegendNamesWhatIsThere()
{
    const auto namesOf = [](ScheduleKind kind, std::optional<ScheduleKind> lower = {}) {
        const auto figures = sample::scheduleFigures(kind, 4, 4, 6);
        const auto below = lower ? sample::scheduleFigures(*lower, 4, 4, 6) : nullptr;
        QStringList names;
        for (const ScheduleLegendEntry& entry :
             scheduleLegend(figures->timeline, below ? &below->timeline : nullptr))
            names << entry.name;
        return names.join(", ");
    };
    QCOMPARE(namesOf(ScheduleKind::OneFOneB), QString("forward, backward, transfer, decides the step"));
    QCOMPARE(namesOf(ScheduleKind::ZeroBubble1),
             QString("forward, gradients of inputs, gradients of weights, transfer, decides the step"));
    QVERIFY(scheduleLegend({}).empty());
    QCOMPARE(
        namesOf(ScheduleKind::OneFOneB, ScheduleKind::ZeroBubble1),
        QString("forward, backward, gradients of inputs, gradients of weights, transfer, decides the step"));
}

void TestScheduleView::theLegendHasALineOfItsOwnInANarrowView()
{
    const auto figures = sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6);
    const auto other = sample::scheduleFigures(ScheduleKind::ZeroBubble1, 4, 4, 6);
    Selection selection;
    ScheduleView view(&selection);
    view.setFigures(figures);
    view.resize(2000, 300);
    view.show();
    const auto isAboveTheRows = [&] {
        const QRectF legend = view.header().legendLine();
        return !legend.isEmpty() && legend.bottom() < view.drawnGeometry().area.top();
    };
    QVERIFY(isAboveTheRows());
    const double first = view.header().legendLine().top();
    const auto both = scheduleLegend(figures->timeline, &other->timeline);
    view.resize(static_cast<int>(widthOf(both, QFontMetricsF(view.font()))) + 40, 300);
    const double second = view.header().legendLine().top();
    QVERIFY(second > first && isAboveTheRows());
    view.setCompared(other);
    QVERIFY(view.header().legendLine().top() > second); // what is said of B comes before it
    QVERIFY(isAboveTheRows());
    view.resize(90, 300);
    QVERIFY(view.header().legendLine().isEmpty());
}

void TestScheduleView::memoryIsReadAtTheMouse()
{
    const auto figures = sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6);
    const std::vector<MemoryStep>& steps = figures->timeline.memory[1];
    const MemoryStep& last = steps.back();
    const QString text = heldText(*figures, 1, last.time);
    QVERIFY2(text.startsWith("Device 2 holds " + toText(last.bytes)), qPrintable(text));
    QVERIFY(text.contains(toText(figures->timeline.devices[1].peakMemory) + " at most"));
    QVERIFY(text.endsWith("its limit is 7.00 GiB"));
    const ScheduleGeometry drawn{QRectF(20, 0, 400, 200), 4, 0, figures->timeline.makespan.value()};
    const QPointF place = drawn.memory(1).center();
    QCOMPARE(heldText(*figures, drawn, place), heldText(*figures, 1, drawn.timeAt(place.x())));
    QVERIFY(heldText(*figures, drawn, drawn.bar(1).center()).isEmpty());
}

void TestScheduleView::zoomSurvivesNewFigures()
{
    Selection selection;
    ScheduleView view(&selection);
    view.resize(800, 300);
    view.setFigures(sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QWheelEvent wheel(QPointF(400, 150), view.mapToGlobal(QPointF(400, 150)), QPoint(), QPoint(0, 480),
                      Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    const ScheduleGeometry zoomed = view.drawnGeometry();
    QVERIFY(zoomed.to - zoomed.from < view.figures()->timeline.makespan.value() * 0.6);
    view.setFigures(sample::scheduleFigures(ScheduleKind::OneFOneB, 4, 4, 6)); // as during a drag
    QCOMPARE(view.drawnGeometry().from, zoomed.from);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, QPoint(400, 150));
    QCOMPARE(view.drawnGeometry().from, 0.0);
    QCOMPARE(view.drawnGeometry().to, view.figures()->timeline.makespan.value());
}

void TestScheduleView::theSeriesHasEveryAction()
{
    QCOMPARE(spansCsv(nullptr, nullptr).count("\r\n"), 1); // the titles
    const Timeline step = sample::scheduleFigures(ScheduleKind::OneFOneB, 2, 2, 3)->timeline;
    const QStringList lines = spansCsv(&step, nullptr).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), static_cast<qsizetype>(step.spans.size() + 1));
    double last = 0;
    for (const QString& line : lines.mid(1))
        last = std::max(last, line.split(',')[7].toDouble());
    QCOMPARE(last, step.makespan.value());
    const Timeline other = sample::scheduleFigures(ScheduleKind::GPipe, 2, 2, 3)->timeline;
    const QString both = spansCsv(&step, &other);
    QCOMPARE(both.count("\r\nbelow,"), static_cast<qsizetype>(other.spans.size()));
}

void TestScheduleView::emptyPanelSaysSo()
{
    Selection selection;
    ScheduleView view(&selection);
    view.resize(400, 200);
    QVERIFY(!view.grab().isNull());
    QVERIFY(view.summary().isEmpty());
    view.setFigures(sample::scheduleFigures(ScheduleKind::GPipe, 2, 2, 2));
    QVERIFY(!view.grab().isNull());
    view.setFigures(nullptr);
    QVERIFY(!view.grab().isNull());
}

void TestScheduleView::summaryAddsUp()
{
    Selection selection;
    ScheduleView view(&selection);
    const auto figures = sample::scheduleFigures(ScheduleKind::GPipe, 4, 4, 8);
    view.setFigures(figures);
    QVERIFY(std::abs(figures->bubble.total() - figures->timeline.bubble()) < 1e-9);
    QVERIFY(figures->bubble.imbalance > 0 && figures->bubble.communication > 0);
    QVERIFY(view.summary().startsWith("step "));
    QVERIFY(view.summary().contains("imbalance"));
}

QTEST_MAIN(TestScheduleView)
#include "tst_schedule_view.moc"
