#include "app/document/plan_state.h"

#include <QTest>

using namespace stagecraft;

namespace {

QString staleText(Change change)
{
    const Stale stale = staleAfter(change);
    QStringList parts;
    for (const auto& [name, is] : {std::pair("profile", stale.profile), std::pair("problem", stale.problem),
                                   std::pair("bound", stale.bound), std::pair("code", stale.code),
                                   std::pair("layout", stale.layout)}) {
        if (is)
            parts << name;
    }
    return parts.join(' ');
}

} // namespace

class TestPlanState : public QObject
{
    Q_OBJECT

private slots:
    void aChangeMakesStaleWhatFollowsFromIt_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("stale");
        QTest::newRow("model") << Change::Model << "profile problem bound code layout";
        QTest::newRow("device") << Change::Measures << "profile problem bound code layout";
        QTest::newRow("schedule") << Change::Constraints << "problem bound";
        QTest::newRow("plan") << Change::Plan << "code layout";
        QTest::newRow("drag: nothing is drawn anew") << Change::Preview << "code";
        QTest::newRow("boxes") << Change::OpenBoxes << "layout";
    }
    void aChangeMakesStaleWhatFollowsFromIt()
    {
        QFETCH(Change, change);
        QTEST(staleText(change), "stale");
    }

    void theRequestIsWhatIsAsked()
    {
        PlanState state;
        PartitionOptions& plan = state.request.plan;
        plan.objective = Objective::Overlap;
        plan.pins = {{NodeId(3), StageId(1)}, {NodeId(9), StageId(5)}};
        plan.links = {{1e9, Seconds(0)}, {2e9, Seconds(0)}};
        plan.stageCount = 3;
        plan.memoryLimits = {Bytes(1000)};
        PartitionOptions options = partitionOptions(state, Seconds(2));
        QCOMPARE(options.stageCount, std::size_t{3});
        QCOMPARE(options.objective, Objective::Overlap);
        QCOMPARE(options.memoryLimits, std::vector<Bytes>{Bytes(1000)});
        QCOMPARE(options.links.size(), std::size_t{2});
        QCOMPARE(options.pins.size(), std::size_t{1}); // stage 5 is not there
        plan.stageCount = 4;
        QCOMPARE(partitionOptions(state, Seconds(2)).links,
                 (std::vector<Link>{{1e9, {}}, {2e9, {}}, {2e9, {}}}));
        plan.links.resize(1); // of all boundaries
        QCOMPARE(partitionOptions(state, Seconds(2)).links, (std::vector<Link>{{1e9, {}}}));
        const DeviceSpec device{.memory = Bytes(100), .contextMemory = Bytes(10)};
        QCOMPARE(partitionOptions(state, Seconds(2), device).memoryLimits, std::vector<Bytes>{Bytes(1000)});
        plan.memoryLimits.clear();
        QCOMPARE(partitionOptions(state, Seconds(2), device).memoryLimits, std::vector<Bytes>{Bytes(90)});
        QVERIFY(partitionOptions(state, Seconds(2), DeviceSpec{}).memoryLimits.empty());
    }

    void requestsSurviveTheWayThroughOptions()
    {
        PlanState state;
        state.request = {.device = "h100-sxm",
                         .plan = {.stageCount = 6,
                                  .microbatches = 12,
                                  .schedule = ScheduleKind::Interleaved,
                                  .stagesPerDevice = 3,
                                  .send = SendKind::Direct,
                                  .objective = Objective::Iteration,
                                  .memoryLimits = {Bytes(5)}}};
        PlanRequest other;
        other.device = "h100-sxm";
        QVERIFY(withOptions(other, partitionOptions(state, Seconds(1))) == state.request);
    }

    // What was asked for comes on top of what was done meanwhile; nobody changes what is constrained so.
    void changesAreTakenFieldByField()
    {
        PlanRequest before{.device = "l4"};
        PlanRequest asked = before;
        asked.device = "a100";
        asked.profile.optimizer = OptimizerKind::Adafactor;
        asked.plan.microbatches = 3;
        asked.plan.memoryLimits = {Bytes(7)};
        asked.plan.pins = {{NodeId(1), StageId(0)}};
        PlanRequest now = before;
        now.plan.schedule = ScheduleKind::GPipe;
        now.plan.pins = {{NodeId(2), StageId(1)}};
        PlanRequest expected = asked;
        expected.plan.schedule = ScheduleKind::GPipe;
        expected.plan.pins = now.plan.pins;
        QVERIFY(withChanges(now, before, asked) == expected);
        expected.plan.pins.clear();
        QVERIFY(withoutConstraints(withChanges(now, before, asked)) == expected);
    }

    // What runs again is asked for once for all models, but for what is of the stages and nodes of one.
    void anotherModelIsRecomputedAlike()
    {
        PlanRequest request;
        request.plan.recompute = {.kind = RecomputeKind::Every, .every = 3};
        PlanRequest expected = request;
        request.plan.recompute.regions.regions.push_back({{NodeId(1)}, {}});
        request.plan.recompute.ofStages.push_back({.kind = RecomputeKind::Full});
        QVERIFY(withoutConstraints(request) == expected);
        request.plan.recompute.kind = RecomputeKind::Plan;
        QVERIFY(withoutConstraints(request) == PlanRequest());
    }
};

QTEST_GUILESS_MAIN(TestPlanState)
#include "tst_plan_state.moc"
