// What is said about the slowest stage is true of all plans, and every suggestion is a plan with the cost it
// claims.
#include "core/advise/advice_text.h"
#include "core/advise/infeasible.h"
#include "core/search/bound/bounds.h"

#include "tests/core/plan/random_problem.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

PartitionProblem sampleProblem(unsigned seed)
{
    std::mt19937 random(seed);
    return randomProblem(random, {.nodes = 8, .stages = 3, .withGroups = seed % 2 == 0});
}

// A legal plan that is nothing special: equal numbers of nodes, groups kept.
std::optional<Partition> plainPlan(const PartitionProblem& problem)
{
    Partition plan = singleStage(problem.nodes.size());
    plan.stageCount = problem.stageCount();
    for (const NodeId node : problem.nodes.ids())
        plan.stageOf[node] = StageId(node.index() * plan.stageCount / problem.nodes.size());
    if (!checkPartition(problem, plan).has_value())
        return std::nullopt;
    return plan;
}

// Random problems, each with a plan that is nothing special.
template <class Visit>
void forEachPlainPlan(unsigned seeds, Visit&& visit)
{
    for (unsigned seed = 1; seed <= seeds && !QTest::currentTestFailed(); ++seed) {
        const PartitionProblem problem = sampleProblem(seed);
        if (const auto plan = plainPlan(problem))
            visit(problem, *plan);
    }
}

Solution solutionOf(const PartitionProblem& problem, const Partition& plan)
{
    Solution solution{.partition = plan, .cost = evaluate(problem, plan)};
    solution.bound = planBound(problem, solution.cost).value();
    return solution;
}

const Suggestion* find(const std::vector<Suggestion>& suggestions, Suggestion::Kind kind)
{
    const auto found = std::ranges::find(suggestions, kind, &Suggestion::kind);
    return found == suggestions.end() ? nullptr : &*found;
}

} // namespace

class TestSuggestions : public QObject
{
    Q_OBJECT

private slots:
    void forcedNodesAreInAllFasterPlans();
    void noFasterPlanMeansNone();
    void namesTheLongest();
    void suggestionsArePlans();
    void boundsAreOfTheQuestionThatIsAnswered();
    void bestBoundaryMoveIsFound();
    void replanningGivesTheOptimum();
    void raisedLimitIsEnough();
    void raisedLimitIsThatOfTheMessage();
    void nothingHelpsASingleNode();
    void jsonSaysTheSame();
};

void TestSuggestions::forcedNodesAreInAllFasterPlans()
{
    int forced = 0;
    forEachPlainPlan(80, [&](const PartitionProblem& problem, const Partition& plan) {
        const Solution solution = solutionOf(problem, plan);
        const auto report = reportBottleneck(problem, solution);
        QVERIFY(report.has_value());
        QCOMPARE(report->stage, solution.cost.bottleneck);
        if (!report->forced)
            return;
        forEachPlan(problem, [&](const Partition& other) {
            const PlanCost cost = evaluate(problem, other);
            if (cost.bottleneckTime.value() >= solution.cost.bottleneckTime.value() * (1 - 1e-5))
                return;
            for (const NodeId node : report->forced->nodes)
                QCOMPARE(other.stageOf[node], report->stage);
            QVERIFY(cost.stages[report->stage].receive >= report->forced->receive * (1 - 1e-9));
            QVERIFY(cost.stages[report->stage].send >= report->forced->send * (1 - 1e-9));
        });
        const bool sends = report->forced->receive + report->forced->send > Seconds{};
        forced += sends || !report->forced->nodes.empty() ? 1 : 0;
    });
    QVERIFY2(forced > 3, qPrintable(QString::number(forced)));
}

void TestSuggestions::noFasterPlanMeansNone()
{
    int best = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const PartitionProblem problem = sampleProblem(seed);
        std::optional<Partition> optimum;
        double least = 0;
        forEachPlan(problem, [&](const Partition& plan) {
            const double time = evaluate(problem, plan).bottleneckTime.value();
            if (!optimum || time < least) {
                optimum = plan;
                least = time;
            }
        });
        QVERIFY(optimum.has_value());
        Solution proven = solutionOf(problem, *optimum);
        proven.bound = {proven.cost.bottleneckTime, "search", {}};
        const auto report = reportBottleneck(problem, proven);
        QVERIFY(report.has_value());
        QVERIFY(!report->forced.has_value());
        QCOMPARE(report->reasons.back(), std::string("no plan is faster"));
        ++best;
    }
    QVERIFY(best > 0);
}

void TestSuggestions::namesTheLongest()
{
    const PartitionProblem problem = sampleProblem(4);
    const auto plan = plainPlan(problem);
    QVERIFY(plan.has_value());
    const Solution solution = solutionOf(problem, *plan);
    const auto report = reportBottleneck(problem, solution, {.mostNodes = 2, .mostValues = 1});
    QVERIFY(report.has_value());
    QVERIFY(report->nodes.size() <= 2 && report->values.size() <= 1);
    for (const NodeId node : problem.nodes.ids()) {
        if (plan->stageOf[node] == report->stage)
            QVERIFY(problem.nodes[node].time() <= report->nodes.front().time);
    }
}

void TestSuggestions::suggestionsArePlans()
{
    int seen = 0;
    forEachPlainPlan(15, [&](const PartitionProblem& problem, const Partition& plan) {
        const PlanCost before = evaluate(problem, plan);
        const SuggestionOptions options{.parts = {{"block", {NodeId(1), NodeId(2), NodeId(3)}}}};
        for (const Suggestion& suggestion : suggestChanges(problem, solutionOf(problem, plan), options)) {
            PartitionProblem other = withStageCount(problem, suggestion.solution.partition.stageCount);
            other.options = suggestion.options;
            QVERIFY(checkProblem(other).has_value());
            QVERIFY(checkPartition(other, suggestion.solution.partition).has_value());
            const PlanCost after = evaluate(other, suggestion.solution.partition);
            QCOMPARE(after.bottleneckTime.value(), suggestion.solution.cost.bottleneckTime.value());
            QCOMPARE(after.iteration.value(), suggestion.solution.cost.iteration.value());
            QCOMPARE((before.bottleneckTime - after.bottleneckTime).value(),
                     suggestion.bottleneckGain.value());
            QVERIFY(after.bottleneckTime < before.bottleneckTime || after.iteration < before.iteration);
            QVERIFY(!suggestion.text.empty());
            if (suggestion.solution.partition.stageCount == plan.stageCount) {
                for (const NodeId node : problem.nodes.ids())
                    QCOMPARE(std::ranges::binary_search(suggestion.moved, node),
                             suggestion.solution.partition.stageOf[node] != plan.stageOf[node]);
            }
            ++seen;
        }
    });
    QVERIFY(seen > 20);
}

// No plan under a suggestion's options beats its bounds: not those of the plan that it changes.
void TestSuggestions::boundsAreOfTheQuestionThatIsAnswered()
{
    std::set<Suggestion::Kind> kinds;
    const auto check = [&](const PartitionProblem& problem, const Partition& plan) {
        Solution current = solutionOf(problem, plan);
        for (const Suggestion& suggestion : suggestChanges(problem, current)) {
            PartitionProblem question = problem;
            question.options = suggestion.options;
            const Solution& solution = suggestion.solution;
            QVERIFY(solution.bound.value > Seconds{} && !solution.bound.kind.empty());
            QVERIFY(solution.iterationBound > Seconds{});
            forEachPlan(question, [&](const Partition& other) {
                const PlanCost cost = evaluate(question, other);
                QVERIFY(!cost.fits() || cost.bottleneckTime >= solution.bound.value * (1 - 1e-9));
                QVERIFY(!cost.fits() || cost.iteration >= solution.iterationBound * (1 - 1e-9));
            });
            kinds.insert(suggestion.kind);
        }
    };
    forEachPlainPlan(8, check);
    forEachPlainPlan(8, [&](PartitionProblem problem, const Partition& plan) {
        problem.options.memoryLimits.assign(problem.stageCount(), Bytes(30));
        check(problem, plan);
        problem.options.send = SendKind::Direct;
        problem.options.memoryLimits.assign(problem.stageCount(), Bytes::max());
        problem.options.schedule = ScheduleKind::GPipe;
        check(problem, plan);
    });
    for (const Suggestion::Kind kind :
         {Suggestion::Kind::MoveBoundary, Suggestion::Kind::SendNodes, Suggestion::Kind::AddStage,
          Suggestion::Kind::RaiseLimit, Suggestion::Kind::ChangeSchedule, Suggestion::Kind::Replan})
        QVERIFY2(kinds.contains(kind), suggestionName(kind).data());
}

void TestSuggestions::bestBoundaryMoveIsFound()
{
    int moves = 0;
    forEachPlainPlan(15, [&](const PartitionProblem& problem, const Partition& plan) {
        const PlanCost before = evaluate(problem, plan);
        const auto suggestions = suggestChanges(problem, solutionOf(problem, plan));
        // Every plan that has the same order of nodes and one boundary of the slowest stage elsewhere.
        double least = before.bottleneckTime.value();
        forEachPlan(problem, [&](const Partition& other) {
            std::size_t changed = 0;
            for (std::size_t b = 0; b + 1 < plan.stageCount; ++b) {
                const auto isBefore = [&](const Partition& p, NodeId node) {
                    return p.stageOf[node].index() <= b;
                };
                std::size_t was = 0;
                std::size_t is = 0;
                for (const NodeId node : problem.nodes.ids()) {
                    was += isBefore(plan, node) ? 1u : 0u;
                    is += isBefore(other, node) ? 1u : 0u;
                }
                for (const NodeId node : problem.nodes.ids()) {
                    if (isBefore(other, node) != (node.index() < is))
                        return; // not an interval of program order, which the plain plan is
                }
                const bool near = b == before.bottleneck.index() || b + 1 == before.bottleneck.index();
                changed += was == is ? 0u : near ? 1u : 2u;
            }
            if (changed == 1)
                least = std::min(least, evaluate(problem, other).bottleneckTime.value());
        });
        const Suggestion* found = find(suggestions, Suggestion::Kind::MoveBoundary);
        if (least < before.bottleneckTime.value() * (1 - 1e-4)) {
            QVERIFY(found != nullptr);
            QCOMPARE(found->solution.cost.bottleneckTime.value(), least);
            ++moves;
        }
    });
    QVERIFY(moves > 3);
}

void TestSuggestions::replanningGivesTheOptimum()
{
    int anew = 0;
    forEachPlainPlan(10, [&](const PartitionProblem& problem, const Partition& plan) {
        const auto suggestions = suggestChanges(problem, solutionOf(problem, plan));
        const double best = bruteForce(problem).value();
        const Suggestion* found = find(suggestions, Suggestion::Kind::Replan);
        if (found == nullptr)
            return;
        QVERIFY(found->solution.cost.bottleneckTime.value() <= best * (1 + 1e-4));
        ++anew;
    });
    QVERIFY(anew > 3);
}

void TestSuggestions::raisedLimitIsEnough()
{
    PartitionProblem problem = sampleProblem(7);
    const auto plan = plainPlan(problem);
    QVERIFY(plan.has_value());
    problem.options.memoryLimits.assign(3, Bytes(30));
    QVERIFY(!evaluate(problem, *plan).fits());
    const auto suggestions = suggestChanges(problem, solutionOf(problem, *plan));
    const Suggestion* raised = find(suggestions, Suggestion::Kind::RaiseLimit);
    QVERIFY(raised != nullptr);
    QVERIFY(raised->solution.cost.fits());
    QCOMPARE(raised, &suggestions.front());
}

// The limit that the message names is the one that is suggested, and one that is typed in as it is shown.
void TestSuggestions::raisedLimitIsThatOfTheMessage()
{
    int compared = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        PartitionProblem problem = sampleProblem(seed);
        const auto plan = plainPlan(problem);
        if (!plan)
            continue;
        problem.options.memoryLimits.assign(problem.stageCount(), Bytes(30));
        const auto reduced = reduceProblem(problem);
        QVERIFY(reduced.has_value());
        const Infeasibility why = diagnoseInfeasible(problem, *reduced);
        if (evaluate(problem, *plan).fits() || !why.sufficientLimit || *why.sufficientLimit <= Bytes(30))
            continue;
        const auto suggestions = suggestChanges(problem, solutionOf(problem, *plan));
        const Suggestion* raised = find(suggestions, Suggestion::Kind::RaiseLimit);
        QVERIFY(raised != nullptr);
        QVERIFY(raised->solution.cost.fits());
        QCOMPARE(raised->options.memoryLimits.front(), *why.sufficientLimit);
        QCOMPARE(raised->text, "allow " + formatBytes(*why.sufficientLimit) + " a device");
        QVERIFY(why.message.find("a limit of " + formatBytes(*why.sufficientLimit)) != std::string::npos);
        ++compared;
    }
    QVERIFY(compared > 3);
}

void TestSuggestions::nothingHelpsASingleNode()
{
    PartitionProblem problem;
    problem.options.stageCount = 1;
    problem.options.microbatches = 4;
    completeOptions(problem.options, {});
    problem.nodes.add({.name = "only", .forward = Seconds(1)});
    const Solution solution = solutionOf(problem, singleStage(1));
    const auto report = reportBottleneck(problem, solution);
    QVERIFY(report.has_value());
    QVERIFY(suggestChanges(problem, solution).empty());
    const std::string text = adviceText(problem, *report, {});
    QVERIFY(text.find("no plan is faster") != std::string::npos);
    QVERIFY(text.find("no single change helps") != std::string::npos);
}

void TestSuggestions::jsonSaysTheSame()
{
    const PartitionProblem problem = sampleProblem(4);
    const auto plan = plainPlan(problem);
    QVERIFY(plan.has_value());
    const auto report = reportBottleneck(problem, solutionOf(problem, *plan));
    QVERIFY(report.has_value());
    const auto suggestions = suggestChanges(problem, solutionOf(problem, *plan));
    QVERIFY(!suggestions.empty());
    const auto json = nlohmann::json::parse(adviceJson(problem, *report, suggestions));
    QCOMPARE(json["bottleneck"]["load_s"].get<double>(), report->cost.load.value());
    QCOMPARE(json["suggestions"].size(), suggestions.size());
    QCOMPARE(json["suggestions"][0]["bottleneck_gain_s"].get<double>(),
             suggestions[0].bottleneckGain.value());
    QCOMPARE(json["suggestions"][0]["bound_s"].get<double>(), suggestions[0].solution.bound.value.value());
    QCOMPARE(json["suggestions"][0]["iteration_bound_s"].get<double>(),
             suggestions[0].solution.iterationBound.value());
    QVERIFY(adviceText(problem, *report, suggestions).find("then no plan takes less than") !=
            std::string::npos);
    QCOMPARE(json["reasons"].size(), report->reasons.size());
}

QTEST_GUILESS_MAIN(TestSuggestions)
#include "tst_suggestions.moc"
