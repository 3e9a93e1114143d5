// What is asked and answered the same way wherever a plan is looked for: limits, plans that do not fit, and
// the goal that nobody chose.
#include "core/workflow.h"

#include "core/plan/evaluate.h"
#include "core/search/search.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace stagecraft;

namespace {

// Far more than the searches below need, which end when their work is done: no clock decides what they find.
constexpr Seconds noClock(60);

struct Profiled
{
    Model model;
    Profile profile;
};

const Profiled& profiled(const QString& name)
{
    static std::map<QString, Profiled> known;
    const auto found = known.find(name);
    if (found != known.end())
        return found->second;
    const std::string path = (QString(STAGECRAFT_RESOURCES) + "/examples/" + name + ".pt2").toStdString();
    Model model = openModel(path).value();
    ProfileOptions options;
    options.device =
        findDevice(readDevices(STAGECRAFT_RESOURCES "/devices").value(), "a100-sxm-80gb").value();
    Profile profile = traceAndProfile(model, options).value();
    return known.emplace(name, Profiled{std::move(model), std::move(profile)}).first->second;
}

PartitionProblem problemOf(const QString& name, const PartitionOptions& options)
{
    const Profiled& of = profiled(name);
    return planProblem(of.model, of.profile, options).value();
}

// Program order cut where the time that has passed is nearest to a share of all, between groups.
std::optional<Partition> evenlyCut(const PartitionProblem& problem)
{
    const std::size_t count = problem.nodes.size();
    std::vector<char> isInGroup(count + 1, 0); // a cut before this node would part one
    for (const Colocation& group : problem.groups) {
        const auto [first, last] = std::ranges::minmax(group.nodes);
        for (std::size_t node = first.index() + 1; node <= last.index(); ++node)
            isInGroup[node] = 1;
    }
    std::vector<double> passed(count + 1, 0);
    for (std::size_t node = 0; node < count; ++node)
        passed[node + 1] = passed[node] + problem.nodes[NodeId(node)].time().value();
    Partition plan = singleStage(count);
    plan.stageCount = problem.stageCount();
    for (std::size_t stage = 1; stage < plan.stageCount; ++stage) {
        const double wanted =
            passed[count] * static_cast<double>(stage) / static_cast<double>(plan.stageCount);
        std::size_t best = 0;
        for (std::size_t cut = 1; cut < count; ++cut)
            if (!isInGroup[cut] &&
                (best == 0 || std::abs(passed[cut] - wanted) < std::abs(passed[best] - wanted)))
                best = cut;
        for (std::size_t node = best; best > 0 && node < count; ++node)
            plan.stageOf[NodeId(node)] = StageId(stage);
    }
    return checkPartition(problem, plan).has_value() ? std::optional(plan) : std::nullopt;
}

} // namespace

class TestWorkflow : public QObject
{
    Q_OBJECT

private slots:
    void theDevicesLimitIsWhatItHasBesideItsDriver()
    {
        const DeviceSpec device{.memory = Bytes(100), .contextMemory = Bytes(10)};
        QCOMPARE(planLimits(device), std::vector<Bytes>{Bytes(90)});
        QVERIFY(planLimits(DeviceSpec{}).empty());
        QCOMPARE(planLimits({.memory = Bytes(5), .contextMemory = Bytes(10)}), std::vector<Bytes>{Bytes(0)});
    }

    void whatDoesNotFitIsFoundAndSaysSo()
    {
        PartitionOptions options;
        options.stageCount = 2;
        options.timeLimit = noClock;
        options.memoryLimits = {Bytes(1000)};
        const PartitionProblem problem = problemOf("gpt2-tiny", options);
        QCOMPARE(solve(problem).error().code, ErrorCode::Infeasible);
        const auto found = findPlan(problem);
        QVERIFY(found.has_value());
        QVERIFY(!found->whyOverLimit.empty());
        QVERIFY(!found->solution.cost.fits());
        const auto refused = findPlan(problem, {.overLimit = OverLimit::Refused});
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error(), Error(ErrorCode::Infeasible, found->whyOverLimit));
        QVERIFY(checkPartition(problem, found->solution.partition).has_value());
        options.memoryLimits.clear();
        const auto roomy = findPlan(problemOf("gpt2-tiny", options));
        QVERIFY(roomy.has_value());
        QVERIFY(roomy->whyOverLimit.empty());
        QVERIFY(roomy->solution.cost.fits());
    }

    void theStepHasABound()
    {
        PartitionOptions options;
        options.timeLimit = Seconds(0.2);
        for (const ScheduleKind schedule : {ScheduleKind::OneFOneB, ScheduleKind::Interleaved}) {
            setSchedule(options, schedule);
            const auto found = findPlan(problemOf("gpt2-tiny", options));
            QVERIFY(found.has_value());
            QVERIFY(found->solution.iterationBound > Seconds{});
            QVERIFY(found->solution.iterationBound <= found->solution.cost.iteration * (1 + 1e-9));
        }
    }

    // A cut inside of a layer, which no framework can say: what is offered is a plan of the problem that it
    // can say.
    void aPlanThatAFrameworkCannotSayHasANearestThatItCan()
    {
        const Profiled& of = profiled("gpt2-tiny");
        const PartitionProblem problem = problemOf("gpt2-tiny", {.stageCount = 2, .timeLimit = Seconds(0.2)});
        const auto even = evenlyCut(problem);
        QVERIFY(even.has_value());
        const auto direct = frameworkText(Framework::Fqns, of.model.graph, *even, problem.options);
        QVERIFY(!direct.has_value());
        const auto said = sayPlan(Framework::Fqns, of.model, of.profile, problem, *even);
        QVERIFY(said.has_value());
        QVERIFY(said->instead.has_value());
        QCOMPARE(said->instead->inTheWay, direct.error());
        const Partition& nearest = said->instead->plan.partition;
        QVERIFY(checkPartition(problem, nearest).has_value());
        const std::string start = "the best plan that fqns can say takes a step of " +
                                  formatSeconds(evaluate(problem, nearest).iteration) + " instead of " +
                                  formatSeconds(evaluate(problem, *even).iteration);
        QVERIFY2(said->instead->costs.starts_with(start), said->instead->costs.c_str());
        const auto again = sayPlan(Framework::Fqns, of.model, of.profile, problem, nearest);
        QVERIFY(again.has_value());
        QVERIFY(!again->instead);
        QCOMPARE(again->text, said->text);
        const auto table = sayPlan(Framework::TorchCsv, of.model, of.profile, problem, *even);
        QVERIFY(table.has_value());
        QVERIFY(!table->instead); // says nothing of where it is cut
    }

    void aPlanMadeByHandHasItsBounds()
    {
        const PartitionProblem problem = problemOf("gpt2-tiny", {.timeLimit = Seconds(0.2)});
        const auto even = evenlyCut(problem);
        QVERIFY(even.has_value());
        const auto byHand = evaluatePlan(problem, *even);
        QVERIFY(byHand.has_value());
        QVERIFY(byHand->bound.value > Seconds{});
        QVERIFY(byHand->bound.value <= byHand->cost.bottleneckTime);
        QVERIFY(byHand->iterationBound >=
                byHand->bound.value * static_cast<double>(problem.options.microbatches) * (1 - 1e-9));
        QVERIFY(byHand->iterationBound <= byHand->cost.iteration * (1 + 1e-9));
        QVERIFY(byHand->partition == *even);
        QVERIFY(!evaluatePlan(problem, singleStage(problem.nodes.size())).has_value());
    }

    void theUsualGoalIsNoWorseThanAnEvenSplit_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("devices");
        for (const char* model : {"gpt2", "bert-base", "resnet50", "inception-v3", "vit-b-16", "llama-3-8b",
                                  "mixtral-8x7b", "t5-base", "densenet201", "deeplab-v3"}) {
            for (const int devices : {2, 4, 8})
                QTest::addRow("%s on %d", model, devices) << QString(model) << devices;
        }
    }
    void theUsualGoalIsNoWorseThanAnEvenSplit()
    {
        QFETCH(QString, model);
        QFETCH(int, devices);
        using enum ScheduleKind;
        for (const ScheduleKind schedule :
             {GPipe, OneFOneB, Interleaved, LoopedBfs, ZeroBubble1, ZeroBubbleV}) {
            PartitionOptions options;
            options.timeLimit = Seconds(0.1);
            options.stageCount = static_cast<std::size_t>(devices);
            setSchedule(options, schedule);
            const PartitionProblem problem = problemOf(model, options);
            const auto even = evenlyCut(problem);
            if (!even)
                continue;
            const Solution found = solve(problem).value();
            const Seconds ofEven = evaluate(problem, *even).iteration;
            const QString figures = QStringLiteral("%1: step %2, even %3")
                                        .arg(QString::fromUtf8(scheduleName(schedule)))
                                        .arg(found.cost.iteration.value())
                                        .arg(ofEven.value());
            if (options.sharesDevices())
                QVERIFY2(found.cost.iteration <= ofEven * (1 + 1e-9), qPrintable(figures));
            else
                QVERIFY2(found.cost.bottleneckTime <= evaluate(problem, *even).bottleneckTime * (1 + 1e-9),
                         qPrintable(figures));
            // What is claimed of the slowest device holds for what is shown.
            QCOMPARE(found.cost.iteration.value(), evaluate(problem, found.partition).iteration.value());
            QVERIFY2(found.bound.value <= found.cost.bottleneckTime * (1 + 1e-9), qPrintable(figures));
        }
    }

    // The slowest device alone is as short with nearly empty stages, which an even split does not have.
    void devicesThatAreSharedAreNotPaidForWithTheStep()
    {
        PartitionOptions options;
        options.stageCount = 4;
        options.timeLimit = Seconds(3);
        setSchedule(options, ScheduleKind::Interleaved);
        options.objective = Objective::Sum;
        const PartitionProblem problem = problemOf("resnet50", options);
        const auto even = evenlyCut(problem);
        QVERIFY(even);
        const Solution found = solve(problem).value();
        const Seconds evenStep = evaluate(problem, *even).iteration;
        QVERIFY(found.cost.iteration <= evenStep * (1 + 1e-9));
        QVERIFY(found.bound.value <= found.cost.bottleneckTime * (1 + 1e-9));
        // Nor is the answer worse with that plan at hand. The goal is a fast slowest device among plans whose
        // step is no longer than the even split's: how long a step is within that, it leaves open.
        const auto again = findPlan(problem, {.current = &found.partition});
        QVERIFY(again.has_value());
        QVERIFY(again->solution.cost.iteration <= evenStep * (1 + 1e-9));
        QVERIFY(again->solution.cost.bottleneckTime <= found.cost.bottleneckTime * (1 + 1e-9));
    }

    void aDeviceForEachStageIsSplitForItsSlowest()
    {
        PartitionOptions options;
        options.stageCount = 8;
        options.timeLimit = noClock;
        QVERIFY(solve(problemOf("resnet50", options)).value().proven());
    }
};

QTEST_GUILESS_MAIN(TestWorkflow)
#include "tst_workflow.moc"
