// What an installation brings beside the program: completion in real shells, and the manual page. All of it
// says what --help says.
#include "cli_run.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::test;

namespace {

QSet<QString> longOptions(const QString& text)
{
    static const QRegularExpression option("^  (?:-\\w,)?(--[\\w,-]+)", QRegularExpression::MultilineOption);
    QSet<QString> found;
    for (auto match = option.globalMatch(text); match.hasNext();)
        for (const QString& name : match.next().captured(1).split(','))
            found << name;
    return found;
}

QStringList commands()
{
    const QString help = runCli({"--help"}).output;
    static const QRegularExpression command("^  (\\w+) ", QRegularExpression::MultilineOption);
    QStringList found;
    for (auto match = command.globalMatch(help.mid(help.indexOf("Subcommands:"))); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

QString run(const QString& program, const QStringList& arguments, const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    process.waitForFinished(30000);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return "failed: " + process.readAllStandardError();
    return process.readAllStandardOutput();
}

} // namespace

class TestCliShell : public QObject
{
    Q_OBJECT

private slots:
    void bashCompletes_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("a command") << QStringList{"part"} << QStringList{"partition"};
        QTest::newRow("an option") << QStringList{"partition", "--micro"} << QStringList{"--microbatches"};
        QTest::newRow("of several names") << QStringList{"partition", "--expl"} << QStringList{"--explain"};
        QTest::newRow("of the program") << QStringList{"info", "--op"} << QStringList{"--op-library"};
        QTest::newRow("a choice") << QStringList{"export", "--schedule", "zb"} << QStringList{"zb1p", "zbv"};
        QTest::newRow("behind =") << QStringList{"export", "--schedule", "=", "gp"} << QStringList{"gpipe"};
        QTest::newRow("right behind =")
            << QStringList{"export", "--send", "="} << QStringList{"relay", "direct"};
        QTest::newRow("a device or a file")
            << QStringList{"profile", "--device", "h"}
            << QStringList{"h100-nvl", "h100-pcie", "h100-sxm", "h200-sxm", "half of it.json"};
        QTest::newRow("a file to write") << QStringList{"export", "a.pt2", "-o", "a"} << QStringList{"a.pt2"};
        QTest::newRow("a model") << QStringList{"profile", "a"} << QStringList{"a.pt2"};
        QTest::newRow("a number") << QStringList{"partition", "--stages", ""} << QStringList{};
        QTest::newRow("a shell") << QStringList{"completion", "z"} << QStringList{"zsh"};
    }

    // In a folder with two files.
    void bashCompletes()
    {
        QFETCH(const QStringList, words);
        QFETCH(const QStringList, expected);
        const QString script = writeScript("bash");
        QString line = "source " + script + "; COMP_WORDS=(stagecraft-cli";
        for (const QString& word : words)
            line += " '" + word + "'";
        line += QString("); COMP_CWORD=%1; _stagecraft_cli; printf '%s\\n' \"${COMPREPLY[@]}\"")
                    .arg(words.size());
        const QString said = run("bash", {"--norc", "-c", line}, m_folder.path());
        QCOMPARE(said.split('\n', Qt::SkipEmptyParts), expected);
    }

    void bashKnowsEveryOptionOfTheHelp_data() { forEachCommand(); }
    void bashKnowsEveryOptionOfTheHelp()
    {
        QFETCH(const QString, command);
        const QString line = "source " + writeScript("bash") + "; COMP_WORDS=(stagecraft-cli " + command +
                             " --); COMP_CWORD=2; _stagecraft_cli; printf '%s\\n' \"${COMPREPLY[@]}\"";
        const QStringList said =
            run("bash", {"--norc", "-c", line}, m_folder.path()).split('\n', Qt::SkipEmptyParts);
        const QSet<QString> missing =
            longOptions(runCli({command, "--help"}).output) - QSet<QString>(said.begin(), said.end());
        QVERIFY2(missing.isEmpty(), qPrintable(missing.values().join(' ')));
    }

    void fishCompletes()
    {
        if (QStandardPaths::findExecutable("fish").isEmpty())
            QSKIP("fish is not installed");
        const QString script = writeScript("fish");
        const auto completed = [&](const QString& line) {
            const QString said =
                run("fish", {"--no-config", "-c", "source " + script + "; complete -C '" + line + "'"},
                    m_folder.path());
            QStringList words;
            for (const QString& each : said.split('\n', Qt::SkipEmptyParts))
                words << each.section('\t', 0, 0);
            return words;
        };
        QCOMPARE(completed("stagecraft-cli part"), QStringList{"partition"});
        QCOMPARE(completed("stagecraft-cli export --schedule zb"), (QStringList{"zb1p", "zbv"}));
        QCOMPARE(completed("stagecraft-cli partition --micro"), QStringList{"--microbatches"});
        QCOMPARE(completed("stagecraft-cli profile a"), QStringList{"a.pt2"});
    }

    void zshTakesTheScript()
    {
        if (QStandardPaths::findExecutable("zsh").isEmpty())
            QSKIP("zsh is not installed");
        QCOMPARE(run("zsh", {"-f", "-n", writeScript("zsh")}, m_folder.path()), "");
        // Loaded as compinit does it, and called outside of a completion, which zsh says.
        const QString line = "fpath=(" + m_folder.path() +
                             " $fpath); autoload -Uz compinit; compinit -D -u; "
                             "print $_comps[stagecraft-cli]";
        QCOMPARE(run("zsh", {"-f", "-c", line}, m_folder.path()).trimmed(), "_stagecraft-cli");
    }

    void anotherShellIsRefused()
    {
        const CliRun other = runCli({"completion", "tcsh"});
        QCOMPARE(other.status, 2);
        QVERIFY(other.isOneLineError());
    }

    void theManualHasEveryOptionOfTheHelp_data() { forEachCommand(); }
    void theManualHasEveryOptionOfTheHelp()
    {
        QFETCH(const QString, command);
        static const QString manual = QString(runCli({"manual"}).output).replace("\\-", "-");
        const qsizetype start = manual.indexOf(".SS \"" + command + '"');
        QVERIFY(start > 0);
        const QString section = manual.mid(start, manual.indexOf("\n.S", start + 1) - start);
        for (const QString& option : longOptions(runCli({command, "--help"}).output))
            QVERIFY2(section.contains("\\fB" + option + "\\fR"), qPrintable(option));
    }

    void theManualIsGoodRoff()
    {
        if (QStandardPaths::findExecutable("groff").isEmpty())
            QSKIP("groff is not installed");
        QFile page(m_folder.filePath("stagecraft-cli.1"));
        QVERIFY(page.open(QIODevice::WriteOnly));
        page.write(runCli({"manual"}).output);
        page.close();
        QProcess groff;
        groff.start("groff", {"-man", "-ww", "-z", "-Tutf8", page.fileName()});
        QVERIFY(groff.waitForFinished(20000));
        QCOMPARE(groff.readAllStandardError(), QByteArray());
        const QString shown = run("groff", {"-man", "-Tascii", "-P-cbou", page.fileName()}, m_folder.path());
        QVERIFY(shown.contains("stagecraft-cli - split PyTorch models into pipeline stages"));
        QVERIFY(shown.contains("--memory-limit BYTES"));
        QVERIFY(shown.contains("Exit status: 0 done"));
    }

private:
    static void forEachCommand()
    {
        QTest::addColumn<QString>("command");
        const QStringList all = commands();
        QVERIFY(all.size() >= 15);
        for (const QString& command : all)
            QTest::newRow(qPrintable(command)) << command;
    }

    QString writeScript(const QString& shell)
    {
        QFile model(m_folder.filePath("a.pt2"));
        QFile device(m_folder.filePath("half of it.json"));
        QFile script(m_folder.filePath("_stagecraft-cli"));
        if (!model.open(QIODevice::WriteOnly) || !device.open(QIODevice::WriteOnly) ||
            !script.open(QIODevice::WriteOnly))
            qFatal("no files can be written");
        if (!m_written.contains(shell))
            m_written[shell] = runCli({"completion", shell}).output;
        script.write(m_written[shell]);
        return script.fileName();
    }

    QTemporaryDir m_folder;
    QMap<QString, QByteArray> m_written; // by the shell
};

QTEST_GUILESS_MAIN(TestCliShell)
#include "tst_cli_shell.moc"
