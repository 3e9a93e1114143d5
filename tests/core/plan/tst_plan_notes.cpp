// What is said beside a plan's figures: sends that are not exported, checkpoint regions that are cut.
#include "core/advise/suggestions.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan_notes.h"
#include "core/plan/sources/model_problem.h"
#include "core/plan/sources/partition_json.h"
#include "core/profile/model/profile_model.h"
#include "tests/core/profile/oracle.h"
#include "tests/core/two_blocks.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

struct Sample
{
    explicit Sample(const char* second, PartitionOptions options = {})
        : model(twoBlocks(second)), profile(profileModel(model, plainOptions(LoweringKind::Cpu)).value())
    {
        options.stageCount = 2;
        problem = makeProblem(model, profile, options).value();
    }

    // Stage 1 begins with this node.
    Partition splitBefore(const char* name) const
    {
        Partition partition{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
        for (const NodeId node : model.graph.nodes())
            if (node >= *model.graph.findNode(name))
                partition.stageOf[node] = StageId(1);
        return partition;
    }

    Model model;
    Profile profile;
    PartitionProblem problem;
};

QString text(const std::vector<std::string>& notes)
{
    QStringList lines;
    for (const std::string& note : notes)
        lines << QString::fromStdString(note);
    return lines.join('\n');
}

} // namespace

class TestPlanNotes : public QObject
{
    Q_OBJECT

private slots:
    void directSendsSayWhatTheExportTakes();
    void relayedPlansSayNothing();
    void regionsCutAreSaid();
    void regionsBetweenStagesSayNothing();
    void splitBackwardIsWholeWhereRegionsRunAgain();
};

void TestPlanNotes::directSendsSayWhatTheExportTakes()
{
    PartitionOptions direct;
    direct.send = SendKind::Direct;
    direct.stageCount = 3;
    Sample sample("2");
    sample.problem = makeProblem(sample.model, sample.profile, direct).value();
    Partition skip = sample.splitBefore("b"); // %a goes from stage 0 to stage 2
    skip.stageCount = 3;
    for (const char* name : {"e", "f", "g", "h"})
        skip.stageOf[*sample.model.graph.findNode(name)] = StageId(2);
    PartitionOptions relay = direct;
    relay.send = SendKind::Relay;
    const PlanCost asked = evaluate(sample.problem, skip);
    const PlanCost relayed = evaluate(makeProblem(sample.model, sample.profile, relay).value(), skip);
    QVERIFY(asked.bottleneckTime < relayed.bottleneckTime);

    const auto cost = relayedCost(sample.problem, skip);
    QVERIFY(cost.has_value());
    QCOMPARE(cost->bottleneckTime.value(), relayed.bottleneckTime.value());
    QCOMPARE(cost->iteration.value(), relayed.iteration.value());
    const QString note = text(planNotes(sample.model.graph, sample.profile, sample.problem, skip));
    QVERIFY2(note.startsWith("direct sends are pipeline.py's; relayed: slowest " +
                             QString::fromStdString(formatSeconds(relayed.bottleneckTime))),
             qPrintable(note));
    QVERIFY(!exportRelaysNote(direct).empty());
    // Nor is anybody advised to ask for it.
    const PartitionProblem asExported = makeProblem(sample.model, sample.profile, relay).value();
    const Solution current{.partition = skip, .cost = relayed};
    for (const Suggestion& suggestion : suggestChanges(asExported, current, {.searchTime = Seconds(0.1)}))
        QVERIFY2(suggestion.options.send == SendKind::Relay, suggestion.text.c_str());

    Solution solution;
    solution.partition = skip;
    solution.cost = asked;
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(partitionJson(sample.problem, solution))).object();
    QCOMPARE(json["exported"]["send"].toString(), "relay");
    QCOMPARE(json["exported"]["bottleneck_s"].toDouble(), relayed.bottleneckTime.value());
    QCOMPARE(json["bottleneck_s"].toDouble(), asked.bottleneckTime.value());
}

void TestPlanNotes::relayedPlansSayNothing()
{
    const Sample sample("2");
    const Partition partition = sample.splitBefore("e");
    QVERIFY(!relayedCost(sample.problem, partition));
    QCOMPARE(text(planNotes(sample.model.graph, sample.profile, sample.problem, partition)), "");
    QVERIFY(exportRelaysNote(sample.problem.options).empty());
    Solution solution;
    solution.partition = partition;
    solution.cost = evaluate(sample.problem, partition);
    QVERIFY(partitionJson(sample.problem, solution).find("exported") == std::string::npos);
}

void TestPlanNotes::regionsCutAreSaid()
{
    const Sample whole("1");
    const Partition partition = whole.splitBefore("e");
    QCOMPARE(countCutRegions(whole.model.graph, whole.profile, partition), std::size_t{1});
    QCOMPARE(text(planNotes(whole.model.graph, whole.profile, whole.problem, partition)),
             "a checkpoint region is cut by a boundary: each stage keeps the inputs of its part and runs it "
             "again alone");
}

void TestPlanNotes::regionsBetweenStagesSayNothing()
{
    const Sample sample("1");
    const Partition partition = sample.splitBefore("b");
    QCOMPARE(countCutRegions(sample.model.graph, sample.profile, partition), std::size_t{0});
    QCOMPARE(text(planNotes(sample.model.graph, sample.profile, sample.problem, partition)), "");
    // What is run again is in the times and the memory of the stage that has the region.
    const Sample none("0");
    const PlanCost with = evaluate(sample.problem, partition);
    const PlanCost without = evaluate(none.problem, partition);
    QVERIFY(with.stages[StageId(1)].compute() > without.stages[StageId(1)].compute());
    QVERIFY(with.stages[StageId(1)].savedBytes < without.stages[StageId(1)].savedBytes);
    QVERIFY(with.stages[StageId(1)].transientBytes > without.stages[StageId(1)].transientBytes);
}

void TestPlanNotes::splitBackwardIsWholeWhereRegionsRunAgain()
{
    PartitionOptions options;
    options.schedule = ScheduleKind::ZeroBubble1;
    Sample sample("2", options);
    QVERIFY(text(planNotes(sample.model.graph, sample.profile, sample.problem, sample.splitBefore("e")))
                .contains("does all of it in the first part"));
    // As pipeline.py does it: weights have their gradients when the region has run again, once.
    const Partition plan = sample.splitBefore("e");
    PartitionOptions whole;
    const PlanCost split = evaluate(sample.problem, plan);
    const PlanCost once = evaluate(Sample("2", whole).problem, plan);
    for (const StageId stage : split.stages.ids()) {
        QCOMPARE(split.stages[stage].backwardWeight.value(), 0.0);
        QVERIFY(once.stages[stage].backwardWeight > Seconds{});
        QCOMPARE(split.stages[stage].compute().value(), once.stages[stage].compute().value());
    }
}

QTEST_GUILESS_MAIN(TestPlanNotes)
#include "tst_plan_notes.moc"
