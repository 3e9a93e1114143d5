// The bound of a plan that is given says as much as that of one that is found: devices bear all their stages.
#include "core/search/bound/bounds.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <limits>

using namespace stagecraft;
using namespace stagecraft::testing;

class TestPlanBound : public QObject
{
    Q_OBJECT

private slots:
    void givenPlansAreBoundByDevice()
    {
        int bounded = 0;
        for (unsigned seed = 1; seed <= 6; ++seed) {
            std::mt19937 random(seed);
            PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 4});
            setSchedule(problem.options, ScheduleKind::Interleaved);
            problem.options.stageCount = 4;
            double best = std::numeric_limits<double>::infinity();
            std::optional<Partition> some;
            forEachPlan(problem, [&](const Partition& plan) {
                best = std::min(best, evaluate(problem, plan).bottleneckTime.value());
                some = plan;
            });
            if (!some)
                continue;
            const auto bound = planBound(problem, evaluate(problem, *some));
            QVERIFY(bound.has_value());
            QVERIFY(bound->value.value() <= best * (1 + 1e-9));
            double work = 0;
            for (const ProblemNode& node : problem.nodes)
                work += node.time().value();
            const double fastest = std::ranges::max(problem.options.speeds);
            QVERIFY(bound->value.value() >= work / fastest / 2 * (1 - 1e-6)); // two devices
            ++bounded;
        }
        QVERIFY(bounded > 3);
    }

    // Half of it would be a lower one, and look like the best there is.
    void aCancelIsHeard()
    {
        std::mt19937 random(1);
        const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 2});
        std::optional<Partition> some;
        forEachPlan(problem, [&](const Partition& plan) { some = plan; });
        QVERIFY(some);
        std::stop_source stop;
        stop.request_stop();
        const auto bound = planBound(problem, evaluate(problem, *some), Progress(stop.get_token()));
        QVERIFY(!bound.has_value());
        QCOMPARE(bound.error().code, ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestPlanBound)
#include "tst_plan_bound.moc"
