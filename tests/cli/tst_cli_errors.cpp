#include "cli/cli_run.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace stagecraft::test;

namespace {

// Does it take that signal itself, which would end it otherwise? It blocks it, and waits for it in a thread.
bool takes(int signal, const QProcess& process)
{
    QFile status(QString("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = status.readAll();
    const qsizetype at = text.indexOf("SigBlk:\t");
    return at >= 0 && (text.mid(at + 8, 16).toULongLong(nullptr, 16) >> (signal - 1) & 1) != 0;
}

} // namespace

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
        const auto row = [](const QByteArray& name, const QStringList& arguments, int status,
                            const QString& mentions) {
            QTest::newRow(name) << arguments << status << mentions;
        };
        row("no command", {}, 2, "no command is given; there are import, new, info");
        row("unknown command", {"nosuch", "x"}, 2, "there is no command 'nosuch'; there are import, new");
        row("no value of a published model", {"new", "llama-3-8b", "--layers"}, 2,
            "cli: --layers: 1 required");
        row("unknown form", {"new", "perceptron", "--layers", "2"}, 2,
            "there is no 'perceptron'; there are llama, ");
        row("nearly a command", {"paint"}, 2, "there is no command 'paint'; did you mean 'print'?");
        row("nearly a published model", {"new", "llama-3-405b"}, 2, "'llama-3.1-405b'");
        row("nearly a preset", {"new", "--preset", "gpt-2"}, 2, "did you mean 'gpt2'");
        row("two published models", {"new", "gpt2", "--preset", "t5-base"}, 2,
            "--preset t5-base is not gpt2");
        row("nearly an option", {"profile", gpt2, "--devcie=cpu"}, 2, "did you mean '--device'?");
        row("unknown option", {"profile", gpt2, "--batch", "3"}, 2, "profile does not take --batch 3;");
        row("found nothing", {"print", gpt2, "--find", "((("}, 1, "--find '(((' finds no operator");
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
        const QString sized = testModel("made/sizes.pt2");
        for (const char* command :
             {"info", "print", "graph", "profile", "partition", "analyse", "schedule"}) {
            const QByteArray of(command);
            row("unknown size of " + of, {command, sized, "--bind", "zz=4"}, 2, "there are s77, s86, u0");
            row("too small for " + of, {command, sized, "--bind", "s77=2"}, 2, "s77=2 is outside");
            row("too large for " + of, {command, sized, "--bind", "s77=65"}, 2, "from 3 to 64");
        }
        row("too large to draw", {"render", sized, "--bind", "s77=65", "-o", "/tmp/never.svg"}, 2, "s77=65");
        row("too large to report", {"report", sized, "--bind", "s77=65", "-o", "/tmp/never.html"}, 2,
            "s77=65");
        row("too large to export", {"export", sized, "--bind", "s77=65", "-o", "/tmp/never"}, 2, "s77=65");
        row("no tolerance", {"verify", gpt2, "/tmp", "--relative", "nan"}, 2, "--relative");
        row("unknown schedule", {"partition", gpt2, "--schedule", "waltz"}, 2, "waltz");
        row("bad limit", {"partition", gpt2, "--memory-limit", "lots"}, 2, "--memory-limit: 'lots'");
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
        row("cycle", nodes, edges + ",{'from':2,'to':0,'bytes_time':1}", {}, "form a cycle");
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
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning || takes(SIGINT, process), 60000);
        QTest::qWait(1500); // so that it searches
        if (process.state() == QProcess::NotRunning)
            QSKIP("solved before it could be interrupted");
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QVERIFY(process.exitCode() == 130 || process.exitCode() == 0);
    }
};

QTEST_GUILESS_MAIN(TestCliErrors)
#include "tst_cli_errors.moc"
