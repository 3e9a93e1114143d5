// Cuts moved by estimates of what their stages take.
#include "core/recompute_climb.h"

#include "tests/core/row_problem.h"

#include <QTest>

#include <numeric>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

Partition cutAt(std::size_t count, const std::vector<std::size_t>& cuts)
{
    Partition partition{cuts.size() + 1, Table<NodeId, StageId>(count, StageId(0))};
    for (const NodeId node : partition.stageOf.ids())
        partition.stageOf[node] = StageId(static_cast<std::size_t>(
            std::ranges::upper_bound(cuts, std::size_t{node.index()}) - cuts.begin()));
    return partition;
}

std::vector<Seconds> nodesOfStages(const Partition& partition)
{
    std::vector<Seconds> loads(partition.stageCount);
    for (const StageId stage : partition.stageOf)
        loads[stage.index()] += Seconds(1);
    return loads;
}

} // namespace

class TestRecomputeClimb : public QObject
{
    Q_OBJECT

private slots:
    void roomFarAwayIsReached();
    void stagesWithoutRoomAreLeft();
};

// The slowest two of six stages share what they have long before the first has as much.
void TestRecomputeClimb::roomFarAwayIsReached()
{
    const PartitionProblem problem = rowProblem(120, 6);
    const Partition found = climbed(
        problem, cutAt(120, {2, 4, 6, 8, 60}),
        [](const Partition& moved, Seconds) { return std::optional(nodesOfStages(moved)); },
        [] { return false; });
    QVERIFY(std::ranges::max(nodesOfStages(found)) <= Seconds(22)); // of 20 at the least, 60 at first
}

// The third stage can have no more than eight nodes.
void TestRecomputeClimb::stagesWithoutRoomAreLeft()
{
    const PartitionProblem problem = rowProblem(60, 4);
    const auto estimate = [](const Partition& moved, Seconds) {
        const std::vector<Seconds> loads = nodesOfStages(moved);
        return loads[2] > Seconds(8) ? std::nullopt : std::optional(loads);
    };
    const Partition found = climbed(problem, cutAt(60, {40, 50, 58}), estimate, [] { return false; });
    QVERIFY(estimate(found, Seconds(infinite)).has_value());
    const double slowest = std::ranges::max(nodesOfStages(found)).value();
    QVERIFY2(slowest <= 26, qPrintable(QString::number(slowest)));
    const Partition refused = cutAt(60, {10, 20, 40});
    QVERIFY(climbed(problem, refused, estimate, [] { return false; }) == refused);
}

QTEST_GUILESS_MAIN(TestRecomputeClimb)
#include "tst_recompute_climb.moc"
