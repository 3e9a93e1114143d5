#include "views/tables/table_text.h"

#include <QStandardItemModel>
#include <QTest>

using namespace stagecraft;

namespace {

// A name and a time; names are what a file may hold.
struct Table
{
    Table()
    {
        model.setHorizontalHeaderLabels({"Name", "Time"});
        model.setHeaderData(1, Qt::Horizontal, int(ColumnUnit::Time), unitRole);
        model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight), Qt::TextAlignmentRole);
    }
    void add(const QString& name, double seconds)
    {
        auto* figure = new QStandardItem("a while");
        figure->setData(seconds, valueRole);
        model.appendRow({new QStandardItem(name), figure});
    }
    TablePart all() const
    {
        TablePart part{{}, {0, 1}};
        for (int row = 0; row < model.rowCount(); ++row)
            part.rows << model.index(row, 0);
        return part;
    }

    QStandardItemModel model;
};

} // namespace

class TestTableText : public QObject
{
    Q_OBJECT

private slots:
    void csvQuotesAndGivesNumbers()
    {
        Table table;
        table.add("a", 0.25);
        table.add("b,\"c\"", 1e-6);
        QCOMPARE(tableCsv(table.model, table.all()),
                 QString("Name,Time [s]\r\na,0.25\r\n\"b,\"\"c\"\"\",9.9999999999999995e-07\r\n"));
    }

    void noTextIsAFormula()
    {
        Table table;
        for (const char* name : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"})
            table.add(name, -1);
        const QString csv = tableCsv(table.model, table.all());
        QVERIFY2(csv.contains("\n'=1+1,-1\r\n'+1,-1\r\n'-1,-1\r\n'@SUM(A1),-1\r\n'\tx,-1\r\n"),
                 qPrintable(csv));
    }

    void noTextIsMarkup()
    {
        Table table;
        table.add("a|b\n<script>*x*", 1);
        QCOMPARE(tableMarkdown(table.model, table.all()),
                 QString("| Name | Time |\n| --- | ---: |\n| a\\|b \\<script\\>\\*x\\* | a while |\n"));
    }

    void sumsAreOfFigures()
    {
        Table table;
        table.add("a", 0.001);
        QCOMPARE(tableSums(table.model, table.all()), QString());
        table.add("b", 0.002);
        QCOMPARE(tableSums(table.model, table.all()), QString("2 rows: Time 3.00 ms"));
    }
};

QTEST_GUILESS_MAIN(TestTableText)
#include "tst_table_text.moc"
