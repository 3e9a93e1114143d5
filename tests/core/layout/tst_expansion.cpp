#include "layout_test.h"

using namespace stagecraft;

namespace {

BoxId boxNamed(const RunTree& tree, const std::string& title)
{
    for (const BoxId box : tree.boxes.ids())
        if (tree.boxes[box].title == title)
            return box;
    qFatal("no box %s", title.c_str());
}

} // namespace

class TestExpansion : public QObject
{
    Q_OBJECT

private slots:
    void stagesAreAlwaysOpen()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        const Expansion expansion;
        QVERIFY(expansion.isOpen(*tree, RunTree::root()));
        QVERIFY(expansion.isOpen(*tree, boxNamed(*tree, "Stage 1")));
        QVERIFY(!expansion.isOpen(*tree, boxNamed(*tree, "layers.0-2")));
    }

    void aFoldThatIsCutStaysOpenInBothPieces()
    {
        const auto graph = graphOf(layeredText(4));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        Expansion expansion;
        expansion.open(*tree, boxNamed(*tree, "layers.0-3"));
        expansion.open(*tree, boxNamed(*tree, "fc"));
        // mask and two layers | the other two and the head
        const auto cut = treeOf(*graph, partitionOf({9, 9}));
        QVERIFY(expansion.isOpen(*cut, boxNamed(*cut, "layers.0-1")));
        QVERIFY(expansion.isOpen(*cut, boxNamed(*cut, "layers.2-3")));
        for (const BoxId box : cut->boxes.ids())
            QVERIFY(expansion.isOpen(*cut, box));
        expansion.close(*cut, boxNamed(*cut, "layers.2-3"));
        QVERIFY(expansion.isOpen(*cut, boxNamed(*cut, "layers.0-1")));
        QVERIFY(!expansion.isOpen(*cut, boxNamed(*cut, "layers.2-3")));
    }

    void openingAndClosingBelow()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        Expansion expansion;
        expansion.openBelow(*tree, boxNamed(*tree, "layers.0-2"));
        QVERIFY(expansion.isOpen(*tree, boxNamed(*tree, "fc")));
        QCOMPARE(expansion, fullExpansion(*tree));
        expansion.closeBelow(*tree, boxNamed(*tree, "layers.0-2"));
        QCOMPARE(expansion, Expansion());
    }

    void revealOpensWhatIsAround()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        Expansion expansion;
        expansion.reveal(*tree, *graph->findNode("b2"));
        QVERIFY(expansion.isOpen(*tree, boxNamed(*tree, "layers.0-2")));
        QVERIFY(expansion.isOpen(*tree, boxNamed(*tree, "fc")));
    }

    void depthIsCountedFromTheStage()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        QCOMPARE(expansionToDepth(*graph, *tree, 0), Expansion());
        const Expansion one = expansionToDepth(*graph, *tree, 1);
        QVERIFY(one.isOpen(*tree, boxNamed(*tree, "layers.0-2")));
        QVERIFY(!one.isOpen(*tree, boxNamed(*tree, "fc")));
        QCOMPARE(expansionToDepth(*graph, *tree, 2), fullExpansion(*tree));
    }

    // As a Sequential, which only holds others: what it holds is as deep as itself.
    void containersAreNotCounted()
    {
        const auto textWith = [](const std::string& className) {
            return "graph g\n  module net \"" + className +
                   "\"\n  input %x : f32[4]\n"
                   "  %a : f32[4] = aten::relu.default(self %x) @net.one\n"
                   "  %b : f32[4] = aten::tanh.default(self %a) @net.one\n"
                   "  %c : f32[4] = aten::cos.default(self %b) @net.two\n"
                   "  %d : f32[4] = aten::exp.default(self %c) @net.two\n"
                   "  %y : f32[4] = aten::sin.default(self %d)\n  return %y\n";
        };
        for (const bool holdsOnly : {true, false}) {
            const auto graph = graphOf(textWith(holdsOnly ? "torch.nn.modules.container.Sequential" : "Net"));
            const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
            QCOMPARE(expansionToDepth(*graph, *tree, 0), Expansion());
            const Expansion one = expansionToDepth(*graph, *tree, 1);
            QVERIFY(one.isOpen(*tree, boxNamed(*tree, "net")));
            QCOMPARE(one.isOpen(*tree, boxNamed(*tree, "two")), holdsOnly);
            QCOMPARE(expansionToDepth(*graph, *tree, 2), fullExpansion(*tree));
        }
    }

    void theHeaviestBoxOpensFirst()
    {
        const auto graph = graphOf("graph g\n  input %x : f32[4]\n"
                                   "  %a : f32[4] = aten::relu.default(self %x) @light\n"
                                   "  %b : f32[4] = aten::tanh.default(self %a) @light\n"
                                   "  %c : f32[4] = aten::cos.default(self %b) @heavy\n"
                                   "  %d : f32[4] = aten::sin.default(self %c) @heavy\n  return %d\n");
        const auto tree = treeOf(*graph, singleStage(4));
        Table<NodeId, double> weights(std::vector<double>{1, 1, 5, 5});
        const Expansion expansion = openingExpansion(*tree, weights, 3);
        QVERIFY(expansion.isOpen(*tree, boxNamed(*tree, "heavy")));
        QVERIFY(!expansion.isOpen(*tree, boxNamed(*tree, "light")));
        QCOMPARE(openingExpansion(*tree, weights, 4), fullExpansion(*tree));
    }
};

QTEST_GUILESS_MAIN(TestExpansion)
#include "tst_expansion.moc"
