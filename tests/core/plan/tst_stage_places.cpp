#include "core/plan/stage_places.h"

#include <QtTest>

using namespace stagecraft;

class TestStagePlaces : public QObject
{
    Q_OBJECT

private slots:
    void whatIsNotSaidIsUsual()
    {
        const StagePlaces places = placesOf({.stageCount = 3}, m_usual);
        QCOMPARE(places.speeds, (std::vector<double>{1, 1, 1}));
        QCOMPARE(places.memoryLimits, std::vector<Bytes>(3, m_usual.memoryLimit));
        QCOMPARE(places.links, std::vector<Link>(2, m_usual.link));
        QVERIFY(placesOf({.stageCount = 1}, m_usual).links.empty());
    }

    void whatIsSaidOnceIsOfAll()
    {
        const StagePlaces places = placesOf({.stageCount = 3, .speeds = {2}, .links = {{1e9, {}}}}, m_usual);
        QCOMPARE(places.speeds, (std::vector<double>{2, 2, 2}));
        QCOMPARE(places.links, (std::vector<Link>{{1e9, {}}, {1e9, {}}}));
    }

    void stagesToComeAreAsTheLast()
    {
        PartitionOptions options{.stageCount = 4, .speeds = {1, 0.5}, .links = {{1e9, {}}, {2e9, {}}}};
        QCOMPARE(placesOf(options, m_usual).speeds, (std::vector<double>{1, 0.5, 0.5, 0.5}));
        fitToStages(options);
        QCOMPARE(options.speeds, (std::vector<double>{1, 0.5, 0.5, 0.5}));
        QCOMPARE(options.links.size(), std::size_t{3});
        QVERIFY(options.memoryLimits.empty());
        options.stageCount = 2;
        fitToStages(options);
        QCOMPARE(options.speeds, (std::vector<double>{1, 0.5}));
        QVERIFY(checkOptions(options).has_value());
    }

    void thereAndBackIsTheSame_data()
    {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 4; ++kind)
            QTest::addRow("%d", kind) << kind;
    }
    void thereAndBackIsTheSame()
    {
        QFETCH(int, kind);
        const Bytes other(std::int64_t{7} << 30);
        PartitionOptions options{.stageCount = 3};
        if (kind == 1)
            options.speeds = {2};
        if (kind == 2)
            options.memoryLimits = {other, other, Bytes::max()};
        if (kind == 3)
            options.links = {{1e9, Seconds(1e-6)}, {3e9, Seconds(2e-6)}};
        PartitionOptions folded{.stageCount = 3};
        setPlaces(folded, placesOf(options, m_usual), m_usual);
        QVERIFY(folded == options);
    }

    void whatIsUsualEverywhereIsNotSaid()
    {
        PartitionOptions options{.stageCount = 2,
                                 .speeds = {1, 1},
                                 .links = {m_usual.link},
                                 .memoryLimits = {m_usual.memoryLimit}};
        setPlaces(options, placesOf(options, m_usual), m_usual);
        QVERIFY(options == PartitionOptions{.stageCount = 2});
    }

private:
    const UsualPlace m_usual{Bytes(std::int64_t{70} << 30), {25e9, Seconds(5e-6)}};
};

QTEST_GUILESS_MAIN(TestStagePlaces)
#include "tst_stage_places.moc"
