// Places to cut, by every name that the exported graph has for them.
#include "core/graph/graph_builder.h"
#include "core/plan/split_spec.h"

#include <QTest>

using namespace stagecraft;

namespace {

using Side = SplitPoint::Side;

ValueId addNode(GraphBuilder& builder, const std::string& name, ValueId input, const std::string& stack = "",
                std::string_view module = "")
{
    Value value;
    value.name = name;
    value.meta = contiguousMeta(DType::F32, {4});
    Node node;
    node.name = name;
    node.target = "t::f";
    node.arguments = {{"", input, ArgumentPassing::Positional}};
    const ValueId result = builder.addValue(std::move(value));
    node.outputs = {{NodeOutput::Kind::Value, {result}}};
    node.module = builder.addModule(module);
    node.metadata.emplace_back("nn_module_stack", stack);
    builder.addNode(std::move(node));
    return result;
}

// 0 a, 1 b, 2 a (again), 3 b (again), 4 check of 1, 5 head; a and b are in "block"; 2 and 3 are a region.
Graph called()
{
    GraphBuilder builder("called");
    Value x;
    x.name = "x";
    x.meta = contiguousMeta(DType::F32, {4});
    ValueId last = builder.addInput(std::move(x));
    const std::string first = "L__self__block,block,t.Block;L__self__block.a,block.a,t.A";
    const std::string second = "L__self__block@1,block,t.Block;L__self__block.a@1,block.a,t.A";
    last = addNode(builder, "a", last, first, "block.a");
    const ValueId looked = last = addNode(builder, "b", last, "L__self__block,block,t.Block", "block");
    last = addNode(builder, "a_1", last, second, "block.a");
    last = addNode(builder, "b_1", last, "L__self__block@1,block,t.Block", "block");
    builder.namePlace("wrap_with_autocast", {2, 4});
    builder.namePlace("getitem", {4, 4});
    Node check;
    check.name = "check";
    check.target = "aten::_assert_async.default";
    check.arguments = {{"", looked, ArgumentPassing::Positional}};
    builder.addNode(std::move(check));
    builder.addOutput(addNode(builder, "head", last));
    return std::move(builder).finish().value();
}

PartitionProblem problemOf(const Graph& graph, std::size_t stages)
{
    PartitionProblem problem;
    problem.options.stageCount = stages;
    completeOptions(problem.options, {});
    for (const NodeId node : graph.nodes()) {
        problem.nodes.add({.name = graph[node].name});
        for (const NodeId after : graph.successors(node))
            problem.precedences.push_back({node, after});
    }
    return problem;
}

QString planText(const Result<Partition>& plan)
{
    if (!plan.has_value())
        return QString::fromStdString(plan.error().message);
    QString text;
    for (const StageId stage : plan->stageOf)
        text += QString::number(stage.index());
    return text;
}

QString split(const std::vector<SplitPoint>& points)
{
    const Graph graph = called();
    return planText(splitAt(graph, problemOf(graph, points.size() + 1), points));
}

QString specSplit(const std::string& json)
{
    const Graph graph = called();
    const auto points = splitPointsOfSpec(graph, json, "spec.json");
    return points.has_value() ? planText(splitAt(graph, problemOf(graph, points->size() + 1), *points))
                              : QString::fromStdString(points.error().message);
}

} // namespace

class TestSplitSpec : public QObject
{
    Q_OBJECT

private slots:
    // The check (the last but one) stays with what it looks at.
    void everyCallOfAModule()
    {
        QCOMPARE(split({{"block@1", Side::Before}}), "001101");
        QCOMPARE(split({{"block@0", Side::After}}), "001101");
        QCOMPARE(split({{"block", Side::After}}), "000001");
        QCOMPARE(split({{"block.a@1", Side::After}}), "000101");
        QCOMPARE(split({{"block@2", Side::Before}}), "module 'block' has no call 2; the last is 'block@1'");
        QCOMPARE(split({{"block@x", Side::Before}}),
                 "'block@x' is neither a module nor a node of the model; did you mean 'block'?");
    }

    void regionsAndResults()
    {
        QCOMPARE(split({{"wrap_with_autocast", Side::Before}}), "001101");
        QCOMPARE(split({{"wrap_with_autocast", Side::After}}), "000001");
        QCOMPARE(split({{"getitem", Side::Before}}), "000001");
        QCOMPARE(split({{"x", Side::Before}}), "'x' is given to the model, and made by none of its nodes");
    }

    void checksDrawNothingBehindABoundary()
    {
        QCOMPARE(split({{"check", Side::Before}}), "000001");
        QCOMPARE(split({{"check", Side::After}}), "000001");
    }

    void specificationsOfPyTorch()
    {
        QCOMPARE(specSplit(R"({"block.a": "end"})"), "011212");
        QCOMPARE(specSplit(R"({"head": "beginning"})"), "000001");
        QCOMPARE(specSplit(R"({"block": "beginning"})"), "there is nothing before 'block@0'");
        QCOMPARE(specSplit(R"({"blok": "end"})"),
                 "'blok' is neither a module nor a node of the model; did you mean 'block'?");
        QCOMPARE(specSplit(R"({"block": "middle"})"),
                 "spec.json: 'block' is neither \"beginning\" nor \"end\"");
        QCOMPARE(specSplit(R"({"block": {"block": "end"}})"),
                 "spec.json: 'block' is neither \"beginning\" nor \"end\"");
        QVERIFY(specSplit("[]").startsWith("spec.json: a split specification is"));
        QVERIFY(specSplit("{").startsWith("spec.json"));
    }

    void boundariesThatMoveAreSaid()
    {
        const Graph graph = called();
        PartitionProblem problem = problemOf(graph, 2);
        problem.groups.push_back({{NodeId(1), NodeId(2)}, "they are one"});
        const std::vector<SplitPoint> points{{"block@1", Side::Before}};
        const auto plan = splitAt(graph, problem, points);
        QCOMPARE(planText(plan), "011111");
        QCOMPARE(movedBoundaries(graph, problem, points, *plan),
                 (std::vector<std::string>{"the boundary at 'block@1' is before 'b': they are one"}));
        problem.groups.back().nodes.insert(problem.groups.back().nodes.begin(), NodeId(0));
        const auto none = splitAt(graph, problem, points);
        QVERIFY(!none.has_value());
        QCOMPARE(QString::fromStdString(none.error().message),
                 "stage 1 would be empty: the boundary at 'block@1' is before 'a': they are one");
    }
};

QTEST_GUILESS_MAIN(TestSplitSpec)
#include "tst_split_spec.moc"
