#include "core/base/bounded_regex.h"

#include <QElapsedTimer>
#include <QTest>

#include <regex>

using namespace stagecraft;

class TestBoundedRegex : public QObject
{
    Q_OBJECT

private slots:
    // The standard library's own finds the same.
    void findsWhatOthersFind_data()
    {
        QTest::addColumn<QString>("pattern");
        for (const char* pattern :
             {"abc",     "a.c",     "^ab",       "bc$",     "^$",        "a*",      "a+b",
              "ab?c",    "[a-c]+d", "[^a-c]",    "\\d+",    "\\w\\s\\w", "\\D",     "(ab|cd)+e",
              "a|b|cd",  "(a|)b",   "(?:ab){2}", "a{2,3}b", "a{2,}",     "x{0}y",   "((a*)*)*b",
              "\\.",     "[.]",     "\\bab\\b",  "b\\b",    "a??b",      "[\\d_]+", "layers\\.[0-9]+\\.mlp",
              "(^a|c$)", "()",      "[-a]",      "[a-]"})
            QTest::newRow(pattern) << QString(pattern);
    }
    void findsWhatOthersFind()
    {
        QFETCH(QString, pattern);
        const auto ours = BoundedRegex::compile(pattern.toStdString());
        QVERIFY2(ours.has_value(), ours.has_value() ? "" : ours.error().message.c_str());
        const std::regex theirs(pattern.toStdString(), std::regex::ECMAScript | std::regex::icase);
        for (const char* text : {"",      "a",    "ab",  "abc",   "ABC", "aabbcc",        "xabcy",
                                 "ababe", "cde",  "a b", "12",    "a1_", "layers.12.mlp", "layers12mlp",
                                 "y",     "aaab", "-",   "ab cd", "e",   "dab",           "bc",
                                 "."})
            QVERIFY2(ours->isFoundIn(text) == std::regex_search(text, theirs), text);
    }

    void otherLettersAreCharacters()
    {
        QVERIFY(BoundedRegex::compile("^é+$")->isFoundIn("éé"));
        QVERIFY(!BoundedRegex::compile("^é+$")->isFoundIn("é\xc3"));
    }

    void whatIsNoneIsToldWhy_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("reason");
        QTest::newRow("open") << "(a"
                              << "a ( without its )";
        QTest::newRow("closed") << "a)"
                                << "a ) without its (";
        QTest::newRow("set") << "[a"
                             << "a [ without its ]";
        QTest::newRow("nothing to repeat") << "*a"
                                           << "nothing stands before it";
        QTest::newRow("twice") << "a**"
                               << "is repeated already";
        QTest::newRow("backslash") << "a\\"
                                   << "ends in a backslash";
        QTest::newRow("reference") << "(a)\\1"
                                   << "cannot look for what was found before";
        QTest::newRow("look ahead") << "(?=a)"
                                    << "only (?: is known";
        QTest::newRow("letter") << "\\q"
                                << "\\q is not known";
        QTest::newRow("range") << "[b-a]"
                               << "from a larger to a smaller";
        QTest::newRow("times") << "a{3,2}"
                               << "write {2}, {2,} or {2,5}";
        QTest::newRow("many") << "((a{100}){100}){100}"
                              << "is too long";
        QTest::newRow("deep") << QString(60, '(') + QString(60, ')') << "too many parentheses";
    }
    void whatIsNoneIsToldWhy()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, reason);
        const auto regex = BoundedRegex::compile(pattern.toStdString());
        QVERIFY(!regex.has_value());
        QVERIFY2(QString::fromStdString(regex.error().message).contains(reason),
                 regex.error().message.c_str());
    }

    // Each takes others a time that doubles with every letter.
    void noneTakesLong()
    {
        const std::string text(20000, 'a');
        QElapsedTimer timer;
        timer.start();
        for (const char* pattern : {"(a+)+b", "(a|a)*b", "(a*)*b", "(a|aa)+$x", "(.*)(.*)(.*)(.*)(.*)b"})
            QVERIFY(!BoundedRegex::compile(pattern)->isFoundIn(text));
        QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_GUILESS_MAIN(TestBoundedRegex)
#include "tst_bounded_regex.moc"
