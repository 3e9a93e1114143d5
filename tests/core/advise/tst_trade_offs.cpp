// Plans that trade time for memory or for bytes sent: none dominates another, and all have bounds that hold.
#include "core/advise/trade_offs.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

PartitionProblem sampleProblem(unsigned seed)
{
    constexpr std::array objectives{Objective::Sum, Objective::Compute, Objective::Overlap,
                                    Objective::Iteration};
    std::mt19937 random(seed);
    PartitionProblem problem =
        randomProblem(random, {.nodes = 7,
                               .stages = 3,
                               .send = seed % 3 == 0 ? SendKind::Direct : SendKind::Relay,
                               .objective = objectives[seed % objectives.size()]});
    problem.options.timeLimit = Seconds(3);
    return problem;
}

} // namespace

class TestTradeOffs : public QObject
{
    Q_OBJECT

private slots:
    void noneDominatesAnother();
    void boundsHoldForAllPlansOfTheProblem();
    void textAndJsonSayTheBounds();
    void stoppedSearchHasNoPlanWithoutABound();
};

void TestTradeOffs::noneDominatesAnother()
{
    std::size_t most = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const auto plans = tradeOffs(sampleProblem(seed));
        QVERIFY(plans.has_value());
        for (const TradeOff& plan : *plans)
            QVERIFY(std::ranges::none_of(*plans, [&](const TradeOff& other) {
                return dominates(other.solution.cost, plan.solution.cost);
            }));
        most = std::max(most, plans->size());
    }
    QVERIFY(most > 1);
}

// Not only for those that keep the tighter limit which a plan was found under, and whatever the objective.
void TestTradeOffs::boundsHoldForAllPlansOfTheProblem()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const PartitionProblem problem = sampleProblem(seed);
        const auto plans = tradeOffs(problem);
        QVERIFY(plans.has_value() && !plans->empty());
        const Solution& any = plans->front().solution;
        for (const TradeOff& plan : *plans) {
            QCOMPARE(plan.solution.bound.value, any.bound.value);
            QCOMPARE(plan.solution.iterationBound, any.iterationBound);
            QCOMPARE(plan.solution.cost.iteration, evaluate(problem, plan.solution.partition).iteration);
        }
        QVERIFY(any.bound.value > Seconds{} && any.iterationBound > Seconds{});
        forEachPlan(problem, [&](const Partition& plan) {
            const PlanCost cost = evaluate(problem, plan);
            QVERIFY(cost.bottleneckTime >= any.bound.value * (1 - 1e-9));
            QVERIFY(cost.iteration >= any.iterationBound * (1 - 1e-9));
        });
    }
}

void TestTradeOffs::textAndJsonSayTheBounds()
{
    const auto plans = tradeOffs(sampleProblem(4));
    QVERIFY(plans.has_value());
    const Solution& any = plans->front().solution;
    const auto json = nlohmann::json::parse(tradeOffsJson(*plans, PipelineRuntime::Torch215));
    QCOMPARE(json["plans"].size(), plans->size());
    QCOMPARE(json["runtime"].get<std::string>(), std::string("torch-2.15"));
    for (const auto& plan : json["plans"]) {
        QCOMPARE(plan["bound_s"].get<double>(), any.bound.value.value());
        QCOMPARE(plan["iteration_bound_s"].get<double>(), any.iterationBound.value());
        QVERIFY(!plan["bound_kind"].get<std::string>().empty());
    }
    const std::string text = tradeOffsText(*plans, PipelineRuntime::Torch215);
    QVERIFY(text.find("no plan takes less than " + formatSeconds(any.iterationBound) + " a step") !=
            std::string::npos);
    QVERIFY(text.find("buffers of run-time torch-2.15\n") != std::string::npos);
}

void TestTradeOffs::stoppedSearchHasNoPlanWithoutABound()
{
    int stopped = 0;
    for (int steps = 1; steps <= 6; ++steps) {
        std::stop_source stop;
        int left = steps;
        const Progress progress(stop.get_token(), [&](std::string_view, std::optional<double>) {
            if (--left <= 0)
                stop.request_stop();
        });
        const auto plans = tradeOffs(sampleProblem(1), progress);
        QCOMPARE(plans.has_value(), !stop.stop_requested()); // some plans would look like all
        if (!plans.has_value()) {
            QCOMPARE(plans.error().code, ErrorCode::Cancelled);
            ++stopped;
            continue;
        }
        for (const TradeOff& plan : *plans)
            QVERIFY(!plan.solution.bound.kind.empty() && plan.solution.iterationBound > Seconds{});
    }
    QVERIFY(stopped > 0);
}

QTEST_GUILESS_MAIN(TestTradeOffs)
#include "tst_trade_offs.moc"
