// The cost model against its definition, and the incremental figures against those from scratch.
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"

#include "random_problem.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

bool sameCost(const PlanCost& a, const PlanCost& b)
{
    const auto sameStage = [](const StageCost& x, const StageCost& y) {
        return x.nodeCount == y.nodeCount && x.forward == y.forward && x.backwardInput == y.backwardInput &&
               x.backwardWeight == y.backwardWeight && x.receive == y.receive && x.send == y.send &&
               x.load == y.load && x.parameterBytes == y.parameterBytes && x.stateBytes == y.stateBytes &&
               x.savedBytes == y.savedBytes && x.inFlight == y.inFlight &&
               x.transientBytes == y.transientBytes && x.peakMemory == y.peakMemory &&
               x.runtimeBytes == y.runtimeBytes;
    };
    const auto sameBoundary = [](const BoundaryCost& x, const BoundaryCost& y) {
        return x.values == y.values && x.forwardBytes == y.forwardBytes &&
               x.backwardBytes == y.backwardBytes && x.time == y.time;
    };
    return std::ranges::equal(a.stages, b.stages, sameStage) &&
           std::ranges::equal(a.boundaries, b.boundaries, sameBoundary) && a.bottleneck == b.bottleneck &&
           a.bottleneckTime == b.bottleneckTime && a.iteration == b.iteration && a.bubble == b.bubble &&
           a.bytesSent == b.bytesSent;
}

Partition randomPlan(std::mt19937& random, const PartitionProblem& problem)
{
    Partition plan{problem.stageCount(), Table<NodeId, StageId>(problem.nodes.size(), StageId(0))};
    std::size_t stage = 0;
    for (NodeId node : problem.nodes.ids()) {
        const std::size_t left = problem.nodes.size() - node.index();
        const std::size_t stagesLeft = problem.stageCount() - 1 - stage;
        const bool must = left <= stagesLeft;
        if (node.index() > 0 && stagesLeft > 0 && (must || random() % 4 == 0))
            ++stage;
        plan.stageOf[node] = StageId(stage);
    }
    return plan;
}

} // namespace

class TestEvaluate : public QObject
{
    Q_OBJECT

private slots:
    void equalsDefinition();
    void incrementalEqualsScratch_data();
    void incrementalEqualsScratch();
    void oneFOneBMemory();
    void boundariesListTheLargestFirst();
    void iterationIsAtLeastTheBound();
};

void TestEvaluate::equalsDefinition()
{
    for (unsigned seed = 1; seed <= 400; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = 6 + seed % 10;
        shape.stages = 2 + seed % 4;
        shape.send = seed % 2 == 0 ? SendKind::Relay : SendKind::Direct;
        shape.objective = static_cast<Objective>(seed % 3);
        shape.withDevices = seed % 5 == 0;
        const PartitionProblem problem = randomProblem(random, shape);
        const Partition plan = randomPlan(random, problem);
        if (!checkPartition(problem, plan).has_value())
            continue;
        const PlanCost cost = evaluate(problem, plan);
        for (StageId stage : cost.stages.ids()) {
            const double expected = plainLoad(problem, plan, stage.index()).value();
            QVERIFY2(std::abs(cost.stages[stage].load.value() - expected) < 1e-9,
                     qPrintable(QStringLiteral("seed %1 stage %2").arg(seed).arg(stage.index())));
        }
    }
}

void TestEvaluate::incrementalEqualsScratch_data()
{
    QTest::addColumn<int>("send");
    QTest::newRow("relay") << 0;
    QTest::newRow("direct") << 1;
}

void TestEvaluate::incrementalEqualsScratch()
{
    QFETCH(int, send);
    std::mt19937 random(11);
    RandomShape shape;
    shape.nodes = 80;
    shape.stages = 6;
    shape.send = static_cast<SendKind>(send);
    shape.runtime = PipelineRuntime::Torch214;
    shape.withTurns = true;
    PartitionProblem problem = randomProblem(random, shape);
    if (send == 0) // what a stage does in which part of its backward pass hangs on what else is in it
        problem.options.schedule = ScheduleKind::ZeroBubble1;
    for (std::size_t node = 5; node < problem.nodes.size(); node += 29)
        problem.nodes[NodeId(node)].recomputes = true;
    Partition plan = randomPlan(random, problem);
    QVERIFY(checkPartition(problem, plan).has_value());
    PlanEvaluator evaluator(problem, plan);
    int moves = 0;
    for (int edit = 0; edit < 4000; ++edit) {
        Result<Edit> done = Error{ErrorCode::Failed, ""};
        if (edit % 3 != 0) {
            const BoundaryId boundary(random() % (problem.stageCount() - 1));
            done = moveBoundary(problem, plan, boundary, random() % (problem.nodes.size() + 1));
        } else {
            const std::vector<NodeId> nodes{NodeId(random() % problem.nodes.size())};
            done = sendToNeighbour(problem, plan, nodes,
                                   edit % 2 == 0 ? StageDirection::Next : StageDirection::Previous);
        }
        if (!done.has_value())
            continue;
        ++moves;
        for (NodeId node : done->moved)
            evaluator.move(node, done->partition.stageOf[node]);
        plan = done->partition;
        QVERIFY2(sameCost(evaluator.cost(), evaluate(problem, plan)),
                 qPrintable(QStringLiteral("edit %1").arg(edit)));
    }
    QVERIFY(moves > 2000);
}

void TestEvaluate::oneFOneBMemory()
{
    PartitionProblem problem;
    problem.options.stageCount = 3;
    problem.options.microbatches = 8;
    completeOptions(problem.options, {});
    for (int i = 0; i < 3; ++i)
        problem.nodes.add({.name = "n",
                           .forward = Seconds(1),
                           .state = Bytes(100),
                           .saved = Bytes(10),
                           .transient = Bytes(1)});
    problem.shared.push_back({"w", Bytes(5), Bytes(20), {NodeId(0), NodeId(2)}});
    const Partition plan{3, Table<NodeId, StageId>({StageId(0), StageId(1), StageId(2)})};
    const PlanCost cost = evaluate(problem, plan);
    QCOMPARE(cost.stages[StageId(0)].peakMemory.count(), 100 + 20 + 3 * 10 + 1);
    QCOMPARE(cost.stages[StageId(1)].peakMemory.count(), 100 + 2 * 10 + 1);
    QCOMPARE(cost.stages[StageId(2)].peakMemory.count(), 100 + 20 + 10 + 1);
    QCOMPARE(cost.stages[StageId(2)].parameterBytes.count(), 5);
    const auto timeline = simulate(scheduleOf(problem.options).value(), scheduleCosts(problem, plan));
    QVERIFY(timeline.has_value());
    for (std::size_t stage = 0; stage < 3; ++stage)
        QVERIFY(timeline->devices[stage].peakMemory == cost.stages[StageId(stage)].peakMemory);
    problem.options.schedule = ScheduleKind::GPipe;
    QCOMPARE(evaluate(problem, plan).stages[StageId(2)].inFlight, 8);
}

void TestEvaluate::boundariesListTheLargestFirst()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    completeOptions(problem.options, Link{1, Seconds(0)});
    for (int i = 0; i < 4; ++i)
        problem.nodes.add({.name = "n", .forward = Seconds(1)});
    for (std::size_t i = 0; i < 3; ++i)
        problem.values.push_back({.value = ValueId(i),
                                  .producer = NodeId(i),
                                  .readers = {NodeId(3)},
                                  .forwardBytes = Bytes(std::int64_t(10 * (i + 1))),
                                  .backwardBytes = Bytes(1)});
    const PlanCost cost =
        evaluate(problem, {2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(0), StageId(1)})});
    const BoundaryCost& boundary = cost.boundaries[BoundaryId(0)];
    QCOMPARE(boundary.values, (std::vector<ValueId>{ValueId(2), ValueId(1), ValueId(0)}));
    QCOMPARE(boundary.forwardBytes.count(), 60);
    QCOMPARE(boundary.backwardBytes.count(), 3);
    QCOMPARE(boundary.time.value(), 63.0);
    QCOMPARE(cost.bytesSent.count(), 63);
}

void TestEvaluate::iterationIsAtLeastTheBound()
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.stages = 3;
        shape.send = seed % 2 == 0 ? SendKind::Relay : SendKind::Direct;
        const PartitionProblem problem = randomProblem(random, shape);
        const Partition plan = randomPlan(random, problem);
        if (!checkPartition(problem, plan).has_value())
            continue;
        const PlanCost cost = evaluate(problem, plan);
        // Every device does all it has to for each microbatch.
        QVERIFY(cost.iteration.value() >=
                cost.bottleneckTime.value() * double(problem.options.microbatches) - 1e-9);
        QVERIFY(cost.bubble >= 0 && cost.bubble < 1);
    }
}

QTEST_GUILESS_MAIN(TestEvaluate)
#include "tst_evaluate.moc"
