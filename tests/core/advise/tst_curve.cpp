// The curve over the numbers of stages: every point against brute force, and its manners.
#include "core/advise/curve.h"
#include "core/advise/curve_text.h"
#include "core/search/search.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace stagecraft;
using namespace stagecraft::testing;

class TestCurve : public QObject
{
    Q_OBJECT

private slots:
    void pointsEqualBruteForce();
    void pointsAreJudgedByTheLimit();
    void everyPointHasBothBounds();
    void pinsToTheLastStageFollowIt();
    void paretoPointsAreNotDominated();
    void theKnownPlanIsNoWorse();
    void reportsEveryPoint();
    void stoppedCurveSaysSo();
    void badRanges();
    void jsonHasEveryPoint();
};

void TestCurve::pointsEqualBruteForce()
{
    int plans = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        const RandomShape shape{.nodes = 7,
                                .stages = 3,
                                .send = seed % 2 == 0 ? SendKind::Direct : SendKind::Relay,
                                .withGroups = seed % 3 == 0};
        const PartitionProblem problem = randomProblem(random, shape);
        const auto curve = solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 8});
        QVERIFY(curve.has_value());
        QVERIFY(curve->complete);
        QCOMPARE(curve->points.size(), std::size_t(8));
        for (const CurvePoint& point : curve->points) {
            const auto best = bruteForce(problemOfPoint(problem, point.stageCount));
            QCOMPARE(point.hasPlan(), best.has_value());
            if (!best) {
                QVERIFY(!point.note.empty());
                continue;
            }
            ++plans;
            const double reached = point.solution->cost.bottleneckTime.value();
            QVERIFY(reached <= *best * (1 + 1e-4) + 1e-9);
            QVERIFY(point.solution->bound.value.value() <= *best + 1e-9);
        }
    }
    QVERIFY(plans > 60);
}

// What does not fit is shown all the same, as the best plan without the limit.
void TestCurve::pointsAreJudgedByTheLimit()
{
    int over = 0;
    int within = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        PartitionProblem problem = randomProblem(random, {.nodes = 7, .stages = 2, .withMemory = true});
        const auto curve = solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 4});
        QVERIFY(curve.has_value());
        for (const CurvePoint& point : curve->points) {
            const bool possible = bruteForce(problemOfPoint(problem, point.stageCount)).has_value();
            QVERIFY(point.hasPlan());
            QCOMPARE(point.fits(), possible);
            QCOMPARE(point.note.empty(), possible);
            ++(possible ? within : over);
        }
    }
    QVERIFY(over > 3 && within > 3);
}

// Sketches too; where nothing keeps the limits, of all plans that do not.
void TestCurve::everyPointHasBothBounds()
{
    int over = 0;
    int sketched = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        const PartitionProblem problem =
            randomProblem(random, {.nodes = 7,
                                   .stages = 2,
                                   .send = seed % 3 == 0 ? SendKind::Direct : SendKind::Relay,
                                   .withMemory = true});
        const auto check = [&](const PlanCurve& curve, std::size_t index) {
            const CurvePoint& point = curve.points[index];
            const Solution& solution = *point.solution;
            QVERIFY(solution.bound.value > Seconds{} && solution.iterationBound > Seconds{});
            const PartitionProblem question = problemOfPoint(problem, point.stageCount);
            const bool keepsLimits = point.state == CurvePoint::State::Searched && point.fits();
            forEachPlan(question, [&](const Partition& plan) {
                const PlanCost cost = evaluate(question, plan);
                if (keepsLimits && !cost.fits())
                    return;
                QVERIFY(cost.bottleneckTime >= solution.bound.value * (1 - 1e-9));
                QVERIFY(cost.iteration >= solution.iterationBound * (1 - 1e-9));
            });
            over += point.fits() ? 0 : 1;
            sketched += point.state == CurvePoint::State::Sketched ? 1 : 0;
        };
        QVERIFY(solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 4}, check).has_value());
    }
    QVERIFY(over > 3 && sketched > 3);
}

void TestCurve::pinsToTheLastStageFollowIt()
{
    std::mt19937 random(3);
    PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 4});
    problem.options.pins = {{NodeId(0), StageId(0)}, {NodeId(7), StageId(3)}};
    const auto curve = solveCurve(problem, {.firstStageCount = 2, .lastStageCount = 6});
    QVERIFY(curve.has_value());
    for (const CurvePoint& point : curve->points) {
        QVERIFY(point.hasPlan());
        QCOMPARE(std::size_t(point.solution->partition.stageOf[NodeId(7)].index()), point.stageCount - 1);
    }
    problem.options.pins = {{NodeId(3), StageId(2)}};
    const auto pinned = solveCurve(problem, {.firstStageCount = 2, .lastStageCount = 4});
    QVERIFY(pinned.has_value());
    QCOMPARE(pinned->find(2)->state, CurvePoint::State::NoPlan);
    QVERIFY(pinned->find(2)->note.find("pinned to stage 3 of 2") != std::string::npos);
    QVERIFY(pinned->find(3)->hasPlan());
}

void TestCurve::paretoPointsAreNotDominated()
{
    std::mt19937 random(5);
    const PartitionProblem problem = randomProblem(random, {.nodes = 12, .stages = 2});
    const auto curve = solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 6});
    QVERIFY(curve.has_value());
    const auto figures = [](const CurvePoint& point) {
        return std::array{point.solution->cost.iteration.value(), point.peakMemory.asDouble(),
                          point.solution->cost.bytesSent.asDouble()};
    };
    int pareto = 0;
    for (const CurvePoint& point : curve->points) {
        bool dominated = false;
        for (const CurvePoint& other : curve->points) {
            const auto a = figures(other);
            const auto b = figures(point);
            dominated = dominated || (a != b && a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2]);
        }
        QCOMPARE(point.pareto, !dominated);
        pareto += point.pareto ? 1 : 0;
    }
    QVERIFY(pareto > 0);
    QCOMPARE(curve->points.front().speedUp, 1.0);
}

// A sketch is what a curve has that is stopped at once; often it is worse than what is there already.
void TestCurve::theKnownPlanIsNoWorse()
{
    int mended = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const PartitionProblem problem = randomProblem(random, {.nodes = 14, .stages = 4});
        const auto best = solve(problem);
        if (!best.has_value())
            continue;
        const auto sketched = [&](const std::optional<Solution>& known) {
            std::stop_source stop;
            auto curve = solveCurve(
                problem, {.firstStageCount = 4, .lastStageCount = 4, .known = known},
                [&](const PlanCurve&, std::size_t) { stop.request_stop(); }, Progress(stop.get_token()));
            return curve.value().points.front().solution.value();
        };
        const Solution with = sketched(*best);
        QVERIFY(with.cost.bottleneckTime <= best->cost.bottleneckTime);
        QVERIFY(with.bound.value >= best->bound.value);
        mended += with.cost.bottleneckTime < sketched({}).cost.bottleneckTime ? 1 : 0;
    }
    QVERIFY(mended > 0);
}

void TestCurve::reportsEveryPoint()
{
    std::mt19937 random(2);
    const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 2});
    std::vector<int> reports(4, 0);
    const auto curve = solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 4},
                                  [&](const PlanCurve& current, std::size_t changed) {
                                      QVERIFY(current.points[changed].hasPlan());
                                      ++reports[changed];
                                  });
    QVERIFY(curve.has_value());
    QCOMPARE(reports, std::vector<int>({2, 2, 2, 2})); // a sketch, then the search
}

void TestCurve::stoppedCurveSaysSo()
{
    std::mt19937 random(2);
    const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 2});
    std::stop_source stop;
    const auto curve = solveCurve(
        problem, {.firstStageCount = 1, .lastStageCount = 4},
        [&](const PlanCurve& current, std::size_t changed) {
            if (current.points[changed].state == CurvePoint::State::Searched && changed == 1)
                stop.request_stop();
        },
        Progress(stop.get_token()));
    QVERIFY(curve.has_value());
    QVERIFY(!curve->complete);
    QCOMPARE(curve->points[1].state, CurvePoint::State::Searched);
    QCOMPARE(curve->points[2].state, CurvePoint::State::Sketched);
    QVERIFY(curveText(*curve).find("stopped") != std::string::npos);

    std::stop_source atOnce;
    atOnce.request_stop();
    const auto none = solveCurve(problem, {}, {}, Progress(atOnce.get_token()));
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().code, ErrorCode::Cancelled);
}

void TestCurve::badRanges()
{
    std::mt19937 random(2);
    const PartitionProblem problem = randomProblem(random, {.nodes = 8, .stages = 2});
    for (const CurveOptions& options :
         {CurveOptions{.firstStageCount = 0}, CurveOptions{.firstStageCount = 20}}) {
        const auto curve = solveCurve(problem, options);
        QVERIFY(!curve.has_value());
        QCOMPARE(curve.error().code, ErrorCode::BadUsage);
    }
}

void TestCurve::jsonHasEveryPoint()
{
    std::mt19937 random(2);
    PartitionProblem problem = randomProblem(random, {.nodes = 6, .stages = 2});
    problem.options.runtime = PipelineRuntime::Torch215;
    const auto curve = solveCurve(problem, {.firstStageCount = 1, .lastStageCount = 8});
    QVERIFY(curve.has_value());
    QVERIFY(curveText(*curve).find("buffers of run-time torch-2.15\n") != std::string::npos);
    const auto json = nlohmann::json::parse(curveJson(*curve));
    QCOMPARE(json["points"].size(), std::size_t(8));
    QCOMPARE(json["runtime"].get<std::string>(), std::string("torch-2.15"));
    QCOMPARE(json["complete"].get<bool>(), true);
    QCOMPARE(json["points"][0]["state"].get<std::string>(), std::string("searched"));
    QCOMPARE(json["points"][0]["bottleneck_s"].get<double>(),
             curve->points[0].solution->cost.bottleneckTime.value());
    QCOMPARE(json["points"][7]["state"].get<std::string>(), std::string("no plan"));
    QVERIFY(!json["points"][7].contains("bottleneck_s"));
}

QTEST_GUILESS_MAIN(TestCurve)
#include "tst_curve.moc"
