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

    void marksOfTheModelAreInNoStage()
    {
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages", model = testModel("marks/pipe-split.pt2");
        const CliRun written = runCli({"export", "--json", model, "-o", out});
        QVERIFY2(written.status == 0, written.errors);
        QCOMPARE(written.json()["stages"].toInt(), 3);
        for (const QString& name : QDir(out).entryList(QDir::Files)) {
            QFile file(out + "/" + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains("pipe_split"), qPrintable(name));
        }
        const CliRun verified = runCli({"verify", model, out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
    }

    void whatIsTakenForTheLossIsSaid()
    {
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const auto exported = [&](const QString& model, const QStringList& more) {
            return runCli(
                QStringList{"export", testModel(model), "--stages", "2", "--time-limit", "1", "-o", out} +
                more);
        };
        const QString withLoss = "small/torch-2.14/with-loss-static.pt2";
        QVERIFY(exported(withLoss, {})
                    .errors.contains("loss: output '0', the only scalar that needs a gradient"));
        QVERIFY(exported(withLoss, {"--loss-output", "all"}).errors.contains("loss: as asked for, a step"));
        const CliRun wrong = exported(withLoss, {"--loss-output", "loss"});
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.errors.contains(
            "the model returns no differentiable output named 'loss'; there is '0', '1'"));
        QVERIFY(
            exported("tiny/gpt2-tiny.pt2", {}).errors.contains("no output is a loss: a step goes back from"));
    }

    // Stages are of the model's own types.
    void whatAPrecisionLeavesToTheStepIsSaid()
    {
        const QTemporaryDir folder;
        const auto notesOf = [&](const QStringList& more) {
            const CliRun run = runCli(QStringList{"export", "--json", testModel("tiny/gpt2-tiny.pt2"),
                                                  "--stages", "2", "-o", folder.path() + "/stages"} +
                                      more);
            QStringList notes;
            for (const QJsonValue& note : run.json()["notes"].toArray())
                notes << note.toString();
            return notes.join('\n');
        };
        QVERIFY(
            notesOf({"--precision", "autocast-bf16"})
                .contains(
                    "build_pipeline(autocast=torch.bfloat16), or train.py --bf16, has the stages run so"));
        QVERIFY(notesOf({"--precision", "autocast-fp16"}).contains("(autocast=torch.float16) has"));
        QVERIFY(notesOf({"--precision", "bf16"}).contains("export it in that type to have them so"));
        QVERIFY(notesOf({"--master-weights", "--precision", "bf16"})
                    .contains("float32 copies of the parameters"));
        QVERIFY(!notesOf({"--precision", "fp32"}).contains("the plan is of"));
        QVERIFY(!notesOf({}).contains("the plan is of"));
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

    // Every name of the exported graph is a place to cut, also before what writes in place.
    void namesOfTheExportedGraph_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("split");
        const auto row = [](const char* name, const char* model, const QStringList& split) {
            QTest::newRow(name) << testModel(model) << split;
        };
        row("results", "tiny/gpt2-tiny.pt2", {"--split-before", "getitem_4"});
        row("before a writer", "tiny/mobilenet-tiny.pt2",
            {"--split-before", "relu_", "--split-before", "hardswish_", "--split-after", "relu__1"});
        row("region", "run/autocast.pt2", {"--split-after", "wrap_with_autocast"});
    }
    void namesOfTheExportedGraph()
    {
        QFETCH(const QString, model);
        QFETCH(const QStringList, split);
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const CliRun cut = runCli(QStringList{"export", model, "-o", out} + split);
        QVERIFY2(cut.status == 0 && !cut.errors.contains("the boundary at"), cut.errors);
        const CliRun verified = runCli({"verify", "--json", model, out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
    }

    // The run-time takes schedule, microbatches and sends from the plan.
    void theManifestSaysHowThePlanIsRun()
    {
        const QTemporaryDir folder;
        const QString plan = folder.path() + "/plan.stagecraft", out = folder.path() + "/stages";
        const QStringList split{testModel("tiny/gpt2-tiny.pt2"), "--stages", "4", "--time-limit", "1"};
        const auto planOf = [&] {
            QFile file(out + "/manifest.json");
            return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll())["plan"].toObject()
                                                  : QJsonObject();
        };
        const QStringList how{"--schedule", "zbv", "--microbatches", "6", "--send", "direct"};
        QCOMPARE(runCli(QStringList{"partition"} + split + how + QStringList{"-o", plan}).status, 0);
        const QJsonObject asPlanned{{"schedule", "zbv"}, {"microbatches", 6}, {"send", "direct"}};
        QCOMPARE(runCli({"export", split.front(), "--plan", plan, "-o", out}).status, 0);
        QCOMPARE(planOf(), asPlanned);
        QCOMPARE(runCli(QStringList{"export"} + split + how + QStringList{"-o", out}).status, 0);
        QCOMPARE(planOf(), asPlanned);
        const CliRun other = runCli(
            {"export", split.front(), "--plan", plan, "--microbatches", "12", "--send", "relay", "-o", out});
        QVERIFY2(other.status == 0, other.errors);
        QCOMPARE(planOf(), (QJsonObject{{"schedule", "zbv"}, {"microbatches", 12}, {"send", "relay"}}));
    }

    // A boundary in a checkpoint region makes two of it, which the plan and the export say and do.
    void cutCheckpointRegionsAreSaid()
    {
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const QString model = QString(STAGECRAFT_TEST_DATA) + "/oracle/checkpoints/sequence.pt2";
        const CliRun profiled = runCli({"profile", model});
        QVERIFY2(profiled.output.contains("run again"), profiled.output + profiled.errors);
        const CliRun cut = runCli({"partition", model, "--split-before", "gelu_1"});
        QVERIFY2(cut.status == 0, cut.errors);
        QVERIFY2(cut.errors.contains("note: a checkpoint region is cut by a boundary: each stage keeps the "
                                     "inputs of its part and runs it again alone\n"),
                 cut.errors);
        const CliRun between = runCli({"partition", model, "--split-before", "layer_norm_1"});
        QVERIFY2(between.status == 0 && !between.errors.contains("is cut"), between.errors);
        QCOMPARE(runCli({"export", model, "--split-before", "gelu_1", "-o", out}).status, 0);
        const CliRun verified = runCli({"verify", "--json", model, out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
    }
};

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
