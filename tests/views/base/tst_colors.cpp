#include "views/base/colors.h"

#include <QtTest>

using namespace stagecraft;

class TestColors : public QObject
{
    Q_OBJECT

private slots:
    void contrastIsThatOfTheStandard();
    void textIsReadableOnEveryColor();
    void withContrastReachesTheRatioAndKeepsWhatHasIt();
    void viridisHitsItsPublishedStops();
    void logFractionSpreadsDecadesEvenly();
};

void TestColors::contrastIsThatOfTheStandard()
{
    QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrastRatio(QColor(0x777777), QColor(0x777777)), 1.0);
    // The well-known greys on either side of 4.5:1 on white.
    QVERIFY(contrastRatio(QColor(0x767676), Qt::white) >= 4.5);
    QVERIFY(contrastRatio(QColor(0x777777), Qt::white) < 4.5);
}

void TestColors::textIsReadableOnEveryColor()
{
    for (int red = 0; red < 256; red += 15)
        for (int green = 0; green < 256; green += 15)
            for (int blue = 0; blue < 256; blue += 15) {
                const QColor background(red, green, blue);
                QVERIFY2(contrastRatio(background, textColorOn(background)) >= 4.5,
                         qPrintable(background.name()));
            }
}

void TestColors::withContrastReachesTheRatioAndKeepsWhatHasIt()
{
    const QColor pale(0xf5c710);
    QVERIFY(contrastRatio(pale, Qt::white) < 4.5);
    QVERIFY(contrastRatio(withContrast(pale, Qt::white, 4.5), Qt::white) >= 4.5);
    QCOMPARE(withContrast(QColor(0x102030), Qt::white, 4.5), QColor(0x102030));
}

void TestColors::viridisHitsItsPublishedStops()
{
    QCOMPARE(viridis(0).name(), QString("#440154"));
    QCOMPARE(viridis(0.5).name(), QString("#21918c"));
    QCOMPARE(viridis(1).name(), QString("#fde725"));
    QCOMPARE(viridis(-3), viridis(0));
    QCOMPARE(viridis(7), viridis(1));
}

void TestColors::logFractionSpreadsDecadesEvenly()
{
    QCOMPARE(logFraction(1, 1, 1e4), 0.0);
    QCOMPARE(logFraction(1e2, 1, 1e4), 0.5);
    QCOMPARE(logFraction(1e4, 1, 1e4), 1.0);
    QCOMPARE(logFraction(0, 1, 1e4), 0.0);
    QCOMPARE(logFraction(5, 5, 5), 1.0);
}

QTEST_GUILESS_MAIN(TestColors)
#include "tst_colors.moc"
