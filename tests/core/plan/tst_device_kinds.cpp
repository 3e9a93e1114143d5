// Several kinds of devices in one plan: who is where, what they hold, what is between them.
#include "core/plan/device_kinds.h"

#include <QTest>

using namespace stagecraft;

namespace {

DeviceSpec device(const std::string& id, std::int64_t memory, double bandwidth, double latency)
{
    DeviceSpec spec{.id = id, .name = "Acme " + id};
    spec.memory = Bytes(memory + 1);
    spec.contextMemory = Bytes(1);
    spec.linkBandwidth = bandwidth;
    spec.linkLatency = Seconds(latency);
    return spec;
}

const std::vector<DeviceSpec> known{device("big", 80, 100, 1), device("small", 16, 10, 2),
                                    device("huge", 180, 900, 0.5)};

PlanRequest ofFour()
{
    return {.device = "big", .profile = {}, .plan = {.stageCount = 4}};
}

PlanRequest withLastTwoSmall()
{
    const std::vector<std::size_t> stages{2, 3};
    return withStagesOn(ofFour(), stages, "small", known).value();
}

} // namespace

class TestDeviceKinds : public QObject
{
    Q_OBJECT

private slots:
    void oneKindIsTheDeviceOfThePlan()
    {
        QCOMPARE(deviceKinds(ofFour()), (std::vector<DeviceKind>{{"big", 1, 4}}));
        QCOMPARE(devicesText(ofFour(), known), std::string("4 × Acme big"));
        QCOMPARE(devicesText(ofFour(), {}), std::string("4 × big"));
    }

    void stagesOfAnotherKindHaveItsMemoryAndLinks()
    {
        const PlanRequest request = withLastTwoSmall();
        const Link fast{100, Seconds(1)};
        const Link slow{10, Seconds(2)};
        QCOMPARE(request.plan.memoryLimits, (std::vector<Bytes>{Bytes(80), Bytes(80), Bytes(16), Bytes(16)}));
        QCOMPARE(request.plan.links, (std::vector<Link>{fast, slow, slow}));
        QCOMPARE(devicesText(request, known), std::string("2 × Acme big + 2 × Acme small"));
        QCOMPARE(deviceOfStage(request, 1), std::string("big"));
        QCOMPARE(deviceOfStage(request, 2), std::string("small"));
    }

    // The slower of two, in bandwidth and in latency each.
    void linksBetweenKindsAreTheSlower()
    {
        const std::vector<std::size_t> first{0};
        std::vector<DeviceSpec> odd = known;
        odd[1].linkLatency = Seconds(0.25);
        const PlanRequest request = withStagesOn(ofFour(), first, "small", odd).value();
        QCOMPARE(request.plan.links.front(), (Link{10, Seconds(1)}));
        QCOMPARE(request.plan.links.back(), (Link{100, Seconds(1)}));
    }

    void aStagePutBackIsAsBefore()
    {
        const std::vector<std::size_t> last{2, 3};
        const PlanRequest back = withStagesOn(withLastTwoSmall(), last, "big", known).value();
        QVERIFY(back == ofFour());
        // One of the two: the link that both ends of are the plan's again is its, too.
        const std::vector<std::size_t> third{2};
        const PlanRequest half = withStagesOn(withLastTwoSmall(), third, "big", known).value();
        QCOMPARE(half.plan.links,
                 (std::vector<Link>{{100, Seconds(1)}, {100, Seconds(1)}, {10, Seconds(2)}}));
    }

    void speedsThatWereTypedAreKindsOfTheirOwn()
    {
        PlanRequest request = ofFour();
        request.plan.speeds = {1, 1, 1, 0.5};
        QCOMPARE(devicesText(request, known), std::string("3 × Acme big + 1 × Acme big at 0.5 × its speed"));
        request = withLastTwoSmall();
        request.plan.speeds = {1, 1, 0.06, 0.06}; // as they were found out
        QCOMPARE(devicesText(request, known), std::string("2 × Acme big + 2 × Acme small"));
    }

    void stagesThatShareDevicesAreCountedOnce()
    {
        PlanRequest request = ofFour();
        setSchedule(request.plan, ScheduleKind::ZeroBubbleV);
        QCOMPARE(request.plan.stageCount, 8U);
        QCOMPARE(devicesText(request, known), std::string("4 × Acme big"));
        const std::vector<std::size_t> last{7};
        const auto refused = withStagesOn(request, last, "small", known);
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().message.starts_with("stages that share devices run on one kind of device"));
    }

    void anotherScheduleIsRefusedWhileThereAreKinds()
    {
        PlanRequest asked = withLastTwoSmall();
        setSchedule(asked.plan, ScheduleKind::ZeroBubbleV);
        QVERIFY(!withKindsKept(asked, withLastTwoSmall(), known).has_value());
        QVERIFY(withKindsKept(ofFour(), withLastTwoSmall(), known).has_value());
    }

    // What the old device had becomes what the new one has; the other kind stays, and what a person typed.
    void anotherDeviceOfThePlanKeepsTheOthers()
    {
        PlanRequest asked = withLastTwoSmall();
        asked.plan.memoryLimits[1] = Bytes(7);
        asked.device = "huge";
        const PlanRequest now = withKindsKept(asked, withLastTwoSmall(), known).value();
        QCOMPARE(now.plan.memoryLimits, (std::vector<Bytes>{Bytes(180), Bytes(7), Bytes(16), Bytes(16)}));
        QCOMPARE(now.plan.links,
                 (std::vector<Link>{{900, Seconds(0.5)}, {10, Seconds(2)}, {10, Seconds(2)}}));
        QCOMPARE(devicesText(now, known), std::string("2 × Acme huge + 2 × Acme small"));
        asked.device = "small";
        QCOMPARE(devicesText(withKindsKept(asked, withLastTwoSmall(), known).value(), known),
                 std::string("4 × Acme small"));
    }

    // A plan file may say what was usual on the old device.
    void linksOfOneKindFollowTheDevice()
    {
        PlanRequest asked = ofFour();
        asked.plan.links = {{100, Seconds(1)}, {100, Seconds(1)}, {100, Seconds(1)}};
        asked.plan.memoryLimits = {Bytes(80)};
        asked.device = "huge";
        PlanRequest now = withKindsKept(asked, ofFour(), known).value();
        QCOMPARE(now.plan.links, std::vector<Link>());
        QCOMPARE(now.plan.memoryLimits, std::vector<Bytes>{Bytes(80)}); // asked for
        asked.plan.links[1] = {7, Seconds(3)};
        now = withKindsKept(asked, ofFour(), known).value();
        QCOMPARE(now.plan.links,
                 (std::vector<Link>{{900, Seconds(0.5)}, {7, Seconds(3)}, {900, Seconds(0.5)}}));
    }

    void namesFollowTheNumberOfStages()
    {
        PlanRequest request = withLastTwoSmall();
        request.plan.stageCount = 5;
        fitStageDevices(request);
        QCOMPARE(request.stageDevices, (std::vector<std::string>{"", "", "small", "small", "small"}));
        request.plan.stageCount = 2;
        fitStageDevices(request);
        QVERIFY(request.stageDevices.empty());
    }

    void whatIsNotThereIsRefusedByName()
    {
        const std::vector<std::size_t> fifth{4};
        QCOMPARE(withStagesOn(ofFour(), fifth, "small", known).error().message,
                 std::string("there is no stage 4 to put on 'small': the stages are 0 to 3"));
        const std::vector<std::size_t> first{0};
        QVERIFY(withStagesOn(ofFour(), first, "tiny", known).error().message.find("'tiny'") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestDeviceKinds)
#include "tst_device_kinds.moc"
