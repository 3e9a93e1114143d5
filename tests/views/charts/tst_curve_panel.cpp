#include "views/charts/curve_panel.h"

#include "tests/views/view_test.h"
#include "views/charts/curve_plot.h"
#include "views/charts/curve_rows.h"
#include "views/charts/trade_offs_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

using namespace stagecraft;

namespace {

CurvePoint point(std::size_t stageCount, double milliseconds, double gibibytes)
{
    CurvePoint made{.stageCount = stageCount, .state = CurvePoint::State::Searched};
    Solution solution;
    solution.cost.stages = Table<StageId, StageCost>(stageCount);
    solution.cost.bottleneckTime = Seconds(milliseconds * 1e-3);
    solution.cost.bubble = 0.1 * static_cast<double>(stageCount);
    solution.bound.value = Seconds(milliseconds * 0.9e-3);
    made.solution = std::move(solution);
    made.peakMemory = Bytes(static_cast<std::int64_t>(gibibytes * (1 << 30)));
    made.speedUp = 100 / milliseconds;
    return made;
}

std::shared_ptr<const PlanCurve> sampleCurve()
{
    auto curve = std::make_shared<PlanCurve>();
    curve->points = {point(1, 100, 40), point(2, 55, 22), point(3, 40, 15)};
    curve->points[0].solution->cost.stages[StageId(0)].peakMemory = Bytes(2);
    curve->points[0].solution->cost.stages[StageId(0)].memoryLimit = Bytes(1);
    curve->points.push_back({.stageCount = 4, .state = CurvePoint::State::NoPlan, .note = "it has 3 nodes"});
    return curve;
}

std::shared_ptr<const TradeOffs> sampleTradeOffs()
{
    auto plans = std::make_shared<TradeOffs>();
    for (const int slower : {0, 1}) {
        TradeOff plan;
        plan.text = slower ? "at most 8.00 GiB a device" : "the shortest step";
        plan.solution.partition.stageCount = slower ? 3 : 2;
        plan.solution.cost.iteration = Seconds(slower ? 0.4 : 0.3);
        plan.solution.cost.bottleneckTime = Seconds(slower ? 0.2 : 0.1);
        plan.solution.bound = {.value = Seconds(0.1), .kind = "area", .witness = {}};
        plan.solution.cost.bytesSent = Bytes(slower ? 1 << 20 : 2 << 20);
        plan.peakMemory = Bytes(std::int64_t{1} << (slower ? 33 : 34));
        plans->push_back(plan);
    }
    return plans;
}

} // namespace

class TestCurvePanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cellsSayWhatIsKnown();
    void withoutACurveOneCanBeAskedFor();
    void aClickOnAPointAdoptsIt();
    void enterOnARowAdoptsIt();
    void aRightClickOffersToAdoptTheRowBelowIt();
    void theCurveMayGrow();
    void tradeOffsAreListedAndCanBeAdopted();
    void figuresHaveTheirDifferencesToB();

private:
    QTreeWidget* rows() const { return m_panel->findChild<QTreeWidget*>(); }

    std::unique_ptr<CurvePanel> m_panel;
};

void TestCurvePanel::init()
{
    m_panel = std::make_unique<CurvePanel>();
    m_panel->resize(1000, 300);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void TestCurvePanel::cellsSayWhatIsKnown()
{
    const auto curve = sampleCurve();
    QCOMPARE(curveCellText(curve->points[1], CurveColumn::Stages), QString("2"));
    QCOMPARE(curveCellText(curve->points[1], CurveColumn::Slowest), QString("55.0 ms"));
    QCOMPARE(curveCellText(curve->points[1], CurveColumn::SpeedUp), QString("1.82 ×  91 %"));
    QCOMPARE(curveCellText(curve->points[1], CurveColumn::Gap), QString("proven within 10 % of optimal"));
    QCOMPARE(curveCellText(curve->points[0], CurveColumn::Gap), QString("over the limit"));
    QCOMPARE(curveCellText(curve->points[3], CurveColumn::Gap), QString("no plan"));
    QCOMPARE(curveCellText(curve->points[3], CurveColumn::Peak), QString());
    QVERIFY(curvePointHelp(curve->points[3]).contains("it has 3 nodes"));
    QCOMPARE(curveCellContent(*curve, curve->points[0], CurveColumn::Slowest).bar, std::optional(1.0));
    QVERIFY(curveCellContent(*curve, curve->points[0], CurveColumn::Peak).overLimit);
    QVERIFY(!curveCellContent(*curve, curve->points[1], CurveColumn::Peak).overLimit);
}

void TestCurvePanel::withoutACurveOneCanBeAskedFor()
{
    auto* compute = m_panel->findChild<QPushButton*>();
    QVERIFY(!compute->isVisible()); // there is nothing to split
    QSignalSpy asked(m_panel.get(), &CurvePanel::asked);
    m_panel->setState(OnDemandPanel::State::Ready);
    compute->click();
    QCOMPARE(asked.size(), 1);
    m_panel->setState(OnDemandPanel::State::Searching);
    QVERIFY(!compute->isEnabled());
    m_panel->setCurve(sampleCurve());
    QVERIFY(!compute->isVisible());
    QVERIFY(rows()->isVisible());
}

void TestCurvePanel::aClickOnAPointAdoptsIt()
{
    m_panel->setState(OnDemandPanel::State::Ready);
    m_panel->setCurve(sampleCurve());
    auto* plot = m_panel->findChild<CurvePlot*>();
    QCoreApplication::processEvents(); // the plot lays itself out
    QSignalSpy adopted(m_panel.get(), &CurvePanel::adoptRequested);
    QTest::mouseClick(plot, Qt::LeftButton, {}, {qRound(plot->stageToPixel(3)), plot->height() / 2});
    QCOMPARE(adopted.size(), 1);
    QCOMPARE(adopted[0][0].toULongLong(), 3ULL);
    QTest::mouseClick(plot, Qt::LeftButton, {}, {qRound(plot->stageToPixel(4)), plot->height() / 2});
    QCOMPARE(adopted.size(), 1); // there is no plan of four stages
}

void TestCurvePanel::enterOnARowAdoptsIt()
{
    m_panel->setState(OnDemandPanel::State::Ready);
    m_panel->setCurve(sampleCurve());
    QSignalSpy adopted(m_panel.get(), &CurvePanel::adoptRequested);
    rows()->setCurrentItem(rows()->topLevelItem(1));
    QTest::keyClick(rows(), Qt::Key_Return);
    QCOMPARE(adopted.size(), 1);
    QCOMPARE(adopted[0][0].toULongLong(), 2ULL);
    QVERIFY(rows()->topLevelItem(3)->isDisabled());
}

void TestCurvePanel::aRightClickOffersToAdoptTheRowBelowIt()
{
    m_panel->setState(OnDemandPanel::State::Ready);
    m_panel->setCurve(sampleCurve());
    QSignalSpy adopted(m_panel.get(), &CurvePanel::adoptRequested);
    const auto placeOf = [this](int row) {
        return rows()->visualItemRect(rows()->topLevelItem(row)).center();
    };
    menuAt(rows()->viewport(), placeOf(2), "Adopt this plan");
    QCOMPARE(adopted.size(), 1);
    QCOMPARE(adopted[0][0].toULongLong(), 3ULL);
    const QStringList ofNone = menuAt(rows()->viewport(), placeOf(3)); // there is no such plan
    QVERIFY(!ofNone.contains("Adopt this plan") && ofNone.contains("Copy as CSV"));
}

void TestCurvePanel::theCurveMayGrow()
{
    auto curve = std::make_shared<PlanCurve>(*sampleCurve());
    curve->points.resize(2);
    m_panel->setCurve(curve);
    rows()->setCurrentItem(rows()->topLevelItem(1));
    m_panel->setCurve(sampleCurve());
    QCOMPARE(rows()->topLevelItemCount(), 4);
    QCOMPARE(rows()->indexOfTopLevelItem(rows()->currentItem()), 1); // the row stays chosen
    m_panel->setCurrent(3);
    QVERIFY(rows()->topLevelItem(2)->data(0, cellRole).value<CellContent>().bold);
}

void TestCurvePanel::tradeOffsAreListedAndCanBeAdopted()
{
    TradeOffsPanel panel;
    panel.resize(800, 300);
    panel.show();
    auto* ask = panel.findChild<QPushButton*>();
    auto* list = panel.findChild<QTreeWidget*>();
    QVERIFY(!ask->isVisible() && !list->isVisible()); // there is nothing to ask
    panel.setState(OnDemandPanel::State::Ready);
    QVERIFY(ask->isVisible());
    panel.setPlans(sampleTradeOffs());
    QVERIFY(!ask->isVisible() && list->isVisible());
    QCOMPARE(list->topLevelItemCount(), 2);
    QCOMPARE(list->topLevelItem(0)->text(int(TradeOffColumn::Step)), QString("300 ms"));
    QCOMPARE(list->topLevelItem(1)->text(int(TradeOffColumn::Peak)), QString("8.00 GiB"));
    QCOMPARE(list->topLevelItem(1)->text(int(TradeOffColumn::Sent)), QString("1.00 MiB"));
    const auto content = [&](int row, TradeOffColumn column) {
        return list->topLevelItem(row)->data(int(column), cellRole).value<CellContent>();
    };
    QCOMPARE(list->topLevelItem(0)->text(int(TradeOffColumn::Quality)), QString("proven optimal"));
    QVERIFY(list->topLevelItem(1)->text(int(TradeOffColumn::Quality)).startsWith("proven within 50"));
    QCOMPARE(content(1, TradeOffColumn::Peak).bar, std::optional(0.5));
    QVERIFY(!content(1, TradeOffColumn::Step).bold);
    panel.setCurrent(std::make_shared<const Partition>(Partition{.stageCount = 3, .stageOf = {}}));
    QVERIFY(content(1, TradeOffColumn::Step).bold && !content(0, TradeOffColumn::Step).bold);
    QSignalSpy adopted(&panel, &TradeOffsPanel::adoptRequested);
    list->setCurrentItem(list->topLevelItem(1));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(adopted.size(), 1);
    QCOMPARE(adopted[0][0].toULongLong(), 1ULL);
    menuAt(list->viewport(), list->visualItemRect(list->topLevelItem(0)).center(), "Adopt this plan");
    QCOMPARE(adopted.size(), 2);
    QCOMPARE(adopted[1][0].toULongLong(), 0ULL);
}

void TestCurvePanel::figuresHaveTheirDifferencesToB()
{
    const auto cellOf = [](const QTreeWidget* rows, int row, int column) {
        return rows->topLevelItem(row)->data(column, cellRole).value<CellContent>();
    };
    const auto other = std::make_shared<PlanCost>(sampleCurve()->points[1].solution->cost); // 55 ms, 20 %
    m_panel->setCurve(sampleCurve());
    const int slowest = static_cast<int>(CurveColumn::Slowest);
    const int width = rows()->columnWidth(slowest);
    m_panel->setCompared(other);
    QCOMPARE(cellOf(rows(), 0, slowest).change, QString("+82 %"));
    QCOMPARE(cellOf(rows(), 0, slowest).changeKind, CellContent::Change::Worse);
    QCOMPARE(cellOf(rows(), 1, slowest).change, QString());
    QCOMPARE(cellOf(rows(), 2, slowest).changeKind, CellContent::Change::Better);
    QCOMPARE(cellOf(rows(), 3, slowest).change, QString()); // there is no plan
    QVERIFY(rows()->columnWidth(slowest) > width);
    m_panel->setCompared(nullptr);
    QCOMPARE(cellOf(rows(), 0, slowest).change, QString());

    TradeOffsPanel tradeOffs;
    tradeOffs.setPlans(sampleTradeOffs());
    auto cost = std::make_shared<PlanCost>(sampleTradeOffs()->front().solution.cost);
    cost->bytesSent = Bytes(std::int64_t{1} << 20);
    tradeOffs.setCompared(cost);
    const auto* listed = tradeOffs.findChild<QTreeWidget*>();
    QCOMPARE(cellOf(listed, 0, static_cast<int>(TradeOffColumn::Step)).change, QString());
    QCOMPARE(cellOf(listed, 0, static_cast<int>(TradeOffColumn::Sent)).changeKind,
             CellContent::Change::Worse);
    QCOMPARE(cellOf(listed, 1, static_cast<int>(TradeOffColumn::Step)).changeKind,
             CellContent::Change::Worse);
}

QTEST_MAIN(TestCurvePanel)
#include "tst_curve_panel.moc"
