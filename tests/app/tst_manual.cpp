// The manual page of the window says what its --help says.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

class TestManual : public QObject
{
    Q_OBJECT

private slots:
    void itHasEveryOptionOfTheHelpAndNoOther()
    {
        QProcess program;
        program.start(STAGECRAFT_PROGRAM, {"--help"});
        QVERIFY(program.waitForFinished(30000));
        const QSet<QString> said = options(program.readAllStandardOutput());
        QVERIFY(said.contains("--stages") && said.contains("--language"));
        QFile page(STAGECRAFT_MANUAL);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        const qsizetype start = text.indexOf(".SH OPTIONS");
        const QSet<QString> told =
            options(text.mid(start, text.indexOf(".SH FILES") - start).replace("\\-", "-"));
        QVERIFY2((said - told).isEmpty(),
                 qPrintable("not in the manual: " + (said - told).values().join(' ')));
        QVERIFY2((told - said).isEmpty(), qPrintable("not in the help: " + (told - said).values().join(' ')));
    }

private:
    static QSet<QString> options(const QString& text)
    {
        static const QRegularExpression option("--[a-z-]+");
        QSet<QString> found;
        for (auto match = option.globalMatch(text); match.hasNext();)
            found << match.next().captured();
        return found;
    }
};

QTEST_GUILESS_MAIN(TestManual)
#include "tst_manual.moc"
