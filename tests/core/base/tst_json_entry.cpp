// JSON from outside: what is wrong is said in plain English, with the place, and nothing in it takes the
// stack.
#include "core/base/json_entry.h"

#include <QtTest>

using namespace stagecraft;
using Json = nlohmann::json;

namespace {

template <class T>
QString message(const Result<T>& result)
{
    return result.has_value() ? QStringLiteral("ok") : QString::fromStdString(result.error().message);
}

} // namespace

class TestJsonEntry : public QObject
{
    Q_OBJECT

private slots:
    void faultsNameThePlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("fine") << QByteArray("{\"a\": [1, \"[[[\\\"[[\"]}") << "ok";
        QTest::newRow("empty") << QByteArray() << "f: is not JSON, or breaks off before its end";
        QTest::newRow("broken off") << QByteArray("{\"a\":\n [1,")
                                    << "f: is not JSON, or breaks off before its end";
        QTest::newRow("in a text") << QByteArray("{\"a") << "f: is not JSON, or breaks off before its end";
        QTest::newRow("word") << QByteArray("hello")
                              << "f: is not JSON: what stands at line 1, column 1 does not belong there";
        QTest::newRow("third line")
            << QByteArray("{\n \"a\": 1,\n  ]\n}\n")
            << "f: is not JSON: what stands at line 3, column 3 does not belong there";
        QTest::newRow("control character")
            << QByteArray("[\"a\nb\"]")
            << "f: is not JSON: what stands at line 1, column 4 does not belong there";
        QTest::newRow("number") << QByteArray("[1e999]") << "f: holds a number that is too large to be read";
        QTest::newRow("deep") << QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']')
                              << "f: is nested too deeply at line 1, column 501";
        QTest::newRow("deep objects")
            << QByteArray("{\"a\":").repeated(1'000'000) << "f: is nested too deeply at line 1, column 2501";
        QTest::newRow("too many") << "[" + QByteArray("0,").repeated(20'000'001) + "0]"
                                  << "f: holds more than 20000000 values";
        QTest::newRow("wide") << "[" + QByteArray("[[]],").repeated(1'000'000) + "0]"
                              << "ok";
    }
    void faultsNameThePlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        QCOMPARE(::message(parseJson<Json>(text.toStdString(), "f")), message);
        QCOMPARE(::message(parseJson<nlohmann::ordered_json>(text.toStdString(), "f")), message);
    }

    void entriesAreNamed()
    {
        const Json json =
            Json::parse(R"({"s": [{"n": "x", "c": 3}, {"n": 4, "c": -3}], "t": ["a", 1], "z": null,
                                          "u": 18446744073709551615})");
        const JsonEntry document(json, "f");
        const auto stages = document["s"].elements();
        QCOMPARE(stages.value().size(), 2u);
        QCOMPARE(stages.value()[0]["n"].text().value(), std::string("x"));
        QCOMPARE(stages.value()[0]["c"].count().value(), 3u);
        QCOMPARE(stages.value()[1]["c"].integer().value(), -3);
        QCOMPARE(message(stages.value()[1]["n"].text()), "f: 's[1].n' is not a text");
        QCOMPARE(message(stages.value()[1]["c"].count()), "f: 's[1].c' is not a whole number, 0 or more");
        QCOMPARE(message(stages.value()[0]["m"].text()), "f: 's[0].m' is missing; it must be a text");
        QCOMPARE(message(document["t"].texts()), "f: 't[1]' is not a text");
        QCOMPARE(message(document["s"]["n"].text()), "f: 's.n' is missing; it must be a text");
        QCOMPARE(message(document["z"].elements()), "f: 'z' is not a list");
        QCOMPARE(message(document["u"].integer()), "f: 'u' is not a whole number of 64 bits");
        QVERIFY(document["z"].isNull() && document["y"].isNull() && !document["s"].isNull());
        const Json list = Json::array();
        QCOMPARE(message(JsonEntry(list, "f")["n"].text()), "f: 'n' is missing; it must be a text");
    }

    // Whoever makes an error, and whatever it quotes.
    void errorsAreOneLine()
    {
        const Error error(ErrorCode::BadFormat, "a\nb\r\xe2\x80\xa8 \x1b[31m \xff Größe");
        QCOMPARE(QByteArray::fromStdString(error.message),
                 QByteArray("a\\u000ab\\u000d\\u2028 \\u001b[31m \xef\xbf\xbd Größe"));
    }
};

QTEST_GUILESS_MAIN(TestJsonEntry)
#include "tst_json_entry.moc"
