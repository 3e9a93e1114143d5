#include "views/tables/row_filter.h"

#include "views/tables/table_tools.h"

#include <QAction>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <QtTest>

using namespace stagecraft;

class TestRowFilter : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void isHiddenUntilTheKey();
    void leavesRowsWithAllWords_data();
    void leavesRowsWithAllWords();
    void countsWhatIsLeft();
    void hiddenColumnsDoNotCount();
    void newRowsAreFilteredToo();
    void sortedRowsStayFiltered();
    void whatGoesIsSelectedNoMore();
    void copiesWhatIsLeft();
    void escapeBringsAllBack();
    void enterGoesToTheFirstLeft();
    void goesWithItsTable();

private:
    void filter(const QString& text)
    {
        QTest::keyClick(m_tree, '/');
        m_field->selectAll();
        m_field->del();
        QTest::keyClicks(m_field, text);
    }
    QString shown(const QTreeWidgetItem* parent = nullptr) const
    {
        const QTreeWidgetItem* from = parent ? parent : m_tree->invisibleRootItem();
        QStringList names;
        for (int i = 0; i < from->childCount(); ++i)
            if (const QTreeWidgetItem* item = from->child(i); !item->isHidden())
                names << item->text(0) + (item->childCount() > 0 && item->isExpanded()
                                              ? '(' + shown(item) + ')'
                                              : QString());
        return names.join(' ');
    }

    std::unique_ptr<QWidget> m_panel;
    QTreeWidget* m_tree = nullptr;
    TableTools* m_tools = nullptr;
    QWidget* m_line = nullptr;
    QLineEdit* m_field = nullptr;
};

void TestRowFilter::init()
{
    m_panel = std::make_unique<QWidget>();
    m_tree = new QTreeWidget;
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setHeaderLabels({"Name", "What"});
    m_tools = new TableTools(m_tree, "Sample", TableTools::Sorting::Wanted);
    m_line = m_tools->filterLine();
    m_field = m_line->findChild<QLineEdit*>();
    auto* layout = new QVBoxLayout(m_panel.get());
    layout->addWidget(m_tree);
    layout->addWidget(m_line);
    auto* weights = new QTreeWidgetItem(m_tree, {"weights", "kept"});
    new QTreeWidgetItem(weights, {"wq", "attention"});
    new QTreeWidgetItem(weights, {"up", "mlp"});
    new QTreeWidgetItem(m_tree, {"inputs", "tokens"});
    new QTreeWidgetItem(m_tree, {"grads", "Attention"});
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    m_tree->setFocus();
}

void TestRowFilter::isHiddenUntilTheKey()
{
    QVERIFY(m_line->isHidden());
    QVERIFY(m_tools->actions().back()->shortcut() == QKeySequence("/"));
    QTest::keyClick(m_tree, '/');
    QVERIFY(m_line->isVisible());
    QTRY_VERIFY(m_field->hasFocus());
    QVERIFY(m_field->text().isEmpty());
}

void TestRowFilter::leavesRowsWithAllWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("left");
    QTest::newRow("in any column, whatever its case") << "attention"
                                                      << "weights(wq) grads";
    QTest::newRow("all words, in any order") << "attention gra"
                                             << "grads";
    QTest::newRow("of rows above too") << "attention weights"
                                       << "weights(wq)";
    QTest::newRow("all below a match") << "kept"
                                       << "weights";
    QTest::newRow("signs are no pattern") << "."
                                          << "";
    QTest::newRow("spaces are no words") << "  "
                                         << "weights inputs grads";
}

void TestRowFilter::leavesRowsWithAllWords()
{
    QFETCH(const QString, text);
    QFETCH(const QString, left);
    filter(text);
    QCOMPARE(shown(), left);
}

void TestRowFilter::countsWhatIsLeft()
{
    filter("attention");
    QCOMPARE(m_line->findChild<QLabel*>()->text(), QString("2 of 4"));
    filter("kept");
    QCOMPARE(m_line->findChild<QLabel*>()->text(), QString("2 of 4"));
    filter("nothing like it");
    QCOMPARE(m_line->findChild<QLabel*>()->text(), QString("0 of 4"));
}

void TestRowFilter::hiddenColumnsDoNotCount()
{
    filter("tokens");
    QCOMPARE(shown(), QString("inputs"));
    m_tree->setColumnHidden(1, true);
    QTRY_COMPARE(shown(), QString());
}

void TestRowFilter::newRowsAreFilteredToo()
{
    filter("attention");
    m_tree->clear();
    new QTreeWidgetItem(m_tree, {"a", "mlp"});
    new QTreeWidgetItem(m_tree, {"b", "attention"});
    QTRY_COMPARE(shown(), QString("b"));
}

void TestRowFilter::sortedRowsStayFiltered()
{
    filter("attention");
    const QHeaderView* header = m_tree->header();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(5, header->height() / 2));
    QCOMPARE(shown(), QString("grads weights(wq)"));
}

void TestRowFilter::whatGoesIsSelectedNoMore()
{
    m_tree->setCurrentItem(m_tree->topLevelItem(1));
    m_tree->topLevelItem(2)->setSelected(true);
    filter("grads");
    QCOMPARE(m_tree->selectedItems(), QList<QTreeWidgetItem*>{m_tree->topLevelItem(2)});
    QVERIFY(!m_tree->currentItem());
}

void TestRowFilter::copiesWhatIsLeft()
{
    filter("grads");
    m_tools->actions().front()->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QString("Name,What\r\ngrads,Attention\r\n"));
}

void TestRowFilter::escapeBringsAllBack()
{
    filter("grads");
    QTest::keyClick(m_field, Qt::Key_Escape);
    QCOMPARE(shown(), QString("weights inputs grads"));
    QVERIFY(m_line->isHidden());
    QTRY_VERIFY(m_tree->hasFocus());
}

void TestRowFilter::enterGoesToTheFirstLeft()
{
    filter("tokens");
    QTest::keyClick(m_field, Qt::Key_Return);
    QTRY_VERIFY(m_tree->hasFocus());
    QVERIFY(m_line->isVisible()); // it still holds
    QCOMPARE(m_tree->currentItem(), m_tree->topLevelItem(1));
}

void TestRowFilter::goesWithItsTable()
{
    filter("tokens");
    m_tree->hide();
    QVERIFY(m_line->isHidden());
    m_tree->show();
    QCOMPARE(shown(), QString("weights inputs grads"));
}

QTEST_MAIN(TestRowFilter)
#include "tst_row_filter.moc"
