// Plans together with what they recompute: figures are those of a trace, limits are kept, bounds hold.
#include "core/plan/evaluate.h"
#include "core/plan/sources/plan_file.h"
#include "core/recompute/policies.h"
#include "core/recompute_bound.h"
#include "tests/core/recomputed_plans.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace stagecraft;
using namespace stagecraft::test;

class TestRecomputedPlan : public QObject
{
    Q_OBJECT

private slots:
    void figuresAreThoseOfATrace_data();
    void figuresAreThoseOfATrace();
    void nothingIsRecomputedWhereItFits();
    void keepsTheLimit_data();
    void keepsTheLimit();
    void isNoWorseThanAllBlocksAndCuts();
    void noPlanIsBelowTheBound_data();
    void noPlanIsBelowTheBound();
    void noCutIsBelowTheBound_data();
    void noCutIsBelowTheBound();
    void saysTheLeastLimitThatWorks();
    void saysWhatHoldsWhateverIsRecomputed();
    void adviceKeepsTheTimeLimit();
    void planFilesKeepIt();
    void boundsOfPlansOfFilesAreOfAllPlans();
    void blocksThatWriteInPlaceKeepTheirNorms();
};

void TestRecomputedPlan::figuresAreThoseOfATrace_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("policy");
    for (const char* file : {"gpt2-tiny.pt2", "llama-tiny.pt2"})
        for (const char* policy : {"full", "every 2", "ops", "ops aten::addmm"})
            QTest::addRow("%s %s", file, policy) << file << policy;
}

void TestRecomputedPlan::figuresAreThoseOfATrace()
{
    QFETCH(QString, file);
    QFETCH(QString, policy);
    const auto model = modelOf(file);
    PartitionOptions options = optionsFor(RecomputeKind::None, 3);
    options.recompute = parsePolicy(policy.toStdString()).value();
    const RecomputedPlan plan = found(model, options);
    QVERIFY(!plan.of.problem.options.recompute.regions.regions.empty());
    compareWithTrace(model, plan);
}

void TestRecomputedPlan::nothingIsRecomputedWhereItFits()
{
    const RecomputedPlan plan = found(modelOf("gpt2-tiny.pt2"), optionsFor(RecomputeKind::Auto));
    QVERIFY(plan.of.problem.options.recompute.regions.regions.empty());
    QCOMPARE(plan.of.profile.totals.timeRecomputed.value(), 0.0);
}

void TestRecomputedPlan::keepsTheLimit_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<double>("share");
    for (const char* file : {"gpt2-tiny.pt2", "llama-tiny.pt2"})
        for (const double share : {0.9, 0.8})
            QTest::addRow("%s %g", file, share) << file << share;
}

void TestRecomputedPlan::keepsTheLimit()
{
    QFETCH(QString, file);
    QFETCH(double, share);
    const auto model = modelOf(file);
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None));
    const RecomputedPlan full = found(model, optionsFor(RecomputeKind::Full));
    const double most = largestPeak(none.found.solution.cost).asDouble();
    const double least = largestPeak(full.found.solution.cost).asDouble();
    const Bytes limit(static_cast<std::int64_t>(least + share * share * (most - least)));
    const RecomputedPlan plan = found(model, optionsFor(RecomputeKind::Auto, 2, limit));
    const Solution& solution = plan.found.solution;
    QVERIFY(solution.cost.fits());
    QVERIFY(solution.bound.value.value() <= solution.cost.bottleneckTime.value() * (1 + 1e-9));
    QVERIFY(solution.iterationBound.value() <= solution.cost.iteration.value() * (1 + 1e-9));
    QVERIFY(solution.cost.bottleneckTime <=
            found(model, optionsFor(RecomputeKind::Full, 2, limit)).found.solution.cost.bottleneckTime);
    compareWithTrace(model, plan);
}

// Every subset of the blocks, each cut of the program's order at every so many nodes.
void TestRecomputedPlan::isNoWorseThanAllBlocksAndCuts()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None));
    const RecomputedPlan full = found(model, optionsFor(RecomputeKind::Full));
    const Bytes limit((2 * largestPeak(none.found.solution.cost).count() +
                       3 * largestPeak(full.found.solution.cost).count()) /
                      5);
    const Solution solution = found(model, optionsFor(RecomputeKind::Auto, 2, limit)).found.solution;
    OperatorSchemas schemas;
    const RecomputePlan blocks = blocksPlan(*model, 1, {}, schemas).plan;
    const std::size_t count = model->graph.nodeCount();
    Seconds best(1e9);
    for (std::size_t subset = 0; subset < (std::size_t{1} << blocks.regions.size()); ++subset) {
        PartitionOptions options = optionsFor(RecomputeKind::Plan, 2, limit);
        for (std::size_t i = 0; i < blocks.regions.size(); ++i)
            if (((subset >> i) & 1) != 0)
                options.recompute.regions.regions.push_back(blocks.regions[i]);
        for (std::size_t cut = 1; cut < count; cut += 7) {
            Partition partition{2, Table<NodeId, StageId>(count, StageId(0))};
            for (std::size_t node = cut; node < count; ++node)
                partition.stageOf[NodeId(node)] = StageId(1);
            if (!checkPartition(none.of.problem, partition).has_value())
                continue;
            const auto posed = recomputedProblem(model, options, profiled, &partition);
            const PlanCost cost = evaluate(posed->problem, partition);
            if (cost.fits())
                best = std::min(best, cost.bottleneckTime);
        }
    }
    QVERIFY(best < Seconds(1e9));
    QVERIFY2(solution.cost.bottleneckTime.value() <= best.value() * (1 + 1e-9),
             qPrintable(QString("%1 %2").arg(solution.cost.bottleneckTime.value()).arg(best.value())));
    QVERIFY(solution.bound.value.value() <= best.value() * (1 + 1e-9));
}

void TestRecomputedPlan::noPlanIsBelowTheBound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<PipelineRuntime>("runtime");
    QTest::addColumn<bool>("limitsBite");
    for (const auto& [runtime, name] :
         {std::pair(PipelineRuntime::Ideal, "ideal"), std::pair(PipelineRuntime::Torch214, "torch-2.14")}) {
        QTest::addRow("gpt2 %s", name) << "gpt2-tiny.pt2" << runtime << false;
        QTest::addRow("llama %s", name) << "llama-tiny.pt2" << runtime << true;
        QTest::addRow("t5 %s", name) << "t5-tiny.pt2" << runtime << false;
        QTest::addRow("mobilenet %s", name) << "mobilenet-tiny.pt2" << runtime << false;
    }
}

// Regions of any nodes, any of them kept, any cuts: each such plan, with what each stage holds
// as its limit.
void TestRecomputedPlan::noPlanIsBelowTheBound()
{
    QFETCH(QString, file);
    QFETCH(PipelineRuntime, runtime);
    QFETCH(bool, limitsBite);
    const auto model = modelOf(file);
    const auto posed = [&](PartitionOptions options, const Partition* partition) {
        options.runtime = runtime;
        return recomputedProblem(model, std::move(options), profiled, partition).value();
    };
    const RecomputedProblem none = posed(optionsFor(RecomputeKind::None, 3), nullptr);
    const RecomputedProblem full = posed(optionsFor(RecomputeKind::Full, 3), nullptr);
    RecomputeGround ground =
        recomputeGround({*none.model, none.profile, none.problem}, {*full.model, full.profile, full.problem})
            .value();
    const std::size_t count = model->graph.nodeCount();
    const unsigned seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 draw(seed);
    double most = 0; // of what the limit adds to the bound
    for (int round = 0; round < 40; ++round) {
        Partition partition{3, Table<NodeId, StageId>(count, StageId(0))};
        const std::size_t first = count / 4 + draw() % (count / 6),
                          second = count * 3 / 5 + draw() % (count / 6);
        for (std::size_t node = first; node < count; ++node)
            partition.stageOf[NodeId(node)] = StageId(node < second ? 1 : 2);
        PartitionOptions options = optionsFor(RecomputeKind::Plan, 3);
        const std::size_t keepsOneOf = 1 + draw() % 30;
        for (std::size_t at = draw() % 20; at < count; at += draw() % 8) {
            RecomputeRegion region;
            for (const std::size_t end = std::min(count, at + 4 + draw() % 60); at < end; ++at) {
                region.nodes.push_back(NodeId(at));
                if (draw() % keepsOneOf == 0)
                    region.kept.push_back(NodeId(at));
            }
            options.recompute.regions.regions.push_back(std::move(region));
        }
        if (!checkPartition(ground.none, partition).has_value())
            continue;
        const PlanCost cost = evaluate(posed(options, &partition).problem, partition);
        for (std::size_t stage = 0; stage < 3; ++stage)
            ground.none.options.memoryLimits[stage] = cost.stages[StageId(stage)].peakMemory;
        const Bound bound = recomputedBound(ground, cost.bottleneckTime * 1.5);
        QVERIFY2(bound.value.value() <= cost.bottleneckTime.value() * (1 + 1e-9),
                 qPrintable(QString("%1 %2").arg(bound.value.value()).arg(cost.bottleneckTime.value())));
        ground.none.options.memoryLimits.assign(3, Bytes::max());
        const Bound unlimited = recomputedBound(ground, cost.bottleneckTime * 1.5);
        most = std::max(most, bound.value / unlimited.value - 1);
    }
    QVERIFY2(!limitsBite || most > 0.01, qPrintable(QString::number(most)));
}

void TestRecomputedPlan::noCutIsBelowTheBound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<PipelineRuntime>("runtime");
    for (const char* file : {"gpt2-tiny.pt2", "mobilenet-tiny.pt2"})
        for (const PipelineRuntime runtime : {PipelineRuntime::Ideal, PipelineRuntime::Torch214})
            QTest::addRow("%s %d", file, static_cast<int>(runtime)) << file << runtime;
}

// Every cut of the program's order into two stages, with what they hold as their limits.
void TestRecomputedPlan::noCutIsBelowTheBound()
{
    QFETCH(QString, file);
    QFETCH(PipelineRuntime, runtime);
    const auto model = modelOf(file);
    PartitionOptions options = optionsFor(RecomputeKind::None, 2);
    options.runtime = runtime;
    const RecomputedProblem none = recomputedProblem(model, options, profiled, nullptr).value();
    options.recompute.kind = RecomputeKind::Full;
    const RecomputedProblem full = recomputedProblem(model, options, profiled, nullptr).value();
    RecomputeGround ground =
        recomputeGround({*none.model, none.profile, none.problem}, {*full.model, full.profile, full.problem})
            .value();
    int tried = 0;
    for (std::size_t cut = 1; cut < model->graph.nodeCount(); ++cut) {
        Partition partition{2, Table<NodeId, StageId>(model->graph.nodeCount(), StageId(0))};
        for (std::size_t node = cut; node < model->graph.nodeCount(); ++node)
            partition.stageOf[NodeId(node)] = StageId(1);
        if (!checkPartition(none.problem, partition).has_value())
            continue;
        const PlanCost cost = evaluate(none.problem, partition);
        for (std::size_t stage = 0; stage < 2; ++stage)
            ground.none.options.memoryLimits[stage] = cost.stages[StageId(stage)].peakMemory;
        const Bound bound = recomputedBound(ground, cost.bottleneckTime * 1.5);
        ++tried;
        QVERIFY2(
            bound.value.value() <= cost.bottleneckTime.value() * (1 + 1e-9),
            qPrintable(
                QString("cut %1: %2 %3").arg(cut).arg(bound.value.value()).arg(cost.bottleneckTime.value())));
    }
    QVERIFY(tried > 10);
}

void TestRecomputedPlan::saysTheLeastLimitThatWorks()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const Result<RecomputedPlan> plan = findRecomputedPlan(
        model, optionsFor(RecomputeKind::Auto, 2, Bytes(100000)), profiled, OverLimit::Refused);
    QVERIFY(!plan.has_value());
    QVERIFY(plan.error().code == ErrorCode::Infeasible);
    QVERIFY(plan.error().message.find("even where every block is recomputed, ") != std::string::npos);
    QVERIFY(plan.error().message.find("one was found that holds at most ") != std::string::npos);
}

// Who asked for none that recomputes is told, too, that there is none whatever is recomputed.
void TestRecomputedPlan::saysWhatHoldsWhateverIsRecomputed()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    PartitionOptions options = optionsFor(RecomputeKind::None, 2, Bytes(100000));
    options.timeLimit = Seconds(4);
    for (const OverLimit overLimit : {OverLimit::Refused, OverLimit::Taken}) {
        const Result<RecomputedPlan> plan = findRecomputedPlan(model, options, profiled, overLimit);
        const std::string why = plan.has_value() ? plan->found.whyOverLimit : plan.error().message;
        QVERIFY2(why.find("; whatever is recomputed, it is proven that no plan") != std::string::npos,
                 why.c_str());
        QVERIFY2(why.find("even where every block") == std::string::npos, why.c_str());
        QVERIFY2(why.find("allow more") == std::string::npos, why.c_str());
    }
}

// What auto would come to is looked for in what is left of the time limit, not in as much again.
void TestRecomputedPlan::adviceKeepsTheTimeLimit()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const auto told = [&](Seconds limit) {
        PartitionOptions options = optionsFor(RecomputeKind::None, 2, Bytes(5600000));
        options.timeLimit = limit;
        return findRecomputedPlan(model, options, profiled, OverLimit::Refused).error().message;
    };
    QVERIFY(told(Seconds(20)).find("(auto) a plan fits: slowest ") != std::string::npos);
    QVERIFY(told(Seconds(0.01)).find("there was no time to look for one ") != std::string::npos);
}

void TestRecomputedPlan::planFilesKeepIt()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    PartitionOptions options = optionsFor(RecomputeKind::None, 3);
    options.recompute = parsePolicy("ops aten::addmm").value();
    const RecomputedPlan plan = found(model, options);
    const Partition& partition = plan.found.solution.partition;
    const QTemporaryDir folder;
    const std::string path = folder.filePath("plan.stagecraft").toStdString();
    QVERIFY(writePlan(makePlanFile({"m.pt2"}, model->graph, partition, plan.of.problem.options), path)
                .has_value());
    const AppliedPlan applied = applyPlan(readPlan(path).value(), model->graph).value();
    QVERIFY(applied.notes.empty());
    QVERIFY(applied.options.recompute == plan.of.problem.options.recompute);
    const RecomputedPlan again =
        evaluateRecomputedPlan(model, applied.options, applied.partition, profiled).value();
    QCOMPARE(again.found.solution.cost.bottleneckTime.value(),
             plan.found.solution.cost.bottleneckTime.value());
    QCOMPARE(largestPeak(again.found.solution.cost), largestPeak(plan.found.solution.cost));
}

// Not of those alone that recompute what a bad plan does.
void TestRecomputedPlan::boundsOfPlansOfFilesAreOfAllPlans()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    PartitionOptions options = optionsFor(RecomputeKind::Auto, 3);
    options.memoryLimits = {Bytes(4200000)};
    const RecomputedPlan searched = found(model, options);
    const PlanCost& best = searched.found.solution.cost;
    Partition cuts{3, Table<NodeId, StageId>(model->graph.nodeCount(), StageId(2))};
    for (std::size_t node = 0; node < model->graph.nodeCount() / 2; ++node)
        cuts.stageOf[NodeId(node)] = StageId(4 * node < model->graph.nodeCount() ? 0 : 1);
    const RecomputedPlan bad = evaluateRecomputedPlan(model, options, cuts, profiled).value();
    const PartitionOptions& saved = bad.of.problem.options;
    QVERIFY(!saved.recompute.regions.regions.empty());
    const RecomputedPlan again = evaluateRecomputedPlan(model, saved, cuts, profiled).value();
    QCOMPARE(again.found.solution.cost.bottleneckTime.value(),
             bad.found.solution.cost.bottleneckTime.value());
    QVERIFY(best.bottleneckTime < bad.found.solution.cost.bottleneckTime);
    QVERIFY(again.found.solution.bound.value <= best.bottleneckTime);
    // Of the plan that was found it is as close as in the search, by the same proof.
    const Bound opened = evaluateRecomputedPlan(model, searched.of.problem.options,
                                                searched.found.solution.partition, profiled)
                             .value()
                             .found.solution.bound;
    const Bound& proven = searched.found.solution.bound;
    QCOMPARE(opened.kind, proven.kind);
    QVERIFY(opened.value >= proven.value * (1 - 1e-3));
}

void TestRecomputedPlan::blocksThatWriteInPlaceKeepTheirNorms()
{
    Result<Model> model = openModel(STAGECRAFT_RESOURCES "/examples/resnet50.pt2");
    QVERIFY(model.has_value());
    OperatorSchemas schemas;
    const PolicyPlan plan = blocksPlan(*model, 1, {}, schemas);
    QVERIFY(plan.leftOut.empty());
    QCOMPARE(plan.plan.regions.size(), std::size_t{16});
    QVERIFY(checkPlan(*model, plan.plan, schemas).has_value());
    // Norms are kept, with the storage that activations are written into; what convolutions make is let go.
    const ProfileTotals none = profiled(withPlan(*model, {}), nullptr).value().totals;
    const ProfileTotals blocks = profiled(withPlan(*model, plan.plan), nullptr).value().totals;
    QVERIFY(blocks.savedBytes.asDouble() < 0.7 * none.savedBytes.asDouble());
    QVERIFY(blocks.timeRecomputed > Seconds{} && blocks.timeRecomputed < none.timeForward);
}

QTEST_GUILESS_MAIN(TestRecomputedPlan)
#include "tst_recomputed_plan.moc"
