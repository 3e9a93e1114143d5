// Which storage may be cut between its writes, and whether a plan counts what the stages then send.
#include "core/load/operator_schema.h"
#include "core/plan/evaluate.h"
#include "core/plan/sources/model_problem.h"
#include "core/plan/sources/written_storage.h"
#include "core/plan/sources/written_values.h"
#include "core/stage/cut.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stagecraft;

namespace {

Model modelOf(const std::string& text)
{
    auto graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return Model{.name = "m", .graph = std::move(graph).value()};
}

Bytes bytesOf(const Graph& graph, ValueId value)
{
    std::int64_t count = 4;
    for (const SymInt& size : graph[value].meta->sizes)
        count *= size.constant();
    return Bytes(count);
}

// A second a node, four bytes an element; a gradient through what is named.
Profile profileOf(const Graph& graph, const std::vector<std::string>& withGradient)
{
    Profile profile;
    profile.nodes = Table<NodeId, NodeCost>(graph.nodeCount());
    for (NodeCost& cost : profile.nodes)
        cost.forward.time = Seconds(1);
    profile.valueBytes = Table<ValueId, Bytes>(graph.valueCount());
    profile.needsGradient = Table<ValueId, char>(graph.valueCount(), 0);
    for (const ValueId value : graph.values())
        profile.valueBytes[value] = bytesOf(graph, value);
    for (const std::string& name : withGradient)
        profile.needsGradient[*graph.findValue(name)] = 1;
    profile.options.device.linkBandwidth = 100;
    return profile;
}

std::map<ValueId, WrittenStorage> separable(const Graph& graph)
{
    return separableStorage(graph, findStorageUse(graph));
}

// "out until aw: out": a span's writer, and what is sent up to it.
QStringList spansOf(const Graph& graph)
{
    QStringList spans;
    for (const auto& [set, written] : separable(graph))
        for (const WriteSpan& span : written.spans)
            spans << QString::fromStdString(graph[span.begin].name + " to " + graph[span.end].name + ": " +
                                            graph[span.sent].name);
    return spans;
}

// The rows of a tensor are filled one after the other.
const char* const rows = R"(graph rows
  input %x : f32[4]
  %y : f32[4] = aten::neg.default(self %x)
  %out : f32[2, 4] = aten::expand_copy.default(self %x, size [2, 4])
  %a : f32[4] = aten::select.int(self %out, dim 0, index 0)
  %aw : f32[4] = aten::copy_.default(self %a, src %x)
  %b : f32[4] = aten::select.int(self %out, dim 0, index 1) after aw
  %bw : f32[4] = aten::copy_.default(self %b, src %y)
  %r : f32[2, 4] = aten::neg.default(self %out) after bw
  return %r
)";

// Two views live through both writes, and are read in between and afterwards.
const char* const halves = R"(graph halves
  input %x : f32[8]
  %w : f32[8] = aten::neg.default(self %x)
  %lo : f32[4] = aten::slice.Tensor(self %w, dim 0, start 0, end 4)
  %hi : f32[4] = aten::slice.Tensor(self %w, dim 0, start 4, end 8)
  %lw : f32[4] = aten::relu_.default(self %lo)
  %m : f32[4] = aten::sin.default(self %hi) after lw
  %hw : f32[4] = aten::relu_.default(self %hi) after m
  %s : f32[4] = aten::add.Tensor(self %lo, other %m) after hw
  %t : f32[8] = aten::neg.default(self %w) after hw
  return %s, %t, %hw
)";

// Only the view is read: from the first write on it alone is sent.
const char* const narrowed = R"(graph narrowed
  input %x : f32[8]
  %w : f32[8] = aten::neg.default(self %x)
  %v : f32[2] = aten::slice.Tensor(self %w, dim 0, start 0, end 2)
  %r : f32[2] = aten::relu_.default(self %v)
  %q : f32[2] = aten::sin_.default(self %r)
  %s : f32[2] = aten::sin.default(self %q)
  return %s
)";

// The view overlaps itself and cannot be sent: what it is a view of is, before and behind the write.
const char* const windows = R"(graph windows
  input %x : f32[4]
  %w : f32[4] = aten::neg.default(self %x)
  %v : f32[3, 2] strides [1, 1] = aten::unfold.default(self %w, dimension 0, size 2, step 1)
  %s : f32[3, 2] = aten::sin.default(self %v)
  %r : f32[4] = aten::relu_.default(self %w) after s
  %t : f32[3, 2] = aten::neg.default(self %v) after r
  %u : f32[3, 2] strides [1, 1] = aten::unfold.default(self %r, dimension 0, size 2, step 1)
  %q : f32[3, 2] = aten::add.Tensor(self %u, other %t)
  return %q, %s
)";

} // namespace

class TestWrittenStorage : public QObject
{
    Q_OBJECT

private slots:
    void oneTensorIsSentBetweenWrites();
    void gradientsAreSentFromTheWriteOn();
    void whatIsSentBehindTheLastWriteCountsOnce();
    void plansCountWhatStagesSend_data();
    void plansCountWhatStagesSend();
    void otherStorageStaysTogether_data();
    void otherStorageStaysTogether();
    void detachedPartsStayTogether();
};

void TestWrittenStorage::oneTensorIsSentBetweenWrites()
{
    QCOMPARE(spansOf(modelOf(rows).graph), (QStringList{"out to aw: out", "aw to bw: out"}));
    QCOMPARE(spansOf(modelOf(halves).graph), (QStringList{"w to lw: w", "lw to hw: w"}));
    QCOMPARE(spansOf(modelOf(narrowed).graph), (QStringList{"w to r: w", "r to q: v"}));
}

// What is written brings the gradient: before, none flows.
void TestWrittenStorage::gradientsAreSentFromTheWriteOn()
{
    const Model model = modelOf(rows);
    const auto problem = makeProblem(model, profileOf(model.graph, {"y", "bw", "r"}), {.stageCount = 2});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    QVERIFY(problem->groups.empty());
    QStringList sent;
    for (const ProblemValue& value : problem->values)
        sent << QString("%1 of %2 read by %3: %4 + %5")
                    .arg(QString::fromStdString(model.graph[value.value].name),
                         QString::fromStdString(model.graph[value.producer].name))
                    .arg(value.readers.size())
                    .arg(value.forwardBytes.count())
                    .arg(value.backwardBytes.count());
    QCOMPARE(sent, (QStringList{"y of y read by 1: 16 + 16", "out of out read by 4: 32 + 0",
                                "bw of bw read by 1: 32 + 32", "r of r read by 0: 32 + 32"}));
}

// Autograd keeps what relu_ makes in its stage, and where it is read: that is what is sent. Before, a stage
// keeps a copy of what it receives.
void TestWrittenStorage::whatIsSentBehindTheLastWriteCountsOnce()
{
    const Model model = modelOf(R"(graph g
  input %x : f32[4]
  %y : f32[4] = aten::neg.default(self %x)
  %w : f32[4] = aten::relu_.default(self %y)
  %a : f32[4] = aten::relu.default(self %w)
  %z : f32[4] = aten::mul.Tensor(self %w, other %a)
  return %z
)");
    const auto node = [&](const char* name) { return *model.graph[*model.graph.findValue(name)].producer; };
    Profile profile = profileOf(model.graph, {"y", "w", "a", "z"});
    for (NodeCost& cost : profile.nodes)
        cost.backwardInput.time = Seconds(1);
    profile.keptBy = Table<ValueId, std::vector<NodeId>>(model.graph.valueCount());
    profile.keptBy[*model.graph.findValue("y")] = {node("w"), node("z")}; // the storage
    PartitionOptions options{.stageCount = 2, .microbatches = 4};
    options.runtime = PipelineRuntime::Torch214;
    const auto problem = makeProblem(model, profile, options);
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    PartitionProblem twice = *problem;
    for (ProblemValue& value : twice.values)
        value.keepers.clear();
    // Less than if all were counted twice, in tensors of all microbatches that the stage has in flight.
    const auto saved = [&](const char* first, std::size_t stage) {
        Partition plan{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
        for (const NodeId each : model.graph.nodes())
            plan.stageOf[each] = StageId(each >= node(first) ? 1 : 0);
        const StageCost once = evaluate(*problem, plan).stages[StageId(stage)];
        const Bytes less = evaluate(twice, plan).stages[StageId(stage)].runtimeBytes - once.runtimeBytes;
        return less.count() / (16 * static_cast<std::int64_t>(once.inFlight));
    };
    QCOMPARE(saved("w", 0), 0);
    QCOMPARE(saved("w", 1), 0);
    QCOMPARE(saved("a", 0), 1);
    QCOMPARE(saved("a", 1), 1);
    // A checkpoint region keeps what %y is, and sends it.
    profile.keptBy[*model.graph.findValue("y")] = {node("y"), node("w"), node("z")};
    const auto kept = makeProblem(model, profile, options);
    QVERIFY2(kept.has_value(), kept.has_value() ? "" : kept.error().message.c_str());
    Partition plan{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(1))};
    plan.stageOf[node("y")] = StageId(0);
    const PlanCost without = evaluate(twice, plan), with = evaluate(*kept, plan);
    const StageCost& first = with.stages[StageId(0)];
    QCOMPARE((without.stages[StageId(0)].runtimeBytes - first.runtimeBytes).count(),
             16 * static_cast<std::int64_t>(first.inFlight));
    QCOMPARE(with.stages[StageId(1)].runtimeBytes, without.stages[StageId(1)].runtimeBytes);
}

void TestWrittenStorage::plansCountWhatStagesSend_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("rows") << rows;
    QTest::newRow("halves") << halves;
    QTest::newRow("narrowed") << narrowed;
    QTest::newRow("windows") << windows;
}

// Whatever the plan: each boundary's bytes are those of what the stage before it returns.
void TestWrittenStorage::plansCountWhatStagesSend()
{
    QFETCH(QString, text);
    const Model model = modelOf(text.toStdString());
    const std::size_t stages = 4;
    const auto problem = makeProblem(model, profileOf(model.graph, {}),
                                     {.stageCount = stages, .emptyStages = EmptyStages::Allow});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    QVERIFY(problem->groups.empty());
    std::mt19937 random(7);
    int plans = 0;
    for (int round = 0; round < 3000; ++round) {
        Partition plan{stages, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
        for (const NodeId node : model.graph.nodes()) {
            std::size_t first = 0;
            for (const NodeId before : model.graph.predecessors(node))
                first = std::max<std::size_t>(first, plan.stageOf[before].index());
            plan.stageOf[node] = StageId(std::min(stages - 1, first + random() % 6 / 4));
        }
        if (!checkPartition(*problem, plan).has_value())
            continue;
        ++plans;
        const auto programs = cutStages(model, plan);
        QVERIFY2(programs.has_value(), programs.has_value() ? "" : programs.error().message.c_str());
        const PlanCost cost = evaluate(*problem, plan);
        for (std::size_t b = 0; b + 1 < stages; ++b) {
            if ((*programs)[b + 1].nodes.empty())
                continue; // what goes to an empty stage, plans and exports count each in their way
            Bytes sent;
            for (const ValueId output : (*programs)[b].outputs)
                sent += bytesOf(model.graph, output);
            QCOMPARE(cost.boundaries[BoundaryId(b)].forwardBytes.count(), sent.count());
        }
    }
    QVERIFY2(plans > 100, qPrintable(QString::number(plans)));
}

void TestWrittenStorage::otherStorageStaysTogether_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("an input") << "graph g\n"
                                 "  input %x : f32[4]\n"
                                 "  %v : f32[2] = aten::slice.Tensor(self %x, dim 0, start 0, end 2)\n"
                                 "  %r : f32[2] = aten::relu_.default(self %v)\n"
                                 "  return %r\n";
    QTest::newRow("perhaps a copy") << "graph g\n"
                                       "  symbol s0 hint 8 range 2..64\n"
                                       "  input %x : f32[4, s0]\n"
                                       "  %w : f32[4, s0] = aten::neg.default(self %x)\n"
                                       "  %v : f32[4, s0] = aten::resolve_conj.default(self %w)\n"
                                       "  %r : f32[4, s0] = aten::relu_.default(self %v)\n"
                                       "  %s : f32[4, s0] = aten::neg.default(self %w) after r\n"
                                       "  return %s\n";
    QTest::newRow("a view as another tensor")
        << "graph g\n"
           "  input %x : f32[4]\n"
           "  input %o : f32[2, 2]\n"
           "  %w : f32[4] = aten::neg.default(self %x)\n"
           "  %v : f32[2, 2] = aten::view_as.default(self %w, other %o)\n"
           "  %r : f32[2, 2] = aten::relu_.default(self %v)\n"
           "  return %r\n";
    QTest::newRow("a view that autograd does not know")
        << "graph g\n"
           "  input %x : f32[4]\n"
           "  %w : f32[4] = aten::neg.default(self %x)\n"
           "  [%a : f32[2], %b : f32[2]] = aten::unsafe_chunk.default(self %w, chunks 2) named parts\n"
           "  %r : f32[2] = aten::sigmoid_.default(self %a)\n"
           "  %s : f32[2] = aten::mul.Tensor(self %r, other %b)\n"
           "  return %s\n";
    QTest::newRow("a new shape") << "graph g\n"
                                    "  input %x : f32[4]\n"
                                    "  %w : f32[4] = aten::neg.default(self %x)\n"
                                    "  %u : f32[1, 4] = aten::unsqueeze_.default(self %w, dim 0)\n"
                                    "  %r : f32[1, 4] = aten::relu_.default(self %u)\n"
                                    "  return %r\n";
    QTest::newRow("read by offset")
        << "graph g\n"
           "  input %x : f32[4]\n"
           "  %w : f32[4] = aten::neg.default(self %x)\n"
           "  %r : f32[4] = aten::relu_.default(self %w)\n"
           "  %v : f32[2] = aten::as_strided.default(self %r, size [2], stride [1])\n"
           "  %s : f32[2] = aten::relu_.default(self %v)\n"
           "  return %s\n";
}

void TestWrittenStorage::otherStorageStaysTogether()
{
    QFETCH(QString, text);
    const Model model = modelOf(text.toStdString());
    QVERIFY(separable(model.graph).empty());
    const auto problem = makeProblem(model, profileOf(model.graph, {}), {.stageCount = 1});
    QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
    QVERIFY(!problem->groups.empty());
    QVERIFY(QString::fromStdString(problem->groups.front().reason).contains("written in place"));
}

void TestWrittenStorage::detachedPartsStayTogether()
{
    const Model model = modelOf("graph g\n"
                                "  input %x : f32[4]\n"
                                "  %w : f32[4] = aten::neg.default(self %x)\n"
                                "  %v : f32[4] = aten::detach.default(self %w)\n"
                                "  %r : f32[4] = aten::relu_.default(self %v)\n"
                                "  %s : f32[4] = aten::neg.default(self %w) after r\n"
                                "  return %s\n");
    QVERIFY(!separable(model.graph).empty());
    const auto groups = [&](const std::vector<std::string>& withGradient) {
        return makeProblem(model, profileOf(model.graph, withGradient), {.stageCount = 1})->groups.size();
    };
    QCOMPARE(groups({"w", "s"}), std::size_t(1));
    QCOMPARE(groups({}), std::size_t(0));
}

QTEST_MAIN(TestWrittenStorage)
#include "tst_written_storage.moc"
