#include "views/charts/execution_scale.h"

#include <QtTest>

using namespace stagecraft;

class TestExecutionScale : public QObject
{
    Q_OBJECT

private slots:
    void placesAreCountedOrTimed();
    void nearestPlaceAndOp_data();
    void nearestPlaceAndOp();
    void timesOfZeroFallBackToCounting();
    void valleyIsTheLowestNearestPlace();
    void boundariesKeepAnOpInEachStage();
};

namespace {

const std::vector<NodeId> order{NodeId(0), NodeId(1), NodeId(2)};

Profile profileOf(const std::vector<double>& seconds)
{
    Profile profile;
    for (const double time : seconds)
        profile.nodes.add({.forward = {.time = Seconds(time)}});
    return profile;
}

} // namespace

void TestExecutionScale::placesAreCountedOrTimed()
{
    QCOMPARE(makeScale(ExecutionAxis::OpIndex, order, nullptr).places, (std::vector<double>{0, 1, 2, 3}));
    const Profile profile = profileOf({2, 0, 6});
    QCOMPARE(makeScale(ExecutionAxis::CumulativeTime, order, &profile).places,
             (std::vector<double>{0, 2, 2, 8}));
    QCOMPARE(makeScale(ExecutionAxis::OpIndex, {}, nullptr).opCount(), std::size_t{0});
}

void TestExecutionScale::nearestPlaceAndOp_data()
{
    QTest::addColumn<double>("x");
    QTest::addColumn<std::size_t>("place");
    QTest::addColumn<std::size_t>("op");
    QTest::newRow("far left") << -5.0 << std::size_t{0} << std::size_t{0};
    QTest::newRow("in the first op") << 0.9 << std::size_t{0} << std::size_t{0};
    QTest::newRow("nearer to its end") << 1.1 << std::size_t{1} << std::size_t{0};
    QTest::newRow("in the last op") << 3.0 << std::size_t{2} << std::size_t{2};
    QTest::newRow("far right") << 99.0 << std::size_t{3} << std::size_t{2};
}

void TestExecutionScale::nearestPlaceAndOp()
{
    QFETCH(double, x);
    const ExecutionScale scale{.places = {0, 2, 2, 8}}; // the middle op takes no time
    QTEST(scale.nearestPlace(x), "place");
    QTEST(scale.opAt(x), "op");
}

void TestExecutionScale::timesOfZeroFallBackToCounting()
{
    const Profile profile = profileOf({0, 0, 0});
    QCOMPARE(makeScale(ExecutionAxis::CumulativeTime, order, &profile).end(), 3.0);
}

void TestExecutionScale::valleyIsTheLowestNearestPlace()
{
    const std::vector<Bytes> across{Bytes(0), Bytes(5), Bytes(9), Bytes(2), Bytes(9), Bytes(2), Bytes(0)};
    QCOMPARE(valleyNear(across, 2, 1, 4), std::size_t{3});
    QCOMPARE(valleyNear(across, 4, 3, 5), std::size_t{3}); // as low on both sides, as near: the first
    QCOMPARE(valleyNear(across, 5, 3, 5), std::size_t{5}); // already as low
    QCOMPARE(valleyNear(across, 2, 2, 2), std::size_t{2});
    QCOMPARE(valleyNear({}, 2, 1, 3), std::size_t{2});
}

void TestExecutionScale::boundariesKeepAnOpInEachStage()
{
    StageOrder stages{.nodes = std::vector<NodeId>(10, NodeId(0)), .boundaries = {3, 7}};
    QCOMPARE(placesFor(stages, 0), std::pair(std::size_t{1}, std::size_t{6}));
    QCOMPARE(placesFor(stages, 1), std::pair(std::size_t{4}, std::size_t{9}));
}

QTEST_GUILESS_MAIN(TestExecutionScale)
#include "tst_execution_scale.moc"
