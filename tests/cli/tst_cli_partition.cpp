#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace stagecraft::test;

class TestCliPartition : public QObject
{
    Q_OBJECT

private slots:
    // One public instance end to end; the room's own tests hold all of them.
    void findsThePublishedOptimum_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<double>("optimum");
        QTest::newRow("compute") << QStringList{"--objective", "compute"} << 84.1055;
        QTest::newRow("direct") << QStringList{"--objective", "sum", "--send", "direct"} << 108.0442;
        QTest::newRow("relay") << QStringList{"--objective", "sum", "--send", "relay"} << 184.6108;
    }
    void findsThePublishedOptimum()
    {
        QFETCH(QStringList, flags);
        QFETCH(double, optimum);
        const CliRun run =
            runCli(QStringList{"partition", "--json", "--stages", "8", "--time-limit", "10",
                               QString(STAGECRAFT_TEST_DATA) + "/partition/bert12-ops-inference.json"} +
                   flags);
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const double found = run.json()["bottleneck_s"].toDouble();
        QVERIFY2(qAbs(found - optimum) < 1e-3, qPrintable(QString::number(found)));
        QVERIFY(run.json()["bound_s"].toDouble() <= found * (1 + 1e-9));
    }

    void everyPlanOfAModelShowsItsGap()
    {
        const CliRun run = runCli({"partition", "--json", example("gpt2"), "--stages", "4"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonObject plan = run.json();
        QCOMPARE(plan["stages"].toArray().size(), 4);
        for (const char* field : {"bottleneck_s", "bound_s", "gap", "iteration_s", "bubble", "solve_s"})
            QVERIFY2(plan[field].isDouble(), field);
        QVERIFY(plan["bound_kind"].isString());
        QVERIFY(plan["gap"].toDouble() < 0.05);
    }

    void theScheduleOfAPlanCanBeSeenAndTraced()
    {
        const QTemporaryDir folder;
        const QString plan = folder.path() + "/plan.stagecraft", trace = folder.path() + "/trace.json";
        QCOMPARE(runCli({"partition", example("gpt2"), "--stages", "4", "-o", plan}).status, 0);
        const CliRun run = runCli({"schedule", example("gpt2"), plan, "--trace", trace});
        QVERIFY2(run.status == 0, run.errors);
        QVERIFY(run.output.count('\n') >= 4);
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray().size() > 4 * 8);
    }

    void thePictureShowsTheStages()
    {
        const QTemporaryDir folder;
        const QString picture = folder.path() + "/graph.svg";
        const CliRun run = runCli({"render", example("gpt2"), "-o", picture, "--depth", "1"});
        QVERIFY2(run.status == 0, run.errors);
        QFile file(picture);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("<svg"));
    }
};

QTEST_GUILESS_MAIN(TestCliPartition)
#include "tst_cli_partition.moc"
