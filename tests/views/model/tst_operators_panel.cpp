#include "tests/views/sample_plan.h"
#include "views/base/format.h"
#include "views/model/operators_model.h"
#include "views/model/operators_panel.h"
#include "views/tables/table_tools.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

using namespace stagecraft;

namespace {

struct Panel
{
    explicit Panel(std::size_t blocks = 1)
    {
        plan = sample::plan(blocks, 2);
        panel.resize(1200, 500);
        panel.setPlan(plan);
        panel.show();
        if (!QTest::qWaitForWindowExposed(&panel))
            qFatal("the panel does not show");
    }
    QTreeView* view() { return panel.findChild<QTreeView*>(); }
    TableTools* tools() { return panel.findChild<TableTools*>(); }
    QString names()
    {
        QStringList names;
        for (int row = 0; row < view()->model()->rowCount(); ++row)
            names << view()->model()->index(row, 0).data().toString();
        return names.join(' ');
    }
    QString line(const char* name)
    {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->accessibleName() == name)
                return label->isHidden() ? QString() : label->text();
        return {};
    }
    void clickTitle(OperatorColumn column)
    {
        QHeaderView* header = view()->header();
        const int x = header->sectionViewportPosition(int(column)) + 8;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {x, header->height() / 2});
    }
    void clickRow(int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QRect cell = view()->visualRect(view()->model()->index(row, 0));
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, modifiers, cell.center());
    }

    Selection selection;
    OperatorsPanel panel{&selection};
    PlanView plan;
};

const QString inOrder = "embed norm1_0 qkv_0 sdpa_0 add1_0 norm2_0 up_0 down_0 add2_0 head";

} // namespace

class TestOperatorsPanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }
    void everyOpIsARow();
    void aClickOnATitleSorts();
    void onlyWhatIsLookedForIsListed();
    void rowsAndSelectionFollowEachOther();
    void sumsAreOfWhatIsSelected();
    void columnsAreChosen();
    void copiesAreWhatIsShown();
    void filesAreWritten();
    void nothingIsFilledThatNobodySees();
    void differencesAreToThePlanCompared();
};

void TestOperatorsPanel::everyOpIsARow()
{
    OperatorsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlan(sample::plan(2, 3));
    QCOMPARE(model.rowCount(), 18);
    model.sort(int(OperatorColumn::Time), Qt::DescendingOrder);
    model.setNodes(std::vector{NodeId(3), NodeId(5)});
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!model.indexOf(NodeId(4)).isValid());
    QCOMPARE(model.nodeOf(model.indexOf(NodeId(5))), NodeId(5));
    model.setPlan(sample::plan(1, 2)); // another graph: what was looked for is not of it
    QCOMPARE(model.rowCount(), 10);
    model.setPlan({});
    QCOMPARE(model.rowCount(), 0);
}

void TestOperatorsPanel::aClickOnATitleSorts()
{
    Panel f;
    QCOMPARE(f.names(), inOrder);
    f.clickTitle(OperatorColumn::Name);
    QCOMPARE(f.names(), QString("add1_0 add2_0 down_0 embed head norm1_0 norm2_0 qkv_0 sdpa_0 up_0"));
    f.clickTitle(OperatorColumn::Time);
    const auto time = [&](int row) {
        return f.view()->model()->index(row, int(OperatorColumn::Time)).data(valueRole).toDouble();
    };
    for (int row = 1; row < 10; ++row)
        QVERIFY(time(row - 1) >= time(row));
    f.clickTitle(OperatorColumn::Time);
    for (int row = 1; row < 10; ++row)
        QVERIFY(time(row - 1) <= time(row));
    f.clickTitle(OperatorColumn::Time);
    QCOMPARE(f.names(), inOrder);
}

void TestOperatorsPanel::onlyWhatIsLookedForIsListed()
{
    Panel f;
    QCOMPARE(f.line("Operators listed"), QString("10 ops; what is typed into Find is listed here alone"));
    f.selection.setMatches(std::vector{NodeId(1), NodeId(5)});
    QCOMPARE(f.names(), QString("norm1_0 norm2_0"));
    QCOMPARE(f.line("Operators listed"), QString("2 of 10 ops are what you look for"));
    f.selection.setMatches(std::vector<NodeId>());
    QCOMPARE(f.names(), QString());
    f.selection.setMatches({});
    QCOMPARE(f.names(), inOrder);
}

void TestOperatorsPanel::rowsAndSelectionFollowEachOther()
{
    Panel f;
    f.clickTitle(OperatorColumn::Name); // add1_0 add2_0 down_0 ...
    f.clickRow(2);
    QCOMPARE(f.selection.nodes(), std::vector{NodeId(7)});
    f.clickRow(0, Qt::ControlModifier);
    QCOMPARE(f.selection.nodes(), (std::vector{NodeId(4), NodeId(7)}));
    f.selection.setNodes({NodeId(9), NodeId(0)});
    QCOMPARE(f.view()->selectionModel()->selectedRows().size(), 2);
    QSignalSpy reveals(&f.selection, &Selection::revealRequested);
    QTest::keyClick(f.view(), Qt::Key_Return);
    QCOMPARE(reveals.count(), 1);
    f.clickTitle(OperatorColumn::Name); // rows move, what is selected stays
    QCOMPARE(f.selection.nodes(), (std::vector{NodeId(0), NodeId(9)}));
    const auto rows = f.view()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 2);
    for (const QModelIndex& row : rows)
        QVERIFY(row.data().toString() == "embed" || row.data().toString() == "head");
}

void TestOperatorsPanel::sumsAreOfWhatIsSelected()
{
    Panel f;
    QVERIFY(f.line("Sums of what is selected").isEmpty());
    f.clickRow(1);
    QVERIFY(f.line("Sums of what is selected").isEmpty());
    f.clickRow(3, Qt::ShiftModifier);
    const QString sums = f.line("Sums of what is selected");
    QVERIFY2(sums.startsWith("3 rows: Time "), qPrintable(sums));
    Seconds time;
    for (const std::size_t node : {1, 2, 3})
        time += f.plan.profile->nodes[NodeId(node)].time();
    QVERIFY2(sums.contains("Time " + QString::fromStdString(formatSeconds(time))), qPrintable(sums));
}

void TestOperatorsPanel::columnsAreChosen()
{
    Panel f;
    const int made = int(OperatorColumn::Made);
    QVERIFY(f.view()->isColumnHidden(made));
    QTimer::singleShot(0, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text() == "Made")
                action->trigger();
        menu->close();
    });
    emit f.view()->header()->customContextMenuRequested({5, 5});
    QVERIFY(!f.view()->isColumnHidden(made));
    QVERIFY(f.view()->columnWidth(made) > 20);
}

void TestOperatorsPanel::copiesAreWhatIsShown()
{
    Panel f;
    for (int column = 1; column < operatorColumnCount; ++column)
        f.view()->setColumnHidden(column, column != int(OperatorColumn::Stage) &&
                                              column != int(OperatorColumn::Time));
    f.clickRow(0);
    f.clickRow(1, Qt::ControlModifier);
    QTest::keyClick(f.view(), Qt::Key_C, Qt::ControlModifier);
    const auto time = [&](std::size_t node) {
        return QString::number(f.plan.profile->nodes[NodeId(node)].time().value(), 'g', 17);
    };
    QCOMPARE(QApplication::clipboard()->text(),
             QString("Op,Stage,Time [s]\r\nembed,1,%1\r\nnorm1_0,1,%2\r\n").arg(time(0), time(1)));
    f.tools()->actions()[1]->trigger();
    const QString markdown = QApplication::clipboard()->text();
    QVERIFY2(markdown.startsWith("| Op | Stage | Time |\n| --- | --- | ---: |\n| embed | Stage 1 | "),
             qPrintable(markdown));
    QVERIFY(markdown.contains("| norm1\\_0 | Stage 1 |"));
}

void TestOperatorsPanel::filesAreWritten()
{
    Panel f;
    const QTemporaryDir folder;
    for (const char* name : {"ops.csv", "ops.md"}) {
        QVERIFY(f.tools()->writeTo(folder.filePath(name)).has_value());
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count('\n'), QString(name).endsWith("md") ? 12 : 11); // all rows
    }
    QVERIFY(!f.tools()->writeTo(folder.filePath("no/such/folder.csv")).has_value());
}

void TestOperatorsPanel::nothingIsFilledThatNobodySees()
{
    Selection selection;
    OperatorsPanel panel(&selection);
    panel.setPlan(sample::plan(1, 2));
    QCOMPARE(panel.findChild<QTreeView*>()->model()->rowCount(), 0);
    panel.show();
    QCOMPARE(panel.findChild<QTreeView*>()->model()->rowCount(), 10);
}

void TestOperatorsPanel::differencesAreToThePlanCompared()
{
    Panel f;
    OperatorsModel model;
    model.setPlan(f.plan);
    model.setCompared(sample::slowerPlan(f.plan));
    const auto cell = [&](std::size_t node, OperatorColumn column) {
        return model.indexOf(NodeId(node)).siblingAtColumn(int(column));
    };
    const auto content = [&](std::size_t node, OperatorColumn column) {
        return cell(node, column).data(cellRole).value<CellContent>();
    };
    QCOMPARE(content(2, OperatorColumn::Forward).change, QString("\u221250 %"));
    QCOMPARE(content(2, OperatorColumn::Forward).changeKind, CellContent::Change::Better);
    const Bytes kept = f.plan.profile->nodes[NodeId(2)].savedBytes;
    QVERIFY(kept > Bytes(0));
    QCOMPARE(content(2, OperatorColumn::Kept).change, '+' + toText(kept - Bytes(kept.count() / 2)));
    QCOMPARE(content(2, OperatorColumn::Kept).changeKind, CellContent::Change::Worse);
    QCOMPARE(content(2, OperatorColumn::Parameters).change, QString());
    QCOMPARE(content(9, OperatorColumn::Stage).note, QString("B: 5")); // the last of five, here of two
    QCOMPARE(content(0, OperatorColumn::Stage).note, QString());
    QVERIFY(cell(2, OperatorColumn::Forward).data(Qt::ToolTipRole).toString().contains("in B"));
    QVERIFY(cell(2, OperatorColumn::Forward).data(Qt::AccessibleTextRole).toString().endsWith("50 %"));
    QVERIFY(tableMarkdown(model, {{cell(2, OperatorColumn::Name)}, {int(OperatorColumn::Forward)}})
                .contains(", \u221250 % |"));
    model.setCompared(nullptr);
    QCOMPARE(content(2, OperatorColumn::Forward).change, QString());
    QVERIFY(cell(2, OperatorColumn::Forward).data(Qt::ToolTipRole).toString().isEmpty());
    model.setCompared(sample::slowerPlan(sample::plan(0, 1))); // of another graph: nothing to compare with
    QCOMPARE(content(9, OperatorColumn::Forward).change, QString());
}

QTEST_MAIN(TestOperatorsPanel)
#include "tst_operators_panel.moc"
