#include "app/window/finder.h"

#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

using namespace stagecraft;

namespace {

Graph sampleGraph()
{
    Result<Graph> graph = parseGraph(R"(graph mlp
  input  %x : f32[8, 64]
  %linear : f32[8, 64] = aten::relu.default(%x) @layers.0.fc
  %relu   : f32[8, 64] = aten::relu.default(%linear) @layers.0.act
  %tanh   : f32[8, 64] = aten::tanh.default(%relu) @layers.1.act
  return %tanh
)");
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(*graph);
}

} // namespace

class TestFinder : public QObject
{
    Q_OBJECT

private slots:
    void everyWordMustBeThere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("found");
        QTest::newRow("operator") << "relu" << QList{0, 1};
        QTest::newRow("name") << "tanh" << QList{2};
        QTest::newRow("case") << "TANH" << QList{2};
        QTest::newRow("module") << "layers.0" << QList{0, 1};
        QTest::newRow("words") << "layers  act" << QList{1, 2};
        QTest::newRow("all words") << "relu layers.1" << QList<int>{};
        QTest::newRow("nothing typed") << "  " << QList<int>{};
        QTest::newRow("unknown") << "softmax" << QList<int>{};
    }
    void everyWordMustBeThere()
    {
        QFETCH(QString, text);
        QList<int> indices;
        for (const NodeId node : findNodes(sampleGraph(), text))
            indices << static_cast<int>(node.index());
        QTEST(indices, "found");
    }

    void whatWasMeantIsNear()
    {
        const Graph graph = sampleGraph();
        QCOMPARE(correctedSearch(graph, "rleu"), QString()); // two letters of four
        QCOMPARE(correctedSearch(graph, "tamh"), QString("tanh"));
        QCOMPARE(correctedSearch(graph, "layerz.0"), QString("layers.0"));
        QCOMPARE(correctedSearch(graph, "relu leyers.0"), QString("relu layers.0"));
        QCOMPARE(correctedSearch(graph, "relu"), QString()); // nothing to correct
        QCOMPARE(correctedSearch(graph, "softmax"), QString());
    }

    void theFinderGoesRound()
    {
        Finder finder;
        finder.search(sampleGraph(), "layers");
        QCOMPARE(finder.count(), 3);
        QCOMPARE(finder.current(), 0);
        QCOMPARE(finder.next(), NodeId(0));
        QCOMPARE(finder.current(), 1);
        QCOMPARE(finder.previous(), NodeId(2));
        QCOMPARE(finder.next(), NodeId(0));
        QCOMPARE(finder.next(), NodeId(1));
        finder.clear();
        QVERIFY(!finder.next());
    }

    void backwardsFromTheStartIsTheLast()
    {
        Finder finder;
        finder.search(sampleGraph(), "layers");
        QCOMPARE(finder.previous(), NodeId(2));
    }
};

QTEST_GUILESS_MAIN(TestFinder)
#include "tst_finder.moc"
