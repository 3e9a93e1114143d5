#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"
#include "views/base/format.h"
#include "views/plan/stages_model.h"
#include "views/plan/stages_table.h"
#include "views/tables/table_tools.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

using namespace stagecraft;

class TestStagesTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
    void modelShowsARowForEachStage();
    void previewShowsDifferencesAndKeepsRows();
    void overshootIsMarked();
    void sentOfAStageIsReceivedByTheOthers();
    void whatIsNotKeptIsSaid();
    void howFarOffTimesAreIsSaid();
    void keysMoveRemoveAndSplit();
    void rowAndSelectionFollowEachOther();
    void withoutAPlanItSaysSo();
    void sortedRowsAreStillTheirStages();
    void whatMattersIsInSightAtOnce();
    void columnsGiveWayInANarrowPanel();
    void columnsThatComeByThemselvesAreNotKept();
    void aPersonsChoiceOfThemIsKept();
    void widthsThatNobodyChoseFollowTheFigures();
    void whileStagesAreSoughtItSaysSo();
};

namespace {

CellContent contentAt(const StagesModel& model, int row, StageColumn column)
{
    return model.index(row, static_cast<int>(column)).data(cellRole).value<CellContent>();
}

QString textAt(const StagesModel& model, int row, StageColumn column)
{
    return model.index(row, static_cast<int>(column)).data().toString();
}

} // namespace

void TestStagesTable::modelShowsARowForEachStage()
{
    StagesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    const PlanView plan = sample::plan(4, 3);
    model.setPlans(plan.cost, nullptr);
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(model.index(2, 0).data(Qt::AccessibleTextRole).toString().contains("Stage 3"));
    QCOMPARE(textAt(model, 0, StageColumn::InFlight), QString("3"));
    const int slowest = static_cast<int>(plan.cost->bottleneck.index());
    QCOMPARE(contentAt(model, slowest, StageColumn::Stage).badge, QString("slowest"));
    QCOMPARE(contentAt(model, slowest, StageColumn::Time).bar, std::optional(1.0));
    QCOMPARE(textAt(model, slowest, StageColumn::Gap), QString("0 %"));
    QVERIFY(!model.index(3, 0).isValid());
    model.setPlans(nullptr, nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TestStagesTable::previewShowsDifferencesAndKeepsRows()
{
    StagesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto base = std::make_shared<PlanCost>();
    base->stages = Table<StageId, StageCost>(2);
    base->stages[StageId(0)].load = Seconds(1);
    base->stages[StageId(0)].peakMemory = Bytes(100 << 20);
    base->bottleneckTime = Seconds(1);
    auto preview = std::make_shared<PlanCost>(*base);
    preview->stages[StageId(0)].load = Seconds(1.03);
    preview->stages[StageId(0)].peakMemory = Bytes(76 << 20);
    model.setPlans(base, nullptr);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setPlans(base, preview);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(contentAt(model, 0, StageColumn::Time).change, QString("+3.0 %"));
    QCOMPARE(contentAt(model, 0, StageColumn::Time).changeKind, CellContent::Change::Worse);
    QCOMPARE(contentAt(model, 0, StageColumn::Peak).change, QString("\u221224.0 MiB"));
    QCOMPARE(contentAt(model, 0, StageColumn::Peak).changeKind, CellContent::Change::Better);
    QCOMPARE(contentAt(model, 1, StageColumn::Time).change, QString());
    model.setPlans(base, nullptr);
    QCOMPARE(contentAt(model, 0, StageColumn::Time).change, QString());
}

void TestStagesTable::overshootIsMarked()
{
    StagesModel model;
    auto cost = std::make_shared<PlanCost>();
    cost->stages = Table<StageId, StageCost>(1);
    cost->stages[StageId(0)].peakMemory = Bytes(50);
    cost->stages[StageId(0)].memoryLimit = Bytes(40);
    model.setPlans(cost, nullptr);
    const CellContent content = contentAt(model, 0, StageColumn::Peak);
    QVERIFY(content.overLimit);
    QCOMPARE(content.bar, std::optional(1.0));
    QCOMPARE(content.tick, std::optional(0.8));
}

void TestStagesTable::sentOfAStageIsReceivedByTheOthers()
{
    const PlanView plan = sample::plan(4, 4);
    Bytes sent;
    Bytes received;
    for (const StageId stage : plan.cost->stages.ids()) {
        sent += bytesSent(*plan.cost, stage);
        received += bytesReceived(*plan.cost, stage);
    }
    QCOMPARE(sent.count(), received.count());
    QCOMPARE(sent.count(), plan.cost->bytesSent.count());
}

void TestStagesTable::whatIsNotKeptIsSaid()
{
    StagesModel model;
    PlanView plan = sample::plan(4, 3);
    model.setPlans(plan.cost, nullptr);
    QCOMPARE(textAt(model, 0, StageColumn::Freed), QString());
    QCOMPARE(textAt(model, 0, StageColumn::Kept), toText(plan.cost->stages[StageId(0)].savedBytes * 3));
    auto without = std::make_shared<Profile>(*plan.profile);
    for (NodeCost& cost : without->nodes)
        cost.savedBytes = cost.savedBytes * 4;
    const std::size_t count = plan.graph->nodeCount();
    plan.again = std::make_shared<const RunAgain>(
        RunAgain{Table<NodeId, char>(count, 0), Table<NodeId, char>(count, 0), without});
    model.setSavedWithout(savedWithout(plan));
    QCOMPARE(textAt(model, 0, StageColumn::Freed),
             toText(plan.cost->stages[StageId(0)].savedBytes * std::int64_t{3 * 3})); // in flight: 3
}

// Beside the step's time, not in a tooltip alone.
void TestStagesTable::howFarOffTimesAreIsSaid()
{
    Selection selection;
    StagesTable table(&selection);
    PlanView plan = sample::plan(4, 3);
    auto checked = std::make_shared<Profile>(*plan.profile);
    checked->options.device.accuracy = {{"whole models", "a table", 9, 0.1, 0.12}};
    plan.profile = checked;
    table.setPlan(plan);
    const auto says = [&](const QString& text) {
        return std::ranges::any_of(table.findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text().contains(text); });
    };
    QVERIFY(says("estimated, usually within 12 %"));
    checked = std::make_shared<Profile>(*checked);
    for (NodeCost& cost : checked->nodes)
        cost.origin = CostOrigin::Measured;
    plan.profile = checked;
    table.setPlan(plan);
    QVERIFY(!says("estimated"));
    QVERIFY(says("times measured"));
}

namespace {

// Whose stages run something again.
PlanView recomputedPlan()
{
    PlanView plan = sample::plan(4, 3);
    auto cost = std::make_shared<PlanCost>(*plan.cost);
    cost->stages[StageId(0)].recomputed = Seconds(1e-3);
    plan.cost = cost;
    return plan;
}

bool showsRunAgain(const StagesTable& table)
{
    return !table.findChild<QTreeView*>()->isColumnHidden(int(StageColumn::Again));
}

// Of the menu of the table's titles.
void chooseInTitles(const StagesTable& table, StageColumn column)
{
    QHeaderView* header = table.findChild<QTreeView*>()->header();
    menuAt(header->viewport(), QPoint(5, header->height() / 2), stageColumnTitle(column));
}

} // namespace

void TestStagesTable::columnsThatComeByThemselvesAreNotKept()
{
    Selection selection;
    StagesTable table(&selection);
    table.setPlan(recomputedPlan());
    QVERIFY(showsRunAgain(table));
    const QByteArray kept = table.findChild<TableTools*>()->columns();

    StagesTable next(&selection);
    next.findChild<TableTools*>()->restoreColumns(kept);
    next.setPlan(sample::plan(4, 3));
    QVERIFY(!showsRunAgain(next));
    next.setPlan(recomputedPlan()); // they still come by themselves
    QVERIFY(showsRunAgain(next));
}

void TestStagesTable::aPersonsChoiceOfThemIsKept()
{
    Selection selection;
    StagesTable hiding(&selection);
    hiding.show();
    hiding.setPlan(recomputedPlan());
    chooseInTitles(hiding, StageColumn::Again);
    QVERIFY(!showsRunAgain(hiding));
    StagesTable afterHiding(&selection);
    afterHiding.findChild<TableTools*>()->restoreColumns(hiding.findChild<TableTools*>()->columns());
    afterHiding.setPlan(recomputedPlan());
    QVERIFY(!showsRunAgain(afterHiding));

    StagesTable showing(&selection);
    showing.show();
    showing.setPlan(sample::plan(4, 3));
    chooseInTitles(showing, StageColumn::Again);
    QVERIFY(showsRunAgain(showing));
    StagesTable afterShowing(&selection);
    afterShowing.findChild<TableTools*>()->restoreColumns(showing.findChild<TableTools*>()->columns());
    afterShowing.setPlan(sample::plan(4, 3));
    QVERIFY(showsRunAgain(afterShowing));
}

void TestStagesTable::widthsThatNobodyChoseFollowTheFigures()
{
    Selection selection;
    const auto widths = [](StagesTable& table) {
        table.setPlan(recomputedPlan());
        QList<int> found;
        const QHeaderView* header = table.findChild<QTreeView*>()->header();
        for (int section = 0; section < header->count(); ++section)
            found << header->sectionSize(section);
        return found;
    };
    const auto shown = [](StagesTable& table, int width) {
        table.resize(width, 300);
        table.show();
        return QTest::qWaitForWindowExposed(&table);
    };
    StagesTable fresh(&selection);
    QVERIFY(shown(fresh, 500));
    const QList<int> expected = widths(fresh);

    StagesTable without(&selection); // other columns come while somebody looks at it
    QVERIFY(shown(without, 500));
    without.setPlan(sample::plan(4, 3));
    QCOMPARE(widths(without), expected);

    StagesTable narrow(&selection);
    QVERIFY(shown(narrow, 200));
    narrow.setPlan(sample::plan(4, 3));
    StagesTable next(&selection); // as the program starts again
    next.findChild<TableTools*>()->restoreColumns(narrow.findChild<TableTools*>()->columns());
    QVERIFY(shown(next, 500));
    QCOMPARE(widths(next), expected);
}

// The figures that there are then are those of a plan that nobody asked for.
void TestStagesTable::whileStagesAreSoughtItSaysSo()
{
    Selection selection;
    StagesTable table(&selection);
    table.resize(700, 300);
    table.show();
    PlanView whole = sample::plan(4, 1);
    whole.sought = 4;
    whole.isSeeking = true;
    table.setPlan(whole);
    QVERIFY(!table.findChild<QTreeView*>()->isVisible());
    QVERIFY2(saidBy(table).contains("is being looked for"), qPrintable(saidBy(table)));
    QVERIFY2(!saidBy(table).contains("slowest"), qPrintable(saidBy(table)));
    whole.isSeeking = false; // it was given up
    table.setPlan(whole);
    QVERIFY(table.findChild<QTreeView*>()->isVisible());
    QVERIFY2(saidBy(table).contains("Not split yet"), qPrintable(saidBy(table)));
    table.setPlan(sample::plan(4, 3));
    QVERIFY2(saidBy(table).contains("slowest"), qPrintable(saidBy(table)));
}

void TestStagesTable::keysMoveRemoveAndSplit()
{
    Selection selection;
    StagesTable table(&selection);
    table.setPlan(sample::plan(4, 3));
    auto* view = table.findChild<QTreeView*>();
    view->setCurrentIndex(view->model()->index(1, 0));
    QSignalSpy moves(&table, &StagesTable::boundaryMoveRequested);
    QSignalSpy removals(&table, &StagesTable::boundaryRemoveRequested);
    QSignalSpy splits(&table, &StagesTable::stageSplitRequested);
    QSignalSpy activations(&table, &StagesTable::stageActivated);

    QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
    QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier | Qt::ControlModifier);
    QCOMPARE(moves.count(), 3);
    QCOMPARE(argumentOf<BoundaryId>(moves[0][0]), BoundaryId(1));
    QCOMPARE(argumentOf<StageDirection>(moves[0][1]), StageDirection::Next);
    QCOMPARE(argumentOf<BoundaryStep>(moves[0][2]), BoundaryStep::OnePlace);
    QCOMPARE(argumentOf<StageDirection>(moves[1][1]), StageDirection::Previous);
    QCOMPARE(argumentOf<BoundaryStep>(moves[1][2]), BoundaryStep::OneModule);
    QCOMPARE(argumentOf<BoundaryStep>(moves[2][2]), BoundaryStep::BestNearby);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(removals.count(), 1);
    QTest::keyClick(view, Qt::Key_S);
    QCOMPARE(argumentOf<StageId>(splits.takeFirst()[0]), StageId(1));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(argumentOf<StageId>(activations.takeFirst()[0]), StageId(1));

    QTest::keyClick(view, Qt::Key_BracketRight);
    QCOMPARE(selection.stage(), std::optional(StageId(2)));
    QCOMPARE(selection.boundary(), std::optional(BoundaryId(1))); // the last row has the one above it
}

void TestStagesTable::rowAndSelectionFollowEachOther()
{
    Selection selection;
    StagesTable table(&selection);
    table.setPlan(sample::plan(4, 3));
    auto* view = table.findChild<QTreeView*>();
    selection.setStage(StageId(2));
    QCOMPARE(view->currentIndex().row(), 2);
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(selection.stage(), std::optional(StageId(1)));
}

// In a quarter of a window of 1600 pixels; what is not shown can be asked for.
void TestStagesTable::whatMattersIsInSightAtOnce()
{
    Selection selection;
    StagesTable table(&selection);
    table.resize(400, 300);
    table.setPlan(sample::plan(4, 3));
    const QHeaderView* header = table.findChild<QTreeView*>()->header();
    int width = 0;
    for (int column = 0; column < stageColumnCount; ++column) {
        QCOMPARE(header->isSectionHidden(column), column > int(StageColumn::Sent));
        width += header->sectionSize(column);
    }
    QVERIFY2(width <= 400, qPrintable(QString::number(width)));
}

// That of a window of 1280 pixels; what a person has set stays.
void TestStagesTable::columnsGiveWayInANarrowPanel()
{
    Selection selection;
    StagesTable table(&selection);
    table.resize(700, 300);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    table.setPlan(sample::plan(4, 3));
    auto* view = table.findChild<QTreeView*>();
    QHeaderView* header = view->header();
    const int wide = header->length();
    table.resize(wide - 40, 300);
    QVERIFY2(header->length() <= view->viewport()->width(), qPrintable(QString::number(header->length())));
    for (int column = 0; column < stageColumnCount; ++column)
        if (!header->isSectionHidden(column))
            QVERIFY(header->sectionSize(column) >= view->fontMetrics().horizontalAdvance(
                                                       stageColumnTitle(static_cast<StageColumn>(column))));
    table.resize(700, 300);
    QCOMPARE(header->length(), wide);
    header->resizeSection(1, 155);
    table.resize(500, 300);
    QCOMPARE(header->sectionSize(1), 155);
}

void TestStagesTable::withoutAPlanItSaysSo()
{
    Selection selection;
    StagesTable table(&selection);
    auto* view = table.findChild<QTreeView*>();
    QVERIFY(view->isHidden());
    QSignalSpy moves(&table, &StagesTable::boundaryMoveRequested);
    QTest::keyClick(view, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(moves.count(), 0);
    table.setPlan(sample::plan(1, 2));
    QVERIFY(!view->isHidden());
}

void TestStagesTable::sortedRowsAreStillTheirStages()
{
    Selection selection;
    StagesTable table(&selection);
    const PlanView plan = sample::plan(4, 3);
    table.resize(900, 400);
    table.setPlan(plan);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    auto* view = table.findChild<QTreeView*>();
    QHeaderView* header = view->header();
    const int x = header->sectionViewportPosition(int(StageColumn::Stage)) + 8;
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {x, header->height() / 2});
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {x, header->height() / 2}); // from the last
    const auto nameOf = [&](int row) {
        return view->model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
    };
    QVERIFY2(nameOf(0).contains("Stage 3"), qPrintable(nameOf(0)));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->visualRect(view->model()->index(0, 0)).center());
    QCOMPARE(selection.stage(), StageId(2));
    QTest::keyClick(view, Qt::Key_BracketLeft); // the stage before, wherever its row is
    QCOMPARE(selection.stage(), StageId(1));
    selection.setStage(StageId(0));
    QCOMPARE(view->currentIndex().row(), 2);
    QSignalSpy activated(&table, &StagesTable::stageActivated);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(argumentOf<StageId>(activated[0][0]), StageId(0));
    QTest::keyClick(view, Qt::Key_Up, Qt::ShiftModifier);
    QStringList texts;
    for (const QLabel* label : table.findChildren<QLabel*>())
        if (!label->isHidden())
            texts << label->text();
    QVERIFY2(texts.join('\n').contains("2 rows: Time "), qPrintable(texts.join('\n')));
}

QTEST_MAIN(TestStagesTable)
#include "tst_stages_table.moc"
