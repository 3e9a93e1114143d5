#include "views/graph/graph_navigation.h"

#include "graph_sample.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

PlanView forkPlan()
{
    PlanView plan;
    plan.graph =
        std::make_shared<const Graph>(*parseGraph("graph fork\n"
                                                  "  input %x : f32[4]\n"
                                                  "  %top : f32[4] = aten::relu.default(self %x)\n"
                                                  "  %l : f32[4] = aten::tanh.default(self %top) @m\n"
                                                  "  %l2 : f32[4] = aten::tanh.default(self %l) @m\n"
                                                  "  %r : f32[4] = aten::cos.default(self %top)\n"
                                                  "  %end : f32[4] = aten::add.Tensor(self %l2, other %r)\n"
                                                  "  return %end\n"));
    plan.partition = std::make_shared<const Partition>(singleStage(5));
    return plan;
}

QString nameOf(const Layout& layout, std::optional<ItemId> item)
{
    if (!item)
        return "nothing";
    const LayoutItem& data = layout.items[*item];
    if (data.node)
        return QString::fromStdString((*layout.graph)[*data.node].name);
    return data.box ? QString::fromStdString(layout.tree->boxes[*data.box].title) : "terminal";
}

} // namespace

class TestGraphNavigation : public QObject
{
    Q_OBJECT

private slots:
    void walksAlongEdges_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<int>("direction");
        QTest::addColumn<QString>("to");
        const int up = int(WalkDirection::Up);
        const int down = int(WalkDirection::Down);
        QTest::newRow("into a box") << "l" << up << "top";
        QTest::newRow("out of a box") << "l2" << down << "end";
        QTest::newRow("inside") << "l" << down << "l2";
        QTest::newRow("past a box") << "r" << down << "end";
        QTest::newRow("the last") << "end" << down << "nothing";
    }

    void walksAlongEdges()
    {
        QFETCH(QString, from);
        QFETCH(int, direction);
        const auto layout = sample::openLayoutOf(forkPlan());
        const NodeId node = *layout->graph->findNode(from.toStdString());
        QTEST(nameOf(*layout, walk(*layout, *layout->itemOf[node], WalkDirection(direction))), "to");
    }

    void walksSideways()
    {
        const PlanView plan = forkPlan();
        const auto layout = sample::layoutOf(plan, sample::treeOf(plan), {});
        const ItemId box = *layout->itemOf[*plan.graph->findNode("l")];
        const ItemId op = *layout->itemOf[*plan.graph->findNode("r")];
        const bool boxIsLeft = layout->items[box].rect.x < layout->items[op].rect.x;
        const WalkDirection toOp = boxIsLeft ? WalkDirection::Right : WalkDirection::Left;
        const WalkDirection toBox = boxIsLeft ? WalkDirection::Left : WalkDirection::Right;
        QCOMPARE(nameOf(*layout, walk(*layout, box, toOp)), "r");
        QCOMPARE(nameOf(*layout, walk(*layout, op, toBox)), "m");
        QCOMPARE(nameOf(*layout, walk(*layout, op, toOp)), "nothing");
    }

    void aClosedBoxShowsAllThatIsInside()
    {
        const PlanView plan = forkPlan();
        const auto layout = sample::layoutOf(plan, sample::treeOf(plan), {});
        const NodeId l = *plan.graph->findNode("l");
        const NodeId l2 = *plan.graph->findNode("l2");
        QCOMPARE(nodesShownBy(*layout, *layout->itemOf[l]), (std::vector{l, l2}));
        QCOMPARE(itemsShowing(*layout, {l, l2}).size(), 1u);
    }

    void ofAFoldedBoxTheNearestCopyIsMeant()
    {
        const PlanView plan = sample::plan(4, 1); // an embedding, four equal blocks of eight, a head
        const auto tree = sample::treeOf(plan, RunTreeOptions::Folding::FoldRepeats);
        const NodeId third(3); // of the first block
        QCOMPARE(tree->standIn[NodeId(3 + 3 * 8)], third);
        QCOMPARE(nearestCopies(*tree, {third}, StageDirection::Next), std::vector{NodeId(3 + 3 * 8)});
        QCOMPARE(nearestCopies(*tree, {third}, StageDirection::Previous), std::vector{third});
        const std::vector<NodeId> all(tree->order.begin() + 1, tree->order.end() - 1);
        QCOMPARE(nearestCopies(*tree, all, StageDirection::Next), all);
        QCOMPARE(nearestCopies(*tree, {NodeId(0)}, StageDirection::Next), std::vector{NodeId(0)});
    }

    void theFirstLookShowsMostAndIsNeverUnreadable()
    {
        const PlanView plan = sample::plan(3, 2);
        const auto layout = sample::openLayoutOf(plan);
        const Size size = layout->size;
        const OpeningView whole = openingView(*layout, {size.width + 10, 500}, 0.5);
        QCOMPARE(whole.zoom, 1.0);
        QCOMPARE(whole.centerX, size.width / 2);
        const OpeningView narrow = openingView(*layout, {size.width / 10, 500}, 0.5);
        QCOMPARE(narrow.zoom, 0.5);
        QVERIFY(narrow.centerX >= 0 && narrow.centerX <= size.width);
        bool isOverSomething = false;
        for (const LayoutItem& item : layout->items)
            isOverSomething = isOverSomething || (item.kind == ItemKind::Op && item.rect.y < 1000 &&
                                                  std::abs(item.rect.centerX() - narrow.centerX) < 100);
        QVERIFY(isOverSomething);
    }

    void everyOperatorIsMetInOrder()
    {
        const PlanView plan = sample::plan(3, 2);
        const auto layout = sample::openLayoutOf(plan);
        std::optional<ItemId> at = layout->itemOf[layout->tree->order.front()];
        std::size_t met = 0;
        for (; at; at = nextInOrder(*layout, *at, WalkDirection::Right)) {
            QCOMPARE(layout->items[*at].first, met);
            ++met;
        }
        QCOMPARE(met, plan.graph->nodeCount());
        at = layout->itemOf[layout->tree->order.back()];
        QCOMPARE(layout->items[*nextInOrder(*layout, *at, WalkDirection::Left)].first, met - 2);
    }
};

QTEST_GUILESS_MAIN(TestGraphNavigation)
#include "tst_graph_navigation.moc"
