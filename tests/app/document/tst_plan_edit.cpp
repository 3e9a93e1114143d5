#include "app/document/constraint_steps.h"
#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "tests/app/document/document_fixture.h"

#include <QTest>

using namespace stagecraft;

namespace {

Partition cutAt(std::initializer_list<std::size_t> boundaries)
{
    Partition partition = singleStage(6);
    partition.stageCount = boundaries.size() + 1;
    for (const NodeId node : partition.stageOf.ids())
        partition.stageOf[node] = StageId(static_cast<std::size_t>(
            std::ranges::count_if(boundaries, [&](std::size_t b) { return b <= node.index(); })));
    return partition;
}

} // namespace

class TestPlanEdit : public QObject
{
    Q_OBJECT

private slots:
    void splitsAreBeforeTheFirstOrAfterTheLast()
    {
        const std::vector<NodeId> nodes = {NodeId(2), NodeId(3)};
        QCOMPARE(splitPosition(cutAt({3}), nodes, SplitSide::Before), std::size_t{2});
        QCOMPARE(splitPosition(cutAt({3}), nodes, SplitSide::After), std::size_t{4});
    }

    // A value on the way over the boundary: its maker and its readers come together.
    void aResultIsNeverSent()
    {
        const auto document = openedDocument();
        const auto crossing = document->state().cost->boundaries[BoundaryId(0)].values.front();
        const Graph& graph = document->model()->graph;
        const std::vector<NodeId> maker{*graph[crossing].producer};
        QVERIFY(!areResultsKept(graph, document->state(), maker));
        toggleResultsKept(*document, maker);
        const auto stageOf = [&](NodeId node) { return document->state().partition->stageOf[node]; };
        for (const NodeId reader : graph[crossing].users)
            QCOMPARE(stageOf(reader), stageOf(maker[0]));
        QCOMPARE(int(document->planView().constraints->isGrouped[maker[0]]), 1);
        QVERIFY(areResultsKept(graph, document->state(), maker));
        QCOMPARE(document->undoStack().count(), 1);
        toggleResultsKept(*document, maker);
        QVERIFY(document->state().request.plan.neverCut.empty());
        QVERIFY(!document->planView().constraints);
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
};

QTEST_MAIN(TestPlanEdit)
#include "tst_plan_edit.moc"
