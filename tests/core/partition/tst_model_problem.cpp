// From model and profile to a problem: what counts, and what stays together.
#include "core/graph/graph_text.h"
#include "core/partition/model_groups.h"
#include "core/partition/model_problem.h"
#include "core/partition/search.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;

namespace {

Graph parse(const char* text)
{
    auto graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(graph).value();
}

Model modelOf(Graph graph)
{
    return Model{.name = "m", .graph = std::move(graph)};
}

// One second and 16 bytes everywhere.
Profile flatProfile(const Graph& graph)
{
    Profile profile;
    profile.nodes = Table<NodeId, NodeCost>(graph.nodeCount());
    for (NodeCost& cost : profile.nodes) {
        cost.forward.time = Seconds(1);
        cost.backwardInput.time = Seconds(1);
        cost.backwardWeight.time = Seconds(1);
        cost.savedBytes = Bytes(16);
        cost.temporaryPeak = Bytes(4);
    }
    profile.valueBytes = Table<ValueId, Bytes>(graph.valueCount(), Bytes(16));
    profile.needsGradient = Table<ValueId, char>(graph.valueCount(), 1);
    profile.totals.gradientBytes = Bytes(16);
    profile.totals.optimizerBytes = Bytes(32);
    profile.options.device.linkBandwidth = 100;
    profile.options.device.linkLatency = Seconds(0.5);
    return profile;
}

const char* const skip = "graph skip\n"
                         "  input %x : f32[4]\n"
                         "  param %w \"w\" : f32[4]\n"
                         "  %a : f32[4] = aten::mul.Tensor(self %x, other %w)\n"
                         "  %b : f32[4] = aten::relu.default(self %a)\n"
                         "  %n : size(4) = aten::sym_size.int(self %b, dim 0)\n"
                         "  %c : f32[4] = aten::add.Tensor(self %b, other %a)\n"
                         "  %d : f32[4] = aten::mul.Tensor(self %c, other %w)\n"
                         "  return %b, %d\n";

std::vector<std::vector<NodeId>> nodesOf(const std::vector<Colocation>& groups)
{
    std::vector<std::vector<NodeId>> nodes;
    for (const Colocation& group : groups)
        nodes.push_back(group.nodes);
    return nodes;
}

} // namespace

class TestModelProblem : public QObject
{
    Q_OBJECT

private slots:
    void figures();
    void inference();
    void writtenStorageStaysTogether();
    void opaqueValuesAreNotCut();
    void looseNodesGoWithANeighbour();
    void ownConstraints();
    void wrongProfile();
};

void TestModelProblem::figures()
{
    const Model model = modelOf(parse(skip));
    const auto problem = makeProblem(model, flatProfile(model.graph), {.stageCount = 2});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    QCOMPARE(problem->nodes.size(), std::size_t(5));
    QCOMPARE(problem->values.size(), std::size_t(4)); // a, b, c, d: no input, parameter or size
    for (const ProblemValue& value : problem->values) {
        const std::string& name = model.graph[value.value].name;
        QCOMPARE(value.returned, name == "b" || name == "d");
        QCOMPARE(transferTime(*problem, value, 0).value(), 2 * (0.5 + 0.16));
    }
    QCOMPARE(problem->shared.size(), std::size_t(1));
    QCOMPARE(problem->shared.front().name, std::string("w"));
    QCOMPARE(problem->shared.front().parameterBytes.count(), 16);
    QCOMPARE(problem->shared.front().stateBytes.count(), 16 + 16 + 32); // with gradient and optimizer state
    QCOMPARE(problem->shared.front().users.size(), std::size_t(2));
    const auto solution = solve(*problem);
    QVERIFY(solution.has_value());
    QVERIFY(solution->proven());
}

void TestModelProblem::inference()
{
    const Model model = modelOf(parse(skip));
    Profile profile = flatProfile(model.graph);
    profile.options.mode = TrainingMode::Infer;
    const auto problem = makeProblem(model, profile, {.stageCount = 2});
    QCOMPARE(problem->nodes[NodeId(0)].time().value(), 1.0);
    QCOMPARE(problem->nodes[NodeId(0)].saved.count(), 0);
    QCOMPARE(problem->values.front().backwardBytes.count(), 0);
    QCOMPARE(problem->shared.front().stateBytes.count(), 16);
}

void TestModelProblem::writtenStorageStaysTogether()
{
    const Model model = modelOf(parse("graph inplace\n"
                                      "  input %x : f32[4]\n"
                                      "  buffer %k \"k\" : f32[4]\n"
                                      "  %a : f32[4] = aten::neg.default(self %x)\n"
                                      "  %v : f32[4] = aten::view.default(self %a, size [4])\n"
                                      "  %r : f32[4] = aten::relu_.default(self %v)\n"
                                      "  %s : f32[4] = aten::sin.default(self %r)\n"
                                      "  %t : f32[4] = aten::add_.Tensor(self %k, other %s)\n"
                                      "  %u : f32[4] = aten::mul.Tensor(self %s, other %k) after t\n"
                                      "  return %u\n"));
    const auto problem = makeProblem(model, flatProfile(model.graph), {.stageCount = 2});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    const auto groups = nodesOf(problem->groups);
    const std::vector<NodeId> written{NodeId(0), NodeId(1), NodeId(2)}; // neg, view, relu_
    const std::vector<NodeId> buffer{NodeId(4), NodeId(5)};             // add_ and the other user of k
    QVERIFY(std::ranges::find(groups, written) != groups.end());
    QVERIFY(std::ranges::find(groups, buffer) != groups.end());
}

void TestModelProblem::opaqueValuesAreNotCut()
{
    const Graph graph = parse("graph token\n"
                              "  input %x : f32[4]\n"
                              "  %a : f32[4] = aten::neg.default(self %x)\n"
                              "  %b : f32[4] = aten::neg.default(self %a)\n"
                              "  return %b\n");
    QVERIFY(opaqueGroups(graph).empty());
}

void TestModelProblem::looseNodesGoWithANeighbour()
{
    const Graph graph = parse("graph loose\n"
                              "  input %x : f32[4]\n"
                              "  buffer %n \"n\" : i64[]\n"
                              "  %a : f32[4] = aten::neg.default(self %x)\n"
                              "  %count : i64[] = aten::add_.Tensor(self %n, other 1)\n"
                              "  %b : f32[4] = aten::neg.default(self %a)\n"
                              "  aten::_assert_async.default(self %a) named check\n"
                              "  return %b\n");
    QCOMPARE(nodesOf(looseNodeGroups(graph)),
             (std::vector<std::vector<NodeId>>{{NodeId(1), NodeId(2)}, {NodeId(0), NodeId(3)}}));
}

void TestModelProblem::ownConstraints()
{
    const Model model = modelOf(parse(skip));
    PartitionOptions options{.stageCount = 2};
    options.keepTogether = {{NodeId(0), NodeId(1)}};
    options.neverCut = {*model.graph.findValue("c")};
    const auto problem = makeProblem(model, flatProfile(model.graph), options);
    QVERIFY(problem.has_value());
    Partition plan{2, Table<NodeId, StageId>({StageId(0), StageId(1), StageId(1), StageId(1), StageId(1)})};
    QCOMPARE(checkPartition(*problem, plan).error().message,
             std::string("'a' and 'b' must share a stage: kept together"));
    plan.stageOf = Table<NodeId, StageId>({StageId(0), StageId(0), StageId(0), StageId(0), StageId(1)});
    QCOMPARE(checkPartition(*problem, plan).error().message,
             std::string("'d' and 'c' must share a stage: 'c' is never cut"));
}

void TestModelProblem::wrongProfile()
{
    const Model model = modelOf(parse(skip));
    const auto problem = makeProblem(model, Profile{}, {.stageCount = 2});
    QVERIFY(!problem.has_value());
    QCOMPARE(problem.error().message,
             std::string("the profile was made for another model: it has 0 nodes, not 5"));
    const auto stages = makeProblem(model, flatProfile(model.graph), {.stageCount = 9});
    QCOMPARE(stages.error().message, std::string("cannot make 9 stages of 5 nodes"));
}

QTEST_GUILESS_MAIN(TestModelProblem)
#include "tst_model_problem.moc"
