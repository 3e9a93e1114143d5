#include "cli/cli_run.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace stagecraft::test;

class TestCliExport : public QObject
{
    Q_OBJECT

private slots:
    void stagesComputeWhatTheModelComputes_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("stages");
        for (const QString& model : modelsWithWeights())
            for (const QString stages : {"2", "3"})
                QTest::addRow("%s in %s", qPrintable(model), qPrintable(stages)) << model << stages;
    }
    void stagesComputeWhatTheModelComputes()
    {
        QFETCH(QString, model);
        QFETCH(QString, stages);
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const CliRun written =
            runCli({"export", testModel(model), "--stages", stages, "--time-limit", "1", "-o", out});
        QVERIFY2(written.status == 0, written.errors);
        const CliRun verified = runCli({"verify", "--json", testModel(model), out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
        QVERIFY(verified.json()["passed"].toBool());
        QVERIFY(!verified.json()["shapes_only"].toBool());
    }

    void aModelWithoutWeightsIsCheckedByShapesAndSaysSo()
    {
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        QCOMPARE(
            runCli({"export", example("resnet50"), "--stages", "4", "--time-limit", "1", "-o", out}).status,
            0);
        const CliRun verified = runCli({"verify", "--json", example("resnet50"), out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
        QVERIFY(verified.json()["shapes_only"].toBool());
    }

    void aSplitByNameIsWhereItWasAskedFor()
    {
        const QTemporaryDir folder;
        const QString plan = folder.path() + "/plan.stagecraft", out = folder.path() + "/stages";
        const QString model = testModel("tiny/gpt2-tiny.pt2");
        const QString layer = "model.transformer.h.2";
        const CliRun planned = runCli({"partition", "--json", model, "--split-before", layer, "-o", plan});
        QVERIFY2(planned.status == 0, planned.errors);
        QVERIFY2(runCli({"export", model, "--plan", plan, "-o", out}).status == 0, "export by plan");
        QFile second(out + "/stage_1.safetensors");
        QVERIFY(second.open(QIODevice::ReadOnly));
        const QByteArray header = second.read(20000);
        QVERIFY(header.contains("h.2.ln_1.weight"));
        QVERIFY(!header.contains("h.1.ln_1.weight"));
    }
};

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
