// What run-times hold, against what torch.distributed.pipelining 2.13 holds on a CPU (two processes, layers
// of torch.nn.Linear; measured by tests/long/runtime_memory.py).
#include "core/plan/evaluate.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <array>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::int64_t mebi = 1 << 20;

// A chain with a node a stage, as layers that are linear: each keeps what it reads, and makes its gradient.
// That is left out where the weights have a backward pass of their own, in which it would count as well.
PartitionProblem chain(ScheduleKind schedule, std::size_t stages, std::size_t microbatches,
                       PipelineRuntime runtime)
{
    PartitionProblem problem;
    problem.options.schedule = schedule;
    problem.options.stageCount = stages;
    problem.options.stagesPerDevice =
        schedule == ScheduleKind::GPipe || schedule == ScheduleKind::OneFOneB ? 1 : 2;
    problem.options.microbatches = microbatches;
    problem.options.runtime = runtime;
    completeOptions(problem.options, {});
    for (std::size_t i = 0; i < stages; ++i) {
        problem.nodes.add({.name = "n",
                           .forward = Seconds(1),
                           .backwardInput = Seconds(1),
                           .backwardWeight = Seconds(1),
                           .saved = Bytes(i == 0 ? 0 : mebi),
                           .transient = Bytes(i == 0 || splitsBackward(schedule) ? 0 : mebi)});
        if (i > 0) {
            problem.precedences.push_back({NodeId(i - 1), NodeId(i)});
            problem.values.push_back({.value = ValueId(i - 1),
                                      .producer = NodeId(i - 1),
                                      .readers = {NodeId(i)},
                                      .forwardBytes = Bytes(mebi),
                                      .backwardBytes = Bytes(mebi),
                                      .keepers = {NodeId(i)}});
        }
    }
    return problem;
}

Partition aNodeEach(std::size_t stages)
{
    Partition plan{.stageCount = stages, .stageOf = {}};
    for (std::size_t stage = 0; stage < stages; ++stage)
        plan.stageOf.add(StageId(stage));
    return plan;
}

} // namespace

class TestRuntimeMemory : public QObject
{
    Q_OBJECT

private slots:
    void tensorsAreAsMeasured_data();
    void tensorsAreAsMeasured();
    void exportsHoldWhatWasMeasured();
    void whatGoesPastStagesIsAsMeasured();
    void whatStagesPassOnIsAsMeasured();
    void whatSkipsIsThereEarlyGoingBack();
    void gradientsThatComeStraightWait();
    void whatPassesATurnIsSharedThere();
    void gradientsWaitBetweenTheParts();
    void partsHoldWhatIsKnownOfThem();
    void whatCrossesIsLetGoOnce();
    void stagesThatRunAgainLetGoOfAll();
    void resultsStayWhileNodesInFrontGoBack();
    void idealHoldsNothing();
    void largestCountsOfOneFOneB();
    void largestCountsOfZeroBubble();
};

// All that it holds of what crosses, in tensors: with boundaries of 64 and of 256 KiB the same.
void TestRuntimeMemory::tensorsAreAsMeasured_data()
{
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    struct Measured
    {
        ScheduleKind kind;
        int microbatches;
        int first; // process
        int second;
    };
    constexpr std::array<Measured, 18> rows{{
        {ScheduleKind::GPipe, 4, 8, 8},
        {ScheduleKind::GPipe, 8, 16, 16},
        {ScheduleKind::GPipe, 16, 32, 32},
        {ScheduleKind::OneFOneB, 4, 7, 6},
        {ScheduleKind::OneFOneB, 8, 11, 10},
        {ScheduleKind::OneFOneB, 16, 19, 18},
        {ScheduleKind::Interleaved, 4, 24, 24},
        {ScheduleKind::Interleaved, 8, 48, 48},
        {ScheduleKind::Interleaved, 16, 96, 96},
        {ScheduleKind::LoopedBfs, 4, 24, 24},
        {ScheduleKind::LoopedBfs, 8, 48, 48},
        {ScheduleKind::LoopedBfs, 16, 96, 96},
        {ScheduleKind::ZeroBubble1, 4, 24, 24},
        {ScheduleKind::ZeroBubble1, 8, 48, 48},
        {ScheduleKind::ZeroBubble1, 16, 96, 96},
        {ScheduleKind::ZeroBubbleV, 4, 16, 24},
        {ScheduleKind::ZeroBubbleV, 8, 32, 48},
        {ScheduleKind::ZeroBubbleV, 16, 64, 96},
    }};
    for (const Measured& row : rows)
        QTest::addRow("%s-%d", std::string(scheduleName(row.kind)).c_str(), row.microbatches)
            << static_cast<int>(row.kind) << row.microbatches << row.first << row.second;
}

void TestRuntimeMemory::tensorsAreAsMeasured()
{
    QFETCH(int, schedule);
    QFETCH(int, microbatches);
    QFETCH(int, first);
    QFETCH(int, second);
    const auto kind = static_cast<ScheduleKind>(schedule);
    const bool isAlone = kind == ScheduleKind::GPipe || kind == ScheduleKind::OneFOneB;
    const PartitionProblem problem =
        chain(kind, isAlone ? 2 : 4, static_cast<std::size_t>(microbatches), PipelineRuntime::Torch214);
    const PlanCost cost = evaluate(problem, aNodeEach(problem.stageCount()));
    QCOMPARE(cost.devices.size(), std::size_t(2));
    QCOMPARE(cost.devices[0].peakMemory.count() / mebi, first);
    QCOMPARE(cost.devices[1].peakMemory.count() / mebi, second);
}

// The same of an export (runtime_memory.py EXPORT), with 4, 8 and 16 microbatches; the other schedules have
// PyTorch's own buffers.
void TestRuntimeMemory::exportsHoldWhatWasMeasured()
{
    const auto heldBy = [](ScheduleKind kind, std::size_t stages, std::size_t microbatches,
                           PipelineRuntime runtime) {
        const PlanCost cost = evaluate(chain(kind, stages, microbatches, runtime), aNodeEach(stages));
        return std::pair(cost.devices[0].peakMemory.count() / mebi,
                         cost.devices[1].peakMemory.count() / mebi);
    };
    for (const std::size_t microbatches : {4, 8, 16}) {
        const auto all = static_cast<std::int64_t>(microbatches);
        QCOMPARE(heldBy(ScheduleKind::GPipe, 2, microbatches, PipelineRuntime::Exported),
                 std::pair(all + 1, all + 1));
        QCOMPARE(heldBy(ScheduleKind::OneFOneB, 2, microbatches, PipelineRuntime::Exported),
                 std::pair(std::int64_t{3}, std::int64_t{2}));
        for (const ScheduleKind kind : {ScheduleKind::Interleaved, ScheduleKind::ZeroBubbleV})
            QCOMPARE(heldBy(kind, 4, microbatches, PipelineRuntime::Exported),
                     heldBy(kind, 4, microbatches, PipelineRuntime::Torch214));
    }
}

// A tensor goes from the first of three stages to the last as well, read with what goes through the second.
// Measured in exports on PyTorch 2.13 with six microbatches: convolutions of a small net, a stage each.
void TestRuntimeMemory::whatGoesPastStagesIsAsMeasured()
{
    const auto heldBy = [](std::uint32_t stage) {
        PartitionProblem problem = chain(ScheduleKind::OneFOneB, 3, 6, PipelineRuntime::Exported);
        problem.options.send = SendKind::Direct;
        problem.nodes[NodeId(0)].saved = Bytes(mebi); // what it sends past the second stage it keeps itself
        problem.nodes[NodeId(2)].saved = Bytes(2 * mebi);
        problem.values.push_back({.value = ValueId(2),
                                  .producer = NodeId(0),
                                  .readers = {NodeId(2)},
                                  .forwardBytes = Bytes(mebi),
                                  .backwardBytes = Bytes(mebi),
                                  .keepers = {NodeId(0), NodeId(2)}});
        const PlanCost cost = evaluate(problem, aNodeEach(3));
        return cost.stages[StageId(stage)].runtimeBytes.count() / mebi;
    };
    // Of the first stage: the gradients of both readers; kept activations count as saved.
    QCOMPARE(heldBy(0), 5);
    // Of the last: a gradient that waits for the end of its backward pass, two on their way to the first.
    QCOMPARE(heldBy(2), 3);
}

// The same through the second stage (tests/python/check_held.py).
void TestRuntimeMemory::whatStagesPassOnIsAsMeasured()
{
    const auto heldBy = [](PipelineRuntime runtime, bool isReadThere) {
        PartitionProblem problem = chain(ScheduleKind::OneFOneB, 3, 6, runtime);
        problem.nodes.add({.name = "reader", .forward = Seconds(1)});
        problem.precedences.push_back({NodeId(0), NodeId(3)});
        problem.values.push_back({.value = ValueId(2),
                                  .producer = NodeId(0),
                                  .readers = {NodeId(2)},
                                  .forwardBytes = Bytes(mebi),
                                  .backwardBytes = Bytes(mebi),
                                  .keepers = {NodeId(2)}});
        Partition plan = aNodeEach(3);
        plan.stageOf.add(StageId(0));
        if (isReadThere)
            problem.values.back().readers.push_back(NodeId(3));
        std::array<std::int64_t, 3> held{};
        const PlanCost cost = evaluate(problem, plan);
        for (std::uint32_t stage = 0; stage < 3; ++stage)
            held[stage] = cost.stages[StageId(stage)].runtimeBytes.count() / mebi;
        return held;
    };
    using Held = std::array<std::int64_t, 3>;
    // Activations in flight and a gradient of each that is sent; the last stage makes one early.
    QCOMPARE(heldBy(PipelineRuntime::Exported, false), (Held{3 + 3 + 2, 2 + 2 + 2, 1}));
    // The sum of two gradients.
    QCOMPARE(heldBy(PipelineRuntime::Exported, true), (Held{3 + 3 + 2 + 1, 2 + 2 + 2, 1}));
    // A copy of the gradient that is passed on, and those that the steps before sent.
    const Held torch215 = heldBy(PipelineRuntime::Torch215, false);
    QCOMPARE(torch215[1], 2 + 2 + 1 + 2);
}

// What the second of three stages makes and reads itself, as a residual connection does, the last reads late.
void TestRuntimeMemory::whatSkipsIsThereEarlyGoingBack()
{
    PartitionProblem problem = chain(ScheduleKind::OneFOneB, 3, 6, PipelineRuntime::Exported);
    problem.nodes.add({.name = "reader", .forward = Seconds(1)});
    Partition plan = aNodeEach(3);
    plan.stageOf.add(StageId(1));
    const Bytes without = evaluate(problem, plan).stages[StageId(2)].runtimeBytes;
    problem.values[1].readers.push_back(NodeId(3));
    QCOMPARE(evaluate(problem, plan).stages[StageId(2)].runtimeBytes, without + Bytes(mebi));
}

// To the second of four stages, from the last: while another runs a part, beside the one that arrives.
void TestRuntimeMemory::gradientsThatComeStraightWait()
{
    const auto heldBy = [](PipelineRuntime runtime) {
        PartitionProblem problem = chain(ScheduleKind::ZeroBubble1, 4, 6, runtime);
        problem.options.stagesPerDevice = 1;
        problem.options.send = SendKind::Direct;
        const Bytes without = evaluate(problem, aNodeEach(4)).stages[StageId(1)].peakMemory;
        problem.values.push_back({.value = ValueId(3),
                                  .producer = NodeId(1),
                                  .readers = {NodeId(3)},
                                  .forwardBytes = {},
                                  .backwardBytes = Bytes(mebi)});
        return (evaluate(problem, aNodeEach(4)).stages[StageId(1)].peakMemory - without).count() / mebi;
    };
    QCOMPARE(heldBy(PipelineRuntime::Exported), 1 + 1);
    QCOMPARE(heldBy(PipelineRuntime::Torch215), 1); // it is counted where its node waits
}

// Of three stages the second holds most while three microbatches are in flight and two of them wait, as an
// export of three convolutions did on PyTorch 2.13.
void TestRuntimeMemory::gradientsWaitBetweenTheParts()
{
    PartitionProblem problem = chain(ScheduleKind::ZeroBubble1, 3, 4, PipelineRuntime::Ideal);
    problem.options.stagesPerDevice = 1;
    for (ProblemNode& node : problem.nodes)
        node.waiting = Bytes(5 * mebi);
    const PlanCost cost = evaluate(problem, aNodeEach(3));
    QCOMPARE(cost.stages[StageId(0)].waitingBytes, Bytes{}); // no gradient of its inputs is asked for
    QCOMPARE(cost.stages[StageId(1)].waitingBytes, Bytes(2 * 5 * mebi));
    QCOMPARE(cost.stages[StageId(1)].peakMemory, Bytes((2 * 5 + 3) * mebi));
    QCOMPARE(cost.devices[1].peakMemory, cost.stages[StageId(1)].peakMemory);

    problem.nodes[NodeId(1)].recomputes = true; // both parts at once
    QCOMPARE(evaluate(problem, aNodeEach(3)).stages[StageId(1)].waitingBytes, Bytes{});
    problem.options.schedule = ScheduleKind::OneFOneB;
    for (const StageCost& stage : evaluate(problem, aNodeEach(3)).stages)
        QCOMPARE(stage.waitingBytes, Bytes{});
}

// Of the second stage: 5 MiB wait for its node, of which 2 arrive in a buffer. The first part has made 4 when
// it holds most, and 1 besides; the second makes 2 of weights.
void TestRuntimeMemory::partsHoldWhatIsKnownOfThem()
{
    PartitionProblem problem = chain(ScheduleKind::ZeroBubble1, 3, 4, PipelineRuntime::Ideal);
    problem.options.stagesPerDevice = 1;
    for (ProblemNode& node : problem.nodes) {
        node.waiting = Bytes(5 * mebi);
        node.transient = Bytes(9 * mebi);
    }
    problem.nodes[NodeId(1)].split = {Bytes(25 * mebi), Bytes(25 * mebi), Bytes(23 * mebi), Bytes(20 * mebi)};
    const auto peak = [&] {
        return evaluate(problem, aNodeEach(3)).stages[StageId(1)].peakMemory.count() / mebi;
    };
    // Three in flight; one waits and another runs a part. Forward takes 9, but then only one waits.
    QCOMPARE(peak(), 3 + std::max(3 + 5, 3 + 9));
    problem.nodes[NodeId(1)].transient = Bytes(0);
    QCOMPARE(peak(), 3 + 3 + 3); // no bound is above what waits and the transient
    problem.nodes[NodeId(1)].transient = Bytes(2 * mebi);
    QCOMPARE(peak(), 3 + 3 + 5);
    problem.nodes[NodeId(1)].released = Bytes(mebi); // by the one that waits
    QCOMPARE(peak(), 3 + 3 + 5 - 1);
}

// Three microbatches in flight, of which two wait: what they keep is let go, but not what lies in a buffer or
// is still being sent (tests/python/check_held.py).
void TestRuntimeMemory::whatCrossesIsLetGoOnce()
{
    const auto runtimeHolds = [](PipelineRuntime runtime, bool isReleased) {
        PartitionProblem problem = chain(ScheduleKind::ZeroBubble1, 3, 4, runtime);
        problem.options.stagesPerDevice = 1;
        problem.nodes[NodeId(1)].saved = Bytes(2 * mebi); // what it reads and what it returns
        problem.nodes[NodeId(1)].released = Bytes(isReleased ? 2 * mebi : 0);
        problem.values[0].isReleased = problem.values[1].isReleased = isReleased;
        problem.values[1].keepers.push_back(NodeId(1));
        return evaluate(problem, aNodeEach(3)).stages[StageId(1)].peakMemory.count() / mebi;
    };
    QCOMPARE(runtimeHolds(PipelineRuntime::Ideal, false), 3 * 2);
    QCOMPARE(runtimeHolds(PipelineRuntime::Ideal, true), 2 * 2);
    for (const PipelineRuntime runtime : {PipelineRuntime::Torch214, PipelineRuntime::Exported})
        QCOMPARE(runtimeHolds(runtime, true), runtimeHolds(runtime, false));
}

// Above what a stage has besides for any node alone; where its maker keeps it, and the run-time sends it.
void TestRuntimeMemory::resultsStayWhileNodesInFrontGoBack()
{
    const auto more = [](ScheduleKind schedule, PipelineRuntime runtime, bool isKept, std::size_t stage) {
        PartitionProblem problem = chain(schedule, 3, 4, runtime);
        problem.options.stagesPerDevice = 1;
        for (ProblemNode& node : problem.nodes)
            node.transient = Bytes(2 * mebi);
        if (isKept)
            problem.values[1].keepers.push_back(NodeId(1));
        const auto peak = [&] { return evaluate(problem, aNodeEach(3)).stages[StageId(stage)].peakMemory; };
        const Bytes before = peak();
        problem.values[1].inFront = Bytes(5 * mebi);
        return (peak() - before).count() / mebi;
    };
    for (const ScheduleKind schedule : {ScheduleKind::OneFOneB, ScheduleKind::GPipe}) {
        QCOMPARE(more(schedule, PipelineRuntime::Exported, true, 1), 5 - 2);
        QCOMPARE(more(schedule, PipelineRuntime::Exported, true, 2), 0);  // receives it
        QCOMPARE(more(schedule, PipelineRuntime::Exported, false, 1), 0); // another node keeps it
        QCOMPARE(more(schedule, PipelineRuntime::Ideal, true, 1), 0);
    }
}

// What is kept for the regions of a microbatch goes with the first part, which makes all gradients.
void TestRuntimeMemory::stagesThatRunAgainLetGoOfAll()
{
    PartitionProblem problem = chain(ScheduleKind::ZeroBubble1, 3, 4, PipelineRuntime::Ideal);
    problem.options.stagesPerDevice = 1;
    problem.nodes[NodeId(0)].saved = Bytes(mebi);
    const PlanCost apart = evaluate(problem, aNodeEach(3));
    for (ProblemNode& node : problem.nodes)
        node.recomputes = true;
    const PlanCost joined = evaluate(problem, aNodeEach(3));
    QCOMPARE(joined.stages[StageId(0)].peakMemory, apart.stages[StageId(0)].peakMemory); // all in the second
    QCOMPARE(apart.stages[StageId(1)].peakMemory, Bytes(3 * mebi));
    QCOMPARE(joined.stages[StageId(1)].peakMemory, Bytes(2 * mebi));
    QCOMPARE(joined.stages[StageId(1)].releasedBytes, Bytes(mebi));
    QCOMPARE(joined.devices[1].peakMemory, joined.stages[StageId(1)].peakMemory);
}

// Of four stages on two devices the second and the third are on the same. The third passes a value on.
void TestRuntimeMemory::whatPassesATurnIsSharedThere()
{
    const auto heldBy = [](PipelineRuntime runtime, std::vector<NodeId> readers) {
        PartitionProblem problem = chain(ScheduleKind::ZeroBubbleV, 4, 4, runtime);
        const Bytes without = evaluate(problem, aNodeEach(4)).devices[1].peakMemory;
        problem.values.push_back({.value = ValueId(3),
                                  .producer = NodeId(0),
                                  .readers = std::move(readers),
                                  .forwardBytes = Bytes(mebi),
                                  .backwardBytes = Bytes(mebi)});
        return (evaluate(problem, aNodeEach(4)).devices[1].peakMemory - without).count() / mebi;
    };
    // A buffer for each of four microbatches and either way.
    QCOMPARE(heldBy(PipelineRuntime::Exported, {NodeId(3)}), 4 + 4);
    // Where the stage behind the turn reads it, its gradient is another tensor than the one that comes back.
    QCOMPARE(heldBy(PipelineRuntime::Exported, {NodeId(2)}), 4 + 4);
    QCOMPARE(heldBy(PipelineRuntime::Exported, {NodeId(2), NodeId(3)}), 4 + 4 + 4);
}

void TestRuntimeMemory::idealHoldsNothing()
{
    const PartitionProblem problem = chain(ScheduleKind::OneFOneB, 4, 8, PipelineRuntime::Ideal);
    const PlanCost cost = evaluate(problem, aNodeEach(4));
    for (const StageCost& stage : cost.stages) {
        QCOMPARE(stage.runtimeBytes, Bytes{});
        QCOMPARE(stage.peakMemory, stage.savedBytes * stage.inFlight + stage.transientBytes);
    }
}

void TestRuntimeMemory::largestCountsOfOneFOneB()
{
    const auto counts = largestCounts(makeSchedule(ScheduleKind::OneFOneB, 2, 2, 3).value());
    const std::vector<HeldCounts> first{{2, 3, 1, 0, ActionKind::Backward},
                                        {1, 3, 2, 0, ActionKind::Backward}};
    QCOMPARE(counts[0], first);
    QCOMPARE(counts[1], (std::vector<HeldCounts>{{1, 3, 2, 0, ActionKind::Backward}}));
}

void TestRuntimeMemory::largestCountsOfZeroBubble()
{
    const auto counts = largestCounts(makeSchedule(ScheduleKind::ZeroBubble1, 2, 2, 2).value());
    const std::vector<HeldCounts> second{{2, 2, 1, 1, ActionKind::Forward},
                                         {2, 2, 1, 2, ActionKind::BackwardInput},
                                         {2, 2, 2, 2, ActionKind::BackwardWeight}};
    QCOMPARE(counts[1], second);
    for (const auto& stage : counts)
        for (const HeldCounts& moment : stage)
            QVERIFY(moment.inFlight <= stage.front().inFlight && moment.waiting <= moment.inFlight);
}

QTEST_GUILESS_MAIN(TestRuntimeMemory)
#include "tst_runtime_memory.moc"
