#include "views/tables/row_ranges.h"

#include <QStandardItemModel>
#include <QTest>

using namespace stagecraft;

class TestRowRanges : public QObject
{
    Q_OBJECT

private slots:
    void neighboursMakeOneRange();
};

void TestRowRanges::neighboursMakeOneRange()
{
    QStandardItemModel model(6, 2);
    const QModelIndex parent = model.index(2, 0);
    for (int row = 0; row < 3; ++row)
        model.itemFromIndex(parent)->appendRow(new QStandardItem);
    QVERIFY(rowRanges({}).isEmpty());
    // The child's row follows by number, but not under the same parent.
    const std::vector<QModelIndex> rows{model.index(0, 0), model.index(1, 0), model.index(2, 0, parent),
                                        model.index(3, 0), model.index(5, 0), model.index(4, 0)};
    const QItemSelection ranges = rowRanges(rows);
    QCOMPARE(ranges.size(), 5);
    QCOMPARE(ranges[0], QItemSelectionRange(model.index(0, 0), model.index(1, 0)));
    QCOMPARE(ranges[1], QItemSelectionRange(model.index(2, 0, parent)));
    QCOMPARE(ranges[2], QItemSelectionRange(model.index(3, 0)));
}

QTEST_MAIN(TestRowRanges)
#include "tst_row_ranges.moc"
