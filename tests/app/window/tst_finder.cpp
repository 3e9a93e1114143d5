#include "app/window/finder.h"

#include <QTest>

using namespace stagecraft;

class TestFinder : public QObject
{
    Q_OBJECT

private slots:
    void theFinderGoesRound()
    {
        Finder finder;
        finder.setMatches({NodeId(0), NodeId(1), NodeId(2)});
        QCOMPARE(finder.count(), 3);
        QCOMPARE(finder.current(), 0);
        QCOMPARE(finder.next(), NodeId(0));
        QCOMPARE(finder.current(), 1);
        QCOMPARE(finder.previous(), NodeId(2));
        QCOMPARE(finder.next(), NodeId(0));
        QCOMPARE(finder.next(), NodeId(1));
        finder.setMatches({});
        QVERIFY(!finder.next());
    }

    void backwardsFromTheStartIsTheLast()
    {
        Finder finder;
        finder.setMatches({NodeId(0), NodeId(1), NodeId(2)});
        QCOMPARE(finder.previous(), NodeId(2));
    }
};

QTEST_GUILESS_MAIN(TestFinder)
#include "tst_finder.moc"
