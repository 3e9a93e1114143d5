// Goals that do not come apart by stage, against all legal plans of random graphs of up to 12 nodes: devices
// that run several stages, the simulated step, and the memory of the fullest device.
#include "core/advise/infeasible.h"
#include "core/advise/least_limit.h"
#include "core/schedule/makespan_clock.h"
#include "core/search/bound/step_bound.h"
#include "core/search/improve/anneal.h"
#include "core/search/improve/exhaustive.h"
#include "core/search/reduce/loads.h"
#include "core/search/search.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

struct Kind
{
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::size_t stagesPerDevice = 1;
    std::size_t stages = 3;

    bool sharesDevices() const { return stagesPerDevice > 1 || schedule == ScheduleKind::ZeroBubbleV; }
};

constexpr std::array<Kind, 9> kinds{{
    {ScheduleKind::GPipe, 1, 3},
    {ScheduleKind::OneFOneB, 1, 3},
    {ScheduleKind::Interleaved, 1, 3},
    {ScheduleKind::LoopedBfs, 1, 3},
    {ScheduleKind::ZeroBubble1, 1, 3},
    {ScheduleKind::Interleaved, 2, 4},
    {ScheduleKind::LoopedBfs, 2, 4},
    {ScheduleKind::ZeroBubble1, 2, 4},
    {ScheduleKind::ZeroBubbleV, 2, 4},
}};

constexpr std::array<Objective, 4> askedObjectives{Objective::Compute, Objective::Sum, Objective::Overlap,
                                                   Objective::Iteration};

const char* constraintName(int index)
{
    constexpr std::array<const char*, 8> names{"free",  "memory", "pins",    "groups",
                                               "order", "shared", "devices", "empty stages"};
    return names.at(static_cast<std::size_t>(index));
}

RandomShape shapeWith(int constraint)
{
    RandomShape shape;
    shape.withMemory = constraint == 1;
    shape.withPins = constraint == 2;
    shape.withGroups = constraint == 3;
    shape.withOrder = constraint == 4;
    shape.withShared = constraint == 5;
    shape.withDevices = constraint == 6;
    shape.emptyStages = constraint == 7 ? EmptyStages::Allow : EmptyStages::Forbid;
    return shape;
}

PartitionProblem problemOf(const Kind& kind, RandomShape shape, unsigned seed)
{
    std::mt19937 random(seed);
    shape.stages = kind.stages;
    PartitionProblem problem = randomProblem(random, shape);
    problem.options.schedule = kind.schedule;
    problem.options.stagesPerDevice = kind.stagesPerDevice;
    problem.options.microbatches = 4;
    return problem;
}

// The least value of all legal plans that keep their limits, if it is below `known`; infinite: there is none.
double leastOfAll(const PartitionProblem& problem, PlanGoal goal, double known = infinite)
{
    double best = known;
    const Schedule schedule = scheduleOf(problem.options).value();
    const double repeats = goal == PlanGoal::Step ? static_cast<double>(problem.options.microbatches) : 1;
    // No goal in seconds counts less than what a device computes.
    const auto mayLead = [&](const std::vector<double>& times) {
        std::vector<double> devices(schedule.deviceCount(), 0);
        for (std::size_t stage = 0; stage < times.size(); ++stage)
            devices[schedule.deviceOfStage[stage]] += times[stage];
        return goal == PlanGoal::FullestDevice || std::ranges::max(devices) * repeats < best;
    };
    const auto visit = [&](const Partition& plan) {
        best = std::min(best, wholeValue(goal, evaluate(problem, plan)));
    };
    forEachPlan(problem, visit, mayLead);
    return best;
}

QString caseText(const PartitionProblem& problem, unsigned seed, double found, double best)
{
    return QStringLiteral("seed %1, %2 nodes, %3 in %4 stages: %5, not %6")
        .arg(seed)
        .arg(problem.nodes.size())
        .arg(QString::fromStdString(std::string(objectiveName(problem.options.objective))))
        .arg(problem.stageCount())
        .arg(found)
        .arg(best);
}

} // namespace

class TestWholePlans : public QObject
{
    Q_OBJECT

private slots:
    void searchAgreesWithBruteForce_data();
    void searchAgreesWithBruteForce();
    void twelveNodes_data();
    void twelveNodes();
    void leastLimitIsLeast_data();
    void leastLimitIsLeast();
    void fewestStagesAreFewest();
    void loadsEqualEvaluate();
    void buffersAreSearchedHonestly_data();
    void buffersAreSearchedHonestly();
    void regionsThatRunAgainAreSearchedHonestly();
    void certainCostsNeverFall();
    void annealingOnlyImproves();
    void fiveRunsGiveTheSamePlan();
};

void TestWholePlans::searchAgreesWithBruteForce_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("send");
    QTest::addColumn<int>("constraint");
    for (int kind = 0; kind < static_cast<int>(kinds.size()); ++kind) {
        for (const SendKind send : {SendKind::Relay, SendKind::Direct}) {
            for (int constraint = 0; constraint < 8; ++constraint)
                QTest::addRow(
                    "%s-%zu-%s-%s",
                    std::string(scheduleName(kinds.at(static_cast<std::size_t>(kind)).schedule)).c_str(),
                    kinds.at(static_cast<std::size_t>(kind)).stagesPerDevice,
                    std::string(sendName(send)).c_str(), constraintName(constraint))
                    << kind << static_cast<int>(send) << constraint;
        }
    }
}

void TestWholePlans::searchAgreesWithBruteForce()
{
    QFETCH(int, kind);
    QFETCH(int, send);
    QFETCH(int, constraint);
    const Kind& shapeOfStages = kinds.at(static_cast<std::size_t>(kind));
    for (const Objective objective : askedObjectives) {
        const PlanGoal goal = objective == Objective::Iteration ? PlanGoal::Step : PlanGoal::SlowestDevice;
        for (unsigned seed = 1; seed <= 3; ++seed) {
            RandomShape shape = shapeWith(constraint);
            shape.nodes = shapeOfStages.stages == 3 ? 8 : 7;
            shape.send = static_cast<SendKind>(send);
            shape.objective = objective;
            shape.withSentParts = shape.withMemory && seed == 2;
            PartitionProblem problem = problemOf(shapeOfStages, shape, 100 * seed + unsigned(constraint));
            if (shapeOfStages.sharesDevices()) {
                for (Bytes& limit : problem.options.memoryLimits) // devices hold several stages
                    limit = limit < Bytes::max() ? limit * 2 : limit;
            }
            const double best = leastOfAll(problem, goal);
            const auto solution = solve(problem);
            QCOMPARE(solution.has_value(), best < infinite);
            if (best == infinite)
                continue;
            QVERIFY(checkPartition(problem, solution->partition).has_value());
            const double found = wholeValue(goal, evaluate(problem, solution->partition));
            const bool needsProof = goal == PlanGoal::Step || shapeOfStages.sharesDevices();
            const double allowed = needsProof ? 1e-9 : 1e-4;
            QVERIFY2(found <= best * (1 + allowed), qPrintable(caseText(problem, seed, found, best)));
            QVERIFY(solution->bound.value.value() <= solution->cost.bottleneckTime.value() * (1 + 1e-9));
            if (goal == PlanGoal::Step)
                QVERIFY(std::abs(stepBound(problem, *solution).value() - best) <= 1e-9 * best);
            else if (needsProof)
                QVERIFY(std::abs(solution->bound.value.value() - best) <= 1e-9 * best);
            QVERIFY(!solution->cutShort);
        }
    }
}

void TestWholePlans::twelveNodes_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("objective");
    for (int kind = 0; kind < static_cast<int>(kinds.size()); ++kind) {
        for (const Objective objective : {Objective::Sum, Objective::Iteration})
            QTest::addRow(
                "%s-%zu-%s",
                std::string(scheduleName(kinds.at(static_cast<std::size_t>(kind)).schedule)).c_str(),
                kinds.at(static_cast<std::size_t>(kind)).stagesPerDevice,
                std::string(objectiveName(objective)).c_str())
                << kind << static_cast<int>(objective);
    }
}

void TestWholePlans::twelveNodes()
{
    QFETCH(int, kind);
    QFETCH(int, objective);
    const Kind& shapeOfStages = kinds.at(static_cast<std::size_t>(kind));
    const RandomShape shape{.nodes = 12, .objective = static_cast<Objective>(objective)};
    const PartitionProblem problem = problemOf(shapeOfStages, shape, 12 + static_cast<unsigned>(kind));
    const PlanGoal goal =
        problem.options.objective == Objective::Iteration ? PlanGoal::Step : PlanGoal::SlowestDevice;
    const auto solution = solve(problem);
    QVERIFY(solution.has_value());
    const double found = wholeValue(goal, solution->cost);
    const double best = leastOfAll(problem, goal, found);
    const bool needsProof = goal == PlanGoal::Step || shapeOfStages.sharesDevices();
    QVERIFY2(found <= best * (1 + (needsProof ? 1e-9 : 1e-4)), qPrintable(caseText(problem, 0, found, best)));
}

void TestWholePlans::leastLimitIsLeast_data()
{
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < static_cast<int>(kinds.size()); ++kind)
        QTest::addRow("%s-%zu",
                      std::string(scheduleName(kinds.at(static_cast<std::size_t>(kind)).schedule)).c_str(),
                      kinds.at(static_cast<std::size_t>(kind)).stagesPerDevice)
            << kind;
}

void TestWholePlans::leastLimitIsLeast()
{
    QFETCH(int, kind);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        RandomShape shape{.nodes = 8, .withMemory = true};
        shape.withShared = seed % 3 == 0;
        shape.withGroups = seed % 3 == 1;
        shape.withPins = seed % 4 == 2;
        shape.withParts = seed % 2 == 0;
        shape.withSentParts = seed % 4 > 1;
        PartitionProblem problem = problemOf(kinds.at(static_cast<std::size_t>(kind)), shape, seed);
        const double least = leastOfAll(problem, PlanGoal::FullestDevice);
        const auto reduced = reduceProblem(problem);
        QCOMPARE(reduced.has_value(), least < infinite);
        if (!reduced.has_value())
            continue;
        const auto found = leastLimit(problem, *reduced);
        QVERIFY(found.has_value());
        QCOMPARE(found->sufficient.asDouble(), least);
        QVERIFY(found->isExact());

        // One byte less is too little for every search, and what is asked for is enough.
        problem.options.memoryLimits.assign(problem.stageCount(), Bytes(found->sufficient.count() - 1));
        QVERIFY(!solve(problem).has_value());
        QCOMPARE(feasibilityOf(problem, *reduceProblem(problem)), Feasibility::Impossible);
        problem.options.memoryLimits.assign(problem.stageCount(), found->sufficient);
        const auto solution = solve(problem);
        QVERIFY(solution.has_value() && solution->cost.fits());
    }
}

void TestWholePlans::fewestStagesAreFewest()
{
    int others = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const Kind& kind = kinds.at(seed % kinds.size());
        PartitionProblem problem = problemOf(kind, {.nodes = 7, .withMemory = true}, seed);
        for (Bytes& limit : problem.options.memoryLimits)
            limit = Bytes(limit.count() * 2 / 3);
        const auto reduced = reduceProblem(problem);
        if (!reduced.has_value() || leastOfAll(problem, PlanGoal::SlowestDevice) < infinite)
            continue;
        std::size_t fewest = 0;
        for (std::size_t stages = 1; stages <= problem.nodes.size() && fewest == 0; ++stages) {
            const PartitionProblem other = withStageCount(problem, stages);
            if (checkProblem(other).has_value() && leastOfAll(other, PlanGoal::SlowestDevice) < infinite)
                fewest = stages;
        }
        const Infeasibility found = diagnoseInfeasible(problem, *reduced);
        QVERIFY(found.isProven);
        QCOMPARE(found.sufficientStages.value_or(0), fewest);
        QVERIFY(fewest == 0 || found.stagesAreLeast);
        others += fewest > 0 ? 1 : 0;
    }
    QVERIFY2(others > 3, qPrintable(QString::number(others)));
}

// Placed in any order, moved about, and taken out again.
void TestWholePlans::loadsEqualEvaluate()
{
    for (unsigned seed = 1; seed <= 72; ++seed) {
        RandomShape shape = shapeWith(static_cast<int>(seed % 8));
        shape.send = seed / 3 % 3 == 0 ? SendKind::Direct : SendKind::Relay;
        shape.objective = askedObjectives.at(seed % 4);
        shape.runtime = pipelineRuntimes.entries.at(seed % 4).kind;
        shape.withParts = seed / 2 % 2 == 0;
        shape.withSentParts = seed / 4 % 2 == 0;
        shape.withTurns = seed / 8 % 2 == 0;
        PartitionProblem problem = problemOf(kinds.at(seed % kinds.size()), shape, seed);
        if (problem.options.memoryLimits.front() == Bytes::max())
            problem.options.memoryLimits.assign(problem.stageCount(), Bytes(1000000));
        for (std::size_t node = seed % 4; node < problem.nodes.size(); node += 5)
            problem.nodes[NodeId(node)].recomputes = true;
        const auto reduced = reduceProblem(problem, Joining::None);
        if (!reduced.has_value())
            continue;
        Loads loads(*reduced);
        for (const ReducedGroupId group : reduced->groups.ids())
            loads.place(group, 0);
        auto clock = MakespanClock::make(scheduleOf(problem.options).value());
        QVERIFY(clock.has_value());
        int plans = 0;
        forEachPlan(problem, [&](const Partition& plan) {
            if (++plans % 17 != 1)
                return;
            for (const ReducedGroupId group : reduced->groups.ids())
                loads.move(group, plan.stageOf[reduced->groups[group].nodes.front()].index());
            const ScheduleCosts expected = scheduleCosts(problem, plan);
            const ScheduleCosts& found = loads.costs();
            QCOMPARE(found.links.size(), expected.links.size());
            const PlanCost cost = evaluate(problem, plan);
            for (std::size_t stage = 0; stage < expected.stages.size(); ++stage) {
                QVERIFY(std::abs((found.stages[stage].forward - expected.stages[stage].forward).value()) <
                        1e-9);
                QVERIFY(std::abs((found.stages[stage].sendGradients - expected.stages[stage].sendGradients)
                                     .value()) < 1e-9);
                QCOMPARE(found.stages[stage].state, expected.stages[stage].state);
                QCOMPARE(found.stages[stage].saved, expected.stages[stage].saved);
                QCOMPARE(found.stages[stage].transient, expected.stages[stage].transient);
                QCOMPARE(found.stages[stage].transientInput, expected.stages[stage].transientInput);
                QCOMPARE(found.stages[stage].transientWeight, expected.stages[stage].transientWeight);
                QCOMPARE(found.stages[stage].waiting, expected.stages[stage].waiting);
                QCOMPARE(found.stages[stage].released, expected.stages[stage].released);
                QVERIFY(std::abs(stageLoad(problem.options.objective, found.stages[stage]).value() -
                                 cost.stages[StageId(stage)].load.value()) < 1e-9);
            }
            QVERIFY(std::abs((clock->makespan(found) - cost.iteration).value()) < 1e-9);
            for (std::size_t device = 0; device < cost.devices.size(); ++device)
                QCOMPARE(clock->peakMemory(device, found.stages), cost.devices[device].peakMemory);
        });
        QVERIFY(plans > 0);
    }
}

void TestWholePlans::buffersAreSearchedHonestly_data()
{
    leastLimitIsLeast_data();
}

// What run-times hold of what crosses counts against limits, and what is alive in turns of nodes, in the
// search as in evaluate(). Where each stage has a device of its own, a plan that sends directly may be missed
// that just fits, but no bound is wrong and no plan too large.
void TestWholePlans::buffersAreSearchedHonestly()
{
    QFETCH(int, kind);
    const bool isSearchedWhole = kinds.at(static_cast<std::size_t>(kind)).sharesDevices();
    for (unsigned seed = 1; seed <= 8; ++seed) {
        RandomShape shape{.nodes = 6, .withMemory = true};
        shape.send = seed > 6 ? SendKind::Direct : SendKind::Relay;
        shape.runtime = seed % 2 == 0 ? PipelineRuntime::Torch214 : PipelineRuntime::Torch215;
        shape.withParts = seed % 3 == 0;
        shape.withSentParts = seed % 4 > 1;
        shape.withTurns = seed % 3 != 1;
        PartitionProblem problem = problemOf(kinds.at(static_cast<std::size_t>(kind)), shape, seed);
        const bool mayMiss = !isSearchedWhole && shape.send == SendKind::Direct;
        problem.options.timeLimit = Seconds(0.5);
        const double least = leastOfAll(problem, PlanGoal::FullestDevice);
        QVERIFY(least < infinite);
        problem.options.memoryLimits.assign(problem.stageCount(),
                                            Bytes(static_cast<std::int64_t>(least) - 1));
        QVERIFY(!solve(problem).has_value());
        problem.options.memoryLimits.assign(problem.stageCount(), Bytes(static_cast<std::int64_t>(least)));
        const auto tight = solve(problem);
        QVERIFY(tight.has_value() ? tight->cost.fits() : mayMiss);
        problem.options.memoryLimits.assign(problem.stageCount(),
                                            Bytes(static_cast<std::int64_t>(least * 1.3)));
        const auto solution = solve(problem);
        QVERIFY(solution.has_value() ? solution->cost.fits() : mayMiss);
        const double best = leastOfAll(problem, PlanGoal::SlowestDevice);
        if (!solution.has_value())
            continue;
        const double found = wholeValue(PlanGoal::SlowestDevice, solution->cost);
        QVERIFY2(!isSearchedWhole || found <= best * (1 + 1e-4),
                 qPrintable(caseText(problem, seed, found, best)));
        QVERIFY(solution->bound.value.value() <= best * (1 + 1e-9));
    }
}

// Where the backward pass is split and some stages do all of it in its first part, what is claimed of a step
// holds for every plan.
void TestWholePlans::regionsThatRunAgainAreSearchedHonestly()
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        for (const Kind& kind : {kinds[4], kinds[8]}) {
            RandomShape shape = shapeWith(0);
            shape.nodes = 7;
            shape.objective = Objective::Iteration;
            shape.withMemory = seed % 2 == 0;
            PartitionProblem problem = problemOf(kind, shape, seed);
            problem.options.timeLimit = Seconds(0.05);
            for (std::size_t node = seed % 4; node < problem.nodes.size(); node += 4)
                problem.nodes[NodeId(node)].recomputes = true;
            const double best = leastOfAll(problem, PlanGoal::Step);
            if (best == infinite)
                continue;
            const auto solution = solve(problem);
            QVERIFY(solution.has_value());
            QCOMPARE(solution->cost.iteration.value(),
                     evaluate(problem, solution->partition).iteration.value());
            const double bound = stepBound(problem, *solution).value();
            QVERIFY2(bound <= best * (1 + 1e-9), qPrintable(caseText(problem, seed, bound, best)));
            QVERIFY(solution->cost.iteration.value() >= best * (1 - 1e-9));
        }
    }
}

// What the first groups of a plan cost is never more than what all of them do.
void TestWholePlans::certainCostsNeverFall()
{
    for (unsigned seed = 1; seed <= 16; ++seed) {
        RandomShape shape = shapeWith(static_cast<int>(seed % 8));
        shape.send = seed % 2 == 0 ? SendKind::Direct : SendKind::Relay;
        shape.objective = Objective::Iteration;
        const PartitionProblem problem = problemOf(kinds.at(seed % kinds.size()), shape, seed);
        const auto reduced = reduceProblem(problem);
        if (!reduced.has_value())
            continue;
        auto clock = MakespanClock::make(scheduleOf(problem.options).value());
        QVERIFY(clock.has_value());
        int plans = 0;
        forEachPlan(problem, [&](const Partition& plan) {
            if (++plans % 29 != 1)
                return;
            Loads loads(*reduced);
            Seconds before;
            for (const ReducedGroupId group : reduced->groups.ids()) {
                loads.place(group, plan.stageOf[reduced->groups[group].nodes.front()].index());
                const Seconds after = clock->makespan(loads.costs());
                QVERIFY(after >= before * (1 - 1e-9));
                before = after;
            }
            QVERIFY(std::abs((before - evaluate(problem, plan).iteration).value()) < 1e-9);
        });
        QVERIFY(plans > 0);
    }
}

void TestWholePlans::annealingOnlyImproves()
{
    int improved = 0;
    for (unsigned seed = 1; seed <= 18; ++seed) {
        PartitionProblem problem = problemOf(kinds.at(seed % kinds.size()), {.nodes = 30}, seed);
        const auto reduced = reduceProblem(problem);
        QVERIFY(reduced.has_value());
        GroupStages even;
        for (const ReducedGroupId group : reduced->groups.ids())
            even.add(static_cast<std::uint32_t>(group.index() * problem.stageCount() / reduced->size()));
        const PlanGoal goal = seed % 2 == 0 ? PlanGoal::Step : PlanGoal::SlowestDevice;
        const double known = wholeValue(goal, evaluate(problem, expand(*reduced, even)));
        const auto better = annealWhole(problem, *reduced, even, known, goal,
                                        {.aimSeconds = known / 2, .steps = 5000, .seed = seed});
        if (!better)
            continue;
        const Partition plan = expand(*reduced, *better);
        QVERIFY(checkPartition(problem, plan).has_value());
        QVERIFY(wholeValue(goal, evaluate(problem, plan)) < known);
        ++improved;
    }
    QVERIFY2(improved > 12, qPrintable(QString::number(improved)));
}

void TestWholePlans::fiveRunsGiveTheSamePlan()
{
    for (std::size_t index = 1; index < kinds.size(); index += 2) {
        PartitionProblem problem = problemOf(
            kinds.at(index), {.nodes = 40, .objective = askedObjectives.at(index % 4 == 1 ? 3 : 1)}, 5);
        problem.options.timeLimit = Seconds(0.06);
        std::optional<Partition> first;
        for (int run = 0; run < 5; ++run) {
            const auto solution = solve(problem);
            QVERIFY(solution.has_value());
            if (solution->cutShort)
                continue; // a busy machine: then it says so
            if (!first)
                first = solution->partition;
            QCOMPARE(solution->partition, *first);
        }
    }
}

QTEST_GUILESS_MAIN(TestWholePlans)
#include "tst_whole_plans.moc"
