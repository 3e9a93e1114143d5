#include "core/layout/visible_graph.h"

#include "layout_test.h"

using namespace stagecraft;

namespace {

QString endText(const Graph& graph, const RunTree& tree, const VisibleBox& box, const VisibleEnd& end)
{
    if (!end.item)
        return QString("port%1").arg(*end.port);
    const VisibleItem& item = box.items[*end.item];
    if (item.node)
        return QString::fromStdString(graph[*item.node].name);
    if (item.box)
        return QString::fromStdString(tree.boxes[*item.box].title) +
               (end.port ? QString(":%1").arg(*end.port) : "");
    const QString name = QString::fromStdString(graph[*item.value].name);
    switch (item.kind) {
    case VisibleItem::Kind::Input:
        return "in(" + name + ")";
    case VisibleItem::Kind::Output:
        return "out";
    case VisibleItem::Kind::PortalOut:
        return name + ">";
    default:
        return ">" + name;
    }
}

QString edgesText(const Graph& graph, const RunTree& tree, const VisibleBox& box)
{
    QStringList edges;
    for (const VisibleEdge& edge : box.edges)
        edges << endText(graph, tree, box, edge.tail) + "-" + endText(graph, tree, box, edge.head);
    edges.sort();
    return edges.join(' ');
}

// One value read by operators along a long chain.
std::string broadcastText(int length)
{
    std::string text = "graph g\n  input %v0 : f32[4]\n  %m : f32[4] = aten::cos.default(self %v0)\n";
    for (int i = 1; i <= length; ++i)
        text += "  %v" + std::to_string(i) + " : f32[4] = aten::mul.Tensor(self %v" + std::to_string(i - 1) +
                ", other %m)\n";
    return text + "  return %v" + std::to_string(length) + "\n";
}

} // namespace

class TestVisibleGraph : public QObject
{
    Q_OBJECT

private slots:
    void closedBoxesStandForWhatIsInside()
    {
        const auto graph = graphOf(layeredText(2));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        const auto boxes = makeVisibleGraph(*graph, *tree, {});
        QCOMPARE(edgesText(*graph, *tree, boxes[BoxId(1)]),
                 "in(x0)-layers.0-1 in(x0)-mask layers.0-1-y mask-layers.0-1 y-out");
    }

    void edgesGoThroughPorts()
    {
        const auto graph = graphOf(layeredText(2));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        const auto boxes = makeVisibleGraph(*graph, *tree, fullExpansion(*tree));
        // The copies of a fold are not connected to one another.
        QCOMPARE(edgesText(*graph, *tree, boxes[BoxId(1)]),
                 "in(x0)-layers.0-1:0 in(x0)-mask layers.0-1:0-y mask-layers.0-1:1 y-out");
        QCOMPARE(edgesText(*graph, *tree, boxes[BoxId(2)]),
                 "c0-x1 fc:0-c0 port0-fc:0 port0-x1 port1-c0 x1-port0");
        QCOMPARE(edgesText(*graph, *tree, boxes[BoxId(3)]), "a0-b0 b0-port0 port0-a0");
    }

    void stagesAreConnectedByTheirPorts()
    {
        const auto graph = graphOf(layeredText(2));
        const auto tree = treeOf(*graph, partitionOf({5, 5}));
        const auto boxes = makeVisibleGraph(*graph, *tree, {});
        // The mask and the first layer's result cross.
        QCOMPARE(boxes[RunTree::root()].edges.size(), 2u);
        for (const VisibleEdge& edge : boxes[RunTree::root()].edges) {
            QCOMPARE(edge.tail.item, 0u);
            QCOMPARE(edge.head.item, 1u);
            QVERIFY(edge.tail.port && edge.head.port);
        }
    }

    void aValueThatManyReadBecomesAPortal()
    {
        const auto graph = graphOf(broadcastText(20));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        VisibleBox box = makeVisibleGraph(*graph, *tree, {})[BoxId(1)];
        const std::size_t items = box.items.size();
        addPortals(box);
        const QString edges = edgesText(*graph, *tree, box);
        QVERIFY(edges.contains("m-m>"));
        QVERIFY(edges.contains(">m-v20"));
        QVERIFY2(!edges.contains(" m-v20"), "the long edge itself is gone");
        QVERIFY2(edges.contains(" m-v3 "), "short edges stay");
        QVERIFY(box.items.size() > items);
    }

    void portalsKeepTheSpansWithinTheBudget()
    {
        const auto graph = graphOf(broadcastText(60));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        for (const int budget : {1000, 200, 130}) {
            VisibleBox box = makeVisibleGraph(*graph, *tree, {})[BoxId(1)];
            addPortals(box, {.span = 100, .fanOut = 4, .fanIn = 6, .spanBudget = budget});
            const std::vector<int> ranks = itemRanks(box);
            int span = 0;
            for (const VisibleEdge& edge : box.edges) {
                const bool isPortal = box.items[*edge.tail.item].kind == VisibleItem::Kind::PortalIn ||
                                      box.items[*edge.head.item].kind == VisibleItem::Kind::PortalOut;
                span += isPortal ? 0 : ranks[*edge.head.item] - ranks[*edge.tail.item];
            }
            QVERIFY2(span <= budget, qPrintable(QString::number(span)));
        }
    }

    // Every dependence between drawn operators can be followed in the drawing, through ports and boxes.
    void nothingIsLost_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : galleryFiles())
            QTest::newRow(
                qPrintable(QFileInfo(file).path().section('/', -1) + "/" + QFileInfo(file).baseName()))
                << file;
    }

    void nothingIsLost()
    {
        QFETCH(QString, file);
        const auto graph = openGraph(file);
        if (!graph)
            QSKIP("cannot be opened");
        const auto tree =
            treeOf(*graph, equalParts(graph->nodeCount(), 2), {.folding = RunTreeOptions::Folding::ShowEach});
        const auto boxes = makeVisibleGraph(*graph, *tree, fullExpansion(*tree));
        // How often each value arrives at an operator, in all boxes together.
        std::set<std::pair<NodeId, ValueId>> arrivals;
        for (const BoxId box : tree->boxes.ids())
            for (const VisibleEdge& edge : boxes[box].edges) {
                if (edge.tail.item && edge.head.item && box != RunTree::root())
                    QVERIFY2(*edge.tail.item < *edge.head.item, "edges go forwards");
                if (edge.head.item && boxes[box].items[*edge.head.item].node)
                    for (const ValueId value : edge.values)
                        arrivals.insert({*boxes[box].items[*edge.head.item].node, value});
            }
        for (const NodeId node : graph->nodes())
            for (const ValueId input : (*graph)[node].inputs)
                if ((*graph)[input].producer && !tree->isHidden(*(*graph)[input].producer) &&
                    !tree->isHidden(node))
                    QVERIFY2(arrivals.contains({node, input}), (*graph)[node].name.c_str());
    }
};

QTEST_GUILESS_MAIN(TestVisibleGraph)
#include "tst_visible_graph.moc"
