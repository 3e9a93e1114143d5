// Editing by hand: boundaries, nodes that follow, refusals; split points by name.
#include "core/graph/graph_builder.h"
#include "core/load/split_mark.h"
#include "core/plan/editing.h"
#include "core/plan/split_spec.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include "random_problem.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

// n0 - n1 - ... - n5, two stages of three.
PartitionProblem chainProblem(std::size_t stages)
{
    PartitionProblem problem;
    problem.options.stageCount = stages;
    completeOptions(problem.options, {});
    for (std::size_t i = 0; i < 6; ++i) {
        problem.nodes.add({.name = "n" + std::to_string(i), .forward = Seconds(1)});
        if (i > 0)
            problem.precedences.push_back({NodeId(i - 1), NodeId(i)});
    }
    return problem;
}

Partition planOf(std::initializer_list<std::size_t> stages)
{
    Partition plan{1, {}};
    for (const std::size_t stage : stages) {
        plan.stageOf.add(StageId(stage));
        plan.stageCount = std::max(plan.stageCount, stage + 1);
    }
    return plan;
}

template <class T>
QString messageOf(const Result<T>& result)
{
    return result.has_value() ? QStringLiteral("(it worked)")
                              : QString::fromStdString(result.error().message);
}

using Positions = std::vector<std::size_t>;
using Nodes = std::vector<NodeId>;

// Six nodes in three modules of two, one second each but for the last one's three.
PartitionProblem stepProblem(std::size_t stages)
{
    PartitionProblem problem = chainProblem(stages);
    for (const NodeId node : problem.nodes.ids())
        problem.nodes[node].module = "m" + std::to_string(node.index() / 2);
    problem.nodes[NodeId(5)].forward = Seconds(3);
    return problem;
}

Partition cutAt(std::size_t position)
{
    Partition partition = singleStage(6);
    partition.stageCount = 2;
    for (const NodeId node : partition.stageOf.ids())
        partition.stageOf[node] = StageId(node.index() < position ? 0 : 1);
    return partition;
}

// Where a step takes the boundary; none: it cannot go that way.
std::optional<std::size_t> step(std::size_t position, StageDirection direction, BoundaryStep step)
{
    const auto move = stepBoundary(stepProblem(2), cutAt(position), BoundaryId(0), direction, step);
    if (!move.has_value())
        return {};
    if (move->from != position || move->partition != cutAt(move->to))
        qFatal("the step is not where it says");
    return move->to;
}

} // namespace

class TestEditing : public QObject
{
    Q_OBJECT

private slots:
    void stageOrderAndBoundaries();
    void movesABoundary();
    void constraintsBlockPositions();
    void everyLegalPositionIsLegal();
    void followers();
    void refusals();
    void addsAndRemovesABoundary();
    void splitsByName();
    void splitsAtMarks();
    void badSplits();
    void onePlaceIsTheNextLegalOne();
    void aModuleStepGoesToWhereAnotherModuleBegins();
    void theBestPlaceBalancesItsTwoStages();
    void theMiddleOfAStageIsByTime();
};

void TestEditing::stageOrderAndBoundaries()
{
    const StageOrder order = stageOrder(planOf({0, 1, 0, 2, 1}));
    QCOMPARE(order.nodes, (Nodes{NodeId(0), NodeId(2), NodeId(1), NodeId(4), NodeId(3)}));
    QCOMPARE(order.boundaries, (Positions{2, 4}));
}

void TestEditing::movesABoundary()
{
    const PartitionProblem problem = chainProblem(2);
    const Partition plan = planOf({0, 0, 0, 1, 1, 1});
    QCOMPARE(legalPositions(problem, plan, BoundaryId(0)), (Positions{1, 2, 3, 4, 5}));
    const auto left = moveBoundary(problem, plan, BoundaryId(0), 1);
    QVERIFY(left.has_value());
    QVERIFY(left->partition == planOf({0, 1, 1, 1, 1, 1}));
    QCOMPARE(left->moved, (Nodes{NodeId(1), NodeId(2)}));
    const auto farRight = moveBoundary(problem, plan, BoundaryId(0), 99); // to the nearest legal place
    QVERIFY(farRight->partition == planOf({0, 0, 0, 0, 0, 1}));
    QCOMPARE(messageOf(moveBoundary(problem, plan, BoundaryId(1), 3)),
             QStringLiteral("there is no boundary 2|3"));
}

void TestEditing::constraintsBlockPositions()
{
    PartitionProblem problem = chainProblem(2);
    problem.groups.push_back({{NodeId(1), NodeId(2)}, "kept together"});
    const Partition plan = planOf({0, 0, 0, 1, 1, 1});
    QCOMPARE(legalPositions(problem, plan, BoundaryId(0)), (Positions{1, 3, 4, 5}));
    problem.options.pins = {{NodeId(4), StageId(1)}};
    QCOMPARE(legalPositions(problem, plan, BoundaryId(0)), (Positions{1, 3, 4}));
    problem.options.pins.push_back({NodeId(0), StageId(0)});
    QCOMPARE(legalPositions(problem, plan, BoundaryId(0)), (Positions{1, 3, 4}));
    problem.options.emptyStages = EmptyStages::Allow;
    problem.options.pins.clear();
    QCOMPARE(legalPositions(problem, plan, BoundaryId(0)), (Positions{0, 1, 3, 4, 5, 6}));
}

// What legalPositions says is what checkPartition says, for random graphs and plans.
void TestEditing::everyLegalPositionIsLegal()
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = 12;
        shape.withGroups = true;
        shape.withPins = seed % 2 == 0;
        const PartitionProblem problem = randomProblem(random, shape);
        Partition plan = planOf({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
        if (!checkPartition(problem, plan).has_value())
            continue;
        const StageOrder order = stageOrder(plan);
        const Positions legal = legalPositions(problem, plan, BoundaryId(1));
        for (std::size_t position = order.boundaries[0]; position <= order.nodes.size(); ++position) {
            Partition trial = plan;
            for (std::size_t i = order.boundaries[0]; i < order.nodes.size(); ++i)
                trial.stageOf[order.nodes[i]] = StageId(i < position ? 1 : 2);
            QCOMPARE(checkPartition(problem, trial).has_value(),
                     std::ranges::find(legal, position) != legal.end());
        }
    }
}

void TestEditing::followers()
{
    PartitionProblem problem = chainProblem(3);
    problem.groups.push_back({{NodeId(4), NodeId(5)}, "kept together"});
    const Partition plan = planOf({0, 0, 1, 1, 2, 2});
    const std::vector<NodeId> first{NodeId(0)};
    const std::vector<NodeId> third{NodeId(2)};
    const auto down = sendToNeighbour(problem, plan, third, StageDirection::Next); // n3 is behind n2
    QVERIFY(!down.has_value()); // and stage 1 would be empty
    QCOMPARE(messageOf(down), QStringLiteral("stage 2 would be empty"));
    const auto next = sendNodes(problem, plan, std::vector<NodeId>{NodeId(3)}, StageId(2));
    QVERIFY(next.has_value());
    QCOMPARE(next->moved, (Nodes{NodeId(3)}));
    const auto follow =
        sendNodes(problem, planOf({0, 0, 0, 1, 2, 2}), std::vector<NodeId>{NodeId(1)}, StageId(1));
    QVERIFY(follow.has_value());
    QCOMPARE(follow->moved, (Nodes{NodeId(1), NodeId(2)}));
    const auto back = sendToNeighbour(problem, planOf({0, 0, 1, 1, 2, 2}), third, StageDirection::Previous);
    QVERIFY(back.has_value());
    QCOMPARE(back->moved, (Nodes{NodeId(2)}));
}

void TestEditing::refusals()
{
    PartitionProblem problem = chainProblem(2);
    problem.options.pins = {{NodeId(2), StageId(0)}};
    const Partition plan = planOf({0, 0, 0, 1, 1, 1});
    QCOMPARE(messageOf(sendToNeighbour(problem, plan, std::vector<NodeId>{NodeId(1)}, StageDirection::Next)),
             QStringLiteral("'n2' is pinned to stage 1"));
    QCOMPARE(messageOf(sendToNeighbour(problem, plan, std::vector<NodeId>{NodeId(4)}, StageDirection::Next)),
             QStringLiteral("'n4' is in the last stage already"));
    QCOMPARE(
        messageOf(sendToNeighbour(problem, plan, std::vector<NodeId>{NodeId(0)}, StageDirection::Previous)),
        QStringLiteral("'n0' is in the first stage already"));
    QCOMPARE(messageOf(sendNodes(problem, plan, {}, StageId(1))), QStringLiteral("no nodes are chosen"));
    QCOMPARE(messageOf(sendNodes(problem, plan, std::vector<NodeId>{NodeId(0)}, StageId(5))),
             QStringLiteral("there is no stage 6"));
}

void TestEditing::addsAndRemovesABoundary()
{
    PartitionProblem problem = chainProblem(2);
    problem.options.pins = {{NodeId(5), StageId(1)}};
    const auto added = addBoundary(problem, planOf({0, 0, 0, 1, 1, 1}), 4);
    QVERIFY(added.has_value());
    QVERIFY(added->partition == planOf({0, 0, 0, 1, 2, 2}));
    QCOMPARE(added->problem.options.pins.front().stage, StageId(2));
    QVERIFY(checkPartition(added->problem, added->partition).has_value());
    const auto removed = removeBoundary(added->problem, added->partition, BoundaryId(0));
    QVERIFY(removed.has_value());
    QVERIFY(removed->partition == planOf({0, 0, 0, 0, 1, 1}));
    QVERIFY(checkPartition(removed->problem, removed->partition).has_value());
    QCOMPARE(messageOf(addBoundary(withStageCount(chainProblem(1), 6), planOf({0, 1, 2, 3, 4, 5}), 2)),
             QStringLiteral("stage 3 cannot be split: its nodes belong together"));
}

namespace {

Graph layers()
{
    return parseGraph("graph layers\n"
                      "  input %x : f32[4]\n"
                      "  %a : f32[4] = aten::relu.default(self %x) @model.layers.0\n"
                      "  %b : f32[4] = aten::relu.default(self %a) @model.layers.0\n"
                      "  %c : f32[4] = aten::relu.default(self %b) @model.layers.1\n"
                      "  %d : f32[4] = aten::relu.default(self %c) @model.layers.1\n"
                      "  %e : f32[4] = aten::relu.default(self %d) @head\n"
                      "  return %e\n")
        .value();
}

PartitionProblem problemOf(const Graph& graph, std::size_t stages)
{
    PartitionProblem problem;
    problem.options.stageCount = stages;
    completeOptions(problem.options, {});
    for (NodeId node : graph.nodes()) {
        problem.nodes.add({.name = graph[node].name});
        for (NodeId after : graph.successors(node))
            problem.precedences.push_back({node, after});
    }
    return problem;
}

Value tensor(const std::string& name)
{
    Value value;
    value.name = name;
    value.meta = contiguousMeta(DType::F32, {4});
    return value;
}

// A chain of so many nodes; marks stand before those of these numbers.
Graph chain(std::size_t count, const std::set<std::size_t>& marks)
{
    GraphBuilder builder("chain");
    ValueId last = builder.addInput(tensor("x"));
    const ModuleId module = builder.addModule("n2");
    for (std::size_t i = 0; i < count; ++i) {
        Node node;
        node.name = "n" + std::to_string(i);
        node.target = "t::f";
        node.arguments = {{"", last, ArgumentPassing::Positional}};
        last = builder.addValue(tensor(node.name));
        node.outputs = {{NodeOutput::Kind::Value, {last}}};
        node.module = i == 1 ? module : ModuleTree::root();
        if (marks.contains(i))
            node.metadata.emplace_back(splitMarkNote, "");
        builder.addNode(std::move(node));
    }
    builder.addOutput(last);
    return std::move(builder).finish().value();
}

} // namespace

void TestEditing::splitsByName()
{
    const Graph graph = layers();
    using Side = SplitPoint::Side;
    const auto plan =
        splitAt(graph, problemOf(graph, 3), {{"head", Side::Before}, {"model.layers.0", Side::After}});
    QVERIFY(plan.has_value());
    QVERIFY(*plan == planOf({0, 0, 1, 1, 2}));
    const auto byNode = splitAt(graph, problemOf(graph, 2), {{"d", Side::Before}});
    QVERIFY(*byNode == planOf({0, 0, 0, 1, 1}));
    PartitionProblem grouped = problemOf(graph, 2);
    grouped.groups.push_back({{NodeId(1), NodeId(2)}, "kept together"});
    QVERIFY(*splitAt(graph, grouped, {{"model.layers.1", Side::Before}}) == planOf({0, 1, 1, 1, 1}));
}

void TestEditing::splitsAtMarks()
{
    const Graph marked = chain(4, {0, 2, 3});
    const std::vector<SplitPoint> points = markedSplit(marked);
    QCOMPARE(stagesOfSplit(points), std::size_t(3));
    const auto plan = splitAt(marked, problemOf(marked, 3), points);
    QVERIFY(plan.has_value());
    QVERIFY(*plan == planOf({0, 0, 1, 2})); // before the node n2, not the module of that name
    QVERIFY(markedSplit(layers()).empty());
}

void TestEditing::badSplits()
{
    const Graph graph = layers();
    using Side = SplitPoint::Side;
    const PartitionProblem two = problemOf(graph, 2);
    QCOMPARE(messageOf(splitAt(graph, two, {{"model.layrs.1", Side::Before}})),
             QStringLiteral("'model.layrs.1': module 'model' has no 'layrs'; did you mean 'layers'?"));
    QCOMPARE(messageOf(splitAt(graph, two, {{"model.layers.7", Side::Before}})),
             QStringLiteral("'model.layers.7': module 'model.layers' has no '7'; did you mean '0', '1'?"));
    QCOMPARE(messageOf(splitAt(graph, two, {{"heat", Side::Before}})),
             QStringLiteral("'heat' is neither a module nor a node of the model; did you mean 'head'?"));
    QCOMPARE(messageOf(splitAt(graph, two, {{"layers.1", Side::Before}})),
             QStringLiteral("'layers.1' is neither a module nor a node of the model; did you mean "
                            "'model.layers.1'?"));
    QCOMPARE(messageOf(splitAt(graph, two, {{"a", Side::Before}})),
             QStringLiteral("there is nothing before 'a'"));
    QCOMPARE(messageOf(splitAt(graph, two, {{"head", Side::After}})),
             QStringLiteral("there is nothing after 'head'"));
    QCOMPARE(messageOf(splitAt(graph, problemOf(graph, 3),
                               {{"c", Side::Before}, {"model.layers.1", Side::Before}})),
             QStringLiteral("'c' and 'model.layers.1' split at the same place"));
    QCOMPARE(messageOf(splitAt(graph, two, {})), QStringLiteral("0 split points make 1 stages, not 2"));
}

void TestEditing::onePlaceIsTheNextLegalOne()
{
    QCOMPARE(step(3, StageDirection::Next, BoundaryStep::OnePlace), 4);
    QCOMPARE(step(3, StageDirection::Previous, BoundaryStep::OnePlace), 2);
    QVERIFY(!step(5, StageDirection::Next, BoundaryStep::OnePlace)); // no stage may be empty
    QVERIFY(!step(1, StageDirection::Previous, BoundaryStep::OnePlace));
}

void TestEditing::aModuleStepGoesToWhereAnotherModuleBegins()
{
    QCOMPARE(step(3, StageDirection::Next, BoundaryStep::OneModule), 4);
    QCOMPARE(step(2, StageDirection::Next, BoundaryStep::OneModule), 4);
    QCOMPARE(step(3, StageDirection::Previous, BoundaryStep::OneModule), 2);
}

void TestEditing::theBestPlaceBalancesItsTwoStages()
{
    // 8 seconds in all: 1 1 1 1 | 1 3
    QCOMPARE(step(1, StageDirection::Next, BoundaryStep::BestNearby), 4);
    QCOMPARE(step(5, StageDirection::Next, BoundaryStep::BestNearby), 4);
    QVERIFY(!step(4, StageDirection::Next, BoundaryStep::BestNearby)); // it is there
}

void TestEditing::theMiddleOfAStageIsByTime()
{
    QCOMPARE(middleOfStage(stepProblem(2), cutAt(2), StageId(1)), 5); // 1 1 1 | 3
    QCOMPARE(middleOfStage(stepProblem(2), cutAt(2), StageId(0)), 1);
    QVERIFY(!middleOfStage(stepProblem(2), cutAt(1), StageId(0))); // one node cannot be split
}

QTEST_GUILESS_MAIN(TestEditing)
#include "tst_editing.moc"
