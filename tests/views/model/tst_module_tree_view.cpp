#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"
#include "views/base/every_word.h"
#include "views/base/format.h"
#include "views/model/module_model.h"
#include "views/model/module_tree_view.h"
#include "views/tables/table_tools.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QtTest>

using namespace stagecraft;

namespace {

struct NarrowView
{
    NarrowView()
    {
        view.setPlan(sample::plan(2, 2));
        view.resize(400, 300);
        view.show();
    }

    Selection selection;
    ModuleTreeView view{&selection};
};

} // namespace

class TestModuleTreeView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
    void modelShowsModulesAndOpsInExecutionOrder();
    void sumsOfChildrenMakeTheParent();
    void filterKeepsMatchesAndTheirParents();
    void rowsAndSelectionFollowEachOther();
    void aFilterOpensTheWayToItsMatches();
    void aFilterGoesWithItsModel();
    void keysSendSplitAndReveal();
    void anotherPartitionKeepsOpenRows();
    void onlyRowsThatMoveAreTold();
    void whoCannotSeeThemIsToldOfChangedRows();
    void whatIsLookedForIsCounted();
    void differencesAreToThePlanCompared();
    void namesGiveWayToTheFirstFigures();
    void theLastFiguresComeWhereThereIsRoom();
};

namespace {

// "name(child, child ...)" of all rows, so that a failure reads like a difference.
QString outline(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString inside = outline(model, index);
        rows << index.data().toString() + (inside.isEmpty() ? "" : '(' + inside + ')');
    }
    return rows.join(' ');
}

// "name: stages" of all rows, in the same order as outline().
QStringList stagesOf(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex cell = model.index(row, int(ModuleColumn::Stages), parent);
        const QModelIndex name = cell.siblingAtColumn(0);
        rows << name.data().toString() + ": " + cell.data(Qt::AccessibleTextRole).toString();
        rows << stagesOf(model, name);
    }
    return rows;
}

} // namespace

void TestModuleTreeView::modelShowsModulesAndOpsInExecutionOrder()
{
    ModuleModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.setPlan(sample::plan(1, 2));
    QCOMPARE(outline(model),
             QString("sample(embed(embed) layers(0(norm1(norm1_0) attn(qkv(qkv_0) sdpa_0) "
                     "add1_0 norm2(norm2_0) mlp(up(up_0) down(down_0)) add2_0)) head(head))"));
    model.setPlan({});
    QCOMPARE(model.rowCount(), 0);
}

void TestModuleTreeView::sumsOfChildrenMakeTheParent()
{
    ModuleModel model;
    const PlanView plan = sample::plan(3, 2);
    model.setPlan(plan);
    const QModelIndex root = model.index(0, 0);
    QCOMPARE(model.nodesOf(root).size(), plan.graph->nodeCount());
    const QModelIndex layers = model.index(1, 0, root);
    QCOMPARE(layers.siblingAtColumn(int(ModuleColumn::Ops)).data().toString(), QString("24"));
    const auto stages = layers.siblingAtColumn(int(ModuleColumn::Stages)).data(cellRole).value<CellContent>();
    QCOMPARE(stages.chips, (std::vector{StageId(0), StageId(1)}));
    std::size_t sum = 0;
    for (int row = 0; row < model.rowCount(layers); ++row)
        sum += model.nodesOf(model.index(row, 0, layers)).size();
    QCOMPARE(sum, std::size_t{24});
}

void TestModuleTreeView::filterKeepsMatchesAndTheirParents()
{
    ModuleModel model;
    QSortFilterProxyModel& filter = *makeModuleFilter(&model);
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlan(sample::plan(2, 2));
    filter.setFilterRegularExpression(everyWordOf("QKV linear"));
    QCOMPARE(outline(filter),
             QString("sample(layers(0(attn(qkv(qkv_0))) 1(attn(qkv(qkv_1)))))")); // both words, any case
    filter.setFilterRegularExpression(everyWordOf("nothing like it"));
    QCOMPARE(outline(filter), QString());
    filter.setFilterRegularExpression(everyWordOf(""));
    QCOMPARE(outline(filter), outline(model));
}

void TestModuleTreeView::rowsAndSelectionFollowEachOther()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    const PlanView plan = sample::plan(2, 2);
    tree.setPlan(plan);
    auto* view = tree.findChild<QTreeView*>();
    const QModelIndex root = view->model()->index(0, 0);
    const QModelIndex layers = view->model()->index(1, 0, root);
    view->setCurrentIndex(layers);
    QCOMPARE(selection.nodes().size(), std::size_t{16});
    QCOMPARE(selection.nodes().front(), NodeId(1));

    selection.setNodes({NodeId(0)}); // the op of the module embed stands for the whole module
    QCOMPARE(view->selectionModel()->selectedRows(), (QModelIndexList{view->model()->index(0, 0, root)}));
    selection.setNodes({NodeId(4), NodeId(8)});
    QCOMPARE(view->selectionModel()->selectedRows().size(), 2);
    selection.setNodes({});
    QVERIFY(!view->selectionModel()->hasSelection());
}

void TestModuleTreeView::aFilterOpensTheWayToItsMatches()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    tree.setPlan(sample::plan(2, 2));
    auto* view = tree.findChild<QTreeView*>();
    tree.findChild<QLineEdit*>()->setText("attn.qkv");
    QModelIndex index = view->model()->index(0, 0);
    int depth = 0;
    for (; view->isExpanded(index); ++depth)
        index = view->model()->index(0, 0, index);
    QVERIFY(depth >= 3); // model, layers, 0: below them is what matches
    QVERIFY(index.isValid());
}

void TestModuleTreeView::aFilterGoesWithItsModel()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    const PlanView plan = sample::plan(2, 2);
    tree.setPlan(plan);
    auto* field = tree.findChild<QLineEdit*>();
    field->setText("attn.qkv");
    tree.setPlan(sample::withPartition(plan, sample::evenPartition(*plan.graph, 3)));
    QCOMPARE(field->text(), QString("attn.qkv"));
    tree.setPlan({});
    tree.setPlan(sample::plan(3, 2));
    QCOMPARE(field->text(), QString());
    QCOMPARE(outline(*tree.findChild<QTreeView*>()->model()).count("qkv"), 6); // modules and ops
}

void TestModuleTreeView::keysSendSplitAndReveal()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    tree.setPlan(sample::plan(2, 2));
    auto* view = tree.findChild<QTreeView*>();
    view->setCurrentIndex(view->model()->index(0, 0, view->model()->index(0, 0))); // embed
    QSignalSpy sends(&tree, &ModuleTreeView::sendRequested);
    QSignalSpy splits(&tree, &ModuleTreeView::splitRequested);
    QSignalSpy reveals(&selection, &Selection::revealRequested);
    QTest::keyClick(view, Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(sends.count(), 1);
    QCOMPARE(argumentOf<std::vector<NodeId>>(sends[0][0]), (std::vector{NodeId(0)}));
    QCOMPARE(argumentOf<StageDirection>(sends[0][1]), StageDirection::Next);
    QTest::keyClick(view, Qt::Key_S);
    QTest::keyClick(view, Qt::Key_S, Qt::ShiftModifier);
    QCOMPARE(splits.count(), 2);
    QCOMPARE(argumentOf<SplitSide>(splits[0][1]), SplitSide::Before);
    QCOMPARE(argumentOf<SplitSide>(splits[1][1]), SplitSide::After);
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(reveals.count(), 1);
}

void TestModuleTreeView::anotherPartitionKeepsOpenRows()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    const PlanView plan = sample::plan(2, 2);
    tree.setPlan(plan);
    auto* view = tree.findChild<QTreeView*>();
    const QPersistentModelIndex layers(view->model()->index(1, 0, view->model()->index(0, 0)));
    view->expand(layers);
    tree.setPlan(sample::withPartition(plan, sample::evenPartition(*plan.graph, 3)));
    QVERIFY(layers.isValid());
    QVERIFY(view->isExpanded(layers));
    view->collapse(view->model()->index(0, 0));
    tree.setPlan(plan);
    QVERIFY(!view->isExpanded(view->model()->index(0, 0)));
}

void TestModuleTreeView::onlyRowsThatMoveAreTold()
{
    const PlanView plan = sample::plan(4, 2);
    Partition moved = *plan.partition;
    const std::size_t first = plan.graph->nodeCount() / 2; // of the second stage: it goes to the first
    QCOMPARE(moved.stageOf[NodeId(first)], StageId(1));
    moved.stageOf[NodeId(first)] = StageId(0);
    const PlanView next = sample::withPartition(plan, std::make_shared<const Partition>(moved));
    ModuleModel model;
    model.setPlan(plan);
    ModuleModel fresh;
    fresh.setPlan(next);
    QVERIFY(stagesOf(model) != stagesOf(fresh));
    QSet<QString> told;
    connect(&model, &QAbstractItemModel::dataChanged, this,
            [&](const QModelIndex& from, const QModelIndex& to) {
                QCOMPARE(from.column(), int(ModuleColumn::Stages));
                QCOMPARE(to.column(), int(ModuleColumn::Time));
                for (int row = from.row(); row <= to.row(); ++row)
                    told.insert(from.sibling(row, 0).data().toString());
            });
    model.setPlan(next);
    QCOMPARE(stagesOf(model), stagesOf(fresh));
    QModelIndex row = model.indexOf(NodeId(first));
    QSet<QString> above;
    for (; row.isValid(); row = row.parent())
        above.insert(row.data().toString());
    QCOMPARE(told, above);
    model.setPlan(plan);
    QVERIFY(stagesOf(model) != stagesOf(fresh));
}

// Of those in open branches, as by Qt's own views. Without a screen Qt tells nobody; this runs under
//
//     dbus-run-session -- bash -c '/usr/libexec/at-spi-bus-launcher --launch-immediately & sleep 1;
//         QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 xvfb-run bin/tst_module_tree_view'
void TestModuleTreeView::whoCannotSeeThemIsToldOfChangedRows()
{
    Selection selection;
    ModuleTreeView tree(&selection);
    const PlanView plan = sample::plan(4, 2);
    tree.setPlan(plan);
    tree.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tree));
    if (!QAccessible::isActive())
        QSKIP("There is no bus of assistive programs");
    static QSet<QString> told; // "rows, columns"
    const auto before = QAccessible::installUpdateHandler([](QAccessibleEvent* event) {
        if (event->type() != QAccessible::TableModelChanged)
            return;
        const auto& change = static_cast<const QAccessibleTableModelChangeEvent&>(*event);
        if (change.modelChangeType() == QAccessibleTableModelChangeEvent::DataChanged)
            told << QString("%1-%2, %3-%4")
                        .arg(change.firstRow())
                        .arg(change.lastRow())
                        .arg(change.firstColumn())
                        .arg(change.lastColumn());
    });
    auto* view = tree.findChild<QTreeView*>();
    const QString columns = QString("%1-%2").arg(int(ModuleColumn::Stages)).arg(int(ModuleColumn::Time));
    const PlanView next = sample::withPartition(plan, sample::evenPartition(*plan.graph, 3));
    const auto toldOf = [&](const PlanView& shown) {
        told.clear();
        tree.setPlan(shown);
        told.removeIf([&](const QString& rows) { return !rows.endsWith(columns); });
        return told;
    };
    view->collapseAll();
    const QSet<QString> closed = toldOf(next);
    view->expandAll();
    const QSet<QString> open = toldOf(plan);
    QAccessible::installUpdateHandler(before);
    QCOMPARE(closed, (QSet<QString>{"0-0, " + columns})); // the whole model
    QVERIFY(open.size() > 1);
}

void TestModuleTreeView::whatIsLookedForIsCounted()
{
    ModuleModel model;
    model.setPlan(sample::plan(1, 2));
    const QModelIndex root = model.index(0, 0);
    const auto name = [](const QModelIndex& row) { return row.data(cellRole).value<CellContent>(); };
    QVERIFY(!name(root).faint && name(root).badge.isEmpty());
    model.setMatches(std::vector{NodeId(1), NodeId(5)}); // norms of the layer
    const QModelIndex layers = model.index(1, 0, root);
    QCOMPARE(name(root).badge, QString("2"));
    QCOMPARE(name(layers).badge, QString("2"));
    QVERIFY(!name(layers).faint);
    QVERIFY(name(model.index(0, 0, root)).faint);
    QCOMPARE(name(model.indexOf(NodeId(5))).badge, QString("found"));
    model.setMatches({});
    QVERIFY(!name(model.index(0, 0, root)).faint && name(root).badge.isEmpty());
}

void TestModuleTreeView::differencesAreToThePlanCompared()
{
    const PlanView plan = sample::plan(1, 2);
    ModuleModel model;
    model.setCompared(sample::slowerPlan(plan)); // may come first
    model.setPlan(plan);
    const QModelIndex whole = model.index(0, 0);
    const auto content = [&](const QModelIndex& row, ModuleColumn column) {
        return row.siblingAtColumn(int(column)).data(cellRole).value<CellContent>();
    };
    Bytes kept;
    Bytes less;
    for (const NodeCost& cost : plan.profile->nodes) {
        kept += cost.savedBytes;
        less += Bytes(cost.savedBytes.count() / 2);
    }
    QCOMPARE(content(whole, ModuleColumn::Activations).change, '+' + toText(kept - less));
    QCOMPARE(content(whole, ModuleColumn::Activations).changeKind, CellContent::Change::Worse);
    QCOMPARE(content(whole, ModuleColumn::Time).changeKind, CellContent::Change::Better);
    QCOMPARE(content(whole, ModuleColumn::Parameters).change, QString());
    QCOMPARE(content(whole, ModuleColumn::Stages).note, QString("B: 1, 2, 3, 4, 5"));
    QVERIFY(whole.data(Qt::ToolTipRole).toString().contains("\nIn B: forward "));
    QVERIFY(whole.data(Qt::ToolTipRole).toString().contains("\nAs one, alone: forward "));
    const QModelIndex first = model.indexOf(NodeId(0));
    QCOMPARE(content(first, ModuleColumn::Stages).note, QString());
    QCOMPARE(content(first, ModuleColumn::Name).change, QString());
    model.setCompared(nullptr);
    QCOMPARE(content(whole, ModuleColumn::Time).change, QString());
    QCOMPARE(content(whole, ModuleColumn::Stages).note, QString());
    model.setCompared(sample::slowerPlan(sample::plan(3, 2))); // of another graph
    QCOMPARE(content(whole, ModuleColumn::Time).change, QString());
    QCOMPARE(content(whole, ModuleColumn::Stages).note, QString());
}

void TestModuleTreeView::namesGiveWayToTheFirstFigures()
{
    NarrowView of;
    ModuleTreeView& view = of.view;
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto& tree = *view.findChild<QTreeView*>();
    const auto end = [&](ModuleColumn column) {
        return tree.header()->sectionViewportPosition(int(column)) + tree.columnWidth(int(column));
    };
    const int wide = tree.columnWidth(int(ModuleColumn::Name));
    QVERIFY(end(ModuleColumn::Activations) <= tree.viewport()->width());
    view.resize(1000, 300);
    QTRY_VERIFY(tree.columnWidth(int(ModuleColumn::Name)) > wide);
    tree.header()->resizeSection(int(ModuleColumn::Name), 222); // as a person would
    view.resize(400, 300);
    QCoreApplication::processEvents();
    QCOMPARE(tree.columnWidth(int(ModuleColumn::Name)), 222);
}

void TestModuleTreeView::theLastFiguresComeWhereThereIsRoom()
{
    NarrowView of;
    ModuleTreeView& view = of.view;
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto& tree = *view.findChild<QTreeView*>();
    auto& tools = *view.findChild<TableTools*>();
    QWidget* titles = tree.header()->viewport();
    const auto shown = [&] {
        return std::pair(!tree.isColumnHidden(int(ModuleColumn::Parameters)),
                         !tree.isColumnHidden(int(ModuleColumn::Ops)));
    };
    QCOMPARE(shown(), std::pair(false, false));
    QCOMPARE(tree.horizontalScrollBar()->maximum(), 0);
    const QByteArray narrow = tools.columns();
    view.resize(1000, 300);
    QTRY_COMPARE(shown(), std::pair(true, true));
    QCOMPARE(tree.horizontalScrollBar()->maximum(), 0);
    QVERIFY(tree.columnWidth(int(ModuleColumn::Parameters)) > 0);
    tools.restoreColumns(narrow); // of a window that is wider now
    view.resize(1100, 300);
    QTRY_COMPARE(shown(), std::pair(true, true));

    view.resize(400, 300);
    QTRY_COMPARE(shown(), std::pair(false, false));
    QVERIFY(!menuAt(titles, {5, 5}, "Ops").isEmpty());
    QCOMPARE(shown(), std::pair(false, true));
    view.resize(420, 300);
    QCoreApplication::processEvents();
    QCOMPARE(shown(), std::pair(false, true));
    QVERIFY(!menuAt(titles, {5, 5}, "Columns as at first").isEmpty());
    QCOMPARE(shown(), std::pair(false, false));
    view.resize(1000, 300);
    QTRY_COMPARE(shown(), std::pair(true, true));
    QVERIFY(!menuAt(titles, {5, 5}, "Columns as at first").isEmpty());
    QCOMPARE(shown(), std::pair(true, true));
}

QTEST_MAIN(TestModuleTreeView)
#include "tst_module_tree_view.moc"
