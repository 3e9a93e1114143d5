#include "views/code/code_text.h"

#include "tests/views/sample_plan.h"

#include <QtTest>

#include <random>

using namespace stagecraft;

class TestCodeText : public QObject
{
    Q_OBJECT

private slots:
    void changes_data();
    void changes();
    void applyingTheChangesGivesTheNewText();
    void aHugeDifferenceIsOneChange();
    void notesAreBrokenAtBlanks();
    void differencesStandWithLinesAround();
    void differencesHoldBothTexts();
    void linesEndWithLineFeeds();
    void costsStandInColumns();
    void exchangeNamesWhatCrosses();
};

namespace {

QStringList letters(const char* text)
{
    return QString(text).split("", Qt::SkipEmptyParts);
}

// "2-3>2-2": lines [2, 3) become [2, 2).
QString described(const std::vector<LineChange>& changes)
{
    QStringList texts;
    for (const LineChange& change : changes)
        texts << QStringLiteral("%1-%2>%3-%4")
                     .arg(change.oldFirst)
                     .arg(change.oldEnd)
                     .arg(change.newFirst)
                     .arg(change.newEnd);
    return texts.join(' ');
}

QStringList applied(QStringList lines, const QStringList& after, const std::vector<LineChange>& changes)
{
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
        lines = lines.mid(0, change->oldFirst) +
                after.mid(change->newFirst, change->newEnd - change->newFirst) + lines.mid(change->oldEnd);
    return lines;
}

// "1~ b -X c": a line skipped, one alike, one removed, one alike.
QString differences(const char* before, const char* after, int around)
{
    QStringList texts;
    for (const DiffLine& line : diffLines(letters(before), letters(after), around))
        switch (line.kind) {
        case DiffLine::Kind::Same:
            texts << line.text;
            break;
        case DiffLine::Kind::Removed:
            texts << '-' + line.text;
            break;
        case DiffLine::Kind::Added:
            texts << '+' + line.text;
            break;
        case DiffLine::Kind::Skipped:
            texts << QString::number(line.skipped) + '~';
            break;
        }
    return texts.join(' ');
}

} // namespace

void TestCodeText::changes_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("expected");
    QTest::newRow("equal") << "abc"
                           << "abc"
                           << "";
    QTest::newRow("from nothing") << ""
                                  << "ab"
                                  << "0-0>0-2";
    QTest::newRow("to nothing") << "ab"
                                << ""
                                << "0-2>0-0";
    QTest::newRow("a line in the middle") << "abc"
                                          << "aXc"
                                          << "1-2>1-2";
    QTest::newRow("added at the end") << "abc"
                                      << "abcd"
                                      << "3-3>3-4";
    QTest::newRow("two apart") << "abcdef"
                               << "XbcdeY"
                               << "0-1>0-1 5-6>5-6";
    QTest::newRow("head moved to the tail") << "abcd"
                                            << "bcda"
                                            << "0-1>0-0 4-4>3-4";
}

void TestCodeText::changes()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto found = changedLines(letters(qPrintable(before)), letters(qPrintable(after)));
    QTEST(described(found), "expected");
}

void TestCodeText::applyingTheChangesGivesTheNewText()
{
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round) {
        const auto text = [&random] {
            QStringList lines;
            for (std::size_t i = random() % 12; i > 0; --i)
                lines << QString(QChar('a' + static_cast<char>(random() % 4)));
            return lines;
        };
        const QStringList before = text();
        const QStringList after = text();
        QCOMPARE(applied(before, after, changedLines(before, after)), after);
    }
}

void TestCodeText::aHugeDifferenceIsOneChange()
{
    QStringList before;
    QStringList after;
    for (int i = 0; i < 5000; ++i) {
        before << QString::number(i);
        after << QString::number(-i - 1);
    }
    QCOMPARE(described(changedLines(before, after)), QString("0-5000>0-5000"));
}

void TestCodeText::differencesStandWithLinesAround()
{
    QCOMPARE(differences("abcdefghij", "abcdXfghij", 1), QString("3~ d -e +X f 4~"));
    QCOMPARE(differences("abc", "abc", 1), QString());
    QCOMPARE(differences("abc", "abcd", 5), QString("a b c +d"));
    QCOMPARE(differences("", "ab", 2), QString("+a +b"));
    QCOMPARE(differences("abXcYde", "abcde", 1), QString("1~ b -X c -Y d 1~"));
}

// Every line that is not skipped has the number that it has in its text.
void TestCodeText::differencesHoldBothTexts()
{
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        const auto text = [&random] {
            QStringList lines;
            for (std::size_t i = random() % 20; i > 0; --i)
                lines << QString(QChar('a' + static_cast<char>(random() % 3)));
            return lines;
        };
        const QStringList before = text();
        const QStringList after = text();
        int old = 0;
        int now = 0;
        for (const DiffLine& line : diffLines(before, after, static_cast<int>(random() % 3))) {
            old += line.skipped;
            now += line.skipped;
            if (line.oldNumber >= 0) {
                QCOMPARE(line.oldNumber, old++);
                QCOMPARE(line.text, before[line.oldNumber]);
            }
            if (line.newNumber >= 0) {
                QCOMPARE(line.newNumber, now++);
                QCOMPARE(line.text, after[line.newNumber]);
            }
        }
        if (before != after) {
            QCOMPARE(old, before.size());
            QCOMPARE(now, after.size());
        }
    }
}

void TestCodeText::linesEndWithLineFeeds()
{
    QCOMPARE(linesOf("a\nb\n"), (QStringList{"a", "b"}));
    QCOMPARE(linesOf("a\nb"), (QStringList{"a", "b"}));
    QCOMPARE(linesOf(""), QStringList());
}

void TestCodeText::costsStandInColumns()
{
    Profile profile;
    profile.nodes.add({.forward = {.time = Seconds(12.3e-6)}, .outputBytes = Bytes(3 << 20)});
    profile.nodes.add({});
    QCOMPARE(lineCost(profile, {NodeId(0)}), QString("12.3 us  3.00 MiB"));
    QCOMPARE(lineCost(profile, {NodeId(1)}), QString());
}

void TestCodeText::exchangeNamesWhatCrosses()
{
    const PlanView plan = sample::plan(2, 2);
    const auto first = sample::programOf(plan, StageId(0));
    const auto second = sample::programOf(plan, StageId(1));
    QVERIFY(receivedText(plan, *first).startsWith("Takes 1 value from the caller"));
    const QString sent = sentText(plan, *first);
    QVERIFY2(sent.startsWith("Sends 1 value to stage 2, 32.0 MiB\n  "), qPrintable(sent));
    QVERIFY(receivedText(plan, *second).startsWith("Receives 1 value from stage 1, 32.0 MiB"));
    QVERIFY(sentText(plan, *second).startsWith("Returns"));
}

void TestCodeText::notesAreBrokenAtBlanks()
{
    QCOMPARE(brokenText("Takes 1 value\n  x  f32[8]", 40), QString("Takes 1 value\n  x  f32[8]"));
    QCOMPARE(brokenText("Takes 1 value from the caller\n  input_ids  i64[8, 1024]", 20),
             QString("Takes 1 value from\n  the caller\n  input_ids  i64[8,\n    1024]"));
    const QString name(50, 'x');
    QCOMPARE(brokenText(name, 20), name); // no blank
    QCOMPARE(brokenText("  " + name, 20), "  " + name);
}

QTEST_GUILESS_MAIN(TestCodeText)
#include "tst_code_text.moc"
