#include "core/base/typed_figures.h"

#include <QtTest>

using namespace stagecraft;

// Refused: -1.
class TestTypedFigures : public QObject
{
    Q_OBJECT

private slots:
    void memory_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        constexpr qint64 gib = qint64(1) << 30;
        for (const char* text : {"30GiB", "30 GiB", "30 gib", "30g", "30G", " 30 GIB ", "30", " 30 ", "30.0"})
            QTest::newRow(text) << QString(text) << 30 * gib;
        QTest::newRow("decimal") << "30GB" << qint64(30'000'000'000);
        QTest::newRow("half") << "0.5" << gib / 2;
        QTest::newRow("most without a unit") << "1024" << 1024 * gib;
        QTest::newRow("so many bytes") << "34359738368" << 32 * gib;
        QTest::newRow("a MiB in bytes") << "1048576" << (qint64(1) << 20);
        QTest::newRow("bytes, and said so") << "30 B" << qint64(30);
        for (const char* text :
             {"0", "1025", "1048575", "", " ", "GiB", "-30GiB", "-30", "30 x", "1,5 GiB", "inf"})
            QTest::newRow(text) << QString(text) << qint64(-1);
    }
    void memory()
    {
        QFETCH(QString, text);
        const Result<Bytes> bytes = parseMemory(text.toStdString());
        QTEST(bytes.has_value() ? qint64(bytes->count()) : qint64(-1), "bytes");
    }

    void theRefusalSaysWhatToWrite()
    {
        const Result<Bytes> bytes = parseMemory("8000");
        QVERIFY(!bytes.has_value());
        const QString message = QString::fromStdString(bytes.error().message);
        QVERIFY2(message.contains("'8000'") && message.contains("8000MiB"), qPrintable(message));
    }

    void aCommaIsSaidToBeNone()
    {
        for (const Error& error : {parseMemory("1,5 GiB").error(), parseBandwidth("1,5 GB/s").error(),
                                   parseLatency("1,5 us").error(), parseFlopRate("1,5").error()})
            QVERIFY2(error.message.find("1.5") != error.message.npos, error.message.c_str());
    }

    void bandwidths_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("perSecond");
        const auto row = [](const char* text, double perSecond) {
            QTest::newRow(text) << QString(text) << perSecond;
        };
        for (const char* text : {"25 GB/s", "25GB/s", "25", "25 gB/s", "25 GB", "200 Gbit/s", "200 gbit/s",
                                 "0.025 TB/s", "25000 MB/s"})
            row(text, 25e9);
        row("25 GBps", 25e9);
        row("400 Gbit", 50e9);
        row("12.5 GiB/s", 12.5 * 1024 * 1024 * 1024);
        row("0", 0);
        row("8 kbit/s", 1000);
        for (const char* text : {"25 Gb/s", "25 gb/s", "25 gb", "25 Gbps", "25 parsecs", "25/s", "-1 GB/s",
                                 "", "GB/s", "25 XB/s", "25 GiiB/s", "25 GXB/s", "99999999"})
            row(text, -1);
    }
    void bandwidths()
    {
        QFETCH(QString, text);
        const Result<double> rate = parseBandwidth(text.toStdString());
        QTEST(rate.has_value() ? *rate : -1.0, "perSecond");
    }

    void bitsAndBytesAreToldApart()
    {
        const Result<double> rate = parseBandwidth("200 gb/s");
        QVERIFY(!rate.has_value());
        const QString message = QString::fromStdString(rate.error().message);
        QVERIFY2(message.contains("GB/s") && message.contains("Gbit/s"), qPrintable(message));
    }

    void latencies_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("seconds");
        const auto row = [](const char* text, double seconds) {
            QTest::newRow(text) << QString(text) << seconds;
        };
        for (const char* text : {"5 us", "5us", "5", "5 \u00b5s", "5 \u03bcs", "0.005 ms", "5000 ns"})
            row(text, 5e-6);
        row("0", 0);
        row("0.2 s", 0.2);
        for (const char* text : {"", "us", "-5 us", "5 hours", "5 GB", "2000 s", "inf"})
            row(text, -1);
    }
    void latencies()
    {
        QFETCH(QString, text);
        QFETCH(double, seconds);
        const Result<Seconds> latency = parseLatency(text.toStdString());
        QCOMPARE(latency.has_value() ? latency->value() : -1.0, seconds);
    }

    void flopRates_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("perSecond");
        const auto row = [](const char* text, double perSecond) {
            QTest::newRow(text) << QString(text) << perSecond;
        };
        for (const char* text : {"312 TFLOP/s", "312 TFLOPS", "312 tflops", "312TF", "312", "0.312 PFLOPS"})
            row(text, 312e12);
        row("90 GFLOP/s", 90e9);
        for (const char* text : {"", "fast", "312 TB/s", "312 XFLOPS", "312000000000000", "-1"})
            row(text, -1);
    }
    void flopRates()
    {
        QFETCH(QString, text);
        QFETCH(double, perSecond);
        const Result<double> rate = parseFlopRate(text.toStdString());
        QCOMPARE(rate.has_value() ? *rate : -1.0, perSecond);
    }

    void whatIsWrittenIsReadBack()
    {
        for (const double value : {1.0, 999.0, 5e-6, 1.5e9, 25e9, 312e12, 3.35e12, 123456e7}) {
            QCOMPARE(parseBandwidth(typedBandwidth(value)).value(), value);
            QCOMPARE(parseFlopRate(typedFlopRate(value)).value(), value);
        }
        for (const double value : {0.0, 1e-9, 5e-6, 12.5e-6, 1e-3, 2.0})
            QCOMPARE(parseLatency(typedLatency(Seconds(value))).value().value(), value);
        for (const std::int64_t value : {std::int64_t{1}, std::int64_t{80} << 30, std::int64_t{192} << 30})
            QCOMPARE(parseMemory(typedMemory(Bytes(value))).value(), Bytes(value));
        QCOMPARE(typedMemory(Bytes(std::int64_t{80} << 30)), std::string("80 GiB"));
        QCOMPARE(typedBandwidth(25e9), std::string("25 GB/s"));
        QCOMPARE(typedLatency(Seconds(5e-6)), std::string("5 us"));
        QCOMPARE(typedFlopRate(312e12), std::string("312 TFLOP/s"));
        QCOMPARE(typedBandwidth(0), std::string("0 B/s"));
    }
};

QTEST_GUILESS_MAIN(TestTypedFigures)
#include "tst_typed_figures.moc"
