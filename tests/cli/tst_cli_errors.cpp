#include "cli/cli_run.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace stagecraft::test;

class TestCliErrors : public QObject
{
    Q_OBJECT

private slots:
    void oneLineAndTheRightStatus_data()
    {
        const QString gpt2 = example("gpt2");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("mentions");
        const auto row = [](const char* name, const QStringList& arguments, int status,
                            const QString& mentions) {
            QTest::newRow(name) << arguments << status << mentions;
        };
        row("no command", {}, 2, "--help");
        row("unknown command", {"paint"}, 2, "--help");
        row("unknown flag", {"info", gpt2, "--loud"}, 2, "--loud");
        row("no such file", {"info", "/no/such/model.pt2"}, 1, "/no/such/model.pt2");
        row("a folder", {"info", "/"}, 1, "/");
        row("not a model", {"info", QString(STAGECRAFT_TEST_DATA) + "/oracle/profile.json"}, 1,
            "profile.json");
        row("unknown device", {"profile", gpt2, "--device", "abacus"}, 2, "abacus");
        row("unknown mode", {"profile", gpt2, "--mode", "dream"}, 2, "dream");
        row("bad binding", {"profile", gpt2, "--bind", "s0"}, 2, "s0");
        row("no stages", {"partition", gpt2, "--stages", "0"}, 2, "stage");
        row("more stages than nodes", {"partition", gpt2, "--stages", "100000"}, 1, "100000");
        row("unknown schedule", {"partition", gpt2, "--schedule", "waltz"}, 2, "waltz");
        row("bad limit", {"partition", gpt2, "--memory-limit", "lots"}, 2, "lots");
        row("impossible limit", {"partition", gpt2, "--memory-limit", "1KiB"}, 1, "");
        row("unknown pin", {"partition", gpt2, "--pin", "no.such=0"}, 1, "no.such");
        row("unknown module", {"export", gpt2, "--split-before", "model.transformer.g.1", "-o", "/tmp/never"},
            1, "g");
        row("unwritable folder", {"export", gpt2, "--stages", "2", "-o", "/proc/stages"}, 1, "/proc");
        row("not an export", {"verify", gpt2, STAGECRAFT_TEST_DATA}, 1, "manifest.json");
        row("unknown format", {"export", gpt2, "--stages", "2", "--formats", "onnx", "-o", "/tmp/never"}, 2,
            "onnx");
        row("no such plan", {"export", gpt2, "--plan", "/no/plan.stagecraft", "-o", "/tmp/never"}, 1,
            "/no/plan");
    }
    void oneLineAndTheRightStatus()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, mentions);
        const CliRun run = runCli(arguments);
        QVERIFY2(run.isOneLineError(), run.errors);
        QVERIFY2(run.errors.contains(mentions.toUtf8()), run.errors);
        QCOMPARE(run.status, status);
        QVERIFY(!QFile::exists("/tmp/never"));
    }

    void aTruncatedFileIsSaidToBeOne()
    {
        QFile file(example("gpt2-tiny"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QTemporaryDir folder;
        const QString path = folder.path() + "/half.pt2";
        QFile half(path);
        QVERIFY(half.open(QIODevice::WriteOnly));
        half.write(file.read(file.size() / 2));
        half.close();
        const CliRun run = runCli({"info", path});
        QCOMPARE(run.status, 1);
        QVERIFY(run.isOneLineError());
        QVERIFY(run.errors.contains("half.pt2"));
    }

    void ctrlCIsHonoured()
    {
        QProcess process;
        process.start(STAGECRAFT_CLI,
                      {"partition", example("t5-base"), "--stages", "16", "--time-limit", "50"});
        QVERIFY(process.waitForStarted());
        QTest::qWait(1500);
        if (process.state() == QProcess::NotRunning)
            QSKIP("solved before it could be interrupted");
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(5000));
        QVERIFY(process.exitCode() == 130 || process.exitCode() == 0);
    }
};

QTEST_GUILESS_MAIN(TestCliErrors)
#include "tst_cli_errors.moc"
