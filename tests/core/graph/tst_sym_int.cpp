#include "core/graph/sympy_text.h"
#include "tests/core/graph_text/sym_int_text.h"

#include <QtTest>

using namespace stagecraft;

namespace {

QString shown(const Result<std::int64_t>& value)
{
    return value.has_value() ? QString::number(*value) : QString::fromStdString(value.error().message);
}

SymInt parsed(const char* text)
{
    const Result<SymInt> size = parseSymInt(text);
    return size.has_value() ? *size : SymInt::opaque(size.error().message, {});
}

} // namespace

class TestSymInt : public QObject
{
    Q_OBJECT

private slots:
    void readsTexts_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("value"); // for s0 = 7, s1 = -3, u0 = 11
        const auto row = [](const char* given, qint64 value) { QTest::newRow(given) << given << value; };
        row("12", 12);
        row("s0", 7);
        row("2*s0 + 1", 15);
        row("-s0 + 9", 2);
        row("9 - s0 - 1", 1);
        row("-2*s0**2", -98);
        row("2**3**2", 512);
        row("(s0 + 1)*s1", -24);
        row("s1//2", -2);
        row("((3*s0)//2)", 10);
        row("s0*2//4*2", 6);
        row("Mod(s0, 3) + 1", 2);
        row("s1 % 4", 1);
        row("Max(1, s0, -s1)", 7);
        row("ModularIndexing(s0, 2, 2)", 1);
        row("s0/2 + 1/2", 4);
        row("floor(0.5*s0)", 3);
        row("u0 + 1", 12);
    }
    void readsTexts()
    {
        QFETCH(QString, given);
        QFETCH(qint64, value);
        const std::optional<std::string> srepr = sreprOfText(given.toStdString());
        QVERIFY(srepr);
        QCOMPARE(shown(parseSrepr(*srepr, {}).evaluate({{"s0", 7}, {"s1", -3}, {"u0", 11}})),
                 QString::number(value));
    }

    void whatIsNoTextOfASizeIsNone_data()
    {
        QTest::addColumn<QString>("given");
        for (const QString& text :
             {QString(), QString("2*"), QString("(s0"), QString("s0 s1"), QString("f(s0,"), QString("s0 > 1"),
              QString("'x'"), QString(500, '-') + "s0", QString(500, '(') + "s0" + QString(500, ')'),
              "s0" + QString("//2").repeated(40'000)})
            QTest::newRow(qPrintable(text.left(20))) << text;
    }
    void whatIsNoTextOfASizeIsNone()
    {
        QFETCH(QString, given);
        QVERIFY(!sreprOfText(given.toStdString()));
    }

    void readsSrepr_data()
    {
        QTest::addColumn<QString>("srepr");
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("value"); // for s0 = 7, s1 = -3
        const auto row = [](const char* srepr, const char* text, qint64 value) {
            QTest::newRow(text) << srepr << text << value;
        };
        row("Integer(12)", "12", 12);
        row("Symbol('s0', positive=True, integer=True)", "s0", 7);
        row("Symbol('u0', integer=True)", "u0", 11);
        row("Add(Integer(1), Mul(Integer(2), Symbol('s0')))", "2*s0 + 1", 15);
        row("Mul(Integer(-1), Symbol('s0'))", "(-1)*s0", -7);
        row("Mul(Add(Symbol('s0'), Integer(1)), Symbol('s1'))", "(s0 + 1)*s1", -24);
        row("Pow(Symbol('s0'), Integer(3))", "s0**3", 343);
        row("Pow(Add(Symbol('s0'), Integer(1)), Integer(2))", "(s0 + 1)**2", 64);
        row("FloorDiv(Symbol('s1'), Integer(2))", "s1//2", -2);
        row("FloorDiv(Mul(Integer(3), Symbol('s0')), Integer(2))", "(3*s0)//2", 10);
        row("CleanDiv(Mul(Integer(4), Symbol('s0')), Integer(2))", "(4*s0)//2", 14);
        row("CeilDiv(Symbol('s0'), Integer(2))", "CeilDiv(s0, 2)", 4);
        row("CeilToInt(IntTrueDiv(Symbol('s1'), Integer(2)))", "CeilDiv(s1, 2)", -1);
        row("Mod(Symbol('s0'), Integer(4))", "s0%4", 3);
        row("PythonMod(Symbol('s1'), Integer(4))", "PythonMod(s1, 4)", 1);
        row("ModularIndexing(Symbol('s0'), Integer(2), Integer(2))", "(s0//2)%2", 1);
        row("Max(Integer(1), Symbol('s0'), Symbol('s1'))", "Max(1, s0, s1)", 7);
        row("Min(Integer(1), Symbol('s1'))", "Min(1, s1)", -3);
        // Fractions stay exact until the whole is floored: (7 + 1)/2, not floor(7/2) + floor(1/2).
        row("Add(Mul(Rational(1, 2), Symbol('s0')), Rational(1, 2))", "(s0 + 1)//2", 4);
        row("floor(Mul(Float('0.5', precision=53), ToFloat(Symbol('s0'))))", "s0//2", 3);
        row("Mul(Symbol('s0'), Pow(Integer(2), Integer(-1)))", "s0//2", 3);
        row("IntTrueDiv(Symbol('s0'), Symbol('u0'))", "s0//u0", 0);
        row("FloorToInt(FloatTrueDiv(ToFloat(Symbol('s1')), Float('2.0', precision=53)))", "s1//2", -2);
    }

    void readsSrepr()
    {
        QFETCH(QString, srepr);
        QFETCH(QString, text);
        QFETCH(qint64, value);
        const SymInt size = parseSrepr(srepr.toStdString(), {});
        QCOMPARE(QString::fromStdString(size.text()), text);
        QCOMPARE(shown(size.evaluate({{"s0", 7}, {"s1", -3}, {"u0", 11}})), QString::number(value));
        // Both written forms read back as the same expression.
        QCOMPARE(parsed(size.text().c_str()), size);
        QCOMPARE(parseSrepr(size.srepr(), {}), size);
    }

    void keepsWhatItCannotRead_data()
    {
        QTest::addColumn<QString>("srepr");
        for (const char* text : {"Piecewise(ExprCondPair(Integer(1), true))", "Mul(Integer(2)", "Symbol('s0",
                                 "", "Float('0.1', precision=53)", "Add()", "Integer(99999999999999999999)",
                                 "Max(Rational(1, 2), Symbol('s0'))", "Integer(1))"})
            QTest::newRow(text) << text;
    }

    void keepsWhatItCannotRead()
    {
        QFETCH(QString, srepr);
        const SymInt size = parseSrepr(srepr.toStdString(), 5);
        QVERIFY(!size.isConstant());
        QCOMPARE(size.srepr(), srepr.toStdString());
        QCOMPARE(size.hint(), std::optional<std::int64_t>(5));
        QCOMPARE(parsed(size.text().c_str()), size);
        QCOMPARE(parseSrepr(srepr.toStdString(), {}).hint(), std::nullopt);
    }

    void refusesTextThatIsNoSize_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "2*", "s0 s1", "(s0", "f(s0)", "s0//", "1.5", "s0 + ", "9223372036854775808"})
            QTest::newRow(text) << text;
    }

    void refusesTextThatIsNoSize()
    {
        QFETCH(QString, text);
        const Result<SymInt> size = parseSymInt(text.toStdString());
        QVERIFY(!size.has_value());
        QCOMPARE(QString::fromStdString(size.error().message),
                 "'" + text + "' is not a size; write for example 8, s0 or 2*s0 + 1");
    }

    void survivesDeepNesting()
    {
        QVERIFY(!parseSymInt(std::string(100'000, '(')).has_value());
        QVERIFY(!parseSymInt(std::string(100'000, '-')).has_value());
        std::string deep;
        for (int i = 0; i < 100'000; ++i)
            deep += "Add(Integer(1), ";
        QVERIFY(!parseSrepr(deep, 1).isConstant());
    }

    void readsText()
    {
        const Bindings bindings{{"s0", 7}};
        QCOMPARE(shown(parsed("2 * s0 - 3").evaluate(bindings)), "11");
        QCOMPARE(shown(parsed("-s0 + 1").evaluate(bindings)), "-6");
        QCOMPARE(shown(parsed("100 // s0 % 5").evaluate(bindings)), "4");
        QCOMPARE(shown(parsed("2**s0").evaluate(bindings)), "128");
    }

    void foldsNumbers()
    {
        const SymInt s = SymInt::symbol("s0");
        QCOMPARE(SymInt::make(SymOp::Mul, {2, 3}), SymInt(6));
        QCOMPARE(SymInt::make(SymOp::Mul, {s, 0}), SymInt(0));
        QCOMPARE(SymInt::make(SymOp::Mul, {1, s}), s);
        QCOMPARE(SymInt::make(SymOp::Add, {1, s, -1}), s);
        QCOMPARE(SymInt::make(SymOp::FloorDiv, {s, 1}), s);
        QCOMPARE(SymInt::make(SymOp::Max, {2, s, 3}).text(), std::string("Max(3, s0)"));
        // Not folded: there is no such number.
        QVERIFY(!SymInt::make(SymOp::FloorDiv, {1, 0}).isConstant());
        QVERIFY(!SymInt::make(SymOp::Mul, {INT64_MAX, 2}).isConstant());
    }

    void saysWhyItHasNoValue()
    {
        QCOMPARE(shown(SymInt::symbol("s0").evaluate({})),
                 "the size s0 has no value; give it one (--bind s0=NUMBER, in the window among the "
                 "plan's options)");
        QCOMPARE(shown(parsed("8//s0").evaluate({{"s0", 0}})),
                 "the size 8//s0 divides by zero or does not fit in 64 bits");
        QCOMPARE(shown(parsed("s0**s0").evaluate({{"s0", 100}})),
                 "the size s0**s0 divides by zero or does not fit in 64 bits");
        QCOMPARE(shown(parsed("s0*s0").evaluate({{"s0", 10'000'000'000}})),
                 "the size s0*s0 divides by zero or does not fit in 64 bits");
        QCOMPARE(shown(parsed("s0%2").evaluate({{"s0", INT64_MIN}})), "0");
    }

    void takesHints()
    {
        const SymInt batch = parseSrepr("Symbol('s0')", 8);
        QCOMPARE(batch.hint(), std::optional<std::int64_t>(8));
        QCOMPARE(parseSrepr("Mul(Integer(2), Symbol('s0'))", 99, {{"s0", 8}}).hint(),
                 std::optional<std::int64_t>(16));
        QCOMPARE(shown(batch.evaluate({{"s0", 3}})), "3");
        std::set<std::string> names;
        parsed("s1*s0 + Max(s2, 3)").collectSymbols(names);
        QCOMPARE(names, (std::set<std::string>{"s0", "s1", "s2"}));
    }
};

QTEST_GUILESS_MAIN(TestSymInt)
#include "tst_sym_int.moc"
