#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

// Every kind of line and value there is.
std::string everything()
{
    QFile file(STAGECRAFT_TEST_DATA "/graphs/everything.txt");
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s", qPrintable(file.errorString()));
    return file.readAll().toStdString();
}

QString message(const Result<Graph>& graph)
{
    return graph.has_value() ? QString("ok") : QString::fromStdString(graph.error().message);
}

} // namespace

class TestGraphText : public QObject
{
    Q_OBJECT

private slots:
    void printsWhatItReads()
    {
        const Result<Graph> graph = parseGraph(everything());
        QCOMPARE(message(graph), "ok");
        QCOMPARE(printGraph(*graph), everything());
    }

    void readsWhatItSays()
    {
        const Result<Graph> graph = parseGraph(everything());
        QCOMPARE(message(graph), "ok");
        const Graph& g = *graph;
        QCOMPARE(g.name(), std::string("everything"));
        QCOMPARE(g.symbolRanges().at("s0"), (SymbolRange{2, 64, 8}));
        const Value& w = g[*g.findValue("w")];
        QCOMPARE(w.kind, ValueKind::Parameter);
        QCOMPARE(w.target, std::string("layers.0.weight"));
        QVERIFY(w.meta->requiresGrad);
        QCOMPARE(w.meta->device, (Device{"cuda", 1}));
        QCOMPARE(w.meta->strides, (std::vector<SymInt>{1, 64}));
        QCOMPARE(g[*g.findValue("x")].meta->sizes[0].hint(), std::optional<std::int64_t>(8));
        const Node& linear = g[*g.findNode("a")];
        QCOMPARE(linear.arguments[0].passing, ArgumentPassing::Positional);
        QCOMPARE(linear.arguments[1].passing, ArgumentPassing::Unsaid);
        QCOMPARE(linear.arguments[2].passing, ArgumentPassing::Keyword);
        QCOMPARE(g.modules()[linear.module].className, std::string("torch.nn.Linear"));
        QCOMPARE(g.context(g[*g.findNode("topk")].context).gradEnabled, std::optional(false));
        const Node& split = g[NodeId(2)];
        QCOMPARE(split.outputs[0].kind, NodeOutput::Kind::List);
        QVERIFY(std::holds_alternative<IntListArgument>(split.arguments[1].value));
        const Node& lists = g[*g.findNode("lists")];
        QVERIFY(std::holds_alternative<TensorListArgument>(lists.arguments[0].value));
        QVERIFY(std::holds_alternative<IntListArgument>(lists.arguments[4].value));
        QVERIFY(std::holds_alternative<std::string>(g[*g.findNode("others")].arguments[5].value));
        QCOMPARE(g[*g.findNode("others")].inputs.size(), 3u); // l, r of raw(...), and h
        QCOMPARE(g.orderEdges().size(), 3u);
        QCOMPARE(g[*g.findNode("y")].subgraphs.size(), 2u);
        QVERIFY(g[*g.findNode("y")].subgraphs[1]->returnsBareValue());
    }

    void readsWhatAPersonWrites()
    {
        const Result<Graph> graph = parseGraph("# a comment\n\ngraph mlp\n"
                                               "input  %x : f32[8, 64]  # another\n"
                                               "\n"
                                               "param  %w0 \"fc1.weight\" : f32[256, 64]\n"
                                               "%linear:f32[8,256]=aten::linear.default( %x,%w0 ) @fc1\n"
                                               "return %linear");
        QCOMPARE(message(graph), "ok");
        QCOMPARE(printNode(*graph, NodeId(0)),
                 std::string("%linear : f32[8, 256] = aten::linear.default(%x, %w0) @fc1"));
    }

    void namesTheLineItDoesNotUnderstand_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* body, const char* error) { QTest::newRow(body) << body << error; };
        row("input %x : f32[4]\nreturn %y", "line 3: nothing before makes %y");
        row("input %x : f99[4]\nreturn", "line 2: 'f99' is no element type");
        row("input %x : f32[4\nreturn", "line 2: expected ',' before the end of the line");
        row("input %x : f32[a b]\nreturn", "'a b' is not a size; write for example 8, s0 or 2*s0 + 1");
        row("input %x : f32[4]\ninput %x : f32[4]\nreturn", "line 3: two values are named 'x'");
        row("t::f(1,)\nreturn", "line 2: '' is no value");
        row("t::f(1) in 7\nreturn", "line 2: there is no such context");
        row("t::f(1) after g\nreturn", "line 2: there is no node 'g' before");
        row("t::f(graph(0)) named f\nreturn", "line 3: node 'f' has 0 subgraphs, its arguments name 1");
        row("context 2 grad off\nreturn", "line 2: contexts are numbered from 1, and no two are alike");
        row("t::f(\"abc)\nreturn", "line 2: a text has no end");
        row("t::f([1, 2.5])\nreturn", "line 2: a list mixes values that do not go together");
        row("t::f([[1]])\nreturn", "line 2: lists have no lists in them");
        row("t::f(99999999999999999999999)\nreturn", "ok"); // a number that is no integer
        row("t::f(1)\n", "line 3: expected a name before the end of the line");
        row("return\nmore", "line 3: there is something behind the graph");
    }

    void namesTheLineItDoesNotUnderstand()
    {
        QFETCH(QString, body);
        QFETCH(QString, error);
        QCOMPARE(message(parseGraph("graph g\n" + body.toStdString())), error);
    }

    void refusesTextWithoutAGraph()
    {
        QCOMPARE(message(parseGraph("hello")), "line 1: a graph starts with 'graph' and its name");
    }
};

QTEST_GUILESS_MAIN(TestGraphText)
#include "tst_graph_text.moc"
