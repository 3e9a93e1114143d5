#include "core/graph/alias_sets.h"
#include "core/graph/graph_builder.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>
#include <random>

using namespace stagecraft;

namespace {

// view* shares its first argument, write* writes and shares it, read* does neither.
NodeAliasing byName(const Node& node)
{
    NodeAliasing effect;
    std::vector<ValueId> values;
    for (const NamedArgument& argument : node.arguments)
        collectValues(argument.value, values);
    const bool writes = node.target.starts_with("t::write");
    if (writes)
        effect.written.push_back(values.front());
    if (writes || node.target.starts_with("t::view"))
        for (const NodeOutput& output : node.outputs)
            for (const ValueId result : output.values)
                effect.shared.emplace_back(result, values.front());
    return effect;
}

Graph parsed(const std::string& body)
{
    Result<Graph> graph = parseGraph("graph test\n" + body);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(*graph);
}

QString edges(const Graph& graph)
{
    QStringList list;
    for (const auto& [before, after] : storageOrder(graph, AliasSets::find(graph, byName)))
        list << QString::fromStdString(graph[before].name + ">" + graph[after].name);
    list.sort();
    return list.join(" ");
}

// Must `before` stay before `after`, by the definition: they touch one storage that one of them writes.
bool conflict(const Graph& graph, const AliasSets& sets, NodeId before, NodeId after)
{
    for (const ValueId a : graph[before].inputs)
        for (const ValueId b : graph[after].inputs) {
            const auto& writers = sets.writers(a);
            if (sets.mayShare(a, b) &&
                (std::ranges::count(writers, before) > 0 || std::ranges::count(writers, after) > 0))
                return true;
        }
    return false;
}

std::string randomBody(std::mt19937& random)
{
    std::string body = "  input %v0 : f32[4]\n  input %v1 : f32[4]\n";
    for (int i = 2; i < 14; ++i) {
        const char* const kind = std::array{"view", "write", "read", "read"}[random() % 4];
        const auto pick = [&] { return std::to_string(random() % static_cast<unsigned>(i)); };
        body +=
            "  %v" + std::to_string(i) + " : f32[4] = t::" + kind + "(%v" + pick() + ", %v" + pick() + ")\n";
    }
    return body + "  return %v13\n";
}

} // namespace

class TestAliasSets : public QObject
{
    Q_OBJECT

private slots:
    void needsNoEdgeInAChain()
    {
        QCOMPARE(edges(parsed("  input %x : f32[4]\n"
                              "  %a : f32[4] = t::read(%x)\n"
                              "  %b : f32[4] = t::write(%a)\n"
                              "  %c : f32[4] = t::write(%b)\n"
                              "  %d : f32[4] = t::read(%c)\n"
                              "  return %d\n")),
                 "");
    }

    void ordersOldNamesBehindAWrite()
    {
        QCOMPARE(edges(parsed("  input %x : f32[4]\n"
                              "  %early : f32[4] = t::read(%x)\n"
                              "  %view : f32[4] = t::view(%x)\n"
                              "  %w : f32[4] = t::write(%view)\n"
                              "  %late : f32[4] = t::read(%x)\n"
                              "  %later : f32[4] = t::read(%view)\n"
                              "  return %late, %later\n")),
                 "early>w w>late w>later");
    }

    void ordersWritesOfABuffer()
    {
        QCOMPARE(edges(parsed("  buffer %n \"n\" : f32[4]\n"
                              "  %a : f32[4] = t::write(%n)\n"
                              "  %b : f32[4] = t::write(%n)\n"
                              "  %c : f32[4] = t::read(%n)\n"
                              "  return %c\n")),
                 "a>b b>c");
    }

    void leavesOutWhatAPathSays()
    {
        // read > write is said by read > x > write.
        QCOMPARE(edges(parsed("  buffer %n \"n\" : f32[4]\n"
                              "  %r : f32[4] = t::read(%n)\n"
                              "  %x : f32[4] = t::read(%r)\n"
                              "  %w : f32[4] = t::write(%n, %x)\n"
                              "  return %w\n")),
                 "");
    }

    void takesASubgraphThatWritesItsInputForAWriter()
    {
        const char* const body = "  input %p : bool[]\n"
                                 "  input %x : f32[4]\n"
                                 "  %early : f32[4] = t::read(%x)\n"
                                 "  %y : f32[4] = higher_order::cond(%p, graph(0), [%x])\n"
                                 "    graph yes\n"
                                 "      input %a : f32[4]\n"
                                 "      %v : f32[4] = t::view(%a)\n"
                                 "      %w : f32[4] = t::write(%v)\n"
                                 "      return %w\n"
                                 "  return %y\n";
        QCOMPARE(edges(parsed(body)), "early>y");
    }

    // Every pair in conflict is joined by a path, and no edge can be left out.
    void isCompleteAndMinimalOnRandomGraphs()
    {
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int round = 0; round < 300; ++round) {
            const Graph graph = parsed(randomBody(random));
            const AliasSets sets = AliasSets::find(graph, byName);
            const auto order = storageOrder(graph, sets);
            const auto reachable = [&](std::size_t without) {
                std::vector<std::vector<char>> reach(graph.nodeCount(), std::vector<char>(graph.nodeCount()));
                for (const NodeId after : graph.nodes()) {
                    std::vector<NodeId> before;
                    for (const ValueId input : graph[after].inputs)
                        if (graph[input].producer)
                            before.push_back(*graph[input].producer);
                    for (std::size_t i = 0; i < order.size(); ++i)
                        if (i != without && order[i].second == after)
                            before.push_back(order[i].first);
                    for (const NodeId b : before) {
                        reach[after.index()][b.index()] = 1;
                        for (std::size_t k = 0; k < graph.nodeCount(); ++k)
                            reach[after.index()][k] |= reach[b.index()][k];
                    }
                }
                return reach;
            };
            const auto reach = reachable(order.size());
            for (const NodeId after : graph.nodes())
                for (const NodeId before : graph.nodes())
                    if (before < after && conflict(graph, sets, before, after))
                        QVERIFY2(reach[after.index()][before.index()], printGraph(graph).c_str());
            for (std::size_t i = 0; i < order.size(); ++i)
                QVERIFY2(!reachable(i)[order[i].second.index()][order[i].first.index()],
                         printGraph(graph).c_str());
        }
    }

    void givesTheBuilderItsEdges()
    {
        GraphBuilder builder("test");
        const auto tensor = [](const std::string& name) {
            return Value{.name = name, .kind = ValueKind::Buffer, .meta = contiguousMeta(DType::F32, {4})};
        };
        const ValueId n = builder.addInput(tensor("n"));
        for (const char* name : {"t::write", "t::read"}) {
            const ValueId result = builder.addValue({.name = name, .meta = contiguousMeta(DType::F32, {4})});
            builder.addNode({.name = name,
                             .target = name,
                             .arguments = {{"", n}},
                             .outputs = {{NodeOutput::Kind::Value, {result}}}});
        }
        const Result<Graph> graph = std::move(builder).finish(byName);
        QVERIFY(graph.has_value());
        QCOMPARE(graph->orderEdges().size(), 1u);
        QCOMPARE(graph->successors(NodeId(0)).size(), 1u);
    }
};

QTEST_GUILESS_MAIN(TestAliasSets)
#include "tst_alias_sets.moc"
