#include "views/graph/graph_boundaries.h"

#include "graph_sample.h"

#include <QtTest>

using namespace stagecraft;

class TestGraphBoundaries : public QObject
{
    Q_OBJECT

private slots:
    void positionsCountTheNodesBefore()
    {
        Partition partition;
        partition.stageCount = 4;
        for (const std::size_t stage : {0u, 0u, 1u, 0u, 3u, 1u})
            partition.stageOf.add(StageId(stage));
        QCOMPARE(boundaryPositions(partition), (std::vector<std::size_t>{3, 5, 5}));
        QCOMPARE(boundaryPositions(singleStage(3)).size(), 0u);
    }

    void linesOfADrawingFollowMovedBoundariesButNotSentOps()
    {
        const PlanView plan = sample::plan(3, 3);
        const auto tree = sample::treeOf(plan);
        const std::vector<std::size_t> drawn = boundaryPositions(*plan.partition);
        Partition moved = *plan.partition;
        moved.stageOf[tree->order[drawn[0]]] = StageId(0);
        QCOMPARE(boundaryPositions(moved, *tree), (std::vector{drawn[0] + 1, drawn[1]}));
        Partition sent = *plan.partition;
        sent.stageOf[tree->order[drawn[0] - 2]] = StageId(1); // and its user behind it stays
        QCOMPARE(boundaryPositions(sent, *tree), drawn);
        Partition joined = *plan.partition;
        joined.stageCount = 1;
        for (StageId& stage : joined.stageOf)
            stage = StageId(0);
        QCOMPARE(boundaryPositions(joined, *tree).size(), 0u);
    }

    // Against the definition: made before, read from there on.
    void bytesAcrossAgreeWithTheDefinition()
    {
        const PlanView plan = sample::plan(3, 2);
        const auto layout = sample::openLayoutOf(plan);
        const std::vector<double> bytes = bytesAcross(*layout, plan.profile.get());
        QCOMPARE(bytes.size(), plan.graph->nodeCount() + 1);
        for (std::size_t position = 0; position < bytes.size(); ++position) {
            double expected = 0;
            std::vector<ValueId> across;
            for (const ValueId id : plan.graph->values()) {
                const Value& value = (*plan.graph)[id];
                if (!value.producer || layout->tree->positionOf[*value.producer] >= position ||
                    !value.isTensor())
                    continue;
                const bool isRead = std::ranges::any_of(
                    value.users, [&](NodeId user) { return layout->tree->positionOf[user] >= position; });
                if (isRead) {
                    expected += plan.profile->valueBytes[id].asDouble();
                    across.push_back(id);
                }
            }
            QCOMPARE(bytes[position], expected);
            QCOMPARE(valuesAcross(*layout, position), across);
        }
    }

    void aDragSnapsToLegalPlaces()
    {
        const auto layout = sample::openLayoutOf(sample::plan(3, 2));
        BoundaryDrag drag(*layout, BoundaryId(0), 13, {5, 13, 20}, bytesAcross(*layout, nullptr));
        QVERIFY(!drag.moveTo(layout->placeY[13] + 1, Magnet::Off, 0));
        QVERIFY(drag.moveTo(layout->placeY[19], Magnet::Off, 0));
        QCOMPARE(drag.position(), 20u);
        QVERIFY(drag.moveTo(-1000, Magnet::Off, 0));
        QCOMPARE(drag.position(), 5u);
        QCOMPARE(drag.start(), 13u);
    }

    void theMagnetPrefersWhereLittleCrosses()
    {
        const auto layout = sample::openLayoutOf(sample::plan(3, 2));
        std::vector<double> bytes(layout->placeY.size(), 10);
        bytes[9] = 1;
        std::vector<std::size_t> all;
        for (std::size_t i = 1; i + 1 < layout->placeY.size(); ++i)
            all.push_back(i);
        BoundaryDrag drag(*layout, BoundaryId(0), 13, all, bytes);
        const double y = layout->placeY[8];
        const double reach = layout->placeY[9] - y + 1;
        drag.moveTo(y, Magnet::Off, reach);
        QCOMPARE(drag.position(), 8u);
        drag.moveTo(y, Magnet::On, reach);
        QCOMPARE(drag.position(), 9u);
        drag.moveTo(y, Magnet::On, 1);
        QCOMPARE(drag.position(), 8u);
    }

    void textsSayWhatCrosses()
    {
        QCOMPARE(boundaryText(nullptr, 1), "1 tensor");
        QCOMPARE(boundaryText(nullptr, 3), "3 tensors");
        BoundaryCost cost;
        cost.values = {ValueId(0), ValueId(1)};
        cost.forwardBytes = Bytes(24 << 20);
        cost.time = Seconds(4e-4);
        QCOMPARE(boundaryText(&cost, 0),
                 "2 tensors   24.0 MiB   " + QString::fromStdString(formatSeconds(cost.time)));
    }
};

QTEST_GUILESS_MAIN(TestGraphBoundaries)
#include "tst_graph_boundaries.moc"
