// What run-times hold, against what torch.distributed.pipelining was measured to hold on a CPU (two
// processes, boundaries of 1 MiB, 16 microbatches), and against a count of every tensor, action by action.
#include "core/plan/evaluate.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::int64_t mebi = 1 << 20;

// A chain with a node a stage. The maker of each value keeps nothing, its reader what it reads.
PartitionProblem chain(ScheduleKind schedule, std::size_t stages, std::size_t microbatches,
                       PipelineRuntime runtime)
{
    PartitionProblem problem;
    problem.options.schedule = schedule;
    problem.options.stageCount = stages;
    problem.options.stagesPerDevice = usualStagesPerDevice(schedule);
    problem.options.microbatches = microbatches;
    problem.options.runtime = runtime;
    completeOptions(problem.options, {});
    for (std::size_t i = 0; i < stages; ++i) {
        problem.nodes.add({.name = "n",
                           .forward = Seconds(1),
                           .backwardInput = Seconds(1),
                           .backwardWeight = Seconds(1),
                           .saved = Bytes(i == 0 ? 0 : mebi)});
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

// Tensors of 1 MiB alive on a device, action by action as stage.py and schedules.py of torch 2.13 hold them.
std::size_t mostAlive(const Schedule& schedule, ScheduleKind kind, std::size_t device)
{
    const bool runsActions = kind != ScheduleKind::OneFOneB && kind != ScheduleKind::GPipe;
    const auto isHere = [&](std::size_t stage) {
        return stage < schedule.stageCount && schedule.deviceOfStage[stage] == device;
    };
    std::size_t buffers = 0; // args_recv_info and grad_recv_info
    for (std::size_t stage = 0; stage < schedule.stageCount; ++stage)
        if (isHere(stage))
            buffers +=
                schedule.microbatches * ((stage > 0 ? 1u : 0u) + (stage + 1 < schedule.stageCount ? 1u : 0u));
    std::size_t outputs = 0; // in fwd_cache, then with the sends
    std::size_t gradients = 0;
    std::size_t most = buffers;
    for (const Action& action : schedule.devices[device]) {
        const bool sendsOut = action.stage + 1 < schedule.stageCount && !isHere(action.stage + 1);
        const bool sendsBack = action.stage > 0 && !isHere(action.stage - 1);
        if (action.kind == ActionKind::Forward && sendsOut)
            ++outputs;
        most = std::max(most, buffers + outputs + gradients);
        if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput) {
            if (sendsBack)
                gradients = kind == ScheduleKind::OneFOneB ? 1 : gradients + 1;
            if (sendsOut && !runsActions)
                --outputs;
        }
    }
    return most;
}

} // namespace

class TestRuntimeMemory : public QObject
{
    Q_OBJECT

private slots:
    void buffersAreAsMeasured();
    void tensorsAreCounted_data();
    void tensorsAreCounted();
    void idealHoldsNothing();
    void largestCountsOfOneFOneB();
};

// 1F1B and GPipe 0 / 16 MiB of activations, 16 / 0 of gradients; interleaved 16 / 32 and 32 / 16.
void TestRuntimeMemory::buffersAreAsMeasured()
{
    const auto stateOf = [](ScheduleKind kind, std::size_t stages) {
        const PartitionProblem problem = chain(kind, stages, 16, PipelineRuntime::Torch214);
        const ScheduleCosts costs = scheduleCosts(problem, aNodeEach(stages));
        std::vector<std::int64_t> devices(2, 0);
        const Schedule schedule = scheduleOf(problem.options).value();
        for (std::size_t stage = 0; stage < stages; ++stage)
            devices.at(schedule.deviceOfStage[stage]) += costs.stages[stage].state.count() / mebi;
        return devices;
    };
    QCOMPARE(stateOf(ScheduleKind::GPipe, 2), (std::vector<std::int64_t>{16, 16}));
    QCOMPARE(stateOf(ScheduleKind::OneFOneB, 2),
             (std::vector<std::int64_t>{16, 16 + 1})); // and one sent back
    QCOMPARE(stateOf(ScheduleKind::Interleaved, 4), (std::vector<std::int64_t>{16 + 32, 32 + 16}));
}

void TestRuntimeMemory::tensorsAreCounted_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("microbatches");
    for (const ScheduleTraits& traits : scheduleTable)
        for (const int microbatches : {4, 8, 16})
            QTest::addRow("%s-%d", std::string(traits.name).c_str(), microbatches)
                << static_cast<int>(traits.kind) << microbatches;
}

void TestRuntimeMemory::tensorsAreCounted()
{
    QFETCH(int, kind);
    QFETCH(int, microbatches);
    const auto schedule = static_cast<ScheduleKind>(kind);
    const std::size_t stages = 2 * usualStagesPerDevice(schedule);
    const PartitionProblem problem =
        chain(schedule, stages, static_cast<std::size_t>(microbatches), PipelineRuntime::Torch214);
    const PlanCost cost = evaluate(problem, aNodeEach(stages));
    const Schedule rows = scheduleOf(problem.options).value();
    for (std::size_t device = 0; device < cost.devices.size(); ++device)
        QCOMPARE(static_cast<std::size_t>(cost.devices[device].peakMemory.count() / mebi),
                 mostAlive(rows, schedule, device));
}

void TestRuntimeMemory::idealHoldsNothing()
{
    const PartitionProblem problem = chain(ScheduleKind::OneFOneB, 4, 8, PipelineRuntime::Ideal);
    const PlanCost cost = evaluate(problem, aNodeEach(4));
    for (const StageCost& stage : cost.stages) {
        QCOMPARE(stage.runtimeBytes, Bytes{});
        QCOMPARE(stage.peakMemory, stage.savedBytes * stage.inFlight);
    }
}

void TestRuntimeMemory::largestCountsOfOneFOneB()
{
    const auto counts = largestCounts(makeSchedule(ScheduleKind::OneFOneB, 2, 2, 3).value());
    const std::vector<HeldCounts> first{{2, 3, 1}, {1, 3, 2}};
    QCOMPARE(counts[0], first);
    QCOMPARE(counts[1], (std::vector<HeldCounts>{{1, 3, 2}}));
}

QTEST_GUILESS_MAIN(TestRuntimeMemory)
#include "tst_runtime_memory.moc"
