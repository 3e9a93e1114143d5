// Plans under policies of single stages, and regions chosen by hand under other cuts.
#include "core/plan/evaluate.h"
#include "core/plan/sources/plan_file.h"
#include "core/recompute/policies.h"
#include "tests/core/recomputed_plans.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

PartitionOptions optionsUnder(const QString& policy, std::size_t stages, Bytes limit = Bytes::max())
{
    PartitionOptions options = optionsFor(RecomputeKind::None, stages, limit);
    options.recompute = parsePolicy(policy.toStdString()).value();
    return options;
}

bool recomputes(const RecomputedPlan& plan, std::size_t stage)
{
    return plan.found.solution.cost.stages[StageId(stage)].recomputed > Seconds{};
}

Partition evenly(const Model& model, std::size_t count)
{
    Partition partition{count, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
    for (const NodeId node : model.graph.nodes())
        partition.stageOf[node] = StageId(node.index() * count / model.graph.nodeCount());
    return partition;
}

} // namespace

class TestRecomputeStages : public QObject
{
    Q_OBJECT

private slots:
    void stagesDoAsTheyAreTold_data();
    void stagesDoAsTheyAreTold();
    void theBoundHoldsForEveryCut();
    void choosingStagesKeepTheirLimit();
    void chooseNoWorseThanAnyRegions_data();
    void chooseNoWorseThanAnyRegions();
    void sayWhereNoStageCanDoAsTold();
    void planFilesKeepThem();
    void stagesThatAreNotThereAreRefused();
    void regionsByHandArePartedByOtherCuts();
};

void TestRecomputeStages::stagesDoAsTheyAreTold_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("again"); // of each stage: does anything run again?
    QTest::newRow("all but one") << "full,1:none"
                                 << "101";
    QTest::newRow("one alone") << "2:full"
                               << "001";
    QTest::newRow("several ways") << "every 2,0:none,2:ops aten::addmm"
                                  << "011";
    QTest::newRow("choosing, as there is room") << "auto,0:full"
                                                << "100";
}

void TestRecomputeStages::stagesDoAsTheyAreTold()
{
    QFETCH(QString, policy);
    QFETCH(QString, again);
    for (const char* file : {"gpt2-tiny.pt2", "llama-tiny.pt2"}) {
        const auto model = modelOf(file);
        const RecomputedPlan plan = found(model, optionsUnder(policy, 3));
        for (std::size_t stage = 0; stage < 3; ++stage)
            QCOMPARE(recomputes(plan, stage), again[static_cast<qsizetype>(stage)] == QLatin1Char('1'));
        compareWithTrace(model, plan);
    }
}

void TestRecomputeStages::theBoundHoldsForEveryCut()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const PartitionOptions options = optionsUnder("full,1:none", 2);
    const Solution best = found(model, options).found.solution;
    const RecomputedProblem posed =
        recomputedProblem(model, optionsFor(RecomputeKind::None), profiled, nullptr).value();
    int tried = 0;
    for (std::size_t cut = 1; cut < model->graph.nodeCount(); cut += 7) {
        Partition partition{2, Table<NodeId, StageId>(model->graph.nodeCount(), StageId(0))};
        for (const NodeId node : model->graph.nodes())
            partition.stageOf[node] = StageId(node.index() >= cut ? 1 : 0);
        if (!checkPartition(posed.problem, partition).has_value())
            continue;
        const RecomputedPlan plan = evaluateRecomputedPlan(model, options, partition, profiled).value();
        ++tried;
        QVERIFY(plan.found.solution.cost.bottleneckTime >= best.bound.value * (1 - 1e-9));
        QVERIFY(plan.found.solution.cost.bottleneckTime >= best.cost.bottleneckTime * (1 - 0.02));
        QVERIFY(!recomputes(plan, 1));
    }
    QVERIFY(tried > 5);
}

void TestRecomputeStages::choosingStagesKeepTheirLimit()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const PlanCost none = found(model, optionsUnder("none", 3)).found.solution.cost;
    const Partition partition = found(model, optionsUnder("none", 3)).found.solution.partition;
    const PlanCost full = evaluateRecomputedPlan(model, optionsUnder("full", 3), partition, profiled)
                              .value()
                              .found.solution.cost;
    const Bytes limit(
        (none.stages[StageId(0)].peakMemory.count() + full.stages[StageId(0)].peakMemory.count()) / 2);
    PartitionOptions options = optionsUnder("auto,2:full", 3, limit);
    const RecomputedPlan plan = evaluateRecomputedPlan(model, options, partition, profiled).value();
    QVERIFY(recomputes(plan, 0) && recomputes(plan, 2));
    QVERIFY(plan.found.solution.cost.stages[StageId(0)].peakMemory <= limit);
    QVERIFY(plan.found.solution.cost.stages[StageId(0)].recomputed < full.stages[StageId(0)].recomputed);
    // Whatever the stages before it do.
    QCOMPARE(plan.found.solution.cost.stages[StageId(2)].recomputed, full.stages[StageId(2)].recomputed);
    QCOMPARE(plan.found.solution.cost.stages[StageId(2)].savedBytes, full.stages[StageId(2)].savedBytes);
    QCOMPARE(plan.found.solution.cost.stages[StageId(2)].peakMemory, full.stages[StageId(2)].peakMemory);
    compareWithTrace(model, plan);
}

void TestRecomputeStages::chooseNoWorseThanAnyRegions_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("perceptron") << "perceptron.pt2";
}

namespace {

// All sets of runs of nodes behind `from`, each set behind `before`.
void addRegionSets(const RecomputePlan& before, std::size_t from, std::size_t count,
                   std::vector<RecomputePlan>& sets)
{
    sets.push_back(before);
    for (std::size_t begin = from; begin < count; ++begin)
        for (std::size_t end = begin + 1; end <= count; ++end) {
            RecomputePlan longer = before;
            longer.regions.emplace_back();
            for (std::size_t node = begin; node < end; ++node)
                longer.regions.back().nodes.push_back(NodeId(node));
            addRegionSets(longer, end, count, sets);
        }
}

} // namespace

// Of one stage every set of regions of a few nodes: what fits any fits the choice, which is nearly as fast.
void TestRecomputeStages::chooseNoWorseThanAnyRegions()
{
    QFETCH(QString, file);
    const auto model = std::make_shared<const Model>(
        openModel((QString(STAGECRAFT_TEST_DATA "/oracle/recompute/") + file).toStdString()).value());
    const std::size_t count = model->graph.nodeCount();
    const Partition whole{1, Table<NodeId, StageId>(count, StageId(0))};
    std::vector<RecomputePlan> sets;
    addRegionSets({}, 0, std::min<std::size_t>(count, 7), sets);
    std::map<Bytes, Seconds> least; // time by memory
    OperatorSchemas schemas;
    for (const RecomputePlan& set : sets) {
        if (!checkPlan(*model, set, schemas).has_value())
            continue;
        PartitionOptions options = optionsFor(RecomputeKind::Plan, 1);
        options.recompute.regions = set;
        const PlanCost cost =
            evaluate(recomputedProblem(model, options, profiled, &whole).value().problem, whole);
        const auto [at, isNew] = least.try_emplace(cost.peakMemory(), cost.bottleneckTime);
        at->second = std::min(at->second, cost.bottleneckTime);
    }
    QVERIFY(least.size() > 3);
    Seconds best(1e9);
    for (const auto& [memory, time] : least) {
        best = std::min(best, time);
        const auto plan =
            findRecomputedPlan(model, optionsFor(RecomputeKind::Auto, 1, memory), profiled, OverLimit::Taken);
        QVERIFY2(plan->found.solution.cost.fits(),
                 qPrintable(QString("limit %1: %2 of %3 sets")
                                .arg(memory.count())
                                .arg(plan->found.solution.cost.peakMemory().count())
                                .arg(sets.size())));
        QVERIFY2(plan->found.solution.cost.bottleneckTime <= best * 1.03,
                 qPrintable(QString("limit %1: %2 s, not %3 s")
                                .arg(memory.count())
                                .arg(plan->found.solution.cost.bottleneckTime.value())
                                .arg(best.value())));
    }
}

void TestRecomputeStages::sayWhereNoStageCanDoAsTold()
{
    const auto model = modelOf("gpt2-tiny.pt2");
    const PartitionOptions options = optionsUnder("none,1:full", 2, Bytes(100000));
    const Result<RecomputedPlan> refused = findRecomputedPlan(model, options, profiled, OverLimit::Refused);
    QVERIFY(!refused.has_value());
    QVERIFY(refused.error().code == ErrorCode::Infeasible);
    QVERIFY(refused.error().message.find("none,1:full") != std::string::npos);
    const RecomputedPlan taken = findRecomputedPlan(model, options, profiled, OverLimit::Taken).value();
    QVERIFY(!taken.found.solution.cost.fits());
    QVERIFY(!taken.found.whyOverLimit.empty());
}

void TestRecomputeStages::planFilesKeepThem()
{
    const auto model = modelOf("llama-tiny.pt2");
    const RecomputedPlan plan = found(model, optionsUnder("ops aten::linear,0:full,2:none", 3));
    const QTemporaryDir folder;
    const std::string path = folder.filePath("plan.stagecraft").toStdString();
    QVERIFY(writePlan(
                makePlanFile({"m.pt2"}, model->graph, plan.found.solution.partition, plan.of.problem.options),
                path)
                .has_value());
    const AppliedPlan applied = applyPlan(readPlan(path).value(), model->graph).value();
    QVERIFY(applied.options.recompute == plan.of.problem.options.recompute);
    const RecomputedPlan again =
        evaluateRecomputedPlan(model, applied.options, applied.partition, profiled).value();
    QVERIFY(again.of.problem.options.recompute == plan.of.problem.options.recompute);
    QCOMPARE(largestPeak(again.found.solution.cost), largestPeak(plan.found.solution.cost));
    QCOMPARE(again.found.solution.bound.value.value(),
             plan.found.solution.bound.value.value()); // of all plans
}

void TestRecomputeStages::stagesThatAreNotThereAreRefused()
{
    const auto refused =
        findRecomputedPlan(modelOf("gpt2-tiny.pt2"), optionsUnder("3:full", 3), profiled, OverLimit::Taken);
    QVERIFY(!refused.has_value());
    QVERIFY(refused.error().message.find("stage 3") != std::string::npos);
    const auto ofAuto = findRecomputedPlan(modelOf("gpt2-tiny.pt2"), optionsUnder("auto,3:none", 3), profiled,
                                           OverLimit::Taken);
    QVERIFY(!ofAuto.has_value());
}

// Boundaries that cut through regions part them; what the parts do is counted, what cannot be one is said.
void TestRecomputeStages::regionsByHandArePartedByOtherCuts()
{
    const auto model = modelOf("llama-tiny.pt2");
    OperatorSchemas schemas;
    const RecomputePlan blocks = blocksPlan(*model, 1, {}, schemas).plan;
    QCOMPARE(blocks.regions.size(), std::size_t{4});
    PartitionOptions options = optionsFor(RecomputeKind::Plan, 1);
    options.recompute.regions = blocks;
    const auto under = [&](std::size_t stages) {
        options.stageCount = stages;
        options.recompute.regions = blocks;
        const RecomputedProblem posed = recomputedProblem(model, options, profiled, nullptr).value();
        Partition partition = evenly(*model, stages);
        for (const Colocation& group : posed.problem.groups)
            for (const NodeId node : group.nodes)
                partition.stageOf[node] = partition.stageOf[group.nodes.front()];
        return evaluateRecomputedPlan(model, options, partition, profiled);
    };
    QCOMPARE(under(1)->of.problem.options.recompute.regions.regions.size(), std::size_t{4});
    for (const std::size_t stages : {2U, 3U, 5U}) {
        const Result<RecomputedPlan> plan = under(stages);
        QVERIFY2(plan.has_value(), plan.has_value() ? "" : plan.error().message.c_str());
        const RecomputePlan& parted = plan->of.problem.options.recompute.regions;
        QVERIFY(parted.regions.size() > 4);
        std::size_t nodes = 0, before = 0;
        for (const RecomputeRegion& region : parted.regions)
            nodes += region.nodes.size();
        for (const RecomputeRegion& region : blocks.regions)
            before += region.nodes.size();
        QVERIFY(nodes == before || !plan->of.notes.empty());
        compareWithTrace(model, *plan);
    }
}

QTEST_GUILESS_MAIN(TestRecomputeStages)
#include "tst_recompute_stages.moc"
