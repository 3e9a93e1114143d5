// Checkpoint regions that a model brings along, where boundaries cut them: every figure is that of the
// stages, each of which keeps the inputs of its part and runs it again alone.
#include "core/plan/evaluate.h"
#include "core/plan/stage_recomputation.h"
#include "core/recompute_trade_offs.h"
#include "core/region_figures.h"
#include "tests/core/recomputed_plans.h"
#include "tests/core/two_blocks.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

std::shared_ptr<const Model> blocksModel(const char* second)
{
    return std::make_shared<const Model>(twoBlocks(second));
}

std::shared_ptr<const Model> checkpointsModel(const QString& name)
{
    const QString path = QString(STAGECRAFT_TEST_DATA "/oracle/checkpoints/%1.pt2").arg(name);
    return std::make_shared<const Model>(openModel(path.toStdString()).value());
}

Partition splitBefore(const Graph& graph, const char* name)
{
    Partition partition{2, Table<NodeId, StageId>(graph.nodeCount(), StageId(0))};
    for (const NodeId node : graph.nodes())
        if (node >= *graph.findNode(name))
            partition.stageOf[node] = StageId(1);
    return partition;
}

RecomputedPlan evaluated(const std::shared_ptr<const Model>& model, const Partition& partition,
                         RecomputeKind kind = RecomputeKind::Model)
{
    return evaluateRecomputedPlan(model, optionsFor(kind, partition.stageCount), partition, profiled).value();
}

// In as many even stages as there can be parts.
Partition evenSplit(const PartitionProblem& problem, const Model& model, std::size_t stages)
{
    Partition partition{stages, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
    for (const NodeId node : model.graph.nodes())
        partition.stageOf[node] = StageId(node.index() * stages / model.graph.nodeCount());
    return checkPartition(problem, partition).has_value() ? partition
                                                          : withInseparableNodesTogether(model, partition);
}

} // namespace

class TestOwnRegions : public QObject
{
    Q_OBJECT

private slots:
    void oneThatIsCutCostsWhatItsPartsCost();
    void searchesKnowWhatIsCut_data();
    void searchesKnowWhatIsCut();
    void tablesHaveThePartsOfStages();
    void whatIsFreedIsOfThePeak_data();
    void whatIsFreedIsOfThePeak();
    void tradeOffsHaveThemAsCut();
    void viewsThatRunAgainTakeTheirTime();
};

void TestOwnRegions::oneThatIsCutCostsWhatItsPartsCost()
{
    const auto whole = blocksModel("1");
    const auto parts = blocksModel("2");
    const Partition partition = splitBefore(whole->graph, "e");
    QVERIFY(partsRegions(whole->graph, {}, partition));
    QVERIFY(!partsRegions(parts->graph, {}, partition));
    const PlanCost got = evaluated(whole, partition).found.solution.cost;
    const PlanCost expected = evaluated(parts, partition).found.solution.cost;
    for (const StageId stage : expected.stages.ids()) {
        QCOMPARE(got.stages[stage].savedBytes, expected.stages[stage].savedBytes);
        QCOMPARE(got.stages[stage].transientBytes, expected.stages[stage].transientBytes);
        QCOMPARE(got.stages[stage].peakMemory, expected.stages[stage].peakMemory);
        QCOMPARE(got.stages[stage].recomputed.value(), expected.stages[stage].recomputed.value());
        QVERIFY(std::abs(got.stages[stage].load / expected.stages[stage].load - 1) < 1e-9);
    }
    // As if it were whole, the value that crosses is not kept.
    const PlanCost asIfWhole = evaluate(
        recomputedProblem(whole, optionsFor(RecomputeKind::Model), profiled, nullptr).value().problem,
        partition);
    QCOMPARE(got.stages[StageId(1)].savedBytes,
             asIfWhole.stages[StageId(1)].savedBytes + Bytes(std::int64_t{64} * 32 * 4));
}

void TestOwnRegions::searchesKnowWhatIsCut_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"dropout", "nested", "nested-last", "forks", "mixed", "sequence"})
        QTest::newRow(name) << name;
}

// What a search says of its plan is what is said of that plan where it is opened.
void TestOwnRegions::searchesKnowWhatIsCut()
{
    QFETCH(QString, file);
    const auto model = checkpointsModel(file);
    for (const std::size_t stages : {2, 3}) {
        const RecomputedPlan plan = found(model, optionsFor(RecomputeKind::Model, stages));
        const Solution& solution = plan.found.solution;
        const PlanCost opened = evaluated(model, solution.partition).found.solution.cost;
        QCOMPARE(solution.cost.iteration.value(), opened.iteration.value());
        for (const StageId stage : opened.stages.ids()) {
            QCOMPARE(solution.cost.stages[stage].savedBytes, opened.stages[stage].savedBytes);
            QCOMPARE(solution.cost.stages[stage].peakMemory, opened.stages[stage].peakMemory);
        }
    }
}

void TestOwnRegions::tablesHaveThePartsOfStages()
{
    const auto model = blocksModel("1");
    const Partition partition = splitBefore(model->graph, "e");
    const RecomputedPlan plan = evaluated(model, partition);
    const RecomputedPlan none = evaluated(model, partition, RecomputeKind::None);
    const RecomputePlan regions = regionsThatRun(model->graph, {}, nodeStages(partition).get());
    QCOMPARE(regions.regions.size(), std::size_t{2});
    QCOMPARE(regionsThatRun(model->graph, {}).regions.size(), std::size_t{1});
    const auto stages = stageRecomputations(regions, plan.of.profile, &none.of.profile, partition,
                                            plan.of.problem.options, plan.found.solution.cost);
    for (std::size_t stage = 0; stage < 2; ++stage)
        QCOMPARE(stages[stage].regions, std::size_t{1});
    const RegionNotes notes = regionNotes(*model, plan.of.profile, none.of.profile, partition);
    QCOMPARE(notes.size(), std::size_t{6});
    QVERIFY(notes.at(*model->graph.findNode("b")) != notes.at(*model->graph.findNode("e")));
    // A profile of other stages knows nothing of these.
    QVERIFY(regionNotes(*model, plan.of.profile, none.of.profile, splitBefore(model->graph, "f")).empty());
}

void TestOwnRegions::whatIsFreedIsOfThePeak_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("policy");
    for (const char* name : {"dropout", "sequence", "forks"})
        for (const char* policy : {"", "full"})
            QTest::addRow("%s %s", name, policy) << name << policy;
}

void TestOwnRegions::whatIsFreedIsOfThePeak()
{
    QFETCH(QString, file);
    QFETCH(QString, policy);
    const auto model = checkpointsModel(file);
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None, 2));
    const Partition partition = evenSplit(none.of.problem, *model, 2);
    const RecomputedPlan without = evaluated(model, partition, RecomputeKind::None);
    const RecomputedPlan plan =
        evaluated(model, partition, policy.isEmpty() ? RecomputeKind::Model : RecomputeKind::Full);
    const PlanCost& cost = plan.found.solution.cost;
    const RecomputePlan regions =
        regionsThatRun(plan.of.model->graph, plan.of.problem.options.recompute, nodeStages(partition).get());
    const auto stages = stageRecomputations(regions, plan.of.profile, &without.of.profile, partition,
                                            plan.of.problem.options, cost);
    QCOMPARE(stages.size(), std::size_t{2});
    for (std::size_t stage = 0; stage < 2; ++stage) {
        const Bytes before = without.found.solution.cost.stages[StageId(stage)].peakMemory;
        QCOMPARE(stages[stage].freed()->count(),
                 before.count() - cost.stages[StageId(stage)].peakMemory.count());
    }
}

void TestOwnRegions::tradeOffsHaveThemAsCut()
{
    const auto model = checkpointsModel("dropout");
    PartitionOptions options = optionsFor(RecomputeKind::Model, 3);
    options.timeLimit = Seconds(2);
    const auto compared = recomputedTradeOffs(model, options, profiled).value();
    QVERIFY(!compared.plans.empty());
    for (const TradeOff& plan : compared.plans) {
        const PlanCost opened = evaluated(model, plan.solution.partition).found.solution.cost;
        QCOMPARE(plan.peakMemory, opened.peakMemory());
        QCOMPARE(plan.solution.cost.iteration.value(), opened.iteration.value());
        QVERIFY(plan.recompute.empty());
    }
}

// Of a linear layer under autocast backward asks for a view of the weight's cast: what the device waits for
// it is of what runs again.
void TestOwnRegions::viewsThatRunAgainTakeTheirTime()
{
    const auto model = checkpointsModel("mixed");
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None, 1));
    const RecomputedPlan full = found(model, optionsFor(RecomputeKind::Full, 1));
    const ProfileTotals& without = none.of.profile.totals;
    const ProfileTotals& totals = full.of.profile.totals;
    QCOMPARE(totals.flopsRecomputed, Flops{});
    QVERIFY(totals.timeRecomputed > Seconds{});
    const Seconds longer = totals.timeBackward - without.timeBackward;
    QVERIFY2(std::abs(longer / totals.timeRecomputed - 1) < 1e-6,
             qPrintable(QString::number(longer / totals.timeRecomputed)));
    QVERIFY(full.found.solution.cost.stages[StageId(0)].recomputed > Seconds{});
    for (const NodeCost& cost : full.of.profile.nodes)
        QVERIFY(cost.recomputed.time <= cost.backwardInput.time);
}

QTEST_GUILESS_MAIN(TestOwnRegions)
#include "tst_own_regions.moc"
