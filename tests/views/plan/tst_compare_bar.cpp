// What is said of A against B, and where B's boundaries and step are drawn.
#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"
#include "views/plan/compare_bar.h"
#include "views/plan/difference_text.h"
#include "views/plan/stages_model.h"
#include "views/plan/stages_table.h"

#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace stagecraft;

namespace {

std::shared_ptr<const ComparedPlan> comparedOf(const PlanView& plan, const QString& name)
{
    return std::make_shared<const ComparedPlan>(
        ComparedPlan{.name = name, .partition = plan.partition, .cost = plan.cost});
}

std::shared_ptr<const PlanCost> costOf(double step, std::int64_t peak)
{
    auto cost = std::make_shared<PlanCost>();
    cost->iteration = Seconds(step);
    cost->devices.push_back({.peakMemory = Bytes(peak)});
    cost->stages = Table<StageId, StageCost>(1);
    return cost;
}

} // namespace

class TestCompareBar : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
    void textsOfDifferences();
    void barSaysWhatAIsAgainstB();
    void barIsThereWithBAlone();
    void barAsksToSwapAndToDrop();
    void stagesAreAgainstB();
    void aPreviewIsAgainstThePlan();
};

void TestCompareBar::textsOfDifferences()
{
    const auto differences = figureDifferences(*costOf(1, 2048), *costOf(0.75, 3072));
    const QString minus(QChar(0x2212));
    QCOMPARE(differenceText(differences[static_cast<std::size_t>(PlanFigure::Step)]), minus + "25 %");
    QCOMPARE(differenceText(differences[static_cast<std::size_t>(PlanFigure::Peak)]), "+1.00 KiB");
    QCOMPARE(differenceText(differences[static_cast<std::size_t>(PlanFigure::Sent)]), QString());
    QCOMPARE(differenceText({PlanFigure::Bubble, 0.25, 0.125, Verdict::Better}), minus + "12.5 pts");
    QCOMPARE(changeKind(Verdict::Better), CellContent::Change::Better);
    QCOMPARE(changeKind(Verdict::Worse), CellContent::Change::Worse);
}

void TestCompareBar::barSaysWhatAIsAgainstB()
{
    CompareBar bar;
    const auto partition = std::make_shared<const Partition>(singleStage(4));
    const auto other = std::make_shared<const ComparedPlan>(
        ComparedPlan{.name = "<b>other</b>", .partition = partition, .cost = costOf(1, 2048)});
    bar.setCompared(other);
    QVERIFY2(bar.summary().contains("no figures yet"), qPrintable(bar.summary()));
    bar.setPlan(costOf(0.75, 3072), partition);
    for (const char* part :
         {"A against B", "Step 750 ms", "25 %", "Peak memory 3.00 KiB +1.00 KiB", "the same cuts"})
        QVERIFY2(bar.summary().contains(part), qPrintable(bar.summary()));
    bool isNamed = false; // as it is, whatever is in the name
    for (const QLabel* label : bar.findChildren<QLabel*>())
        isNamed |= label->text() == "B: <b>other</b>" && label->textFormat() == Qt::PlainText;
    QVERIFY(isNamed);
    const PlanView moved = sample::plan(2, 3);
    const PlanView two = sample::plan(2, 2);
    bar.setCompared(comparedOf(two, "two"));
    bar.setPlan(moved.cost, moved.partition);
    QVERIFY2(bar.summary().contains("3 stages instead of 2"), qPrintable(bar.summary()));
    Partition shifted = *moved.partition;
    shifted.stageOf[NodeId(shifted.stageOf.size() - 1)] = StageId(1);
    bar.setCompared(comparedOf(moved, "same"));
    bar.setPlan(moved.cost, std::make_shared<const Partition>(shifted));
    QVERIFY2(bar.summary().contains("1 op in other stages"), qPrintable(bar.summary()));
}

void TestCompareBar::barIsThereWithBAlone()
{
    CompareBar bar;
    QVERIFY(bar.isHidden());
    bar.setCompared(comparedOf(sample::plan(2, 2), "B"));
    QVERIFY(!bar.isHidden());
    bar.setCompared(nullptr);
    QVERIFY(bar.isHidden());
}

void TestCompareBar::barAsksToSwapAndToDrop()
{
    CompareBar bar;
    QSignalSpy swapped(&bar, &CompareBar::swapRequested);
    QSignalSpy dropped(&bar, &CompareBar::dropRequested);
    const auto buttons = bar.findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    buttons[0]->click();
    QCOMPARE(swapped.size(), 1);
    buttons[1]->click();
    QCOMPARE(dropped.size(), 1);
    for (const QToolButton* button : buttons)
        QVERIFY(!button->accessibleName().isEmpty());
}

void TestCompareBar::stagesAreAgainstB()
{
    StagesModel model;
    auto base = std::make_shared<PlanCost>();
    base->stages = Table<StageId, StageCost>(1);
    base->stages[StageId(0)] = {.load = Seconds(2), .peakMemory = Bytes(4096)};
    auto now = std::make_shared<PlanCost>(*base);
    now->stages[StageId(0)] = {.load = Seconds(1), .peakMemory = Bytes(8192)};
    model.setPlans(now, nullptr);
    const auto at = [&](StageColumn column) {
        return model.index(0, static_cast<int>(column)).data(cellRole).value<CellContent>();
    };
    QCOMPARE(at(StageColumn::Time).change, QString());
    model.setCompared(base);
    QCOMPARE(at(StageColumn::Time).change, QString(QChar(0x2212)) + "50 %");
    QCOMPARE(at(StageColumn::Time).changeKind, CellContent::Change::Better);
    QCOMPARE(at(StageColumn::Peak).change, "+4.00 KiB");
    QCOMPARE(at(StageColumn::Peak).changeKind, CellContent::Change::Worse);
    model.setCompared(nullptr);
    QCOMPARE(at(StageColumn::Time).change, QString());
}

void TestCompareBar::aPreviewIsAgainstThePlan()
{
    StagesModel model;
    const PlanView plan = sample::plan(2, 2);
    const PlanView preview = sample::withPartition(plan, sample::evenPartition(*plan.graph, 2));
    model.setPlans(plan.cost, nullptr);
    model.setCompared(sample::plan(2, 3).cost);
    QVERIFY(model.base() != plan.cost.get());
    model.setPlans(plan.cost, preview.cost);
    QCOMPARE(model.base(), plan.cost.get());
}

QTEST_MAIN(TestCompareBar)
#include "tst_compare_bar.moc"
