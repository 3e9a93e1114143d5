#include "core/base/quantities.h"

#include <QtTest>

using namespace stagecraft;

class TestQuantities : public QObject
{
    Q_OBJECT

private slots:
    void bytesSaturateInsteadOfWrappingRound()
    {
        QCOMPARE(Bytes::max() + Bytes(1), Bytes::max());
        QCOMPARE(Bytes(INT64_MIN) - Bytes(1), Bytes(INT64_MIN));
        QCOMPARE(Bytes(1LL << 62) * 4, Bytes::max());
        QCOMPARE((Bytes(1LL << 62) * -4).count(), INT64_MIN);
        QCOMPARE(Bytes(3) * 4, Bytes(12));
    }

    void formats_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* expected, const std::string& shown) {
            QTest::newRow(expected) << QString::fromStdString(shown) << QString(expected);
        };
        row("0 B", formatBytes(Bytes(0)));
        row("1023 B", formatBytes(Bytes(1023)));
        row("1.00 KiB", formatBytes(Bytes(1024)));
        row("24.0 MiB", formatBytes(Bytes(24 << 20)));
        row("1.00 GiB", formatBytes(Bytes((1LL << 30) - 1)));
        row("8.00 EiB", formatBytes(Bytes::max()));
        row("0 s", formatSeconds(Seconds(0)));
        row("830 us", formatSeconds(Seconds(830e-6)));
        row("1.25 ms", formatSeconds(Seconds(1.25e-3)));
        row("2.00 s", formatSeconds(Seconds(2)));
        row("1000 s", formatSeconds(Seconds(1000)));
        row("12.4 GFLOP", formatFlops(Flops(12.4e9)));
        row("8.03 B ", formatCount(8.03e9) + " ");
        row("124 M", formatCount(124.4e6));
        row("999", formatCount(999));
    }
    void formats()
    {
        QFETCH(QString, shown);
        QTEST(shown, "expected");
    }

    void parsesSizes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("binary") << "24GiB" << qint64(24) * (1LL << 30);
        QTest::newRow("decimal") << "80 GB" << qint64(80000000000);
        QTest::newRow("bare") << "512" << qint64(512);
        QTest::newRow("fraction") << "1.5 MiB" << qint64(1572864);
        QTest::newRow("letter alone is binary") << "2k" << qint64(2048);
        QTest::newRow("nothing") << "" << qint64(-1);
        QTest::newRow("no number") << "GiB" << qint64(-1);
        QTest::newRow("negative") << "-1GiB" << qint64(-1);
        QTest::newRow("unknown unit") << "3 parsecs" << qint64(-1);
        QTest::newRow("too large") << "100EiB" << qint64(-1);
        QTest::newRow("not finite") << "inf" << qint64(-1);
    }
    void parsesSizes()
    {
        QFETCH(QString, text);
        const Result<Bytes> bytes = parseBytes(text.toStdString());
        QTEST(bytes.has_value() ? qint64(bytes->count()) : qint64(-1), "bytes");
    }
};

QTEST_GUILESS_MAIN(TestQuantities)
#include "tst_quantities.moc"
