// What holds for the options of all commands.
#include "cli/cli_run.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <unistd.h>

using namespace stagecraft::test;

class TestCliOptions : public QObject
{
    Q_OBJECT

private slots:
    // Without its family: the preset says it.
    void aPublishedModelTakesOtherSizes()
    {
        const auto form = [](const QStringList& rest) {
            return runCli(QStringList{"new", "--preset", "llama-3-8b", "--json"} + rest);
        };
        QCOMPARE(runCli({"new", "llama-3-8b", "--layers", "3", "--json"}).output,
                 form({"--layers", "3"}).output);
        const auto sizes = [&](const QStringList& rest) { return form(rest).json()["form"].toObject(); };
        QCOMPARE(sizes({"--layers", "2"})["layers"].toInt(), 2);
        QCOMPARE(sizes({"--layers=3", "--dtype", "float32"})["dtype"].toString(), QString("float32"));
        for (const QStringList& wrong : {QStringList{"--layer", "2"}, {"--layers", "x"}, {"layers"}}) {
            const CliRun run = form(wrong);
            QCOMPARE(run.status, 2);
            QVERIFY2(run.isOneLineError() && run.errors.contains("layer"), run.errors);
        }
        const CliRun nothing = runCli({"new", "--layers", "2"});
        QCOMPARE(nothing.status, 2);
        QVERIFY2(nothing.errors.contains("`new llama`"), nothing.errors);
    }

    // Under another spelling, through a link, as a hard link: it stays the model.
    void nothingIsWrittenOverWhatIsRead_data()
    {
        QTest::addColumn<QStringList>("arguments"); // MODEL, PLAN and OVER are put in
        QTest::newRow("plan") << QStringList{"partition", "MODEL", "--stages", "2", "-o", "OVER"};
        QTest::newRow("picture") << QStringList{"render", "MODEL", "-o", "OVER"};
        QTest::newRow("report") << QStringList{"report", "MODEL", "--plan", "PLAN", "-o", "OVER"};
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

    // Before anything is done: none of these needs the model to be read.
    void aFileToWriteHasItsEndingAndItsPlace_data()
    {
        QTest::addColumn<QStringList>("arguments"); // OUTPUT is put in
        QTest::addColumn<QString>("ending");
        const QString model = testModel("tiny/gpt2-tiny.pt2");
        QTest::newRow("new") << QStringList{"new", "mlp", "-o", "OUTPUT"} << ".pt2";
        QTest::newRow("preset") << QStringList{"new", "--preset", "gpt2", "-o", "OUTPUT"} << ".pt2";
        QTest::newRow("import") << QStringList{"import", "timm:none", "-o", "OUTPUT"} << ".pt2";
        QTest::newRow("render") << QStringList{"render", model, "-o", "OUTPUT"} << ".svg";
        QTest::newRow("report") << QStringList{"report", model, "-o", "OUTPUT"} << ".html";
        QTest::newRow("plan") << QStringList{"partition", model, "-o", "OUTPUT"} << ".stagecraft";
        QTest::newRow("merge") << QStringList{"merge", "/tmp", "-o", "OUTPUT"} << ".safetensors";
        QTest::newRow("calibrate") << QStringList{"calibrate", "--spend", "0.0001", "-o", "OUTPUT"}
                                   << ".json";
        QTest::newRow("trace") << QStringList{"schedule", model, "--trace", "OUTPUT"} << "";
        QTest::newRow("graph") << QStringList{"graph", model, "-o", "OUTPUT"} << "";
    }
    void aFileToWriteHasItsEndingAndItsPlace()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, ending);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("folder" + ending));
        const auto refused = [&](const QString& name, int status, const QString& why) {
            QStringList given = arguments;
            given.replaceInStrings("OUTPUT", folder.filePath(name));
            const CliRun run = runCli(given);
            const QByteArray expected = (folder.filePath(name) + why).toUtf8();
            return run.status == status && run.isOneLineError() && run.errors.contains(expected)
                       ? QByteArray()
                       : QByteArray::number(run.status) + run.output + run.errors;
        };
        QCOMPARE(refused("folder" + ending, 2, " is a folder"), "");
        QCOMPARE(refused("none/x" + ending, 1, " cannot be written: there is no folder"), "");
        if (!ending.isEmpty())
            QCOMPARE(refused("x.txt", 2, " does not end in " + ending), "");
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
        QStringList piped = arguments;
        piped.replaceInStrings("OUTPUT", "/dev/null");
        if (arguments.contains("render"))
            QCOMPARE(runCli(piped).status, 0);
    }

    void aSizeIsGivenOnce()
    {
        const QString model = testModel("small/torch-2.14/branches-dynamic.pt2");
        const auto errors = [&](const QStringList& arguments) {
            const CliRun run = runCli(arguments);
            return run.status == 2 && run.isOneLineError() ? run.errors : QByteArray("no error");
        };
        QVERIFY(errors({"info", model, "--bind", "s77=3", "--bind", "s77=4"})
                    .contains("--bind: s77 is given twice, as 3 and as 4"));
        QVERIFY(errors({"profile", model, "--bound", "s77=3", "--bound", "s77=4"})
                    .contains("--bound: s77 is given twice"));
        QVERIFY(errors({"info", model, "--bind", "s78=3"}).contains("no symbolic size 's78'"));
        QVERIFY(errors({"info", model, "--bind", "s77=5000"}).contains("from 2 to 4096"));
        QVERIFY(errors({"profile", model, "--bound", "s77=9999"}).contains("from 2 to 4096"));
    }

    // Those that have most options are functions of their own, which ctest runs side by side.
    void noOptionOfExportIsTrusted() { tryOptionsOf("export"); }
    void noOptionOfPartitionIsTrusted() { tryOptionsOf("partition"); }
    void noOptionOfProfileIsTrusted() { tryOptionsOf("profile"); }
    void noOptionOfReportIsTrusted() { tryOptionsOf("report"); }
    void noOptionOfScheduleIsTrusted() { tryOptionsOf("schedule"); }
    void noOptionOfOthersIsTrusted()
    {
        const QString help = runCli({"--help"}).output;
        const QStringList apart{"export", "partition", "profile", "report", "schedule"};
        int commands = 0;
        const QRegularExpression command("^  ([a-z]+) {2,}", QRegularExpression::MultilineOption);
        for (auto match = command.globalMatch(help); match.hasNext(); ++commands) {
            const QString name = match.next().captured(1);
            if (!apart.contains(name))
                tryOptionsOf(name);
        }
        QCOMPARE(commands, 18);
    }

private:
    // Every option of the command that takes something is given nothing; every one that takes a file or a
    // folder is given places that are none.
    static void tryOptionsOf(const QString& command)
    {
        const QString help = runCli({command, "--help"}).output;
        QStringList first{command};
        if (help.contains("model TEXT") || help.contains("input TEXT"))
            first << testModel("tiny/gpt2-tiny.pt2");
        if (command == "verify")
            first << "/tmp/never";
        const bool needsOutput = help.contains(QRegularExpression("--output [A-Z]+ REQUIRED"));
        const QMap<QString, QString> endings{
            {"import", ".pt2"}, {"merge", ".safetensors"}, {"render", ".svg"}, {"report", ".html"}};
        const QStringList output =
            needsOutput ? QStringList{"-o", "/tmp/never" + endings.value(command)} : QStringList{};
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
        QVERIFY(tried > 0 || QStringList({"devices", "completion", "manual"}).contains(command));
        QVERIFY(!QFile::exists("/tmp/never"));
    }
};

QTEST_GUILESS_MAIN(TestCliOptions)
#include "tst_cli_options.moc"
