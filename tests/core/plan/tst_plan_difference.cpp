// What tells two plans apart, against figures worked out by hand and every place tried.
#include "core/plan/editing.h"
#include "core/plan/plan_difference.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stagecraft;

namespace {

Partition planOf(const std::vector<std::size_t>& stages, std::size_t stageCount)
{
    Partition plan{stageCount, {}};
    for (const std::size_t stage : stages)
        plan.stageOf.add(StageId(stage));
    return plan;
}

PlanCost costOf(double step, double slowest, std::int64_t peak, double bubble, std::int64_t sent)
{
    PlanCost cost;
    cost.iteration = Seconds(step);
    cost.bottleneckTime = Seconds(slowest);
    cost.devices.push_back({.peakMemory = Bytes(peak)});
    cost.bubble = bubble;
    cost.bytesSent = Bytes(sent);
    return cost;
}

// As the promise says it: try every place, count who is on the wrong side.
PlacedBoundary triedEverywhere(const Partition& plan, const std::vector<NodeId>& order, std::size_t boundary)
{
    PlacedBoundary best{0, order.size() + 1};
    for (std::size_t position = 0; position <= order.size(); ++position) {
        std::size_t astray = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            astray += (plan.stageOf[order[i]].index() <= boundary) != (i < position) ? 1 : 0;
        if (astray < best.astray)
            best = {position, astray};
    }
    return best;
}

} // namespace

class TestPlanDifference : public QObject
{
    Q_OBJECT

private slots:
    void figuresOfBoth();
    void equalUpToRounding();
    void nodesThatChangeTheirStage();
    void ownBoundariesStandWhereTheyAre();
    void placesOfForeignBoundaries();
};

void TestPlanDifference::figuresOfBoth()
{
    const auto differences = figureDifferences(costOf(2, 0.5, 100, 0.2, 30), costOf(1, 0.5, 200, 0.1, 40));
    QCOMPARE(differences.size(), planFigureCount);
    const std::vector<Verdict> wanted{Verdict::Better, Verdict::Same, Verdict::Worse, Verdict::Better,
                                      Verdict::Worse};
    for (std::size_t i = 0; i < planFigureCount; ++i) {
        QCOMPARE(differences[i].figure, static_cast<PlanFigure>(i));
        QCOMPARE(differences[i].verdict, wanted[i]);
    }
    QCOMPARE(differences[0].from, 2.0);
    QCOMPARE(differences[0].to, 1.0);
    QCOMPARE(differences[2].to, 200.0);
    QCOMPARE(differences[4].from, 30.0);
}

void TestPlanDifference::equalUpToRounding()
{
    const auto close = figureDifferences(costOf(1, 1, 1, 0, 0), costOf(1 + 1e-13, 1, 1, 0, 0));
    QCOMPARE(close[0].verdict, Verdict::Same);
    const auto apart = figureDifferences(costOf(1, 1, 1, 0, 0), costOf(1 + 1e-7, 1, 1, 0, 0));
    QCOMPARE(apart[0].verdict, Verdict::Worse);
    const auto fromNothing = figureDifferences(costOf(1, 1, 1, 0, 0), costOf(1, 1, 1, 0, 5));
    QCOMPARE(fromNothing[4].verdict, Verdict::Worse);
}

void TestPlanDifference::nodesThatChangeTheirStage()
{
    const std::vector<NodeId> moved = movedNodes(planOf({0, 0, 1, 1}, 2), planOf({0, 1, 1, 2}, 3));
    QCOMPARE(moved, (std::vector<NodeId>{NodeId(1), NodeId(3)}));
    QVERIFY(movedNodes(planOf({0, 1}, 2), planOf({0, 1}, 2)).empty());
}

void TestPlanDifference::ownBoundariesStandWhereTheyAre()
{
    const Partition plan = planOf({0, 1, 0, 2, 1, 2, 2}, 3);
    const StageOrder order = stageOrder(plan);
    const auto placed = placedBoundaries(plan, order.nodes);
    QCOMPARE(placed.size(), order.boundaries.size());
    for (const BoundaryId boundary : placed.ids())
        QCOMPARE(placed[boundary], (PlacedBoundary{order.boundaries[boundary.index()], 0}));
}

void TestPlanDifference::placesOfForeignBoundaries()
{
    const unsigned seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round) {
        const std::size_t nodes = 1 + random() % 12;
        const std::size_t stages = 1 + random() % 4;
        std::vector<std::size_t> stageOf(nodes);
        std::ranges::generate(stageOf, [&] { return random() % stages; });
        const Partition plan = planOf(stageOf, stages);
        std::vector<NodeId> order;
        for (const NodeId node : plan.stageOf.ids())
            order.push_back(node);
        std::ranges::shuffle(order, random);
        const auto placed = placedBoundaries(plan, order);
        QCOMPARE(placed.size(), stages - 1);
        for (const BoundaryId boundary : placed.ids())
            QCOMPARE(placed[boundary], triedEverywhere(plan, order, boundary.index()));
    }
}

QTEST_GUILESS_MAIN(TestPlanDifference)
#include "tst_plan_difference.moc"
