// Names that would act on a terminal.
#include "cli/cli_run.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace stagecraft::test;

namespace {

const QString names = QStringLiteral(STAGECRAFT_TEST_DATA "/hostile/15-terminal-escapes/m_names.pt2");

// Where a character stands that a terminal would obey; empty: nowhere. Lines of CSV end in CR LF.
QString actsIn(const QByteArray& output)
{
    const QString text = QString::fromUtf8(output).replace("\r\n", "\n");
    static const QRegularExpression acting("[\\x{0}-\\x{8}\\x{B}-\\x{1F}\\x{7F}-\\x{9F}\\x{200E}\\x{200F}\\x{"
                                           "2028}-\\x{202E}\\x{2066}-\\x{2069}]");
    const auto match = acting.match(text);
    return match.hasMatch() ? text.mid(std::max<qsizetype>(0, match.capturedStart() - 30), 60) : QString();
}

// What `stagecraft-cli` writes to a terminal, and what of it is there to be read at the end: a line that is
// cleared is gone.
struct TerminalRun
{
    QByteArray written;
    QStringList lines;
};

// Whatever it takes away: a terminal holds no more than some thousands of bytes that nobody reads.
TerminalRun runOnTerminal(const QStringList& arguments)
{
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        return {};
    const int side = open(ptsname(terminal), O_RDWR | O_NOCTTY); // while it is open there is no end to read
    QProcess process;
    process.setStandardOutputFile(ptsname(terminal));
    process.setStandardErrorFile(ptsname(terminal));
    process.start(STAGECRAFT_CLI, arguments);
    TerminalRun run;
    std::array<char, 4096> buffer{};
    const auto take = [&] {
        for (ssize_t size = 0; (size = read(terminal, buffer.data(), buffer.size())) > 0;)
            run.written.append(buffer.data(), static_cast<qsizetype>(size));
    };
    while (!process.waitForFinished(5) && process.state() != QProcess::NotRunning)
        take();
    take();
    close(side);
    close(terminal);
    const QByteArray empty = "\r\033[K";
    for (const QByteArray& line : QByteArray(run.written).replace("\r\n", "\n").split('\n')) {
        const qsizetype cleared = line.lastIndexOf(empty);
        run.lines << QString::fromUtf8(cleared < 0 ? line : line.mid(cleared + empty.size()));
    }
    return run;
}

} // namespace

class TestCliTerminal : public QObject
{
    Q_OBJECT

private slots:
    void nothingThatIsPrintedActs_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const QStringList& arguments, int status = 0) {
            QTest::newRow(name) << arguments << status;
        };
        row("info", {"info", names});
        row("print", {"print", names});
        row("profile", {"profile", names, "--by", "node"});
        row("modules", {"profile", names, "--by", "module"});
        row("parts", {"profile", names, "--parts"});
        row("csv", {"profile", names, "--csv"});
        row("partition", {"partition", names, "--stages", "2"});
        row("explain", {"partition", names, "--stages", "2", "--explain"});
        row("curve", {"partition", names, "--curve"});
        row("schedule", {"schedule", names, "--stages", "2"});
        row("analyse", {"analyse", names});
        row("a wrong option", {"info", names, "--\x1b[31mloud"}, 2);
        row("a file that is not there", {"info", "/no/\x1b[2J\xc2\x9b.pt2"}, 1);
        row("a module that is not there", {"export", names, "--split-before", "\x1b[2J", "-o", "/tmp/never"},
            1);
    }
    void nothingThatIsPrintedActs()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const CliRun run = runCli(arguments);
        QVERIFY2(run.status == status, run.errors.constData());
        QVERIFY2(actsIn(run.output).isEmpty(), qPrintable(actsIn(run.output)));
        QVERIFY2(actsIn(run.errors).isEmpty(), qPrintable(actsIn(run.errors)));
    }

    // What is printed is the same document; only its spelling is another.
    void jsonKeepsItsNames()
    {
        const CliRun run = runCli({"profile", names, "--json", "--by", "node"});
        QCOMPARE(run.status, 0);
        QVERIFY2(actsIn(run.output).isEmpty(), qPrintable(actsIn(run.output)));
        QVERIFY(run.output.contains("ge\\u009b31m\\u202elu\\u007f"));
        const QJsonDocument document = QJsonDocument::fromJson(run.output);
        QVERIFY(document.isObject());
        QVERIFY(QString::fromUtf8(document.toJson())
                    .contains(QString::fromUtf8("ge\xc2\x9b"
                                                "31m\xe2\x80\xaelu\x7f")));
    }

    // What is under way stands in a line of its own, which is gone once there is anything else to read; where
    // nobody knows how far it is there is no percentage.
    void whatIsUnderWayLeavesNoTrace()
    {
        const QStringList arguments{"partition",      testModel("tiny/gpt2-tiny.pt2"),
                                    "--stages",       "2",
                                    "--recompute",    "auto",
                                    "--memory-limit", "6MiB"};
        const TerminalRun run = runOnTerminal(arguments);
        if (run.written.isEmpty())
            QSKIP("there are no terminals here");
        const CliRun quiet = runCli(arguments);
        QStringList expected = QString::fromUtf8(quiet.errors + quiet.output).split('\n');
        QStringList lines = run.lines;
        for (QStringList* said : {&expected, &lines})
            said->removeIf([](const QString& line) { return line.startsWith("solved in"); });
        QCOMPARE(lines, expected);
        QVERIFY(run.written.contains("\r\033[KWeighing what runs again\r\033[K"));
        QVERIFY2(run.written.contains("Tracing   0 %"), run.written.constData());
    }

    void whatCannotBeWrittenIsStillSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const QStringList& arguments : {QStringList{"info", names},
                                             {"profile", names},
                                             {"profile", names, "--json"},
                                             {"devices"},
                                             {"--help"},
                                             {"profile", "--help"},
                                             {"--version"}})
            QTest::newRow(qPrintable(arguments.join(' '))) << arguments;
    }
    void whatCannotBeWrittenIsStillSaid()
    {
        QFETCH(QStringList, arguments);
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full here");
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(STAGECRAFT_CLI, arguments);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output cannot be written"));
    }
};

QTEST_GUILESS_MAIN(TestCliTerminal)
#include "tst_cli_terminal.moc"
