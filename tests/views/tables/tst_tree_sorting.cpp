#include "views/tables/tree_sorting.h"

#include "views/tables/table_roles.h"
#include "views/tables/table_tools.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

using namespace stagecraft;

class TestTreeSorting : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void figuresAreSortedAsNumbers();
    void textsAreSortedWithTheNumbersInThem();
    void theirOwnOrderComesBack();
    void rowsAreSortedAmongSiblings();
    void whatIsOpenAndChosenStaysSo();
    void aClickOnATitleSorts();
    void columnsAreKept();
    void columnsOfAnotherTableAreNot();

private:
    QTreeWidgetItem* add(QTreeWidgetItem* parent, const QString& name, double value)
    {
        auto* item = new QTreeWidgetItem(parent, {name, QString::number(value) + " ms"});
        item->setData(1, valueRole, value);
        return item;
    }
    QString order(const QTreeWidgetItem* parent) const
    {
        QString names;
        for (int i = 0; i < parent->childCount(); ++i)
            names += parent->child(i)->text(0).left(1);
        return names;
    }
    QString order() const { return order(m_tree->invisibleRootItem()); }

    std::unique_ptr<QTreeWidget> m_tree;
    TableTools* m_tools = nullptr;
};

void TestTreeSorting::init()
{
    m_tree = std::make_unique<QTreeWidget>();
    m_tree->setHeaderLabels({"Name", "Time"});
    m_tree->headerItem()->setData(1, unitRole, int(ColumnUnit::Time));
    m_tools = new TableTools(m_tree.get(), "Sample", TableTools::Sorting::Wanted);
    QTreeWidgetItem* root = m_tree->invisibleRootItem();
    QTreeWidgetItem* c = add(root, "c within 10 %", 9);
    add(root, "a", 100);
    add(root, "b within 3 %", 20);
    add(c, "y", 1);
    add(c, "x", 2);
}

void TestTreeSorting::figuresAreSortedAsNumbers()
{
    sortRows(m_tree.get(), 1, Qt::AscendingOrder);
    QCOMPARE(order(), QString("cba"));
    sortRows(m_tree.get(), 1, Qt::DescendingOrder);
    QCOMPARE(order(), QString("abc"));
}

void TestTreeSorting::textsAreSortedWithTheNumbersInThem()
{
    for (int i = 0; i < 3; ++i)
        m_tree->topLevelItem(i)->setText(0, m_tree->topLevelItem(i)->text(0).replace(0, 1, "w"));
    sortRows(m_tree.get(), 0, Qt::AscendingOrder);
    QCOMPARE(m_tree->topLevelItem(1)->text(0), QString("w within 3 %"));
    QCOMPARE(m_tree->topLevelItem(2)->text(0), QString("w within 10 %"));
}

void TestTreeSorting::theirOwnOrderComesBack()
{
    sortRows(m_tree.get(), 1, Qt::DescendingOrder);
    sortRows(m_tree.get(), 0, Qt::AscendingOrder);
    sortRows(m_tree.get(), -1, Qt::AscendingOrder);
    QCOMPARE(order(), QString("cab"));
}

void TestTreeSorting::rowsAreSortedAmongSiblings()
{
    sortRows(m_tree.get(), 1, Qt::DescendingOrder);
    QCOMPARE(order(), QString("abc"));
    QCOMPARE(order(m_tree->topLevelItem(2)), QString("xy"));
}

void TestTreeSorting::whatIsOpenAndChosenStaysSo()
{
    QTreeWidgetItem* c = m_tree->topLevelItem(0);
    c->setExpanded(true);
    m_tree->setCurrentItem(c->child(1));
    QSignalSpy changes(m_tree.get(), &QTreeWidget::itemSelectionChanged);
    sortRows(m_tree.get(), 1, Qt::DescendingOrder);
    QVERIFY(c->isExpanded());
    QCOMPARE(m_tree->currentItem()->text(0), QString("x"));
    QCOMPARE(m_tree->selectedItems(), QList<QTreeWidgetItem*>{c->child(0)});
    QCOMPARE(changes.count(), 0);
}

void TestTreeSorting::aClickOnATitleSorts()
{
    m_tree->resize(400, 200);
    m_tree->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_tree.get()));
    QHeaderView* header = m_tree->header();
    const QPoint title(header->sectionViewportPosition(1) + 5, header->height() / 2);
    for (const char* expected : {"abc", "cba", "cab"}) { // the largest first, the smallest first, as at first
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        QCOMPARE(order(), QString(expected));
    }
}

void TestTreeSorting::columnsAreKept()
{
    m_tree->setColumnHidden(1, true);
    m_tree->setColumnWidth(0, 321);
    const QByteArray columns = m_tools->columns();
    m_tree->setColumnHidden(1, false);
    m_tree->setColumnWidth(0, 50);
    QVERIFY(!m_tools->hasKeptColumns());
    m_tools->restoreColumns(columns);
    QVERIFY(m_tools->hasKeptColumns());
    QVERIFY(m_tree->isColumnHidden(1));
    QCOMPARE(m_tree->columnWidth(0), 321);
}

void TestTreeSorting::columnsOfAnotherTableAreNot()
{
    m_tree->setColumnWidth(0, 77);
    for (const QByteArray& columns : {QByteArray(), QByteArray("nothing of the kind")}) {
        m_tools->restoreColumns(columns);
        QVERIFY(!m_tools->hasKeptColumns());
        QCOMPARE(m_tree->header()->count(), 2);
        QCOMPARE(m_tree->columnWidth(0), 77);
    }
}

QTEST_MAIN(TestTreeSorting)
#include "tst_tree_sorting.moc"
