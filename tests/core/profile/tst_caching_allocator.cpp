#include "core/profile/memory/caching_allocator.h"

#include <QtTest>

#include <random>

using namespace stagecraft;

namespace {

constexpr qint64 KiB = 1 << 10;
constexpr qint64 MiB = 1 << 20;

} // namespace

class TestCachingAllocator : public QObject
{
    Q_OBJECT

private slots:
    // (requests in bytes) -> allocated, reserved: the arithmetic of the header, by hand.
    void takesSegmentsAsPyTorchDoes_data()
    {
        QTest::addColumn<QList<qint64>>("requests");
        QTest::addColumn<qint64>("allocated");
        QTest::addColumn<qint64>("reserved");
        QTest::newRow("one byte") << QList<qint64>{1} << qint64(512) << 2 * MiB;
        QTest::newRow("nothing") << QList<qint64>{0} << qint64(0) << qint64(0);
        QTest::newRow("two small ones share a segment") << QList<qint64>{MiB, MiB} << 2 * MiB << 2 * MiB;
        QTest::newRow("small and large do not") << QList<qint64>{MiB, MiB + 1} << 2 * MiB + 512 << 22 * MiB;
        QTest::newRow("below 10 MiB: 20 MiB") << QList<qint64>{9 * MiB, 9 * MiB} << 18 * MiB << 20 * MiB;
        QTest::newRow("from 10 MiB: rounded to 2 MiB") << QList<qint64>{11 * MiB} << 12 * MiB << 12 * MiB;
        // The 1 MiB that is left over is too little to be split off a large block: it is allocated too.
        QTest::newRow("a rest of 1 MiB is not split")
            << QList<qint64>{9 * MiB, 10 * MiB} << 20 * MiB << 20 * MiB;
    }
    void takesSegmentsAsPyTorchDoes()
    {
        QFETCH(QList<qint64>, requests);
        CachingAllocator allocator;
        for (const qint64 request : requests)
            QVERIFY(allocator.allocate(Bytes(request)));
        QTEST(qint64(allocator.allocated().count()), "allocated");
        QTEST(qint64(allocator.reserved().count()), "reserved");
    }

    // map_block, try_allocate_expandable_block and should_split of CUDACachingAllocator.cpp, by hand.
    void growsOneSegmentPageByPage()
    {
        CachingAllocator allocator(Bytes::max(), SegmentKind::Expandable);
        const AllocationId first = *allocator.allocate(Bytes(9 * MiB));
        QCOMPARE(allocator.reserved(), Bytes(20 * MiB));
        const AllocationId second = *allocator.allocate(Bytes(10 * MiB)); // leaves 1 MiB, which is split off
        QCOMPARE(allocator.allocated(), Bytes(19 * MiB));
        QCOMPARE(allocator.reserved(), Bytes(20 * MiB));
        const AllocationId third = *allocator.allocate(Bytes(30 * MiB)); // that MiB, and two pages
        QCOMPARE(allocator.reserved(), Bytes(60 * MiB));
        static_cast<void>(allocator.allocate(Bytes(KiB))); // of the small pool
        QCOMPARE(allocator.reserved(), Bytes(62 * MiB));
        allocator.release(first);
        allocator.release(third);
        allocator.release(second);
        static_cast<void>(allocator.allocate(Bytes(60 * MiB))); // all of it, as one
        QCOMPARE(allocator.reserved(), Bytes(62 * MiB));
        QCOMPARE(allocator.peaks().reserved, Bytes(62 * MiB));
    }

    // Pages between what is used go back, and the lowest room is filled again.
    // get_free_block, by hand: the end of the segment, which can grow, counts as larger than a hole in it.
    void takesAHoleBeforeWhatCanGrow()
    {
        CachingAllocator allocator(Bytes::max(), SegmentKind::Expandable);
        const AllocationId hole = *allocator.allocate(Bytes(40 * MiB));
        static_cast<void>(allocator.allocate(Bytes(5 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(60 * MiB)); // 15 MiB at the end
        allocator.release(hole);
        static_cast<void>(allocator.allocate(Bytes(12 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(60 * MiB));
        static_cast<void>(allocator.allocate(Bytes(30 * MiB))); // of the hole 28 are left
        QCOMPARE(allocator.reserved(), Bytes(80 * MiB));
    }

    void givesPagesBackToTheLimit()
    {
        CachingAllocator allocator(Bytes(100 * MiB), SegmentKind::Expandable);
        const AllocationId low = *allocator.allocate(Bytes(40 * MiB));
        const AllocationId high = *allocator.allocate(Bytes(20 * MiB));
        QCOMPARE(allocator.reserved(), Bytes(60 * MiB));
        allocator.release(low);
        QVERIFY(allocator.allocate(Bytes(80 * MiB))); // above: 40 MiB of the hole go back
        QCOMPARE(allocator.reserved(), Bytes(100 * MiB));
        QVERIFY(!allocator.allocate(Bytes(30 * MiB)));
        allocator.release(high);
        const std::optional<AllocationId> again = allocator.allocate(Bytes(20 * MiB));
        QVERIFY(again);
        QCOMPARE(allocator.reserved(), Bytes(100 * MiB));
        QCOMPARE(allocator.allocated(), Bytes(100 * MiB));
    }

    void keepsSegmentsThatAreFree()
    {
        CachingAllocator allocator;
        allocator.release(*allocator.allocate(Bytes(30 * MiB)));
        QCOMPARE(allocator.allocated(), Bytes(0));
        QCOMPARE(allocator.reserved(), Bytes(30 * MiB));
        QVERIFY(allocator.allocate(Bytes(12 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(30 * MiB));
    }

    void mergesNeighbours()
    {
        CachingAllocator allocator;
        const AllocationId a = *allocator.allocate(Bytes(6 * MiB));
        const AllocationId b = *allocator.allocate(Bytes(6 * MiB));
        const AllocationId c = *allocator.allocate(Bytes(6 * MiB));
        allocator.release(a);
        allocator.release(c);
        allocator.release(b);
        QVERIFY(allocator.allocate(Bytes(20 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(20 * MiB));
    }

    void aFragmentedSegmentDoesNotServeALargerRequest()
    {
        CachingAllocator allocator;
        const AllocationId a = *allocator.allocate(Bytes(6 * MiB));
        QVERIFY(allocator.allocate(Bytes(6 * MiB)));
        allocator.release(a);
        QVERIFY(allocator.allocate(Bytes(9 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(40 * MiB));
    }

    void givesBackWhatIsUnusedBeforeItFails()
    {
        CachingAllocator allocator(Bytes(64 * MiB));
        allocator.release(*allocator.allocate(Bytes(30 * MiB)));
        allocator.release(*allocator.allocate(Bytes(32 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(62 * MiB));
        QVERIFY(allocator.allocate(Bytes(60 * MiB)));
        QCOMPARE(allocator.reserved(), Bytes(60 * MiB));
        QVERIFY(!allocator.allocate(Bytes(8 * MiB)));
        QCOMPARE(allocator.peaks().reserved, Bytes(62 * MiB));
    }

    void astronomicalSizesDoNotOverflow()
    {
        CachingAllocator allocator;
        QVERIFY(allocator.allocate(Bytes(1LL << 62)));
        QVERIFY(!allocator.allocate(Bytes::max()));
    }

    void afterAnyHistoryEverythingFreedIsNothingAllocated()
    {
        constexpr unsigned seed = 7;
        std::mt19937 random(seed);
        CachingAllocator allocator;
        std::vector<AllocationId> alive;
        for (int i = 0; i < 20000; ++i) {
            if (alive.empty() || random() % 100 < 52)
                alive.push_back(*allocator.allocate(Bytes(random() % (random() % 3 ? 900 * KiB : 15 * MiB))));
            else {
                std::swap(alive[random() % alive.size()], alive.back());
                allocator.release(alive.back());
                alive.pop_back();
            }
            QVERIFY(allocator.reserved() >= allocator.allocated());
        }
        for (const AllocationId id : alive)
            allocator.release(id);
        QCOMPARE(allocator.allocated(), Bytes(0));
    }
};

QTEST_GUILESS_MAIN(TestCachingAllocator)
#include "tst_caching_allocator.moc"
