#include "app/document/plan_edit.h"

#include "core/graph/graph_text.h"
#include "core/plan/editing.h"

#include <QTest>

using namespace stagecraft;

namespace {

// A chain of six ops in three modules of two, one second each but for the last op's three.
Graph sampleGraph()
{
    Result<Graph> graph = parseGraph(R"(graph chain
  input %x : f32[4]
  %a : f32[4] = aten::relu.default(%x) @m0
  %b : f32[4] = aten::relu.default(%a) @m0
  %c : f32[4] = aten::relu.default(%b) @m1
  %d : f32[4] = aten::relu.default(%c) @m1
  %e : f32[4] = aten::relu.default(%d) @m2
  %f : f32[4] = aten::relu.default(%e) @m2
  return %f
)");
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(*graph);
}

Partition cutAt(std::initializer_list<std::size_t> boundaries)
{
    Partition partition = singleStage(6);
    partition.stageCount = boundaries.size() + 1;
    for (const NodeId node : partition.stageOf.ids())
        partition.stageOf[node] = StageId(static_cast<std::size_t>(
            std::ranges::count_if(boundaries, [&](std::size_t b) { return b <= node.index(); })));
    return partition;
}

PlanState stateOf(std::initializer_list<std::size_t> boundaries)
{
    PartitionProblem problem;
    problem.options.stageCount = boundaries.size() + 1;
    for (std::size_t i = 0; i < 6; ++i) {
        ProblemNode node;
        node.name = std::string(1, static_cast<char>('a' + i));
        node.forward = Seconds(i == 5 ? 3 : 1);
        problem.nodes.add(node);
        if (i > 0)
            problem.precedences.push_back({NodeId(i - 1), NodeId(i)});
    }
    problem.options.speeds.assign(problem.options.stageCount, 1.0);
    problem.options.links.assign(problem.options.stageCount - 1, Link{});
    problem.options.memoryLimits.assign(problem.options.stageCount, Bytes::max());
    PlanState state;
    state.problem = std::make_shared<const PartitionProblem>(std::move(problem));
    return withPartition(state, cutAt(boundaries));
}

std::optional<std::size_t> step(std::size_t boundary, StageDirection direction, BoundaryStep step)
{
    return steppedPosition(sampleGraph(), stateOf({boundary}), BoundaryId(0), direction, step);
}

} // namespace

class TestPlanEdit : public QObject
{
    Q_OBJECT

private slots:
    void onePlaceIsTheNextLegalOne()
    {
        QCOMPARE(step(3, StageDirection::Next, BoundaryStep::OnePlace), 4);
        QCOMPARE(step(3, StageDirection::Previous, BoundaryStep::OnePlace), 2);
        QVERIFY(!step(5, StageDirection::Next, BoundaryStep::OnePlace)); // no stage may be empty
        QVERIFY(!step(1, StageDirection::Previous, BoundaryStep::OnePlace));
    }

    void aModuleStepGoesToWhereAnotherModuleBegins()
    {
        QCOMPARE(step(3, StageDirection::Next, BoundaryStep::OneModule), 4);
        QCOMPARE(step(2, StageDirection::Next, BoundaryStep::OneModule), 4);
        QCOMPARE(step(3, StageDirection::Previous, BoundaryStep::OneModule), 2);
    }

    void theBestPlaceBalancesItsTwoStages()
    {
        // 8 seconds in all: 1 1 1 1 | 1 3
        QCOMPARE(step(1, StageDirection::Next, BoundaryStep::BestNearby), 4);
        QCOMPARE(step(5, StageDirection::Next, BoundaryStep::BestNearby), 4);
        QVERIFY(!step(4, StageDirection::Next, BoundaryStep::BestNearby)); // it is there
    }

    void splitsAreBeforeTheFirstOrAfterTheLast()
    {
        const std::vector<NodeId> nodes = {NodeId(2), NodeId(3)};
        QCOMPARE(splitPosition(cutAt({3}), nodes, SplitSide::Before), std::size_t{2});
        QCOMPARE(splitPosition(cutAt({3}), nodes, SplitSide::After), std::size_t{4});
    }

    void positionsFollowTheOpBehindThem()
    {
        Partition shown = singleStage(6);
        shown.stageCount = 2;
        for (const std::size_t late : {1, 4, 5}) // order: 0 2 3 | 1 4 5
            shown.stageOf[NodeId(late)] = StageId(1);
        QCOMPARE(translatedPosition(shown, cutAt({3}), 3), std::size_t{1});
        QCOMPARE(translatedPosition(shown, cutAt({3}), 1), std::size_t{2});
        QCOMPARE(translatedPosition(shown, shown, 3), std::size_t{3});
        QCOMPARE(translatedPosition(shown, cutAt({3}), 6), std::size_t{6});
    }

    void theMiddleOfAStageIsByTime()
    {
        QCOMPARE(middleOfStage(stateOf({2}), StageId(1)), 5); // 1 1 1 | 3
        QCOMPARE(middleOfStage(stateOf({2}), StageId(0)), 1);
        QVERIFY(!middleOfStage(stateOf({1}), StageId(0))); // one op cannot be parted
    }
};

QTEST_GUILESS_MAIN(TestPlanEdit)
#include "tst_plan_edit.moc"
