#include "cli/cli_run.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

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

    // What people run is the written Python, not the .pt2 files.
    void verifyRunsWhatUsersRun_data()
    {
        QTest::addColumn<QString>("model");
        for (const QString model :
             {"tiny/gpt2-tiny.pt2", "tiny/mobilenet-tiny.pt2", "small/torch-2.14/with-loss-dynamic.pt2"})
            QTest::newRow(qPrintable(model)) << model;
    }
    void verifyRunsWhatUsersRun()
    {
        QFETCH(QString, model);
        if (!QFile::exists(STAGECRAFT_PYTHON))
            QSKIP("there is no Python with PyTorch");
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        for (const QString formats : {"python", "python,pt2"}) {
            const CliRun written = runCli({"export", testModel(model), "--stages", "2", "--time-limit", "1",
                                           "--formats", formats, "-o", out});
            QVERIFY2(written.status == 0, written.errors);
        }
        const QStringList verify{"verify", "--json",        testModel(model),
                                 out,      "--python-path", STAGECRAFT_PYTHON};
        const CliRun verified = runCli(verify);
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
        QVERIFY(verified.output.contains("\"in Python: 0\""));
        QVERIFY(verified.json()["notes"].toArray().contains("inputs: exported"));
        QVERIFY(!QFile::exists(out + "/__pycache__"));
        // A change that the manifest does not show.
        QFile code(out + "/stage_0.py");
        QVERIFY(code.open(QIODevice::Append));
        code.write("\n_forward = Stage0.forward\n"
                   "Stage0.forward = lambda *a, **k: tuple(v * 2 if v.is_floating_point() else v "
                   "for v in _forward(*a, **k))\n");
        code.close();
        QFile manifest(out + "/manifest.json");
        QVERIFY(manifest.open(QIODevice::ReadOnly));
        QJsonObject json = QJsonDocument::fromJson(manifest.readAll()).object();
        manifest.close();
        json.remove("files");
        QVERIFY(manifest.open(QIODevice::WriteOnly));
        manifest.write(QJsonDocument(json).toJson());
        manifest.close();
        const CliRun unseen = runCli({"verify", testModel(model), out});
        QVERIFY2(unseen.status == 0, unseen.errors);
        QVERIFY(unseen.errors.contains("has no checksums"));
        const CliRun seen = runCli(verify);
        QCOMPARE(seen.status, 1);
        QVERIFY2(!seen.json()["passed"].toBool(), seen.errors);
    }

    void verifySaysWhatPythonLacks()
    {
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages", model = testModel("small/torch-2.14/skip-static.pt2");
        QCOMPARE(runCli({"export", model, "--stages", "2", "--time-limit", "1", "-o", out}).status, 0);
        const QString script = folder.path() + "/python";
        const auto says = [&](const char* body) {
            QFile file(script);
            if (!file.open(QIODevice::WriteOnly) || file.write(body) < 0)
                qFatal("cannot write");
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            file.close();
            return runCli({"verify", model, out, "--python-path", script});
        };
        const CliRun bare = says("#!/bin/sh\necho 'cannot import torch: No module' >&2\nexit 3\n");
        QVERIFY2(bare.isOneLineError() && bare.errors.contains("has no PyTorch"), bare.errors);
        const CliRun broken = says("#!/bin/sh\necho line >&2\necho 'NameError: y' >&2\nexit 1\n");
        QVERIFY2(broken.isOneLineError() && broken.errors.contains("do not run in"), broken.errors);
        QVERIFY(broken.errors.contains("NameError: y"));
        QVERIFY(says("#!/bin/sh\nexit 0\n").isOneLineError()); // and wrote no results
        const CliRun none = runCli({"verify", model, out, "--python-path", "/no/python"});
        QVERIFY2(none.isOneLineError() && none.errors.contains("cannot be started"), none.errors);
    }

    // Whenever it is killed, the folder holds one of two exports, whole, and what else there was.
    void aKillLeavesAWholeExport()
    {
        const QTemporaryDir parent;
        const QString out = parent.filePath("stages"), model = testModel("tiny/gpt2-tiny.pt2");
        const auto plan = [&](int stages) {
            return parent.filePath(QString::number(stages) + ".stagecraft");
        };
        for (const int stages : {2, 3})
            QCOMPARE(runCli({"partition", model, "--stages", QString::number(stages), "--time-limit", "1",
                             "-o", plan(stages)})
                         .status,
                     0);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(runCli({"export", model, "--plan", plan(2), "-o", out}).status, 0);
        const qint64 whole = timer.elapsed();
        QVERIFY(QFile::copy(model, out + "/mine.bin"));
        constexpr int kills = 25;
        for (int i = 0; i < kills; ++i) {
            QProcess process;
            process.start(STAGECRAFT_CLI, {"export", model, "--plan", plan(2 + i % 2), "-o", out});
            QVERIFY(process.waitForStarted());
            QTest::qSleep(static_cast<int>(whole * (i + 1) / kills));
            ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
            process.waitForFinished();
            QFile manifest(out + "/manifest.json");
            QVERIFY(manifest.open(QIODevice::ReadOnly));
            const QJsonObject json = QJsonDocument::fromJson(manifest.readAll()).object();
            QStringList expected{"manifest.json", "mine.bin"};
            for (const QJsonValue& file : json["files"].toArray()) {
                expected << file["name"].toString();
                QCOMPARE(QFileInfo(out + '/' + expected.back()).size(), file["bytes"].toInteger());
            }
            expected.sort();
            QCOMPARE(QDir(out).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name),
                     expected);
        }
        QCOMPARE(runCli({"export", model, "--plan", plan(2), "-o", out}).status, 0);
        QCOMPARE(QDir(parent.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList("stages"));
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

    // Sends straight to each reader are a what-if: what is exported hands everything on.
    void directSendsAreSaidToBeRelayed()
    {
        const QTemporaryDir folder;
        const QString plan = folder.path() + "/plan.stagecraft", out = folder.path() + "/stages";
        const QStringList split{testModel("tiny/gpt2-tiny.pt2"), "--stages", "3", "--time-limit", "1"};
        const QByteArray note = "note: direct sends cannot be exported yet: exported stages relay\n";
        const CliRun planned =
            runCli(QStringList{"partition"} + split + QStringList{"--send", "direct", "-o", plan});
        QVERIFY2(planned.status == 0, planned.errors);
        QVERIFY2(
            planned.errors.contains("note: direct sends cannot be exported yet; the export relays: slowest "),
            planned.errors);
        const CliRun searched =
            runCli(QStringList{"export"} + split + QStringList{"--send", "direct", "-o", out});
        QVERIFY2(searched.status == 0 && searched.errors.contains(note), searched.errors);
        const CliRun given = runCli({"export", split.front(), "--plan", plan, "-o", out});
        QVERIFY2(given.status == 0 && given.errors.contains(note), given.errors);
        const CliRun relayed = runCli(QStringList{"export"} + split + QStringList{"-o", out});
        QVERIFY2(relayed.status == 0 && !relayed.errors.contains("direct sends"), relayed.errors);
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
        QVERIFY2(cut.errors.contains("note: a checkpoint region is cut by a boundary") &&
                     cut.errors.contains("; as cut: slowest "),
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
