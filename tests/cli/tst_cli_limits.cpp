// Limits and cancels, on inputs larger than any model: the time limit is the command's, and a signal ends it
// at once, whatever it is doing. What is held to a limit is the time that the command itself had on a
// processor, so that nothing depends on what else the machine does; the clock is only there for what hangs.
#include "cli/cli_run.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

using namespace stagecraft::test;

namespace {

constexpr int nodeCount = 100'000;
constexpr int untilItHangs = 100'000; // milliseconds

// What child processes that have ended took of processors.
double secondsOfEnded()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What one took that still runs: fields 14 and 15 of its stat, the second of which may have spaces in it.
double secondsOf(const QProcess& process)
{
    QFile stat(QString("/proc/%1/stat").arg(process.processId()));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = stat.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    return (fields.value(11).toDouble() + fields.value(12).toDouble()) /
           static_cast<double>(sysconf(_SC_CLK_TCK));
}

// From each node to the next; and, with skips, from every third to one a little further.
QByteArray chain(bool skips, int nodes, double memoryLimit = 0)
{
    std::mt19937 random(7);
    const auto number = [&] { return QByteArray::number(0.1 + static_cast<double>(random() % 1000) / 1000); };
    QByteArray text = "{\"nodes\":[";
    for (int i = 0; i < nodes; ++i)
        text += (i ? "," : "") + ("{\"id\":" + QByteArray::number(i)) +
                ",\"memory\":1e6,\"time\":" + number() + "}";
    text += "],\"edges\":[";
    const auto edge = [&](int from, int to) {
        text += (text.endsWith('[') ? "" : ",") + ("{\"from\":" + QByteArray::number(from)) +
                ",\"to\":" + QByteArray::number(to) + ",\"bytes_time\":" + number() + "}";
    };
    for (int i = 0; i + 1 < nodes; ++i)
        edge(i, i + 1);
    for (int i = 0; skips && i + 60 < nodes; i += 3)
        edge(i, i + 2 + static_cast<int>(random() % 50));
    text += "]";
    if (memoryLimit > 0)
        text += ",\"memory_limit\":" + QByteArray::number(memoryLimit);
    return text + "}";
}

// One node feeds all others, which feed the last.
QByteArray star()
{
    QByteArray text = "{\"nodes\":[";
    for (int i = 0; i < nodeCount; ++i)
        text += (i ? "," : "") + ("{\"id\":" + QByteArray::number(i)) + ",\"memory\":1e6,\"time\":1}";
    text += "],\"edges\":[";
    for (int i = 1; i + 1 < nodeCount; ++i) {
        const QByteArray id = QByteArray::number(i);
        text += (i > 1 ? "," : "") + ("{\"from\":0,\"to\":" + id) + ",\"bytes_time\":0.1},{\"from\":" + id +
                ",\"to\":" + QByteArray::number(nodeCount - 1) + ",\"bytes_time\":0.1}";
    }
    return text + "]}";
}

} // namespace

class TestCliLimits : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString file(const QString& name) const { return m_folder.filePath(name); }

    void write(const QString& name, const QByteArray& text)
    {
        QFile made(file(name));
        QVERIFY(made.open(QIODevice::WriteOnly));
        QCOMPARE(made.write(text), text.size());
    }

private slots:
    void initTestCase()
    {
        write("chain.json", chain(false, nodeCount));
        write("skips.json", chain(true, nodeCount));
        write("star.json", star());
        write("tight.json", chain(true, 3000, 3.6e8));
    }

    void theLimitIsTheCommands_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const char* name : {"chain", "skips", "star"})
            QTest::newRow(name) << QStringList{file(name + QString(".json")), "--stages", "8"};
        QTest::newRow("nothing fits")
            << QStringList{file("tight.json"), "--stages", "8", "--memory-limit", "360e6"};
        for (const char* more : {"--explain", "--curve", "--trade-offs"})
            QTest::newRow(more) << QStringList{file("skips.json"), "--stages", "8", more};
    }

    void theLimitIsTheCommands()
    {
        QFETCH(QStringList, arguments);
        const double before = secondsOfEnded();
        const CliRun run = runCli(QStringList{"partition"} + arguments + QStringList{"--time-limit", "2"});
        QVERIFY2(run.status == 0 || run.isOneLineError(), run.errors.constData());
        const double taken = secondsOfEnded() - before;
        QVERIFY2(taken < 12, qPrintable(QString("%1 s").arg(taken)));
    }

    void signalsAreHeardEverywhere_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("signal");
        const QStringList large{"partition", file("skips.json"), "--stages", "8", "--time-limit", "50"};
        QTest::newRow("large graph") << large << SIGTERM;
        QTest::newRow("step of zbv") << QStringList{"partition",   example("t5-base"), "--stages",
                                                    "8",           "--schedule",       "zbv",
                                                    "--objective", "iteration",        "--time-limit",
                                                    "50"}
                                     << SIGINT;
        QTest::newRow("nothing fits")
            << QStringList{"partition",      file("skips.json"), "--stages",     "8",
                           "--memory-limit", "12.49e9",          "--time-limit", "50"}
            << SIGINT;
        QTest::newRow("curve") << large + QStringList{"--curve"} << SIGTERM;
    }

    // At three moments: reading, making ready, searching.
    void signalsAreHeardEverywhere()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, signal);
        for (const double moment : {0.3, 0.9, 1.8}) {
            const double before = secondsOfEnded();
            QProcess process;
            process.start(STAGECRAFT_CLI, arguments);
            QVERIFY(process.waitForStarted());
            bool hasEnded = false;
            for (int waited = 0; !hasEnded && secondsOf(process) < moment && waited < untilItHangs;
                 waited += 10)
                hasEnded = process.waitForFinished(10);
            if (hasEnded)
                continue;
            const double atSignal = secondsOf(process);
            ::kill(static_cast<pid_t>(process.processId()), signal);
            QVERIFY2(process.waitForFinished(untilItHangs), qPrintable(QString("after %1 s").arg(moment)));
            const double heardAfter = secondsOfEnded() - before - atSignal;
            qInfo("heard after %.2f s", heardAfter);
            QVERIFY2(heardAfter < 3, qPrintable(QString("after %1 s: %2 s").arg(moment).arg(heardAfter)));
            const bool isKilled = process.exitStatus() == QProcess::CrashExit; // before it could listen
            QVERIFY(isKilled || process.exitCode() == 130 || process.exitCode() == 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestCliLimits)
#include "tst_cli_limits.moc"
