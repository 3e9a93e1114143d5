#include "core/graph/graph_builder.h"

#include <QtTest>

using namespace stagecraft;

namespace {

Node relu(const std::string& name, ValueId from, ValueId to)
{
    Node node;
    node.name = name;
    node.target = "aten::relu.default";
    node.arguments = {{"self", from}};
    node.outputs = {{NodeOutput::Kind::Value, {to}}};
    return node;
}

Value tensor(const std::string& name, ValueKind kind = ValueKind::Activation)
{
    Value value;
    value.name = name;
    value.kind = kind;
    value.meta = TensorMeta{.sizes = {8}, .strides = {1}};
    return value;
}

QString message(const Result<Graph>& graph)
{
    return graph.has_value() ? QString("ok") : QString::fromStdString(graph.error().message);
}

} // namespace

class TestGraphBuilder : public QObject
{
    Q_OBJECT

private slots:
    void linksProducersAndUsers()
    {
        GraphBuilder builder("chain");
        const ValueId x = builder.addInput(tensor("x", ValueKind::UserInput));
        const ValueId a = builder.addValue(tensor("a"));
        const ValueId b = builder.addValue(tensor("b"));
        builder.addNode(relu("a", x, a));
        builder.addNode(relu("b", a, b));
        builder.addOutput(b);
        const Result<Graph> graph = std::move(builder).finish();
        QCOMPARE(message(graph), "ok");
        QCOMPARE((*graph)[a].producer, NodeId(0));
        QCOMPARE((*graph)[a].users, std::vector{NodeId(1)});
        QCOMPARE(graph->successors(NodeId(0)).size(), 1u);
        QVERIFY(graph->isOutput(b));
        QVERIFY(!graph->isOutput(a));
    }

    void refusesAValueReadBeforeItIsMade()
    {
        GraphBuilder builder("bad");
        const ValueId a = builder.addValue(tensor("a"));
        const ValueId b = builder.addValue(tensor("b"));
        builder.addNode(relu("b", a, b));
        builder.addNode(relu("a", b, a));
        QCOMPARE(message(std::move(builder).finish()), "graph 'bad': node 'b' reads 'a' before it is made");
    }

    void refusesTwoValuesOfOneName()
    {
        GraphBuilder builder("bad");
        builder.addInput(tensor("x", ValueKind::UserInput));
        builder.addInput(tensor("x", ValueKind::UserInput));
        QCOMPARE(message(std::move(builder).finish()), "graph 'bad': two values are named 'x'");
    }
};

QTEST_GUILESS_MAIN(TestGraphBuilder)
#include "tst_graph_builder.moc"
