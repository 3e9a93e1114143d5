#include "cli/cli_run.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <unistd.h>

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
        row("fewer stages than none", {"partition", gpt2, "--stages", "-1"}, 2, "'-1' is not a number of 0");
        row("no time at all", {"partition", gpt2, "--time-limit", "nan"}, 2, "--time-limit: 'nan'");
        row("no depth", {"partition", gpt2, "--keep-depth", "0"}, 2, "'0' is not a number of 1 or more");
        row("no plan", {"partition", gpt2, "--plan", "/no.stagecraft"}, 1, "cli: /no.stagecraft: cannot be");
        row("narrow", {"schedule", gpt2, "--columns", "-3"}, 2, "--columns");
        row("wide", {"schedule", gpt2, "--columns", "999999999999"}, 2, "--columns");
        row("no such form", {"schedule", gpt2, "--csv-form", "tabs"}, 2, "compute_comms");
        row("no such symbol", {"profile", gpt2, "--bind", "zz=4"}, 2, "no symbolic size 'zz'");
        row("no such symbol here", {"analyse", gpt2, "--bind", "zz=4"}, 2, "no symbolic size 'zz'");
        row("no tolerance", {"verify", gpt2, "/tmp", "--relative", "nan"}, 2, "--relative");
        row("unknown schedule", {"partition", gpt2, "--schedule", "waltz"}, 2, "waltz");
        row("bad limit", {"partition", gpt2, "--memory-limit", "lots"}, 2, "lots");
        row("impossible limit", {"partition", gpt2, "--memory-limit", "1KiB"}, 1, "");
        row("unknown pin", {"partition", gpt2, "--pin", "no.such=0"}, 1, "no.such");
        row("unknown class", {"partition", gpt2, "--keep-class", "GPT2Blok"}, 1, "GPT2Block");
        row("no such depth", {"partition", gpt2, "--keep-depth", "40"}, 2, "40");
        row("unknown module", {"export", gpt2, "--split-before", "model.transformer.g.1", "-o", "/tmp/never"},
            1, "g");
        row("unwritable folder", {"export", gpt2, "--stages", "2", "-o", "/proc/stages"}, 1, "/proc");
        row("not an export", {"verify", gpt2, STAGECRAFT_TEST_DATA}, 1, "manifest.json");
        row("unknown format", {"export", gpt2, "--stages", "2", "--formats", "onnx", "-o", "/tmp/never"}, 2,
            "onnx");
        row("a plan and a count", {"export", gpt2, "--plan", "/p", "--stages", "2", "-o", "/tmp/never"}, 2,
            "--stages: /p already says");
        row("no such plan", {"export", gpt2, "--plan", "/no/plan.stagecraft", "-o", "/tmp/never"}, 1,
            "/no/plan");
    }
    // Instances of three nodes in a row, each wrong in one way.
    void badInstances_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("edges");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentions");
        const QString nodes = "{'id':0,'time':1,'memory':5},{'id':1,'time':1,'memory':9},{'id':2,'time':2}";
        const QString edges = "{'from':0,'to':1,'bytes_time':1},{'from':1,'to':2,'bytes_time':1}";
        const auto row = [](const char* name, const QString& some, const QString& others,
                            const QStringList& arguments, const char* mentions) {
            QTest::newRow(name) << some << others << arguments << mentions;
        };
        const auto changed = [](QString text, const char* from, const char* to) {
            return text.replace(from, to);
        };
        row("ring", nodes, edges + ",{'from':2,'to':0,'bytes_time':1}", {}, "ring");
        row("negative time", changed(nodes, "'time':2", "'time':-2"), edges, {},
            "node 2 has a negative 'time'");
        row("time that is not a number", changed(nodes, "'time':2", "'time':NaN"), edges, {}, "not JSON");
        row("time in words", changed(nodes, "'time':2", "'time':'two'"), edges, {}, "no number 'time'");
        row("huge time", changed(nodes, "'time':2", "'time':1e300"), edges, {}, "beyond all measure");
        row("infinite time", changed(nodes, "'time':2", "'time':1e999"), edges, {}, "");
        row("huge memory", changed(nodes, "'memory':9", "'memory':1e30"), edges, {}, "beyond all measure");
        row("negative transfer", nodes, changed(edges, "'bytes_time':1", "'bytes_time':-1"), {}, "negative");
        row("id twice", changed(nodes, "'id':1", "'id':0"), edges, {}, "node 0 is there twice");
        row("edge to nowhere", nodes, changed(edges, "'to':2", "'to':7"), {}, "7, which is no node");
        row("no nodes", "", "", {}, "no nodes");
        row("no stages", nodes, edges, {"--stages", "0"}, "at least one stage");
        row("more stages than nodes", nodes, edges, {"--stages", "4"}, "cannot make 4 stages of 3 nodes");
        row("huge number of stages", nodes, edges, {"--stages", "4000000000"}, "4000000000");
        row("limit below the largest", nodes, edges, {"--memory-limit", "8"}, "'1' alone needs 9 B");
        row("unknown pin", nodes, edges, {"--pin", "9=0"}, "no node '9'");
        row("pin to no stage", nodes, edges, {"--pin", "1=5"}, "stage");
        row("pins against the order", nodes, edges, {"--pin", "0=1", "--pin", "2=0"}, "pins");
        row("ambiguous pin",
            changed(changed(nodes, "'id':0", "'label':'a','id':0"), "'id':1", "'label':'a','id':1"), edges,
            {"--pin", "a=0"}, "several");
    }
    void badInstances()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, edges);
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentions);
        const QTemporaryDir folder;
        QFile file(folder.filePath("instance.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QString text = "{'nodes':[" + nodes + "],'edges':[" + edges + "]}";
        file.write(text.replace('\'', '"').toUtf8());
        file.close();
        QStringList all{"partition", file.fileName()};
        all += arguments.contains("--stages") ? arguments : arguments + QStringList{"--stages", "2"};
        const CliRun run = runCli(all);
        QVERIFY2(run.isOneLineError(), run.errors);
        QVERIFY2(run.errors.contains(mentions.toUtf8()), run.errors);
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

    // Under another spelling, through a link, as a hard link: it stays the model.
    void nothingIsWrittenOverWhatIsRead_data()
    {
        QTest::addColumn<QStringList>("arguments"); // MODEL, PLAN and OVER are put in
        QTest::newRow("plan") << QStringList{"partition", "MODEL", "--stages", "2", "-o", "OVER"};
        QTest::newRow("picture") << QStringList{"render", "MODEL", "-o", "OVER"};
        QTest::newRow("memory") << QStringList{"profile", "MODEL", "--memory-trace", "OVER"};
        QTest::newRow("trace") << QStringList{"schedule", "MODEL", "PLAN", "--trace", "OVER"};
        QTest::newRow("table") << QStringList{"schedule", "MODEL", "PLAN", "--export-csv", "OVER"};
        QTest::newRow("stages") << QStringList{"export", "MODEL", "--stages", "2", "-o", "OVER"};
    }
    void nothingIsWrittenOverWhatIsRead()
    {
        QFETCH(QStringList, arguments);
        const QTemporaryDir folder;
        const QString model = folder.filePath("m.pt2"), plan = folder.filePath("p.stagecraft");
        QVERIFY(QFile::copy(testModel("tiny/gpt2-tiny.pt2"), model));
        QCOMPARE(runCli({"partition", model, "--stages", "2", "-o", plan}).status, 0);
        QVERIFY(QDir(folder.path()).mkdir("sub"));
        QVERIFY(QFile::link(model, folder.filePath("link.svg")));
        QCOMPARE(::link(qPrintable(model), qPrintable(folder.filePath("hard.json"))), 0);
        const auto contentOf = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = contentOf(model), planBefore = contentOf(plan);
        QStringList over{"m.pt2", "sub/../m.pt2", "./m.pt2", "link.svg", "hard.json"};
        if (arguments.contains("PLAN"))
            over << "p.stagecraft";
        for (const QString& name : over) {
            QStringList given = arguments;
            given.replaceInStrings("MODEL", model).replaceInStrings("PLAN", plan);
            given.replaceInStrings("OVER", folder.filePath(name));
            const CliRun run = runCli(given);
            QVERIFY2(run.isOneLineError(), run.errors);
            QCOMPARE(run.status, 2);
            QVERIFY2(run.errors.contains("would be written over"), run.errors);
            QCOMPARE(contentOf(model), before);
            QCOMPARE(contentOf(plan), planBefore);
        }
    }

    void twoOutputsAreTwoFiles()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("out.json");
        const CliRun run = runCli({"schedule", testModel("tiny/gpt2-tiny.pt2"), "--stages", "2", "--trace",
                                   file, "--export-csv", folder.filePath("./out.json")});
        QVERIFY2(run.isOneLineError(), run.errors);
        QCOMPARE(run.status, 2);
        QVERIFY(!QFile::exists(file));
    }

    // Every option of every command that takes something is given nothing; every one that takes a file or a
    // folder is given places that are none.
    void noOptionIsTrustedToBeThere_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"analyse", "calibrate", "devices", "export", "info", "partition", "print",
                                    "profile", "render", "schedule", "verify"})
            QTest::newRow(command) << command;
    }
    void noOptionIsTrustedToBeThere()
    {
        QFETCH(QString, command);
        const QString help = runCli({command, "--help"}).output;
        QStringList first{command};
        if (help.contains("model TEXT") || help.contains("input TEXT"))
            first << testModel("tiny/gpt2-tiny.pt2");
        if (command == "verify")
            first << "/tmp/never";
        const bool needsOutput = help.contains(QRegularExpression("--output [A-Z]+ REQUIRED"));
        const QStringList output = needsOutput ? QStringList{"-o", "/tmp/never"} : QStringList{};
        int tried = 0;
        const QRegularExpression option("(--[a-z-]+)(?: ([A-Z]+))", QRegularExpression::MultilineOption);
        for (auto match = option.globalMatch(help); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            const QString name = found.captured(1);
            const bool isPath = found.captured(2) == "FILE" || found.captured(2) == "FOLDER";
            const QStringList rest = name == "--output" ? QStringList{} : output;
            for (const char* value : isPath ? std::vector{"", "/", "."} : std::vector{""}) {
                const CliRun run = runCli(first + rest + QStringList{name, value});
                QVERIFY2(run.status == 1 || run.status == 2,
                         qPrintable(QString("%1 %2 '%3': %4").arg(command, name, value, run.errors)));
                QVERIFY2(run.isOneLineError(), run.errors);
                QVERIFY2(*value || run.status == 2, qPrintable(name));
                ++tried;
            }
        }
        for (qsizetype i = 1; i < first.size(); ++i) {
            QStringList empty = first + output;
            empty[i] = "";
            QCOMPARE(runCli(empty).status, 2);
            ++tried;
        }
        QVERIFY(tried > 0 || command == "devices");
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
