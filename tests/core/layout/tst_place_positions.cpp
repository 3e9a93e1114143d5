#include "core/layout/place_positions.h"

#include "layout_test.h"

using namespace stagecraft;

class TestPlacePositions : public QObject
{
    Q_OBJECT

private slots:
    void aPositionLiesAboveItsOperator()
    {
        const auto graph = graphOf("graph g\n  input %x : f32[4]\n"
                                   "  %a : f32[4] = aten::relu.default(self %x)\n"
                                   "  %b : f32[4] = aten::tanh.default(self %a)\n"
                                   "  %c : f32[4] = aten::cos.default(self %b)\n  return %c\n");
        const auto tree = treeOf(*graph, singleStage(3));
        LayoutEngine engine;
        const Result<Layout> layout = engine.layout(graph, tree, {});
        QVERIFY(layout.has_value());
        for (const std::size_t position : {1u, 2u}) {
            const Rect& above = layout->items[*layout->itemOf[NodeId(position - 1)]].rect;
            const Rect& below = layout->items[*layout->itemOf[NodeId(position)]].rect;
            QVERIFY(layout->placeY[position] > above.bottom());
            QVERIFY(layout->placeY[position] < below.y);
        }
        QCOMPARE(layout->placeY.front(), 0.0);
        QCOMPARE(layout->placeY.back(), layout->size.height);
    }

    void copiesOfAFoldShareItsHeight()
    {
        const auto graph = graphOf(layeredText(4));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        LayoutEngine engine;
        for (const Expansion& expansion : {Expansion(), fullExpansion(*tree)}) {
            const Result<Layout> layout = engine.layout(graph, tree, expansion);
            QVERIFY(layout.has_value());
            const Rect& fold = layout->items[*layout->itemOfBox[BoxId(2)]].rect;
            // One operator before it, four in each copy.
            for (const std::size_t copy : {1u, 2u, 3u}) {
                const double y = fold.y + fold.height * static_cast<double>(copy) / 4;
                QVERIFY(std::abs(layout->placeY[1 + 4 * copy] - y) < 1e-6);
            }
        }
    }

    void findsTheNearestAllowedPlace_data()
    {
        QTest::addColumn<double>("y");
        QTest::addColumn<int>("position");
        QTest::newRow("far above") << -100.0 << 1;
        QTest::newRow("exact") << 30.0 << 3;
        QTest::newRow("a little below") << 33.0 << 3;
        QTest::newRow("past the middle") << 41.0 << 5;
        QTest::newRow("far below") << 900.0 << 5;
    }

    void findsTheNearestAllowedPlace()
    {
        QFETCH(double, y);
        const std::vector<double> places{0, 10, 20, 30, 40, 50, 60};
        QTEST(static_cast<int>(nearestPosition(places, {1, 3, 5}, y)), "position");
    }
};

QTEST_GUILESS_MAIN(TestPlacePositions)
#include "tst_place_positions.moc"
