// Plans for devices that share stages, for the simulated step, and around what a person keeps: against all
// legal plans.
#include "core/advise/infeasible.h"
#include "core/advise/resolve.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/improve/refine.h"
#include "core/search/search.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

PartitionProblem sharingProblem(unsigned seed, ScheduleKind schedule)
{
    std::mt19937 random(seed);
    PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 4});
    problem.options.schedule = schedule;
    problem.options.stagesPerDevice = 2;
    return problem;
}

// What a device holds at the most, from its row of the schedule alone.
Bytes plainPeak(const PartitionProblem& problem, const Partition& plan, const PlanCost& cost,
                std::size_t device)
{
    // Of a microbatch between the parts of its backward pass; nothing of the first stage.
    const auto waitingIn = [&](std::size_t stage) {
        Bytes waiting;
        for (const NodeId node : problem.nodes.ids())
            if (stage > 0 && plan.stageOf[node].index() == stage)
                waiting += problem.nodes[node].waiting;
        return waiting;
    };
    const Schedule schedule = scheduleOf(problem.options).value();
    Bytes alive;
    for (const StageId stage : cost.devices[device].stages)
        alive += cost.stages[stage].stateBytes;
    Bytes peak = alive;
    for (const Action& action : schedule.devices[device]) {
        const StageCost& stage = cost.stages[StageId(action.stage)];
        if (action.kind == ActionKind::Forward)
            alive += stage.savedBytes;
        if (action.kind == ActionKind::BackwardInput)
            alive += waitingIn(action.stage);
        peak = std::max(peak, alive + stage.transientBytes);
        if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight)
            alive -= stage.savedBytes;
        if (action.kind == ActionKind::BackwardWeight)
            alive -= waitingIn(action.stage);
    }
    return peak;
}

} // namespace

class TestWholeSearch : public QObject
{
    Q_OBJECT

private slots:
    void devicesBearTheirStages_data();
    void devicesBearTheirStages();
    void devicesAreBalanced_data();
    void devicesAreBalanced();
    void turnOfTheVIsFree();
    void deviceLimitsCountTogether();
    void stepIsShort_data();
    void stepIsShort();
    void noStepIsShorterThanItsBound_data();
    void noStepIsShorterThanItsBound();
    void boundOfEvenStagesIsNear_data();
    void boundOfEvenStagesIsNear();
    void refinedPlanIsNotWorse();
    void keepsWhatIsKept();
    void keepingAllChangesNothing();
    void resolveStopsWhenAsked();
};

void TestWholeSearch::devicesBearTheirStages_data()
{
    QTest::addColumn<int>("schedule");
    for (const ScheduleKind kind : {ScheduleKind::Interleaved, ScheduleKind::LoopedBfs,
                                    ScheduleKind::ZeroBubble1, ScheduleKind::ZeroBubbleV})
        QTest::addRow("%s", std::string(scheduleName(kind)).c_str()) << static_cast<int>(kind);
}

void TestWholeSearch::devicesBearTheirStages()
{
    QFETCH(int, schedule);
    const PartitionProblem problem = sharingProblem(3, static_cast<ScheduleKind>(schedule));
    int plans = 0;
    forEachPlan(problem, [&](const Partition& plan) {
        if (++plans % 37 != 0)
            return;
        const PlanCost cost = evaluate(problem, plan);
        QCOMPARE(cost.devices.size(), std::size_t(2));
        double slowest = 0;
        for (std::size_t device = 0; device < 2; ++device) {
            const DeviceCost& both = cost.devices[device];
            QCOMPARE(both.stages.size(), std::size_t(2));
            const double load = plainLoad(problem, plan, both.stages[0].index()).value() +
                                plainLoad(problem, plan, both.stages[1].index()).value();
            if (static_cast<ScheduleKind>(schedule) != ScheduleKind::ZeroBubbleV) {
                QVERIFY(std::abs(both.load.value() - load) < 1e-9);
            }
            slowest = std::max(slowest, both.load.value());
            QCOMPARE(both.peakMemory, plainPeak(problem, plan, cost, device));
        }
        QCOMPARE(cost.bottleneckTime.value(), slowest);
        QVERIFY(cost.iteration >= cost.bottleneckTime * 4.0 * (1 - 1e-9));
    });
    QVERIFY(plans > 100);
}

void TestWholeSearch::devicesAreBalanced_data()
{
    devicesBearTheirStages_data();
}

// The best of all plans, and its own bound.
void TestWholeSearch::devicesAreBalanced()
{
    QFETCH(int, schedule);
    int cases = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const PartitionProblem problem = sharingProblem(seed, static_cast<ScheduleKind>(schedule));
        double best = -1;
        forEachPlan(problem, [&](const Partition& plan) {
            const double time = evaluate(problem, plan).bottleneckTime.value();
            best = best < 0 ? time : std::min(best, time);
        });
        const auto solution = solve(problem);
        QCOMPARE(solution.has_value(), best >= 0);
        if (best < 0)
            continue;
        ++cases;
        QVERIFY(solution->bound.value.value() <= best * (1 + 1e-9));
        QVERIFY(solution->cost.bottleneckTime.value() <= best * (1 + 1e-9));
        QCOMPARE(solution->cost.bottleneckTime.value(),
                 evaluate(problem, solution->partition).bottleneckTime.value());
    }
    QVERIFY(cases > 3);
}

void TestWholeSearch::turnOfTheVIsFree()
{
    PartitionProblem problem;
    problem.options.stageCount = 4;
    problem.options.microbatches = 4;
    problem.options.schedule = ScheduleKind::ZeroBubbleV;
    completeOptions(problem.options, Link{1, Seconds(0)});
    for (std::size_t i = 0; i < 4; ++i)
        problem.nodes.add(
            {.name = "n" + std::to_string(i), .forward = Seconds(1), .backwardInput = Seconds(1)});
    for (std::size_t i = 0; i < 3; ++i) {
        problem.values.push_back({.value = ValueId(i),
                                  .producer = NodeId(i),
                                  .readers = {NodeId(i + 1)},
                                  .forwardBytes = Bytes(10)});
        problem.precedences.push_back({NodeId(i), NodeId(i + 1)});
    }
    Partition plan = singleStage(4);
    plan.stageCount = 4;
    for (std::size_t i = 0; i < 4; ++i)
        plan.stageOf[NodeId(i)] = StageId(i);
    const PlanCost cost = evaluate(problem, plan);
    QCOMPARE(cost.stages[StageId(1)].send.value(), 0.0);
    QCOMPARE(cost.stages[StageId(2)].receive.value(), 0.0);
    QCOMPARE(cost.stages[StageId(0)].send.value(), 10.0);
    QCOMPARE(cost.stages[StageId(3)].receive.value(), 10.0);
    QCOMPARE(cost.bytesSent, Bytes(20));
    // Two stages of each device: 0 and 3, 1 and 2.
    QCOMPARE(cost.devices[0].load.value(), 4.0 + 20.0);
    QCOMPARE(cost.devices[1].load.value(), 4.0 + 20.0);
}

void TestWholeSearch::deviceLimitsCountTogether()
{
    PartitionProblem problem = sharingProblem(5, ScheduleKind::Interleaved);
    const auto free = solve(problem);
    QVERIFY(free.has_value());
    Bytes stage;
    Bytes device;
    for (const StageCost& cost : free->cost.stages)
        stage = std::max(stage, cost.peakMemory);
    for (const DeviceCost& cost : free->cost.devices)
        device = std::max(device, cost.peakMemory);
    QVERIFY(stage < device);
    problem.options.memoryLimits.assign(4, stage);
    QVERIFY(!evaluate(problem, free->partition).fits());
    problem.options.memoryLimits.assign(4, device);
    QVERIFY(evaluate(problem, free->partition).fits());

    // Where it says what would do, that does.
    int said = 0;
    for (std::int64_t percent = 40; percent < 100; percent += 5) {
        problem.options.memoryLimits.assign(4, Bytes(device.count() * percent / 100));
        const auto tight = solveOrExplain(problem);
        if (tight.has_value()) {
            QVERIFY(tight->cost.fits());
            continue;
        }
        const std::string& message = tight.error().message;
        const std::size_t begin = message.rfind("; a limit of ");
        if (message.find("on 2 devices fits a limit") == std::string::npos || begin == std::string::npos)
            continue;
        const std::size_t end = std::min(message.find(',', begin), message.find(" would do", begin));
        const auto limit = parseBytes(message.substr(begin + 13, end - begin - 13));
        QVERIFY2(limit.has_value(), message.c_str());
        problem.options.memoryLimits.assign(4, *limit);
        const auto enough = solve(problem);
        QVERIFY(enough.has_value() && enough->cost.fits());
        ++said;
    }
    QVERIFY(said > 0);
}

void TestWholeSearch::stepIsShort_data()
{
    QTest::addColumn<int>("schedule");
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::ZeroBubble1})
        QTest::addRow("%s", std::string(scheduleName(kind)).c_str()) << static_cast<int>(kind);
}

void TestWholeSearch::stepIsShort()
{
    QFETCH(int, schedule);
    double gain = 0;
    int cases = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem = randomProblem(random, {.nodes = 9, .stages = 3});
        problem.options.schedule = static_cast<ScheduleKind>(schedule);
        const auto bySlowest = solve(problem);
        problem.options.objective = Objective::Iteration;
        double best = -1;
        forEachPlan(problem, [&](const Partition& plan) {
            const double time = evaluate(problem, plan).iteration.value();
            best = best < 0 ? time : std::min(best, time);
        });
        const auto solution = solve(problem);
        QCOMPARE(solution.has_value(), best >= 0);
        if (best < 0)
            continue;
        ++cases;
        QVERIFY(solution->cost.iteration <= bySlowest->cost.iteration * (1 + 1e-9));
        QVERIFY(solution->cost.iteration.value() <= best * (1 + 1e-9));
        gain += 1 - solution->cost.iteration / bySlowest->cost.iteration;
        QVERIFY(solution->bound.value <= solution->cost.bottleneckTime * (1 + 1e-9));
    }
    QVERIFY(cases > 5);
    QVERIFY2(gain / cases > 0.001, qPrintable(QString::number(gain / cases)));
}

void TestWholeSearch::noStepIsShorterThanItsBound_data()
{
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("send");
    QTest::addColumn<int>("stagesPerDevice");
    for (const ScheduleKind kind :
         {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::LoopedBfs,
          ScheduleKind::ZeroBubble1, ScheduleKind::ZeroBubbleV}) {
        for (const SendKind send : {SendKind::Relay, SendKind::Direct}) {
            for (const int each : {1, 2}) {
                const bool isLooped = kind != ScheduleKind::GPipe && kind != ScheduleKind::OneFOneB;
                if (each == 2 ? isLooped : kind != ScheduleKind::ZeroBubbleV)
                    QTest::addRow("%s-%s-%d", std::string(scheduleName(kind)).c_str(),
                                  std::string(sendName(send)).c_str(), each)
                        << static_cast<int>(kind) << static_cast<int>(send) << each;
            }
        }
    }
}

void TestWholeSearch::noStepIsShorterThanItsBound()
{
    QFETCH(int, schedule);
    QFETCH(int, send);
    QFETCH(int, stagesPerDevice);
    int plans = 0;
    double closest = 0;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem = randomProblem(random, {.nodes = 8,
                                                          .stages = stagesPerDevice == 2 ? 4 : 2 + seed % 3,
                                                          .send = static_cast<SendKind>(send),
                                                          .withDevices = seed % 4 == 0});
        problem.options.schedule = static_cast<ScheduleKind>(schedule);
        problem.options.stagesPerDevice = static_cast<std::size_t>(stagesPerDevice);
        problem.options.microbatches = seed % 2 == 0 ? 6 : 2;
        const auto solution = solve(problem);
        if (!solution.has_value())
            continue;
        double bound = stepBound(problem, solution->bound).value();
        double least = infinite;
        forEachPlan(problem, [&](const Partition& plan) {
            ++plans;
            least = std::min(least, evaluate(problem, plan).iteration.value());
        });
        // What is said of all plans shorter than some other is true of the shortest.
        Solution other = *solution;
        for (const double factor : {1.02, 1.1, 1.3, 2.0}) {
            other.iterationBound = {};
            other.cost.iteration = Seconds(least * factor);
            bound = std::max(bound, stepBound(problem, other).value());
        }
        QVERIFY2(least >= bound * (1 - 1e-9), qPrintable(QString::number(least / bound)));
        closest = std::max(closest, bound / least);
    }
    QVERIFY2(closest > 0.8, qPrintable(QString::number(closest)));
    QVERIFY(plans > 500);
}

// Stages that can only be even, of unit times: the bound comes near what the step of each schedule takes.
void TestWholeSearch::boundOfEvenStagesIsNear_data()
{
    QTest::addColumn<int>("schedule");
    QTest::addColumn<int>("stagesPerDevice");
    QTest::addColumn<double>("least"); // share of the step
    QTest::newRow("gpipe") << static_cast<int>(ScheduleKind::GPipe) << 1 << 0.999;
    QTest::newRow("1f1b") << static_cast<int>(ScheduleKind::OneFOneB) << 1 << 0.999;
    QTest::newRow("zb1p") << static_cast<int>(ScheduleKind::ZeroBubble1) << 1 << 0.998;
    QTest::newRow("zb1p-2") << static_cast<int>(ScheduleKind::ZeroBubble1) << 2 << 0.998;
    QTest::newRow("interleaved-2") << static_cast<int>(ScheduleKind::Interleaved) << 2 << 0.97;
    QTest::newRow("looped-bfs-2") << static_cast<int>(ScheduleKind::LoopedBfs) << 2 << 0.95;
    QTest::newRow("zbv") << static_cast<int>(ScheduleKind::ZeroBubbleV) << 2 << 0.98;
}

void TestWholeSearch::boundOfEvenStagesIsNear()
{
    QFETCH(int, schedule);
    QFETCH(int, stagesPerDevice);
    QFETCH(double, least);
    PartitionProblem problem;
    problem.options.stageCount = 4;
    problem.options.microbatches = 8;
    problem.options.schedule = static_cast<ScheduleKind>(schedule);
    problem.options.stagesPerDevice = static_cast<std::size_t>(stagesPerDevice);
    completeOptions(problem.options, {});
    for (std::size_t i = 0; i < 4; ++i) {
        problem.nodes.add({.name = "n" + std::to_string(i),
                           .forward = Seconds(1),
                           .backwardInput = Seconds(1),
                           .backwardWeight = Seconds(1)});
        if (i > 0)
            problem.precedences.push_back({NodeId(i - 1), NodeId(i)});
    }
    const auto solution = solve(problem);
    QVERIFY(solution.has_value());
    const double step = solution->cost.iteration.value();
    const double bound = stepBound(problem, solution->bound).value();
    QVERIFY(bound <= step * (1 + 1e-9));
    QVERIFY2(bound >= step * least, qPrintable(QString::number(bound / step)));
    if (problem.options.schedule == ScheduleKind::GPipe)
        QCOMPARE(step, 11 * 3.0);

    // With transfers there is still but one plan; what is certain of all shorter than a longer one is of it.
    problem.options.links.assign(3, Link{4, Seconds(0)});
    for (std::size_t i = 0; i + 1 < 4; ++i)
        problem.values.push_back({.value = ValueId(i),
                                  .producer = NodeId(i),
                                  .readers = {NodeId(i + 1)},
                                  .forwardBytes = Bytes(1),
                                  .backwardBytes = Bytes(1)});
    Solution longer = solve(problem).value();
    const double slower = longer.cost.iteration.value();
    QVERIFY(slower > step);
    longer.cost.iteration = Seconds(slower * 1.05);
    const double farther = stepBound(problem, longer).value();
    QVERIFY2(farther <= slower * (1 + 1e-9), qPrintable(QString::number(farther / slower)));
    QVERIFY2(farther >= slower * 0.85, qPrintable(QString::number(farther / slower)));
}

void TestWholeSearch::refinedPlanIsNotWorse()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        std::mt19937 random(seed);
        const PartitionProblem problem =
            randomProblem(random, {.nodes = 9, .stages = 3, .withMemory = true, .withGroups = true});
        int plans = 0;
        forEachPlan(problem, [&](const Partition& plan) {
            if (++plans % 97 != 1)
                return;
            const RefinedPlan refined = refine(problem, plan, bottleneckScore);
            QVERIFY(checkPartition(problem, refined.partition).has_value());
            QVERIFY(bottleneckScore(refined.cost) <= bottleneckScore(evaluate(problem, plan)));
        });
    }
}

// Against the best of all plans that keep the same.
void TestWholeSearch::keepsWhatIsKept()
{
    int improved = 0;
    for (unsigned seed = 1; seed <= 16; ++seed) {
        std::mt19937 random(seed);
        const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 4});
        std::optional<Partition> current;
        int plans = 0;
        forEachPlan(problem, [&](const Partition& plan) {
            if (++plans % 11 == 1)
                current = plan;
        });
        if (!current)
            continue;
        KeptParts kept;
        if (seed % 4 == 0)
            kept.stages = {StageId(1)};
        else if (seed % 4 == 1)
            kept.boundaries = {BoundaryId(1)};
        else if (seed % 4 == 2)
            kept.nodes = {NodeId(2), NodeId(5)};
        else
            kept = {.nodes = {NodeId(7)}, .boundaries = {BoundaryId(0), BoundaryId(2)}};
        const auto keeps = [&](const Partition& plan) {
            for (const NodeId node : problem.nodes.ids()) {
                const auto was = current->stageOf[node];
                const auto is = plan.stageOf[node];
                for (const BoundaryId boundary : kept.boundaries) {
                    if ((was.index() <= boundary.index()) != (is.index() <= boundary.index()))
                        return false;
                }
                for (const StageId stage : kept.stages) {
                    if ((was < stage) != (is < stage) || (was > stage) != (is > stage))
                        return false;
                }
                if (was != is && std::ranges::find(kept.nodes, node) != kept.nodes.end())
                    return false;
            }
            return true;
        };
        double best = evaluate(problem, *current).bottleneckTime.value();
        forEachPlan(problem, [&](const Partition& plan) {
            if (keeps(plan))
                best = std::min(best, evaluate(problem, plan).bottleneckTime.value());
        });
        const auto solution = resolveAround(problem, *current, kept);
        QVERIFY(solution.has_value());
        QVERIFY(checkPartition(problem, solution->partition).has_value());
        QVERIFY(keeps(solution->partition));
        QVERIFY2(solution->cost.bottleneckTime.value() <= best * (1 + 1e-4) + 1e-9,
                 qPrintable(QStringLiteral("seed %1: %2, not %3")
                                .arg(seed)
                                .arg(solution->cost.bottleneckTime.value())
                                .arg(best)));
        QVERIFY(solution->bound.value.value() <= best * (1 + 1e-9));
        improved += solution->partition == *current ? 0 : 1;
    }
    QVERIFY(improved > 5);
}

void TestWholeSearch::keepingAllChangesNothing()
{
    std::mt19937 random(2);
    const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 3});
    std::optional<Partition> current;
    forEachPlan(problem, [&](const Partition& plan) {
        if (!current)
            current = plan;
    });
    QVERIFY(current.has_value());
    const auto solution = resolveAround(problem, *current, {.stages = {StageId(0), StageId(1), StageId(2)}});
    QVERIFY(solution.has_value());
    QCOMPARE(solution->partition, *current);
    const auto wrong = resolveAround(problem, singleStage(8), {});
    QVERIFY(!wrong.has_value());
}

void TestWholeSearch::resolveStopsWhenAsked()
{
    std::mt19937 random(2);
    const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 3});
    const auto plan = solve(problem);
    QVERIFY(plan.has_value());
    std::stop_source stop;
    stop.request_stop();
    const auto solution = resolveAround(problem, plan->partition, {}, Progress(stop.get_token()));
    if (solution.has_value())
        QVERIFY(solution->cost.bottleneckTime <= plan->cost.bottleneckTime);
    else
        QCOMPARE(solution.error().code, ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(TestWholeSearch)
#include "tst_whole_search.moc"
