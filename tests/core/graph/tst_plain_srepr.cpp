#include "core/graph/plain_srepr.h"

#include "tests/core/graph_text/sym_int_text.h"

#include <QtTest>

using namespace stagecraft;

class TestPlainSrepr : public QObject
{
    Q_OBJECT

private slots:
    // What PyTorch may be given to evaluate.
    void tellsSizesFromCode_data()
    {
        QTest::addColumn<QString>("srepr");
        QTest::addColumn<bool>("isPlain");
        const auto row = [](const QString& srepr, bool isPlain) {
            QTest::addRow("%s", qPrintable(srepr)) << srepr << isPlain;
        };
        const QString s0 = "Symbol('s0', positive=True, integer=True)";
        row("Integer(8)", true);
        row("Integer(-8)", true);
        row(s0, true);
        row("FloorDiv(Add(" + s0 + ", Integer(1)), Rational(1, 2))", true);
        row("Pow(" + s0 + ", Integer(2))", true);
        row("Pow(" + s0 + ", Rational(1, 2))", true);
        row("Pow(Integer(2), " + s0 + ")", true);
        row("Where(GreaterThan(" + s0 + ", Integer(2)), " + s0 + ", Float('0.5', precision=53))", true);
        row("OpaqueUnaryFn_log2(" + s0 + ")", true);
        row("Pow(Integer(9), Pow(Integer(9), Integer(9)))", false);
        row("Pow(Integer(9), Add(Integer(9), Integer(387420480)))", false);
        row("Add(" + s0 + ", Pow(Integer(9), Integer(387420489)))", false);
        row("Pow(" + s0 + ", Integer(387420489))", false);
        row("Where(true, Pow(Integer(9), Integer(387420489)), Integer(1))", false);
        row("LShift(Integer(1), Integer(99999999999))", false);
        row("LShift(" + s0 + ", Integer(99999999999))", false);
        row("__import__('os').system('touch it')", false);
        row("Where(__import__('os').system('touch it'))", false);
        row("Integer(1) if exec('') else Integer(2)", false);
        row("x\r        __import__('os').system('touch it')\r        #", false);
        row("Add(\r" + s0 + ")", false);
        row("Symbol('s0', positive=[exec('import os') for _ in '1'])", false);
        row("Symbol('s0', positive=True.__class__)", false);
        row("Symbol('s0', positive=open)", false);
        row("Float('1', precision=__import__)", false);
        row("Where('a\\'b', Integer(1))", false);
        row("Where('__import__', Integer(1))", false);
        row("Lambda(" + s0 + ", " + s0 + ")", false);
        row("Function('exec')('x')", false);
        row("exec('a')", false);
        row("Integer(1) # Integer(2)", false);
        row("Integer(1), Integer(2)", false);
        row("Integer(1.0)", false);
        row("Add(" + s0 + " " + s0 + ")", false);
        row(QString("Add(").repeated(1000), false);
        row("Integer", false);
        row("", false);
    }
    void tellsSizesFromCode()
    {
        QFETCH(QString, srepr);
        QFETCH(bool, isPlain);
        QCOMPARE(isPlainSrepr(srepr.toStdString()), isPlain);
    }

    // Whatever a file says, what is written for it is the same text or plain.
    void knowsWhatIsWritten()
    {
        for (const char* text :
             {"2*s0 + 1", "(s0//2)%3", "CeilDiv(s0, 4)", "Max(s0, 2)", "s0**2", "PythonMod(s0, 3)"})
            QVERIFY2(isPlainSrepr(parseSymInt(text)->srepr()), text);
        for (const char* text : {"9**387420489", "9**(9**9)", "opaque(\"exec('x')\", 8)"})
            QVERIFY2(!isPlainSrepr(parseSymInt(text)->srepr()), text);
    }
};

QTEST_GUILESS_MAIN(TestPlainSrepr)
#include "tst_plain_srepr.moc"
