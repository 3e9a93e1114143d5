// From model and profile to a problem: what counts, and what stays together.
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/plan/saved_bytes.h"
#include "core/plan/sources/model_groups.h"
#include "core/plan/sources/model_problem.h"
#include "core/plan/split_spec.h"
#include "core/plan/stage_cost.h"
#include "core/search/search.h"
#include "tests/core/graph_text/graph_text_parser.h"

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

// The five nodes of `skip` in two stages.
Partition cutBefore(std::size_t first)
{
    Partition plan{2, Table<NodeId, StageId>(5, StageId(0))};
    for (std::size_t node = first; node < 5; ++node)
        plan.stageOf[NodeId(node)] = StageId(1);
    return plan;
}

// Nodes of a flat profile, for backward.
std::int64_t keptBy(std::size_t nodes)
{
    return 16 * static_cast<std::int64_t>(nodes);
}

} // namespace

class TestModelProblem : public QObject
{
    Q_OBJECT

private slots:
    void figures();
    void inference();
    void writtenBuffersStayTogether();
    void boundariesBeforeWritersAreLegal();
    void opaqueValuesAreNotCut();
    void sizesMayBeCut();
    void orderEdgesHold();
    void sharedParametersAreCopiedOrTogether();
    void whatSeveralKeepEachStageHolds();
    void partsThatAreSentCountAlone();
    void modulesStayWhole();
    void looseNodesGoWithANeighbour();
    void checksDoNotTieModulesTogether();
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

void TestModelProblem::writtenBuffersStayTogether()
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
    // add_ and the other user of k; neg, view and relu_ need not: a stage writes to a copy.
    QCOMPARE(groups, (std::vector<std::vector<NodeId>>{{NodeId(4), NodeId(5)}}));
}

// What is written under one name may be cut at any write, and is sent once, whatever version it is.
void TestModelProblem::boundariesBeforeWritersAreLegal()
{
    const Model model = modelOf(parse("graph inplace\n"
                                      "  input %x : f32[4]\n"
                                      "  %a : f32[4] = aten::neg.default(self %x)\n"
                                      "  %b : f32[4] = aten::mul_.Scalar(self %a, other 2)\n"
                                      "  %r : f32[4] = aten::relu_.default(self %b)\n"
                                      "  %v : f32[2, 2] = aten::view.default(self %r, size [2, 2])\n"
                                      "  %s : f32[2, 2] = aten::sin.default(self %v)\n"
                                      "  return %s\n"));
    const auto problem = makeProblem(model, flatProfile(model.graph), {.stageCount = 4});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    QVERIFY(problem->groups.empty());
    QCOMPARE(problem->values.size(), std::size_t(4)); // %a up to its last write and behind it, %v and %s
    QCOMPARE(problem->values.front().producer, NodeId(0));
    QCOMPARE(problem->values.front().readers, (std::vector<NodeId>{NodeId(1), NodeId(2)}));
    QCOMPARE(problem->values[1].producer, NodeId(2));
    QCOMPARE(problem->values[1].readers, (std::vector<NodeId>{NodeId(3)}));
    const auto plan = splitAt(
        model.graph, *problem,
        {{"b", SplitPoint::Side::Before}, {"r", SplitPoint::Side::Before}, {"v", SplitPoint::Side::Before}});
    QVERIFY2(plan.has_value(), plan.has_value() ? "" : plan.error().message.c_str());
    QVERIFY(movedBoundaries(model.graph, *problem, {{"b", SplitPoint::Side::Before}}, *plan).empty());
}

// Whatever the plan, what makes a token and what takes it are in one stage.
void TestModelProblem::opaqueValuesAreNotCut()
{
    const Graph graph = parse("graph token\n"
                              "  input %x : f32[4]\n"
                              "  %a : f32[4] = aten::neg.default(self %x)\n"
                              "  %t : opaque = mine::begin.default(self %a)\n"
                              "  %b : f32[4] = aten::neg.default(self %a)\n"
                              "  %c : f32[4] = mine::end.default(self %b, token %t)\n"
                              "  %d : f32[4] = aten::neg.default(self %c)\n"
                              "  return %d\n");
    const std::vector<Colocation> groups = opaqueGroups(graph);
    QCOMPARE(nodesOf(groups), (std::vector<std::vector<NodeId>>{{NodeId(1), NodeId(3)}}));
    QCOMPARE(groups.front().reason, std::string("'t' cannot be sent"));
    QVERIFY(opaqueGroups(parse(skip)).empty());
    const Graph sparse = parse("graph sparse\n"
                               "  input %x : f32[4, 4]\n"
                               "  %s : f32[4, 4] layout coo = aten::to_sparse.default(self %x)\n"
                               "  %a : f32[4, 4] = aten::neg.default(self %x)\n"
                               "  %d : f32[4, 4] = aten::mm.default(self %s, mat2 %a)\n"
                               "  return %d\n");
    QCOMPARE(nodesOf(opaqueGroups(sparse)), (std::vector<std::vector<NodeId>>{{NodeId(0), NodeId(2)}}));

    const Model model = modelOf(graph);
    for (std::size_t stages = 2; stages <= 4; ++stages) {
        const auto problem = makeProblem(model, flatProfile(graph), {.stageCount = stages});
        QVERIFY(problem.has_value());
        QVERIFY(std::ranges::none_of(
            problem->values, [&](const ProblemValue& value) { return graph[value.value].name == "t"; }));
        const auto solution = solve(*problem);
        QVERIFY(solution.has_value());
        QCOMPARE(solution->partition.stageOf[NodeId(1)], solution->partition.stageOf[NodeId(3)]);
    }
    // The two are one of four parts.
    QCOMPARE(solve(*makeProblem(model, flatProfile(graph), {.stageCount = 5})).error().code,
             ErrorCode::Infeasible);
}

// A size is recomputed or sent for nothing: it may be cut, and costs no transfer.
void TestModelProblem::sizesMayBeCut()
{
    const Model model = modelOf(parse("graph sizes\n"
                                      "  symbol s0 hint 8 range 2..64\n"
                                      "  input %x : f32[s0, 4]\n"
                                      "  %n : size(s0) = aten::sym_size.int(self %x, dim 0)\n"
                                      "  %a : f32[s0, 4] = aten::neg.default(self %x)\n"
                                      "  %b : f32[s0, 4] = aten::expand.default(self %a, size [%n, 4])\n"
                                      "  return %b\n"));
    const auto problem = makeProblem(model, flatProfile(model.graph), {.stageCount = 2});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    const Partition plan{2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(1)})};
    QVERIFY(checkPartition(*problem, plan).has_value());
    const PlanCost cost = evaluate(*problem, plan);
    QCOMPARE(cost.boundaries[BoundaryId(0)].values.size(), std::size_t(1));
    QCOMPARE(model.graph[cost.boundaries[BoundaryId(0)].values.front()].name, std::string("a"));
    // But its maker may not come behind its reader.
    const Partition back{2, Table<NodeId, StageId>({StageId(1), StageId(0), StageId(0)})};
    QVERIFY(!checkPartition(*problem, back).has_value());
}

void TestModelProblem::orderEdgesHold()
{
    const Model model = modelOf(parse("graph order\n"
                                      "  input %x : f32[4]\n"
                                      "  input %y : f32[4]\n"
                                      "  %a : f32[4] = aten::neg.default(self %x)\n"
                                      "  %b : f32[4] = aten::neg.default(self %y) after a\n"
                                      "  %c : f32[4] = aten::add.Tensor(self %a, other %b)\n"
                                      "  return %c\n"));
    const auto problem = makeProblem(model, flatProfile(model.graph), {.stageCount = 2});
    QVERIFY(problem.has_value());
    const Precedence order{NodeId(0), NodeId(1)};
    QVERIFY(std::ranges::find(problem->precedences, order) != problem->precedences.end());
    const Partition against{2, Table<NodeId, StageId>({StageId(1), StageId(0), StageId(1)})};
    QVERIFY(!checkPartition(*problem, against).has_value());
    const Partition with{2, Table<NodeId, StageId>({StageId(0), StageId(1), StageId(1)})};
    QVERIFY(checkPartition(*problem, with).has_value());
}

// A parameter of two nodes: each stage that has one holds it whole, or they are kept together.
void TestModelProblem::sharedParametersAreCopiedOrTogether()
{
    const Model model = modelOf(parse(skip));
    PartitionOptions options{.stageCount = 2};
    const auto problem = makeProblem(model, flatProfile(model.graph), options);
    QVERIFY(problem.has_value());
    const Partition apart{
        2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(0), StageId(0), StageId(1)})};
    QVERIFY(checkPartition(*problem, apart).has_value());
    const PlanCost copied = evaluate(*problem, apart);
    const Bytes whole = problem->shared.front().stateBytes;
    QCOMPARE(copied.stages[StageId(0)].stateBytes, whole);
    QCOMPARE(copied.stages[StageId(1)].stateBytes, whole);

    options.keepTogether = {problem->shared.front().users};
    const auto together = makeProblem(model, flatProfile(model.graph), options);
    QVERIFY(together.has_value());
    QVERIFY(!checkPartition(*together, apart).has_value());
}

void TestModelProblem::whatSeveralKeepEachStageHolds()
{
    const Model model = modelOf(parse(skip));
    Profile profile = flatProfile(model.graph);
    profile.nodes[NodeId(0)].savedBytes = Bytes(100); // 84 of them also kept by two others
    profile.keptTogether = {{Bytes(84), {NodeId(0), NodeId(1), NodeId(4)}}};
    const PartitionProblem problem = makeProblem(model, profile, {.stageCount = 2}).value();
    for (std::size_t cut = 1; cut < 5; ++cut) {
        const Partition plan = cutBefore(cut);
        const PlanCost cost = evaluate(problem, plan);
        QCOMPARE(cost.stages[StageId(0)].savedBytes, Bytes(100 + keptBy(cut - 1)));
        QCOMPARE(cost.stages[StageId(1)].savedBytes, Bytes(84 + keptBy(5 - cut)));
    }
}

// The second node makes parts of what the first makes; the last keeps one of them, the fourth two.
void TestModelProblem::partsThatAreSentCountAlone()
{
    const Model model = modelOf(parse(skip));
    Profile profile = flatProfile(model.graph);
    profile.nodes[NodeId(3)].savedBytes = Bytes(16 + 90);
    profile.keptTogether = {{Bytes(90),
                             {NodeId(3), NodeId(4)},
                             {{Bytes(20), NodeId(1), {NodeId(3)}},
                              {Bytes(30), NodeId(1), {NodeId(3)}},
                              {Bytes(40), NodeId(1), {NodeId(4)}}}}};
    const PartitionProblem problem = makeProblem(model, profile, {.stageCount = 2}).value();
    const std::int64_t first[] = {0, 0, 0, 90}, second[] = {90, 90, 90, 40};
    for (std::size_t cut = 1; cut < 5; ++cut) {
        const Partition plan = cutBefore(cut);
        const PlanCost cost = evaluate(problem, plan);
        QCOMPARE(cost.stages[StageId(0)].savedBytes, Bytes(first[cut - 1] + keptBy(cut)));
        QCOMPARE(cost.stages[StageId(1)].savedBytes, Bytes(second[cut - 1] + keptBy(5 - cut)));
        Bytes sums[2];
        const Table<NodeId, Bytes> saved = savedInStages(profile, plan);
        for (const NodeId node : saved.ids())
            sums[plan.stageOf[node].index()] += saved[node];
        QCOMPARE(sums[0], cost.stages[StageId(0)].savedBytes);
        QCOMPARE(sums[1], cost.stages[StageId(1)].savedBytes);
    }
}

// Blocks kept whole by class and by depth, in every plan that the search gives.
void TestModelProblem::modulesStayWhole()
{
    std::string text = "graph blocks\n"
                       "  module layers \"torch.nn.ModuleList\"\n";
    for (int block = 0; block < 4; ++block)
        text += "  module layers." + std::to_string(block) + " \"mine.Block\"\n  module layers." +
                std::to_string(block) + ".act \"torch.nn.ReLU\"\n";
    text += "  input %x : f32[4]\n";
    std::string last = "x";
    for (int block = 0; block < 4; ++block) {
        for (const std::string name : {"a", "b", "c"}) {
            const std::string result = name + std::to_string(block);
            text += "  %" + result + " : f32[4] = aten::neg.default(self %" + last + ") @layers." +
                    std::to_string(block) + (name == "b" ? ".act\n" : "\n");
            last = result;
        }
    }
    const Model model = modelOf(parse((text + "  return %" + last + "\n").c_str()));
    const auto byClass = nodesOfClass(model.graph, "Block");
    const auto byDepth = nodesAtDepth(model.graph, 2);
    QVERIFY(byClass.has_value() && byDepth.has_value());
    QCOMPARE(*byClass, *byDepth);
    QCOMPARE(byClass->size(), std::size_t(4));
    const auto isWhole = [&](const Partition& plan) {
        return std::ranges::all_of(*byClass, [&](const std::vector<NodeId>& block) {
            return std::ranges::all_of(
                block, [&](NodeId node) { return plan.stageOf[node] == plan.stageOf[block.front()]; });
        });
    };
    PartitionOptions options{.stageCount = 3};
    const auto free = solve(*makeProblem(model, flatProfile(model.graph), options));
    options.keepTogether = *byClass;
    const auto kept = solve(*makeProblem(model, flatProfile(model.graph), options));
    QVERIFY(free.has_value() && kept.has_value());
    QVERIFY(!isWhole(free->partition)); // 12 nodes are more even in three stages
    QVERIFY(isWhole(kept->partition));
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

// What a person asks of modules does not hold the checks in them, which look at what the module before makes.
void TestModelProblem::checksDoNotTieModulesTogether()
{
    const Model model = modelOf(parse("graph checked\n"
                                      "  input %x : f32[4]\n"
                                      "  %a : f32[4] = aten::neg.default(self %x)\n"
                                      "  aten::_assert_async.default(self %a) named check\n"
                                      "  %b : f32[4] = aten::neg.default(self %a)\n"
                                      "  %c : f32[4] = aten::neg.default(self %b)\n"
                                      "  return %c\n"));
    PartitionOptions options{.stageCount = 3};
    options.keepTogether = {{NodeId(0)}, {NodeId(1), NodeId(2)}};
    options.pins = {{NodeId(1), StageId(1)}, {NodeId(2), StageId(1)}};
    const auto problem = makeProblem(model, flatProfile(model.graph), options);
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    const Partition plan{3, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(1), StageId(2)})};
    const auto legal = checkPartition(*problem, plan);
    QVERIFY2(legal.has_value(), legal.has_value() ? "" : legal.error().message.c_str());

    options.pins.clear();
    options.stageCount = 2;
    const auto free = makeProblem(model, flatProfile(model.graph), options);
    const Partition together{2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(0), StageId(1)})};
    const std::vector<NodeId> module{NodeId(1), NodeId(2)};
    const auto sent = sendNodes(*free, together, module, StageId(1));
    QVERIFY(sent.has_value());
    QCOMPARE(sent->moved, std::vector<NodeId>{NodeId(2)});
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
