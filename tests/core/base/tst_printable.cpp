#include "core/base/printable.h"

#include <QJsonDocument>
#include <QTest>

using namespace stagecraft;

class TestPrintable : public QObject
{
    Q_OBJECT

private slots:
    void whatActsIsWrittenOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& shown) {
            QTest::newRow(name) << text << shown;
        };
        row("plain", "layers.3.q_proj", "layers.3.q_proj");
        row("letters", "Größe λ 注意 👍", "Größe λ 注意 👍");
        row("escape", "\x1b[31mred", "\\u001b[31mred");
        row("null", QByteArray("a\0b", 3), "a\\u0000b");
        row("line", "a\nb\r\tc", "a\\u000ab\\u000d\\u0009c");
        row("delete", "a\x7f", "a\\u007f");
        row("control sequence of one byte",
            "\xc2\x9b"
            "31m",
            "\\u009b31m");
        row("override",
            "a\xe2\x80\xae"
            "b",
            "a\\u202eb");
        row("isolate", "\xe2\x81\xa6x", "\\u2066x");
        row("separator", "\xe2\x80\xa8", "\\u2028");
        row("tag", "\xf3\xa0\x80\x81", "\\udb40\\udc01");
        row("no UTF-8",
            "a\x9b"
            "b",
            "a\xef\xbf\xbd"
            "b");
        row("too long a form", "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
        row("a surrogate", "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
        row("cut short", "x\xe2\x80", "x\xef\xbf\xbd\xef\xbf\xbd");
    }
    void whatActsIsWrittenOut()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
    }

    void linesAreKeptWhereTheyAreMeant()
    {
        QCOMPARE(printable("a\n\tb\r\x1b", LineBreaks::Keep), std::string("a\n\tb\\u000d\\u001b"));
        QCOMPARE(printable("a,b\r\nc\r", LineBreaks::Keep), std::string("a,b\r\nc\\u000d"));
        QCOMPARE(printable("a\r\n"), std::string("a\\u000d\\u000a"));
    }

    void jsonStaysWhatItWas()
    {
        const QByteArray json = "{\n \"name\": \"a\xc2\x9b\x7f"
                                "b\xe2\x80\xae\xf3\xa0\x80\x81\"\n}";
        const std::string shown = printable(json.toStdString(), LineBreaks::Keep);
        QVERIFY(shown != json.toStdString());
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(shown)), QJsonDocument::fromJson(json));
    }

    void whatIsNotWholeIsCounted()
    {
        QCOMPARE(unfinishedBytes("abc"), std::size_t{0});
        QCOMPARE(unfinishedBytes("a\xc3"), std::size_t{1});
        QCOMPARE(unfinishedBytes("a\r"), std::size_t{1});
        QCOMPARE(unfinishedBytes("a\xe2\x80"), std::size_t{2});
        QCOMPARE(unfinishedBytes("\xf0\x9f\x91"), std::size_t{3});
        QCOMPARE(unfinishedBytes("\xf0\x9f\x91\x8d"), std::size_t{0});
        QCOMPARE(unfinishedBytes("\x80\x80\x80\x80"), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestPrintable)
#include "tst_printable.moc"
