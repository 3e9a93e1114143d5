// What stages that were seen say of others.
#include "core/seen_stages.h"

#include <QTest>

using namespace stagecraft;

class TestSeenStages : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsForeseenOfNothing()
    {
        const SeenStages::Foreseen foreseen = SeenStages().foresee({2, 0, 9});
        QVERIFY(!foreseen.load);
        QCOMPARE(foreseen.least, Seconds{});
        QCOMPARE(foreseen.more, Bytes{});
    }

    void whatWasSeenIsKnown()
    {
        SeenStages seen;
        seen.add({1, 4, 8}, {Seconds(3), Bytes(100)});
        seen.add({1, 4, 8}, {Seconds(2), Bytes(70)}); // in its place
        QCOMPARE(seen.foresee({1, 4, 8}).load, std::optional(Seconds(2)));
        QCOMPARE(seen.foresee({1, 4, 8}).more, Bytes(70));
        QVERIFY(!seen.foresee({1, 4, 9}).load);
        QVERIFY(!seen.foresee({0, 4, 8}).load); // another stage has other microbatches in flight
    }

    void whoHasMoreTakesNoLess()
    {
        SeenStages seen;
        seen.add({0, 4, 8}, {Seconds(3), {}});
        seen.add({0, 5, 7}, {Seconds(4), {}});
        QCOMPARE(seen.foresee({0, 4, 9}).least, Seconds(4));
        QCOMPARE(seen.foresee({0, 3, 8}).least, Seconds(4));
        QCOMPARE(seen.foresee({0, 5, 9}).least, Seconds(4));
        QCOMPARE(seen.foresee({0, 6, 9}).least, Seconds{});
    }

    void othersAreOffAsTheNearest()
    {
        SeenStages seen;
        seen.add({0, 0, 10}, {Seconds(1), Bytes(100)});
        seen.add({0, 20, 30}, {Seconds(1), Bytes(-50)});
        QCOMPARE(seen.foresee({0, 2, 12}).more, Bytes(100));
        QCOMPARE(seen.foresee({0, 17, 31}).more, Bytes(-50));
    }
};

QTEST_GUILESS_MAIN(TestSeenStages)
#include "tst_seen_stages.moc"
