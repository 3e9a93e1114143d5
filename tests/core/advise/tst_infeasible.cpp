// What is said to be enough is enough: solving with it gives a plan.
#include "core/advise/infeasible.h"
#include "core/search/search.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::testing;

class TestInfeasible : public QObject
{
    Q_OBJECT

private slots:
    void remediesAreTrue_data();
    void remediesAreTrue();
    void withoutTimeTheRestIsTrue();
    void sharesAddUp();
    void printedLimitIsEnough();
    void onePartTooLarge();
    void explainsMemory();
};

void TestInfeasible::remediesAreTrue_data()
{
    QTest::addColumn<int>("schedule");
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::ZeroBubble1})
        QTest::addRow("%s", std::string(scheduleName(kind)).c_str()) << static_cast<int>(kind);
}

void TestInfeasible::remediesAreTrue()
{
    QFETCH(int, schedule);
    int limits = 0;
    int others = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem =
            randomProblem(random, {.nodes = 7, .stages = 2 + seed % 2, .withMemory = true});
        for (Bytes& limit : problem.options.memoryLimits)
            limit = Bytes(limit.count() * 2 / 3);
        problem.options.schedule = static_cast<ScheduleKind>(schedule);
        if (solve(problem).has_value())
            continue;
        const auto reduced = reduceProblem(problem);
        QVERIFY(reduced.has_value());
        const Infeasibility found = diagnoseInfeasible(problem, *reduced);
        QVERIFY(found.sufficientLimit.has_value());
        PartitionProblem trial = problem;
        trial.options.memoryLimits.assign(problem.stageCount(), *found.sufficientLimit);
        const auto fitted = solve(trial);
        QVERIFY(fitted.has_value() && fitted->cost.fits());
        QVERIFY(*found.sufficientLimit > problem.options.memoryLimits.front());
        ++limits;
        if (found.sufficientStages) {
            const auto wider = solve(withStageCount(problem, *found.sufficientStages));
            QVERIFY(wider.has_value() && wider->cost.fits());
            ++others;
        }
        if (found.sufficientMicrobatches) {
            trial = problem;
            trial.options.microbatches = *found.sufficientMicrobatches;
            QVERIFY(solve(trial).has_value());
            ++others;
        }
        if (found.sufficientSchedule) {
            trial = problem;
            trial.options.schedule = *found.sufficientSchedule;
            QVERIFY(solve(trial).has_value());
            ++others;
        }
    }
    QVERIFY(limits > 5);
    QVERIFY(others > 2);
}

// However little time there was, the message names a limit that does and one that is needed.
void TestInfeasible::withoutTimeTheRestIsTrue()
{
    int limits = 0;
    int needed = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem =
            randomProblem(random, {.nodes = 7, .stages = 2 + seed % 2, .withMemory = true});
        problem.options.pins.clear();
        for (Bytes& limit : problem.options.memoryLimits)
            limit = Bytes(limit.count() * 2 / 3);
        if (solve(problem).has_value())
            continue;
        const auto reduced = reduceProblem(problem, Joining::Lossless, [] { return true; });
        QVERIFY(reduced.has_value());
        const Infeasibility found = diagnoseInfeasible(problem, *reduced);
        QVERIFY2(found.sufficientLimit.has_value(), found.message.c_str());
        QVERIFY(found.message.find("a limit of " + formatBytes(*found.sufficientLimit)) != std::string::npos);
        PartitionProblem trial = problem;
        trial.options.memoryLimits.assign(problem.stageCount(), *found.sufficientLimit);
        const auto fitted = solve(trial);
        QVERIFY(fitted.has_value() && fitted->cost.fits());
        ++limits;
        QVERIFY(*found.neededLimit <= *found.sufficientLimit);
        trial.options.memoryLimits.assign(problem.stageCount(), *found.neededLimit - Bytes(1));
        QVERIFY(!solve(trial).has_value());
        needed += *found.neededLimit > Bytes(1);
    }
    QVERIFY(limits > 5);
    QVERIFY(needed > 5);
}

void TestInfeasible::sharesAddUp()
{
    int stages = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 3, .withMemory = true});
        for (Bytes& limit : problem.options.memoryLimits)
            limit = Bytes(45);
        const auto reduced = reduceProblem(problem);
        QVERIFY(reduced.has_value());
        const Infeasibility found = diagnoseInfeasible(problem, *reduced);
        if (!found.stage)
            continue;
        Bytes sum;
        for (const MemoryShare& share : found.shares)
            sum += share.bytes;
        QCOMPARE(sum, found.need);
        QVERIFY(found.need > found.limit);
        QVERIFY(std::ranges::is_sorted(found.shares, std::ranges::greater{}, &MemoryShare::bytes));
        QVERIFY(found.message.find("would need " + formatBytes(found.need)) != std::string::npos);
        Bytes rest = found.need;
        for (std::size_t i = 0; i < 3 && i < found.shares.size(); ++i)
            rest -= found.shares[i].bytes;
        const std::string more = " and " + formatBytes(rest) + " for the rest";
        QCOMPARE(found.message.find(more) != std::string::npos, rest > Bytes());
        ++stages;
    }
    QVERIFY(stages > 5);
}

// Three digits are printed; a person who types them in gets a plan.
void TestInfeasible::printedLimitIsEnough()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    completeOptions(problem.options, {});
    for (std::size_t i = 0; i < 6; ++i)
        problem.nodes.add({.name = "n" + std::to_string(i),
                           .forward = Seconds(1),
                           .state = Bytes(3333333 + 7777 * std::int64_t(i))});
    problem.options.memoryLimits.assign(2, Bytes(5000000));
    const auto solution = solveOrExplain(problem);
    QVERIFY(!solution.has_value());
    const std::string& message = solution.error().message;
    const std::size_t begin = message.find("a limit of ", message.find("; ")) + 11;
    const auto limit = parseBytes(message.substr(begin, message.find(',', begin) - begin));
    QVERIFY2(limit.has_value(), message.c_str());
    problem.options.memoryLimits.assign(2, *limit);
    QVERIFY(solve(problem).has_value());
    problem.options.memoryLimits.assign(2, Bytes(limit->count() * 99 / 100));
    QVERIFY(!solve(problem).has_value());
}

void TestInfeasible::onePartTooLarge()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    completeOptions(problem.options, {});
    problem.nodes.add({.name = "small", .forward = Seconds(1), .state = Bytes(10)});
    problem.nodes.add({.name = "large", .forward = Seconds(1), .state = Bytes(1000)});
    problem.options.memoryLimits.assign(2, Bytes(500));
    const auto solution = solveOrExplain(problem);
    QVERIFY(!solution.has_value());
    QCOMPARE(QString::fromStdString(solution.error().message),
             QStringLiteral("'large' alone needs 1000 B, more than the limit of 500 B; no number of stages "
                            "helps; a limit of 1000 B would do"));
}

void TestInfeasible::explainsMemory()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    completeOptions(problem.options, {});
    for (int i = 0; i < 4; ++i) {
        problem.nodes.add({.name = "n" + std::to_string(i), .forward = Seconds(1), .state = Bytes(100)});
        if (i > 0)
            problem.precedences.push_back({NodeId(std::size_t(i) - 1), NodeId(std::size_t(i))});
    }
    problem.options.memoryLimits.assign(2, Bytes(150));
    const auto tight = solveOrExplain(problem);
    QVERIFY(!tight.has_value());
    QCOMPARE(
        QString::fromStdString(tight.error().message),
        QStringLiteral(
            "no plan in 2 stages fits a limit of 150 B; in the plan that needs least, stage 1 would need 200 "
            "B: state of 'n0' 100 B, state of 'n1' 100 B; a limit of 200 B, or 4 stages would do"));
    problem.options.memoryLimits.assign(2, Bytes(50));
    const auto hopeless = solveOrExplain(problem);
    QVERIFY(!hopeless.has_value());
    QCOMPARE(QString::fromStdString(hopeless.error().message),
             QStringLiteral("'n0' alone needs 100 B, more than the limit of 50 B; no number of stages helps; "
                            "a limit of 200 B would do"));
}

QTEST_GUILESS_MAIN(TestInfeasible)
#include "tst_infeasible.moc"
