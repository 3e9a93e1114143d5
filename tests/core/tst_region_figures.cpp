// What a region is said to keep, beside what its stage is.
#include "core/base/text.h"
#include "core/plan/evaluate.h"
#include "core/plan/node_stages.h"
#include "core/region_figures.h"
#include "tests/core/recomputed_plans.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestRegionFigures : public QObject
{
    Q_OBJECT

private slots:
    void regionsOfWholeStagesKeepWhatTheStagesDo_data();
    void regionsOfWholeStagesKeepWhatTheStagesDo();
    void whatTheyRunAgainIsWhatTheirStagesTakeLonger_data();
    void whatTheyRunAgainIsWhatTheirStagesTakeLonger();
};

namespace {

// A region of all nodes of each stage.
RecomputePlan wholeStages(const Partition& partition)
{
    RecomputePlan plan;
    for (std::vector<NodeId>& nodes : nodesByStage(partition))
        plan.regions.push_back({std::move(nodes), {}});
    return plan;
}

// Is something kept by nodes of several stages?
bool keepsAcross(const Profile& profile, const Partition& partition)
{
    return std::ranges::any_of(profile.keptTogether, [&](const KeptTogether& kept) {
        return std::ranges::any_of(kept.nodes, [&](NodeId node) {
            return partition.stageOf[node] != partition.stageOf[kept.nodes.front()];
        });
    });
}

} // namespace

void TestRegionFigures::regionsOfWholeStagesKeepWhatTheStagesDo_data()
{
    QTest::addColumn<int>("stages");
    for (const int stages : {3, 4})
        QTest::addRow("%d stages", stages) << stages;
}

void TestRegionFigures::regionsOfWholeStagesKeepWhatTheStagesDo()
{
    QFETCH(int, stages);
    const auto count = static_cast<std::size_t>(stages);
    const auto model = modelOf("llama-tiny.pt2");
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None, count));
    const Partition& partition = none.found.solution.partition;
    PartitionOptions options = optionsFor(RecomputeKind::Plan, count);
    options.recompute.regions = wholeStages(partition);
    const RecomputedPlan plan = evaluateRecomputedPlan(model, options, partition, profiled).value();
    const Solution& solution = plan.found.solution;
    QVERIFY(keepsAcross(none.of.profile, partition) && keepsAcross(plan.of.profile, partition));
    const std::vector<RegionFigures> figures =
        regionFigures(*plan.of.model, plan.of.profile, none.of.profile, plan.of.problem, solution);
    QCOMPARE(figures.size(), count);
    const RegionNotes notes =
        regionNotes(*plan.of.model, plan.of.profile, none.of.profile, solution.partition);
    for (const RegionFigures& region : figures) {
        const StageId stage(region.stage);
        QCOMPARE(region.saved, solution.cost.stages[stage].savedBytes);
        QCOMPARE(region.without, none.found.solution.cost.stages[stage].savedBytes);
        const std::string said = "keeps " + formatBytes(region.saved) + " of a microbatch instead of " +
                                 formatBytes(region.without) + ";";
        QVERIFY(notes.at(nodesByStage(partition)[region.stage].front()).starts_with(said));
    }
}

void TestRegionFigures::whatTheyRunAgainIsWhatTheirStagesTakeLonger_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"llama-tiny.pt2", "gpt2-tiny.pt2"}) // the device waits for the program
        QTest::addRow("%s", file) << file;
}

void TestRegionFigures::whatTheyRunAgainIsWhatTheirStagesTakeLonger()
{
    QFETCH(QString, file);
    const auto model = modelOf(file.toStdString().c_str());
    const RecomputedPlan none = found(model, optionsFor(RecomputeKind::None, 3));
    const RecomputedPlan full = evaluateRecomputedPlan(model, optionsFor(RecomputeKind::Full, 3),
                                                       none.found.solution.partition, profiled)
                                    .value();
    const Solution& solution = full.found.solution;
    PartitionProblem problem = full.of.problem;
    problem.options.recompute.regions = ownPlan(full.of.model->graph, nodeStages(solution.partition).get());
    Table<StageId, Seconds> added(3);
    for (const RegionFigures& region :
         regionFigures(*full.of.model, full.of.profile, none.of.profile, problem, solution))
        added[StageId(region.stage)] += region.added;
    for (const StageId stage : added.ids()) {
        const StageCost& cost = solution.cost.stages[stage];
        const Seconds longer = cost.compute() - none.found.solution.cost.stages[stage].compute();
        QVERIFY(longer > Seconds{});
        QVERIFY(std::abs((added[stage] - cost.recomputed).value()) < 1e-9);
        QVERIFY2(
            std::abs((cost.recomputed - longer).value()) < 0.05 * longer.value(),
            qPrintable(
                QString("%1 us, %2 longer").arg(1e6 * cost.recomputed.value()).arg(1e6 * longer.value())));
    }
}

QTEST_GUILESS_MAIN(TestRegionFigures)
#include "tst_region_figures.moc"
