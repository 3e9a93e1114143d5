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

    void choicesAreLaidOverTheConstraints()
    {
        PlanState state;
        state.choices.objective = Objective::Overlap;
        state.constraints.pins = {{NodeId(3), StageId(1)}, {NodeId(9), StageId(5)}};
        state.constraints.links = {{1e9, Seconds(0)}, {2e9, Seconds(0)}};
        state.choices.stageCount = 3;
        state.choices.memoryLimit = Bytes(1000);
        PartitionOptions options = partitionOptions(state, Seconds(2));
        QCOMPARE(options.stageCount, std::size_t{3});
        QCOMPARE(options.objective, Objective::Overlap);
        QCOMPARE(options.memoryLimits, std::vector<Bytes>{Bytes(1000)});
        QCOMPARE(options.links.size(), std::size_t{2});
        QCOMPARE(options.pins.size(), std::size_t{1}); // stage 5 is not there
        state.choices.stageCount = 4;
        QVERIFY(partitionOptions(state, Seconds(2)).links.empty());
        const DeviceSpec device{.memory = Bytes(100), .contextMemory = Bytes(10)};
        QCOMPARE(partitionOptions(state, Seconds(2), device).memoryLimits, std::vector<Bytes>{Bytes(1000)});
        state.choices.memoryLimit.reset();
        QCOMPARE(partitionOptions(state, Seconds(2), device).memoryLimits, std::vector<Bytes>{Bytes(90)});
        QVERIFY(partitionOptions(state, Seconds(2), DeviceSpec{}).memoryLimits.empty());
    }

    void choicesSurviveTheWayThroughOptions()
    {
        PlanState state;
        state.choices = {.stageCount = 6,
                         .microbatches = 12,
                         .deviceId = "h100-sxm",
                         .schedule = ScheduleKind::Interleaved,
                         .stagesPerDevice = 3,
                         .objective = Objective::Iteration,
                         .send = SendKind::Direct,
                         .memoryLimit = Bytes(5)};
        PlanChoices other;
        other.deviceId = "h100-sxm";
        QVERIFY(choicesOf(partitionOptions(state, Seconds(1)), other) == state.choices);
    }
};

QTEST_GUILESS_MAIN(TestPlanState)
#include "tst_plan_state.moc"
