#include "layout_test.h"

#include "core/layout/hidden_nodes.h"

#include <random>

using namespace stagecraft;

namespace {

void printBox(const Graph& graph, const RunTree& tree, BoxId box, QStringList& lines)
{
    const RunBox& data = tree.boxes[box];
    const QString indent(2 * data.depth, ' ');
    lines << indent + QString::fromStdString(data.title) +
                 (data.copies > 1 ? " x" + QString::number(data.copies) : "");
    for (const RunItem& child : data.children) {
        if (const NodeId* node = std::get_if<NodeId>(&child))
            lines << indent + "  %" + QString::fromStdString(graph[*node].name);
        else
            printBox(graph, tree, std::get<BoxId>(child), lines);
    }
}

QString print(const Graph& graph, const RunTree& tree)
{
    QStringList lines;
    printBox(graph, tree, RunTree::root(), lines);
    return lines.join('\n');
}

// Random, but never falling along an edge.
Partition randomPartition(const Graph& graph, std::size_t stages, std::mt19937& random)
{
    Partition partition;
    partition.stageCount = stages;
    for (const NodeId node : graph.nodes()) {
        std::uint32_t least = 0;
        for (const NodeId before : graph.predecessors(node))
            least = std::max(least, partition.stageOf[before].index());
        std::uniform_int_distribution<std::uint32_t> step(0, 40);
        partition.stageOf.add(
            StageId(std::min<std::size_t>(stages - 1, least + (step(random) == 0 ? 1 : 0))));
    }
    return partition;
}

} // namespace

class TestRunTree : public QObject
{
    Q_OBJECT

private slots:
    void equalNeighboursAreFolded()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        QCOMPARE(print(*graph, *tree), "layered\n"
                                       "  Stage 1\n"
                                       "    %mask\n"
                                       "    layers.0-2 x3\n"
                                       "      fc\n"
                                       "        %a0\n"
                                       "        %b0\n"
                                       "      %c0\n"
                                       "      %x1\n"
                                       "    %y");
        QCOMPARE(tree->standIn[*graph->findNode("c2")], *graph->findNode("c0"));
        QCOMPARE(tree->foldDepth[*graph->findNode("c2")], 2);
        QVERIFY(!tree->foldDepth[*graph->findNode("c0")]);
    }

    void aBoundarySplitsAFoldAndTheBoxItCuts()
    {
        const auto graph = graphOf(layeredText(3));
        // mask, layer 0, and the first half of layer 1 | the rest
        const auto tree = treeOf(*graph, partitionOf({7, 7}));
        QCOMPARE(print(*graph, *tree), "layered\n"
                                       "  Stage 1\n"
                                       "    %mask\n"
                                       "    layers (1/2)\n"
                                       "      0\n"
                                       "        fc\n"
                                       "          %a0\n"
                                       "          %b0\n"
                                       "        %c0\n"
                                       "        %x1\n"
                                       "      1.fc\n"
                                       "        %a1\n"
                                       "        %b1\n"
                                       "  Stage 2\n"
                                       "    layers (2/2)\n"
                                       "      1\n"
                                       "        %c1\n"
                                       "        %x2\n"
                                       "      2\n"
                                       "        fc\n"
                                       "          %a2\n"
                                       "          %b2\n"
                                       "        %c2\n"
                                       "        %x3\n"
                                       "    %y");
        QCOMPARE(tree->boundaryPosition(BoundaryId(0)), 7u);
    }

    void whatNothingNeedsIsHidden()
    {
        const auto graph = graphOf("graph g\n"
                                   "  input %x : f32[4]\n"
                                   "  buffer %n \"n\" : i64[]\n"
                                   "  %count : i64[] = aten::add.Tensor(self %n, other 1)\n"
                                   "  %size : size(4) = aten::sym_size.int(self %x, dim 0)\n"
                                   "  %ok : size(1) = _operator::ge(%size, 2)\n"
                                   "  aten::_assert_scalar.default(self %ok, assert_msg \"m\") named check\n"
                                   "  %y : f32[4] = aten::relu.default(self %x)\n"
                                   "  return %count, %y\n");
        QStringList hidden;
        const Table<NodeId, char> isHidden = hiddenNodes(*graph);
        for (const NodeId node : graph->nodes())
            if (isHidden[node] != 0)
                hidden << QString::fromStdString((*graph)[node].name);
        QCOMPARE(hidden.join(' '), "count size ok check");
        const auto all = treeOf(*graph, singleStage(5), {.hidden = RunTreeOptions::Hidden::Show});
        QCOMPARE(all->boxes[BoxId(1)].children.size(), 5u);
        const auto few = treeOf(*graph, singleStage(5));
        QCOMPARE(few->boxes[BoxId(1)].children.size(), 1u);
        QVERIFY(few->isHidden(*graph->findNode("count")));
    }

    void aGraphOfNothingButHiddenNodesIsShown()
    {
        const auto graph =
            graphOf("graph g\n  buffer %n \"n\" : i64[]\n"
                    "  %count : i64[] = aten::add.Tensor(self %n, other 1)\n  return %count\n");
        QCOMPARE(treeOf(*graph, singleStage(1))->boxes[BoxId(1)].children.size(), 1u);
    }

    void everyNodeIsInOneBoxOfItsStage_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : galleryFiles())
            QTest::newRow(
                qPrintable(QFileInfo(file).path().section('/', -1) + "/" + QFileInfo(file).baseName()))
                << file;
    }

    void everyNodeIsInOneBoxOfItsStage()
    {
        QFETCH(QString, file);
        const auto graph = openGraph(file);
        if (!graph)
            QSKIP("cannot be opened");
        std::mt19937 random(7); // a fixed seed: the same partitions each time
        for (const auto folding : {RunTreeOptions::Folding::FoldRepeats, RunTreeOptions::Folding::ShowEach}) {
            const Partition partition = randomPartition(*graph, 4, random);
            const auto tree = treeOf(*graph, partition, {.folding = folding});
            std::size_t seen = 0;
            for (const BoxId box : tree->boxes.ids()) {
                const RunBox& data = tree->boxes[box];
                QVERIFY(box == RunTree::root() || tree->boxes[*data.parent].first <= data.first);
                QVERIFY(box == RunTree::root() || data.end <= tree->boxes[*data.parent].end);
                for (std::size_t i = data.first; i < data.end && data.stage; ++i)
                    QCOMPARE(partition.stageOf[tree->order[i]], *data.stage);
                for (const RunItem& child : data.children)
                    seen += std::holds_alternative<NodeId>(child) ? 1 : 0;
            }
            std::size_t drawn = 0;
            for (const NodeId node : graph->nodes()) {
                if (tree->isHidden(node))
                    continue;
                drawn += tree->standIn[node] == node ? 1 : 0;
                const NodeId standIn = tree->standIn[node];
                QCOMPARE((*graph)[node].target, (*graph)[standIn].target);
                QCOMPARE(partition.stageOf[node], partition.stageOf[standIn]);
                QCOMPARE(tree->standIn[standIn], standIn);
            }
            QCOMPARE(seen, drawn);
            QCOMPARE(tree->boxes[RunTree::root()].drawnNodes, drawn);
        }
    }
};

QTEST_GUILESS_MAIN(TestRunTree)
#include "tst_run_tree.moc"
