// What stages have alive while their nodes run one after the other: by hand, in small graphs.
#include "core/plan/evaluate.h"
#include "core/plan/sources/model_problem.h"
#include "core/plan/stage_turns.h"
#include "tests/core/profile/text_profile.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

// `linear` goes back just behind `gelu`, which keeps as much as it makes.
const char* block = R"(graph block
  input %x : f32[64, 16]
  param %w1 "fc1.weight" : f32[16, 16]
  param %w2 "fc2.weight" : f32[16, 16]
  param %w3 "fc3.weight" : f32[16, 16]
  %first : f32[64, 16] = aten::linear.default(%x, %w1)
  %linear : f32[64, 16] = aten::linear.default(%first, %w2)
  %gelu : f32[64, 16] = aten::gelu.default(%linear)
  %add : f32[64, 16] = aten::add.Tensor(%first, %gelu)
  %last : f32[64, 16] = aten::linear.default(%add, %w3)
  return %last
)";

// `sigmoid` and `last` keep the same.
const char* head = R"(graph head
  input %x : f32[64, 16]
  param %w1 "fc1.weight" : f32[16, 16]
  param %w2 "fc2.weight" : f32[16, 16]
  param %w3 "fc3.weight" : f32[2, 16]
  %first : f32[64, 16] = aten::linear.default(%x, %w1)
  %linear : f32[64, 16] = aten::linear.default(%first, %w2)
  %sigmoid : f32[64, 16] = aten::sigmoid.default(%linear)
  %last : f32[64, 2] = aten::linear.default(%sigmoid, %w3)
  return %last
)";

constexpr Bytes tensor(64 * 16 * 4), weight(16 * 16 * 4), loss(4);

// With stages that begin with these nodes.
PlanCost costOf(const char* text, const std::vector<const char*>& begins,
                ScheduleKind schedule = ScheduleKind::OneFOneB)
{
    const Model model = modelOf(text);
    PartitionOptions options;
    options.stageCount = begins.size() + 1;
    options.microbatches = 4;
    options.schedule = schedule;
    options.runtime = PipelineRuntime::Exported;
    const auto problem = makeProblem(model, profileOf(model), options);
    if (!problem.has_value())
        qFatal("%s", problem.error().message.c_str());
    Partition plan{options.stageCount, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
    for (const NodeId node : model.graph.nodes())
        for (std::size_t stage = 0; stage < begins.size(); ++stage)
            if (node >= *model.graph.findNode(begins[stage]))
                plan.stageOf[node] = StageId(stage + 1);
    return evaluate(*problem, plan);
}

} // namespace

class TestStageTurns : public QObject
{
    Q_OBJECT

private slots:
    void weightsGoBackBesideGradients();
    void keptResultsAreThereWithGradients();
    void partsOfABackwardPassAreNoTurns();
    void theFirstPartKeepsWhatWeightsWaitFor();
};

// While `linear` makes the gradients of what it reads and of its weight, that of what it made is there; what
// `gelu` kept is not.
void TestStageTurns::weightsGoBackBesideGradients()
{
    const StageCost cost = costOf(block, {"linear", "last"}).stages[StageId(1)];
    QCOMPARE(cost.turns.backward.count(), (tensor + weight).count());
    QVERIFY(cost.nodeBytes < cost.turns.backward);
    QCOMPARE(cost.transientBytes, cost.turns.backward);
    QCOMPARE(cost.peakMemory,
             cost.stateBytes + cost.savedBytes * cost.inFlight + cost.turns.backward + cost.runtimeBytes);
}

// While `sigmoid` goes back its result is there, the gradient of that, and the one that it makes; that
// of the loss is one number.
void TestStageTurns::keptResultsAreThereWithGradients()
{
    const StageCost cost = costOf(head, {"linear"}).stages[StageId(1)];
    QCOMPARE(cost.turns.backward.count(), (tensor * 2 + loss).count());
    QVERIFY(cost.nodeBytes < cost.turns.backward);
    // Sent on, the result is held by the run-time, and stays.
    const StageCost sent = costOf(head, {"linear", "last"}).stages[StageId(1)];
    QCOMPARE(sent.turns.backward.count(), (tensor * 2 + weight).count());
}

void TestStageTurns::partsOfABackwardPassAreNoTurns()
{
    const PlanCost cost = costOf(block, {"linear", "last"}, ScheduleKind::ZeroBubble1);
    QCOMPARE(cost.stages[StageId(1)].turns.backward, Bytes());
    QVERIFY(cost.stages[StageId(0)].turns.backward > Bytes());
}

// What `linear` made waits for its weight, and so does nothing let go of what `gelu` kept; beside it are the
// gradient that `linear` makes of `first` and the sum with that which went past.
void TestStageTurns::theFirstPartKeepsWhatWeightsWaitFor()
{
    const PlanCost cost = costOf(block, {"linear", "last"}, ScheduleKind::ZeroBubble1);
    const StageCost& stage = cost.stages[StageId(1)];
    QCOMPARE(stage.turns.firstPart.count(), (tensor * 3).count());
    QCOMPARE(costOf(block, {"linear", "last"}).stages[StageId(1)].turns.firstPart, Bytes());
}

QTEST_GUILESS_MAIN(TestStageTurns)
#include "tst_stage_turns.moc"
