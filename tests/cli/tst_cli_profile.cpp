#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QtTest>

using namespace stagecraft::test;

namespace {

QJsonArray oracleRows()
{
    QFile file(QString(STAGECRAFT_TEST_DATA) + "/oracle/profile.json");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object()["rows"].toArray();
}

} // namespace

class TestCliProfile : public QObject
{
    Q_OBJECT

private slots:
    // Counts made independently in Python, to the unit: three attention routes of ten models.
    void totalsEqualTheOracle_data()
    {
        QTest::addColumn<QJsonObject>("oracle");
        QTest::addColumn<QString>("route");
        for (const QString route : {"math", "efficient", "cpu"})
            for (const QJsonValue& row : oracleRows())
                if (row["exported"].toObject().contains(route))
                    QTest::addRow("%s by %s", qPrintable(row["name"].toString()), qPrintable(route))
                        << row.toObject() << route;
    }
    void totalsEqualTheOracle()
    {
        QFETCH(QJsonObject, oracle);
        QFETCH(QString, route);
        const CliRun run = runCli({"profile", "--json", "--optimizer", "none", "--lowering", route,
                                   example(oracle["name"].toString())});
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const QJsonObject totals = run.json()["totals"].toObject();
        const QJsonObject expected = oracle["exported"].toObject()[route].toObject();
        const QJsonObject flops = expected["flops_exact"].toObject();
        const QJsonObject memory = expected["memory"].toObject();
        const double forward = flops["forward"].toDouble();
        QCOMPARE(totals["flops_forward"].toDouble(), forward);
        QCOMPARE(totals["flops_backward"].toDouble(), flops["total"].toDouble() - forward);
        QCOMPARE(totals["saved_bytes"].toInteger(), memory["saved_bytes"].toInteger());
        QCOMPARE(totals["live_after_forward_bytes"].toInteger(), memory["live_after_forward"].toInteger());
        QCOMPARE(totals["peak_forward_bytes"].toInteger(), memory["peak_forward"].toInteger());
        QCOMPARE(totals["peak_backward_bytes"].toInteger(), memory["peak_backward"].toInteger());
        QCOMPARE(totals["peak_bytes"].toInteger(), memory["peak"].toInteger());
        QCOMPARE(totals["gradient_bytes"].toInteger(), memory["gradient_bytes"].toInteger());
        QCOMPARE(totals["parameter_bytes"].toInteger(),
                 oracle["signature"].toObject()["used_parameter_bytes"].toInteger());
    }

    // What no machine could hold costs no more to profile than what any machine can.
    void anyBatchCanBeAsked_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("symbols");
        QTest::newRow("skip") << "small/torch-2.14/skip-dynamic.pt2" << QStringList{"s77"};
        QTest::newRow("branches") << "small/torch-2.6/branches-dynamic.pt2" << QStringList{"s0"};
        QTest::newRow("mixture") << "small/torch-2.14/mixture-dynamic.pt2" << QStringList{"s77"};
        QTest::newRow("with-loss") << "small/torch-2.6/with-loss-dynamic.pt2" << QStringList{"s0"};
    }
    void anyBatchCanBeAsked()
    {
        QFETCH(QString, model);
        QFETCH(QStringList, symbols);
        const auto saved = [&](const QString& batch) {
            QStringList arguments{"profile", "--json", testModel(model)};
            for (const QString& symbol : symbols)
                arguments << "--bind" << symbol + '=' + batch;
            const CliRun run = runCli(arguments);
            return run.status == 0 ? run.json()["totals"].toObject()["saved_bytes"].toDouble() : -1;
        };
        const double small = saved("1000000");
        const double large = saved("10000000000");
        QVERIFY(small > 0);
        QVERIFY2(large > 9000 * small && large < 11000 * small,
                 qPrintable(QString("%1 %2").arg(small).arg(large)));
    }

    void nodesAddUpToTheTotals()
    {
        const QJsonObject profile =
            runCli({"profile", "--json", "--by", "module", example("bert-base")}).json();
        double forward = 0, backward = 0;
        for (const QJsonValue& node : profile["nodes"].toArray()) {
            forward += node["flops_forward"].toDouble();
            backward += node["flops_backward"].toDouble();
        }
        QCOMPARE(forward, profile["totals"]["flops_forward"].toDouble());
        QCOMPARE(backward, profile["totals"]["flops_backward"].toDouble());
        QCOMPARE(profile["modules"].toArray().first()["flops_forward"].toDouble(), forward);
    }

    void tablesForSpreadsheets()
    {
        const CliRun run = runCli({"profile", "--csv", "--by", "op", example("resnet50")});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.startsWith("name,detail,nodes,flops_forward,"));
        QVERIFY(run.output.contains("\r\naten::conv2d.default,"));
    }
};

QTEST_GUILESS_MAIN(TestCliProfile)
#include "tst_cli_profile.moc"
