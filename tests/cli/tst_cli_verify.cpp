// Exports that users run, change and interrupt.
#include "cli/cli_run.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace stagecraft::test;

class TestCliVerify : public QObject
{
    Q_OBJECT

private slots:
    // Cut where autocast has made other types than the file says, so that its .pt2 alone would cast them.
    void stagesAreSentWhatAutocastMade()
    {
        const QString file = QString(STAGECRAFT_TEST_DATA) + "/oracle/checkpoints/mixed.pt2";
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const CliRun written = runCli({"export", file, "--split-before", "transpose_2", "--split-before",
                                       "linear_2", "--recompute", "full", "-o", out});
        QVERIFY2(written.status == 0, written.errors);
        const CliRun verified = runCli({"verify", "--json", file, out});
        QVERIFY2(verified.status == 0, verified.errors + verified.output);
        const QString notes = QJsonDocument(verified.json()["notes"].toArray()).toJson();
        QVERIFY2(notes.contains("what stage_1.pt2 keeps for backward was not compared: 'transpose"),
                 qPrintable(notes));
        QVERIFY2(!notes.contains("what stage_0.pt2"), qPrintable(notes));
    }

    // What people run is the written Python, not the .pt2 files.
    void verifyRunsWhatUsersRun_data()
    {
        QTest::addColumn<QString>("model");
        for (const QString model : {"tiny/gpt2-tiny.pt2", "small/torch-2.14/with-loss-dynamic.pt2"})
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
        const CliRun whole = runCli({"verify", "--verbose", model, out, "--python-path", script});
        QVERIFY2(whole.errors.startsWith("line\nNameError: y\n"), whole.errors);
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
        constexpr int kills = 12;
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
            QStringList found;
            QDirIterator files(out, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (files.hasNext())
                found << QDir(out).relativeFilePath(files.next());
            found.sort();
            QCOMPARE(found, expected);
        }
        QCOMPARE(runCli({"export", model, "--plan", plan(2), "-o", out}).status, 0);
        QCOMPARE(QDir(parent.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList("stages"));
    }
};

QTEST_GUILESS_MAIN(TestCliVerify)
#include "tst_cli_verify.moc"
