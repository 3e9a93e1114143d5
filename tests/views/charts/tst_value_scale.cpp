#include "views/charts/value_scale.h"

#include <QtTest>

#include <cmath>

using namespace stagecraft;

namespace {

class Ticks : public LogarithmTicker
{
public:
    using LogarithmTicker::LogarithmTicker;
    QStringList over(const QCPRange& range)
    {
        QVector<double> ticks;
        QVector<QString> labels;
        generate(range, QLocale::c(), 'g', 6, ticks, nullptr, &labels);
        QStringList shown;
        for (qsizetype i = 0; i < ticks.size(); ++i)
            if (range.contains(ticks[i]))
                shown << labels[i];
        return shown;
    }
};

} // namespace

class TestValueScale : public QObject
{
    Q_OBJECT

private slots:
    void plainIsAsItIs()
    {
        const ValueScale scale;
        for (const double value : {-3.0, 0.0, 1e-9, 7e12}) {
            QCOMPARE(scale.shown(value), value);
            QCOMPARE(scale.value(value), value);
        }
    }

    // From the power of ten below the smallest; what is less stands on the axis, what is negative below it.
    void logarithmsCountPowers()
    {
        const ValueScale scale = ValueScale::logarithmic(3e-6, 0.25, 10, 7);
        QVERIFY(scale.isLogarithmic());
        QVERIFY(std::abs(scale.shown(1e-6)) < 1e-12);
        QVERIFY(std::abs(scale.shown(1e-3) - 3) < 1e-9);
        QVERIFY(std::abs(scale.shown(-1e-2) + 4) < 1e-9);
        QCOMPARE(scale.shown(0), 0.0);
        QCOMPARE(scale.shown(1e-9), 0.0);
        for (const double value : {3e-6, 4.5e-4, 0.25, -0.1})
            QVERIFY(std::abs(scale.value(scale.shown(value)) / value - 1) < 1e-9);
    }

    void whatIsFarBelowIsCutOff()
    {
        const ValueScale scale = ValueScale::logarithmic(1e-30, 1000, 10, 4);
        QCOMPARE(scale.shown(0.1), 0.0);
        QVERIFY(std::abs(scale.shown(1) - 1) < 1e-9);
    }

    void nothingAboveZeroHasNone()
    {
        QVERIFY(!ValueScale::logarithmic(0, 0, 10, 7).isLogarithmic());
        QVERIFY(!ValueScale::logarithmic(0, 5, 10, 7).isLogarithmic());
    }

    void ticksAreAtPowers()
    {
        Ticks times(ValueScale::logarithmic(1e-6, 1, 10, 7), tickSeconds);
        times.setTickCount(3);
        QCOMPARE(times.over({-2, 4}), (QStringList{"100 us", "1 us", "100 us", "10 ms"}));
        Ticks bytes(ValueScale::logarithmic(1 << 20, 1 << 30, 2, 30), tickBytes);
        bytes.setTickCount(3);
        QCOMPARE(bytes.over({0, 10}), (QStringList{"1 MiB", "8 MiB", "64 MiB", "512 MiB"}));
    }
};

QTEST_MAIN(TestValueScale)
#include "tst_value_scale.moc"
