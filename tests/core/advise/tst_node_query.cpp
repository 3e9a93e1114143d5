#include "core/advise/node_query.h"
#include "core/advise/query_completion.h"

#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

using namespace stagecraft;

namespace {

Graph sampleGraph()
{
    Result<Graph> graph = parseGraph(R"(graph mlp
  input  %x : f32[8, 64]
  %linear : f32[8, 64] = aten::relu.default(%x) @layers.3.mlp.fc
  %relu   : bf16[8, 64] = aten::relu_.default(%linear) @layers.3.act
  %tanh   : f32[8, 128] = aten::tanh.default(%relu) @layers.30.act
  %other  : f32[4, 2] = aten::relu.default(%tanh) @head
  return %other
)");
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(*graph);
}

struct Sample
{
    Sample()
    {
        profile.nodes = Table<NodeId, NodeCost>(4);
        for (const NodeId node : profile.nodes.ids()) {
            NodeCost& cost = profile.nodes[node];
            cost.forward.time = Seconds(0.5e-3 * (node.index() + 1));
            cost.forward.flops = Flops(1e9 * node.index());
            cost.savedBytes = Bytes((std::int64_t{1} << 29) * (node.index() + 1));
            profile.totals.savedBytes += cost.savedBytes;
        }
        partition = {2, Table<NodeId, StageId>(4, StageId(0))};
        partition.stageOf[NodeId(3)] = StageId(1);
    }
    QuerySubject subject() const { return {graph, &profile, &partition}; }

    Graph graph = sampleGraph();
    Profile profile;
    Partition partition;
};

QString shown(const std::vector<QueryCompletion>& completions)
{
    QStringList list;
    for (const QueryCompletion& completion : completions)
        list << QString::fromStdString(completion.shown);
    return list.join(' ');
}

} // namespace

class TestNodeQuery : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatIsAsked_data();
    void findsWhatIsAsked();
    void whatIsNoQueryIsToldWhy_data();
    void whatIsNoQueryIsToldWhy();
    void whatIsNotKnownIsSaid();
    void anyTextIsAQueryOrAReason();
    void completesKeysAndWhatThereIs_data();
    void completesKeysAndWhatThereIs();
    void completesTheLastWordAlone();
    void whatWasMeantIsNear();
};

void TestNodeQuery::findsWhatIsAsked_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");
    const auto row = [](const char* text, const char* found) {
        QTest::newRow(text) << QString(text) << QString(found);
    };
    row("", "");
    row("   ", "");
    row("relu", "0 1 3");
    row("RELU", "0 1 3");
    row("relu layers", "0 1");
    row("-relu", "2");
    row("op:relu", "0 1 3");
    row("op:\"relu\"", "0 3");
    row("op:\"aten::relu.default\"", "0 3");
    row("op:tanh,relu_", "1 2");
    row("OP:tanh", "2");
    row("-op:relu", "2");
    row("aten::tanh", "2");
    row("module:layers", "0 1 2");
    row("module:layers.3", "0 1");
    row("module:layers.30", "2");
    row("module:mlp", "0");
    row("module:lp", "");
    row("module:\"layers.3\"", "0 1");
    row("module:\"layer\"", "");
    row("name:tan", "2");
    row("dtype:bf16", "1");
    row("dtype:bfloat16", "1");
    row("dtype:torch.float32", "0 2 3");
    row("dtype:bf16,f32", "0 1 2 3");
    row("shape:64", "0 1");
    row("shape:8x64", "0 1");
    row("shape:\"8\"", "");
    row("shape:128,4", "2 3");
    row("stage:1", "0 1 2");
    row("stage:2", "3");
    row("stage:1-2", "0 1 2 3");
    row("time>1ms", "2 3");
    row("time>=1 ms", "1 2 3");
    row("time >= 1000us", "1 2 3");
    row("time>0.001", "2 3");
    row("time=1.5ms", "2");
    row("time<1ms op:relu", "0");
    row("mem>1GiB", "2 3");
    row("mem>1 GiB relu", "3");
    row("mem<=512MiB", "0");
    row("flops>1G", "2 3");
    row("flops>=2 GFLOP", "2 3");
    row("-time>1ms", "0 1");
    row("/layers\\.\\d+\\.act/", "1 2");
    row("/^lin|^tanh/ f32", "");
    row("/^lin|^tanh/ -stage:2", "0 2");
    row("\"aten::relu.default layers\"", "0");
    row("relu.default", "0 3");
    row("layers.3.", "0 1");
}

void TestNodeQuery::findsWhatIsAsked()
{
    QFETCH(QString, text);
    const Sample sample;
    const auto found = findNodes(sample.subject(), text.toStdString());
    QVERIFY2(found.has_value(), found.has_value() ? "" : found.error().message.c_str());
    QStringList indices;
    for (const NodeId node : *found)
        indices << QString::number(node.index());
    QTEST(indices.join(' '), "found");
}

void TestNodeQuery::whatIsNoQueryIsToldWhy_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* text, const char* reason) {
        QTest::newRow(text) << QString(text) << QString(reason);
    };
    row("ops:relu", "there is no 'ops:' to look for; there are op, module,");
    row("op:", "'op:' asks for nothing");
    row("op:,", "'op:' asks for nothing");
    row("op:\"relu", "a quotation mark without another");
    row("stage:0", "'0' is no stage");
    row("stage:x", "'x' is no stage");
    row("stage:3-2", "'3-2' is no stage");
    row("stage:3", "there is no stage 3; the plan has 2");
    row("time:1ms", "'time' is a figure: write time>1ms");
    row("op>2", "'op' is no figure; there are time,");
    row("time>", "a figure is missing behind 'time': write time>1ms");
    row("time>ms", "a figure is missing");
    row("time>1GiB", "'gib' is no unit of 'time'");
    row("mem>1ms", "'ms' is no unit of 'mem'");
    row("time<>1ms", "'<>' compares nothing");
    row("time>1e999", "a figure is missing");
    row("/a", "a regular expression ends with /");
    row("/(a/", "a ( without its )");
}

void TestNodeQuery::whatIsNoQueryIsToldWhy()
{
    QFETCH(QString, text);
    QFETCH(QString, reason);
    const Sample sample;
    const auto found = findNodes(sample.subject(), text.toStdString());
    QVERIFY(!found.has_value());
    QVERIFY2(QString::fromStdString(found.error().message).contains(reason), found.error().message.c_str());
}

void TestNodeQuery::whatIsNotKnownIsSaid()
{
    const Sample sample;
    const QuerySubject bare{sample.graph};
    QCOMPARE(findNodes(bare, "op:tanh")->size(), std::size_t{1});
    QCOMPARE(findNodes(bare, "time>1ms").error().code, ErrorCode::NotFound);
    QCOMPARE(findNodes(bare, "stage:1").error().code, ErrorCode::NotFound);
    QVERIFY(completeQuery(bare, "stage:").empty());
}

void TestNodeQuery::anyTextIsAQueryOrAReason()
{
    const Sample sample;
    const std::string letters = "oprelu:stage><= \"/\\-.19(){}[]|*+?^$,xtimeGB\xc3\xa9";
    std::srand(1);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (int length = std::rand() % 14; length > 0; --length)
            text += letters[static_cast<std::size_t>(std::rand()) % letters.size()];
        const auto found = findNodes(sample.subject(), text);
        QVERIFY(found.has_value() || !found.error().message.empty());
        for (const QueryCompletion& completion : completeQuery(sample.subject(), text))
            QVERIFY(completion.text.size() >= completion.shown.size());
        static_cast<void>(correctedQuery(sample.subject(), text));
    }
}

void TestNodeQuery::completesKeysAndWhatThereIs_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("completions");
    const auto row = [](const char* text, const char* completions) {
        QTest::newRow(text) << QString(text) << QString(completions);
    };
    row("",
        "op: module: class: stage: dtype: shape: name: time> forward> backward> mem> made> params> flops>");
    row("m", "module: mem> made> module:layers.3.mlp module:layers.3.mlp.fc");
    row("op:", "op:relu op:relu_ op:tanh");
    row("op:re", "op:relu op:relu_");
    row("op:u_", "op:relu_");
    row("module:layers.30", "module:layers.30 module:layers.30.act");
    row("stage:", "stage:1 stage:2");
    row("dtype:", "dtype:f32 dtype:bf16");
    row("shape:6", "shape:64");
    row("tan", "op:tanh");
    row("relu op:ta", "op:tanh");
    row("relu -op:ta", "op:tanh");
    row("time>1", "");
    row("/a", "");
    row("\"a", "");
    row("nothing:", "");
}

void TestNodeQuery::completesKeysAndWhatThereIs()
{
    QFETCH(QString, text);
    const Sample sample;
    QTEST(shown(completeQuery(sample.subject(), text.toStdString(), 20)), "completions");
}

void TestNodeQuery::completesTheLastWordAlone()
{
    const Sample sample;
    const auto completions = completeQuery(sample.subject(), "stage:1 -op:t");
    QCOMPARE(completions.size(), std::size_t{1});
    QCOMPARE(completions[0], (QueryCompletion{"stage:1 -op:tanh ", "op:tanh", "1 op"}));
    // As many as it would find: relu_, too.
    QCOMPARE(completeQuery(sample.subject(), "op:relu").front().help, std::string("3 ops"));
    QCOMPARE(completeQuery(sample.subject(), "", 3).size(), std::size_t{3});
}

void TestNodeQuery::whatWasMeantIsNear()
{
    const Sample sample;
    const auto corrected = [&](const char* text) { return correctedQuery(sample.subject(), text); };
    QCOMPARE(corrected("rleu"), std::string()); // two letters of four
    QCOMPARE(corrected("tamh"), std::string("tanh"));
    QCOMPARE(corrected("leyers.3"), std::string("layers.3"));
    QCOMPARE(corrected("relu leyers.3"), std::string("relu layers.3"));
    QCOMPARE(corrected("op:tamh stage:1"), std::string("op:tanh stage:1"));
    QCOMPARE(corrected("relu"), std::string()); // nothing to correct
    QCOMPARE(corrected("softmax"), std::string());
    QCOMPARE(corrected("time>1h"), std::string());
}

QTEST_GUILESS_MAIN(TestNodeQuery)
#include "tst_node_query.moc"
