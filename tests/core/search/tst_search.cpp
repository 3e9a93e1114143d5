// The search against brute force over all legal plans of random graphs, and its manners.
#include "core/search/reduce/loads.h"
#include "core/search/search.h"

#include "core/search/bound/bounds.h"
#include "core/search/ideals/ideal_search.h"
#include "core/search/improve/anneal.h"
#include "core/search/improve/hill_climb.h"
#include "core/search/improve/large_neighbourhood.h"
#include "core/search/improve/orders.h"
#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace stagecraft;
using namespace stagecraft::testing;

class TestSearch : public QObject
{
    Q_OBJECT

private slots:
    void equalsBruteForce_data();
    void equalsBruteForce();
    void mixedConstraintsEqualBruteForce();
    void floatingGroupsRefuteNoPlan_data();
    void floatingGroupsRefuteNoPlan();
    void neighbourhoodsOnlyImprove();
    void climbingOnlyImproves();
    void fiveRunsAreEqual();
    void endsAtTheSamePoint();
    void annealedPlansAreWhatTheySeem();
    void wideGraphHasABound();
    void stopsWhenAsked();
    void badProblems();
};

void TestSearch::equalsBruteForce_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("send");
    QTest::addColumn<int>("objective");
    QTest::addColumn<int>("empty");
    const char* const kinds[] = {"plain", "memory", "pins", "groups", "devices", "order", "shared", "all"};
    for (int kind = 0; kind < 8; ++kind) {
        for (int send = 0; send < 2; ++send) {
            for (int objective = 0; objective < 3; ++objective) {
                for (int empty = 0; empty < 2; ++empty)
                    QTest::addRow("%s-%s-%s-%s", kinds[kind], send == 0 ? "relay" : "direct",
                                  std::string(objectiveName(static_cast<Objective>(objective))).c_str(),
                                  empty == 0 ? "full" : "atmost")
                        << kind << send << objective << empty;
            }
        }
    }
}

void TestSearch::equalsBruteForce()
{
    QFETCH(int, kind);
    QFETCH(int, send);
    QFETCH(int, objective);
    QFETCH(int, empty);
    int feasible = 0;
    for (unsigned seed = 1; seed <= 24; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = seed % 8 == 1 ? 12 : 4 + seed % 5;
        shape.stages = 1 + seed % 4;
        shape.send = static_cast<SendKind>(send);
        shape.objective = static_cast<Objective>(objective);
        shape.emptyStages = static_cast<EmptyStages>(empty);
        const bool all = kind == 7;
        shape.withMemory = kind == 1 || kind == 6 || all;
        shape.withPins = kind == 2 || all;
        shape.withGroups = kind == 3 || all;
        shape.withDevices = kind == 4 || all;
        shape.withOrder = kind == 5 || all;
        shape.withShared = kind == 6 || all;
        shape.withSentParts = shape.withMemory && seed % 2 == 0;
        const PartitionProblem problem = randomProblem(random, shape);
        const auto best = bruteForce(problem);
        const auto solution = solve(problem);
        if (!best) {
            QVERIFY2(!solution.has_value(), qPrintable(QStringLiteral("seed %1").arg(seed)));
            QCOMPARE(solution.error().code, ErrorCode::Infeasible);
            continue;
        }
        ++feasible;
        QVERIFY2(solution.has_value(),
                 qPrintable(
                     QStringLiteral("seed %1: %2")
                         .arg(seed)
                         .arg(QString::fromStdString(solution.has_value() ? "" : solution.error().message))));
        const double reached = solution->cost.bottleneckTime.value();
        const QByteArray where = QStringLiteral("seed %1: reached %2, best %3, bound %4 (%5)")
                                     .arg(seed)
                                     .arg(reached, 0, 'g', 12)
                                     .arg(*best, 0, 'g', 12)
                                     .arg(solution->bound.value.value(), 0, 'g', 12)
                                     .arg(QString::fromStdString(solution->bound.kind))
                                     .toUtf8();
        QVERIFY2(reached <= *best * (1 + 1.001e-4), where.constData());
        QVERIFY2(reached >= *best * (1 - 1e-9), where.constData());
        QVERIFY2(solution->bound.value.value() <= *best * (1 + 1e-9), where.constData());
        QVERIFY2(solution->proven(), where.constData());
        QVERIFY(solution->cost.fits());
    }
    QVERIFY(feasible >= 6);
}

// Any of the constraints together, also with dear, cheap and free transfers and many nodes without time.
void TestSearch::mixedConstraintsEqualBruteForce()
{
    int feasible = 0;
    for (unsigned seed = 1; seed <= 1500; ++seed) {
        std::mt19937 random(seed * 7919 + 13);
        const auto upTo = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
        RandomShape shape;
        shape.nodes = 4 + upTo(4);
        shape.stages = std::min<std::size_t>(1 + upTo(4), shape.nodes);
        shape.send = static_cast<SendKind>(upTo(1));
        shape.objective = static_cast<Objective>(upTo(2));
        shape.emptyStages = static_cast<EmptyStages>(upTo(1));
        shape.withMemory = upTo(2) == 0;
        for (bool* with : {&shape.withPins, &shape.withGroups, &shape.withDevices, &shape.withOrder,
                           &shape.withShared, &shape.withLoose, &shape.withCycles})
            *with = upTo(3) == 0;
        PartitionProblem problem = randomProblem(random, shape);
        const std::int64_t dearness[] = {1, 1, 3, 20, 0};
        const std::int64_t scale = dearness[upTo(4)];
        for (ProblemValue& value : problem.values) {
            value.forwardBytes = value.forwardBytes * scale;
            value.backwardBytes = value.backwardBytes * scale;
        }
        for (NodeId node : problem.nodes.ids()) {
            ProblemNode& item = problem.nodes[node];
            if (seed % 3 == 0 && upTo(1) == 0)
                item.forward = item.backwardInput = item.backwardWeight = Seconds(0);
            if (seed % 4 == 0)
                item.saved = item.transient = Bytes(0);
            if (seed % 5 == 0 && upTo(1) == 0)
                item.state = item.saved = item.transient = Bytes(0);
        }
        const auto best = bruteForce(problem);
        const auto solution = solve(problem);
        const QByteArray where = "seed " + QByteArray::number(seed);
        QVERIFY2(solution.has_value() == best.has_value(), where.constData());
        if (!best)
            continue;
        ++feasible;
        const double reached = solution->cost.bottleneckTime.value();
        QVERIFY2(reached <= *best * (1 + 1.001e-4) && reached >= *best * (1 - 1e-9), where.constData());
        QVERIFY2(solution->bound.value.value() <= *best * (1 + 1e-9), where.constData());
        QVERIFY2(solution->proven() && solution->cost.fits(), where.constData());
    }
    QVERIFY(feasible > 1000);
}

void TestSearch::floatingGroupsRefuteNoPlan_data()
{
    QTest::addColumn<int>("send");
    QTest::addColumn<int>("objective");
    for (int send = 0; send < 2; ++send) {
        for (int objective = 0; objective < 3; ++objective)
            QTest::addRow("%s-%s", send == 0 ? "relay" : "direct",
                          std::string(objectiveName(static_cast<Objective>(objective))).c_str())
                << send << objective;
    }
}

// With so few ideals allowed that most groups float: the best plan is never refuted, and much better ones
// often are.
void TestSearch::floatingGroupsRefuteNoPlan()
{
    QFETCH(int, send);
    QFETCH(int, objective);
    int refuted = 0;
    int undecided = 0;
    for (unsigned seed = 1; seed <= 480; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = seed % 16 == 0 ? 10 : 6 + seed % 3;
        shape.stages = 2 + seed % 3;
        shape.send = static_cast<SendKind>(send);
        shape.objective = static_cast<Objective>(objective);
        shape.emptyStages = seed % 2 == 0 ? EmptyStages::Allow : EmptyStages::Forbid;
        shape.withMemory = seed % 5 < 2;
        shape.withPins = seed % 7 == 0;
        shape.withDevices = seed % 3 == 0;
        const PartitionProblem problem = randomProblem(random, shape);
        const auto best = bruteForce(problem);
        const auto reduced = reduceProblem(problem);
        if (!best || !reduced.has_value())
            continue;
        for (const double factor : {1.0, 0.97, 0.9}) {
            const double limit = *best * factor * (1 + 1e-9);
            const auto windows = BoundProver(*reduced).windows(limit);
            const QByteArray where = QByteArray::number(seed) + " at " + QByteArray::number(factor);
            QVERIFY2(windows || factor < 1, where.constData());
            if (!windows)
                continue;
            for (const std::size_t ideals : {2, 4, 8, 16}) {
                const SplitAnswer answer =
                    findSplit(*reduced, *windows, limit, {.ideals = ideals * shape.stages, .mayFloat = true});
                QVERIFY2(answer.verdict != SplitAnswer::Verdict::Refuted || factor < 1, where.constData());
                if (answer.verdict == SplitAnswer::Verdict::Found) {
                    QVERIFY2(factor == 1 && bottleneckOf(*reduced, answer.stages) <= limit * (1 + 1e-8),
                             where.constData());
                    QVERIFY(checkPartition(problem, expand(*reduced, answer.stages)).has_value());
                }
                refuted += answer.verdict == SplitAnswer::Verdict::Refuted;
                undecided += answer.verdict == SplitAnswer::Verdict::GaveUp;
            }
        }
    }
    QVERIFY(refuted > 20);
    QVERIFY(undecided > 20);
}

// What `improve` makes of a plan, by a seed, is legal, what it says it is, no worse, and the same each time.
template <class Improve>
void checkOnlyImproves(const Improve& improve)
{
    int better = 0;
    for (unsigned seed = 1; seed <= 16; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = 30;
        shape.stages = 2 + seed % 4;
        shape.send = static_cast<SendKind>(seed % 2);
        shape.objective = static_cast<Objective>(seed % 3);
        shape.withDevices = seed % 5 == 0;
        const auto reduced = reduceProblem(randomProblem(random, shape)).value();
        const auto start =
            sliceOrder(reduced, makeOrder(reduced, OrderRule::Program, OrderDirection::Forward), infinite);
        QVERIFY(start.has_value());
        const Slicing plan = improve(reduced, *start, seed);
        QCOMPARE(plan.bottleneckSeconds, bottleneckOf(reduced, plan.stages));
        QVERIFY(plan.bottleneckSeconds <= start->bottleneckSeconds);
        QVERIFY(plan.stages == improve(reduced, *start, seed).stages);
        for (const ReducedGroupId group : reduced.groups.ids()) {
            for (const ReducedGroupId after : reduced.groups[group].after)
                QVERIFY(plan.stages[group] <= plan.stages[after]);
        }
        better += plan.bottleneckSeconds < start->bottleneckSeconds ? 1 : 0;
    }
    QVERIFY(better > 3);
}

void TestSearch::neighbourhoodsOnlyImprove()
{
    checkOnlyImproves([](const ReducedProblem& reduced, const Slicing& plan, std::uint64_t seed) {
        return searchNearby(reduced, plan, {.seed = seed});
    });
}

void TestSearch::climbingOnlyImproves()
{
    checkOnlyImproves([](const ReducedProblem& reduced, const Slicing& plan, std::uint64_t) {
        return hillClimb(reduced, plan, {});
    });
}

void TestSearch::fiveRunsAreEqual()
{
    std::mt19937 random(5);
    RandomShape shape;
    shape.nodes = 14;
    shape.stages = 5;
    const PartitionProblem problem = randomProblem(random, shape);
    const auto first = solve(problem);
    QVERIFY(first.has_value());
    for (int run = 0; run < 4; ++run)
        QVERIFY(solve(problem)->partition == first->partition);
}

// Where the work is not enough to prove anything, it ends at the same point in every run.
void TestSearch::endsAtTheSamePoint()
{
    std::mt19937 random(11);
    RandomShape shape;
    shape.nodes = 120;
    shape.stages = 6;
    shape.send = SendKind::Direct;
    PartitionProblem problem = randomProblem(random, shape);
    for (const double limit : {0.05, 0.5}) {
        problem.options.timeLimit = Seconds(limit);
        std::optional<Solution> first;
        for (int run = 0; run < 5; ++run) {
            const auto solution = solve(problem);
            QVERIFY(solution.has_value());
            if (solution->cutShort)
                continue; // the machine is too busy to tell
            if (!first)
                first = *solution;
            QVERIFY(solution->partition == first->partition);
            QCOMPARE(solution->bound.value.value(), first->bound.value.value());
        }
    }
}

// 30 equal branches side by side: far too many ideals to look at, but the bound says how good the plan is.
void TestSearch::wideGraphHasABound()
{
    PartitionProblem problem;
    problem.options.stageCount = 4;
    problem.options.timeLimit = Seconds(1);
    completeOptions(problem.options, Link{1e3, Seconds(0)});
    const NodeId source = problem.nodes.add({.name = "source", .forward = Seconds(1)});
    const NodeId sink = problem.nodes.add({.name = "sink", .forward = Seconds(1)});
    ProblemValue spread{.value = ValueId(0), .producer = source, .forwardBytes = Bytes(10)};
    for (std::size_t branch = 0; branch < 30; ++branch) {
        NodeId before = source;
        for (int step = 0; step < 3; ++step) {
            const NodeId node =
                problem.nodes.add({.name = "b", .forward = Seconds(1 + 0.01 * double(branch))});
            problem.precedences.push_back({before, node});
            if (step == 0)
                spread.readers.push_back(node);
            else
                problem.values.push_back(
                    {.value = ValueId(0), .producer = before, .readers = {node}, .forwardBytes = Bytes(10)});
            before = node;
        }
        problem.precedences.push_back({before, sink});
        problem.values.push_back(
            {.value = ValueId(0), .producer = before, .readers = {sink}, .forwardBytes = Bytes(10)});
    }
    problem.values.push_back(spread);
    const auto solution = solve(problem);
    QVERIFY(solution.has_value());
    QVERIFY(solution->gap() < 0.05);
}

// Its running sums against figures from scratch, and every constraint kept.
void TestSearch::annealedPlansAreWhatTheySeem()
{
    int improved = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937 random(seed);
        RandomShape shape;
        shape.nodes = 30;
        shape.stages = 2 + seed % 4;
        shape.send = static_cast<SendKind>(seed % 2);
        shape.objective = static_cast<Objective>(seed % 3);
        shape.emptyStages = seed % 5 == 0 ? EmptyStages::Allow : EmptyStages::Forbid;
        shape.withMemory = seed % 3 == 0;
        shape.withPins = seed % 4 == 0;
        shape.withDevices = seed % 5 == 1;
        shape.withShared = seed % 7 == 0;
        PartitionProblem problem = randomProblem(random, shape);
        for (Bytes& limit : problem.options.memoryLimits)
            limit = limit < Bytes::max() ? limit * 4 : limit;
        const auto reduced = reduceProblem(problem);
        if (!reduced.has_value())
            continue;
        const auto plan =
            sliceOrder(*reduced, makeOrder(*reduced, OrderRule::Program, OrderDirection::Forward),
                       std::numeric_limits<double>::infinity());
        if (!plan)
            continue;
        const Slicing better = anneal(
            *reduced, *plan, {.aimSeconds = plan->bottleneckSeconds * 0.8, .steps = 20000, .seed = seed});
        const Partition partition = expand(*reduced, better.stages);
        QVERIFY(checkPartition(problem, partition).has_value());
        const PlanCost cost = evaluate(problem, partition);
        QVERIFY(cost.fits());
        QVERIFY(std::abs(cost.bottleneckTime.value() - better.bottleneckSeconds) <=
                1e-9 * better.bottleneckSeconds);
        QVERIFY(better.bottleneckSeconds <= plan->bottleneckSeconds);
        improved += better.bottleneckSeconds < plan->bottleneckSeconds;
    }
    QVERIFY(improved >= 10);
}

void TestSearch::stopsWhenAsked()
{
    std::mt19937 random(7);
    RandomShape shape;
    shape.nodes = 200;
    shape.stages = 8;
    const PartitionProblem problem = randomProblem(random, shape);
    std::stop_source source;
    source.request_stop();
    const auto solution = solve(problem, Progress(source.get_token()));
    QVERIFY(solution.has_value()); // the first plan, with the bound that costs nothing
    QVERIFY(solution->gap() >= 0);
    QVERIFY(checkPartition(problem, solution->partition).has_value());
}

void TestSearch::badProblems()
{
    PartitionProblem good;
    good.options.stageCount = 2;
    completeOptions(good.options, {});
    for (int i = 0; i < 3; ++i)
        good.nodes.add({.name = "n" + std::to_string(i), .forward = Seconds(1)});
    QVERIFY(solve(good).has_value());
    const auto message = [](const PartitionProblem& problem) {
        const auto solution = solve(problem);
        return QString::fromStdString(solution.has_value() ? std::string() : solution.error().message);
    };
    PartitionProblem problem = good;
    problem.options.stageCount = 0;
    QCOMPARE(message(problem), QStringLiteral("a plan needs at least one stage"));
    problem = withStageCount(good, 5);
    QCOMPARE(message(problem), QStringLiteral("cannot make 5 stages of 3 nodes"));
    problem = good;
    problem.nodes[NodeId(1)].forward = Seconds(-1);
    QCOMPARE(message(problem), QStringLiteral("node 'n1' has a time that is negative or not a number"));
    problem = good;
    problem.options.pins = {{NodeId(9), StageId(0)}};
    QCOMPARE(message(problem), QStringLiteral("a pin names node 9, which is not there"));
    problem = good;
    problem.options.pins = {{NodeId(1), StageId(7)}};
    QCOMPARE(message(problem), QStringLiteral("'n1' is pinned to stage 8 of 2"));
    problem = good;
    problem.precedences = {{NodeId(0), NodeId(1)}};
    problem.options.pins = {{NodeId(0), StageId(1)}, {NodeId(1), StageId(0)}};
    QCOMPARE(message(problem),
             QStringLiteral("the pins contradict each other or the order at 'n0': it would have to "
                            "be in stage 2 or later and in stage 1 or earlier"));
    problem = good;
    problem.groups = {{{NodeId(0), NodeId(1), NodeId(2)}, "kept together"}};
    QCOMPARE(message(problem),
             QStringLiteral("cannot make 2 stages: what must stay together leaves only 1 parts"));
}

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
