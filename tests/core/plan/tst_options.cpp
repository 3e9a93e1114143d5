// Stages, devices and stages a device: what is given, what follows, and what contradicts.
#include "core/plan/options.h"

#include <QTest>

using namespace stagecraft;

namespace {

using Count = std::optional<std::size_t>;

struct Given
{
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    Count stages;
    Count devices;
    Count perDevice;
};

} // namespace

Q_DECLARE_METATYPE(Given)

class TestOptions : public QObject
{
    Q_OBJECT

private slots:
    void countsFollowFromEachOther_data()
    {
        QTest::addColumn<Given>("given");
        QTest::addColumn<int>("stages"); // 0: refused
        QTest::addColumn<int>("devices");
        const auto row = [](const char* name, Given given, int stages, int devices) {
            QTest::newRow(name) << given << stages << devices;
        };
        using enum ScheduleKind;
        row("nothing", {}, 4, 4);
        row("nothing, interleaved", {Interleaved, {}, {}, {}}, 8, 4);
        row("nothing, zbv", {ZeroBubbleV, {}, {}, {}}, 8, 4);
        row("stages alone have a device each", {Interleaved, 6, {}, {}}, 6, 6);
        row("stages alone, zbv", {ZeroBubbleV, 6, {}, {}}, 6, 3);
        row("devices", {OneFOneB, {}, 3, {}}, 3, 3);
        row("devices, looped", {LoopedBfs, {}, 3, {}}, 6, 3);
        row("devices, zb1p", {ZeroBubble1, {}, 3, {}}, 3, 3);
        row("devices and each", {ZeroBubble1, {}, 3, 2}, 6, 3);
        row("stages and each", {Interleaved, 6, {}, 3}, 6, 2);
        row("stages and devices", {Interleaved, 6, 2, {}}, 6, 2);
        row("all three", {Interleaved, 6, 2, 3}, 6, 2);
        row("each alone", {Interleaved, {}, {}, 3}, 12, 4);
        row("all three, against each other", {Interleaved, 6, 2, 2}, 0, 0);
        row("uneven", {Interleaved, 7, 2, {}}, 0, 0);
        row("more devices than stages", {Interleaved, 2, 4, {}}, 0, 0);
        row("zbv has two each", {ZeroBubbleV, {}, 4, 3}, 0, 0);
        row("1f1b has one each", {OneFOneB, 8, 4, {}}, 0, 0);
        row("1f1b, two each", {OneFOneB, {}, 4, 2}, 0, 0);
        row("no devices", {OneFOneB, {}, 0, {}}, 0, 0);
        row("too many", {Interleaved, {}, 4'000'000'000, 4'000'000'000}, 0, 0);
    }
    void countsFollowFromEachOther()
    {
        QFETCH(Given, given);
        QFETCH(int, stages);
        QFETCH(int, devices);
        PartitionOptions options;
        options.schedule = given.schedule;
        const Result<void> set = setStageCounts(options, {given.stages, given.devices, given.perDevice});
        const bool fine = set.has_value() && checkOptions(options).has_value();
        QCOMPARE(fine, stages > 0);
        if (!fine)
            return;
        QCOMPARE(options.stageCount, static_cast<std::size_t>(stages));
        QCOMPARE(options.deviceCount(), static_cast<std::size_t>(devices));
        QCOMPARE(scheduleOf(options)->deviceCount(), static_cast<std::size_t>(devices));
    }

    // Whatever schedule comes after whatever other, and with however many stages on each.
    void anotherScheduleKeepsTheDevices()
    {
        using enum ScheduleKind;
        const std::vector<ScheduleKind> kinds{GPipe,     OneFOneB,    Interleaved,
                                              LoopedBfs, ZeroBubble1, ZeroBubbleV};
        for (const ScheduleKind first : kinds)
            for (const ScheduleKind second : kinds)
                for (const std::size_t each : {1, 2, 3}) {
                    PartitionOptions options;
                    options.microbatches = 12;
                    setSchedule(options, first);
                    if (!traitsOf(first).fixedStages)
                        setStagesPerDevice(options, each);
                    setSchedule(options, second);
                    QVERIFY(checkOptions(options).has_value());
                    QCOMPARE(options.deviceCount(), std::size_t{4});
                    QCOMPARE(options.objective, usualObjective(options));
                }
    }

    void anObjectiveThatWasChosenStays()
    {
        PartitionOptions options;
        setSchedule(options, ScheduleKind::Interleaved);
        QCOMPARE(options.objective, Objective::Iteration);
        setSchedule(options, ScheduleKind::OneFOneB);
        QCOMPARE(options.objective, Objective::Sum);
        options.objective = Objective::Overlap;
        setSchedule(options, ScheduleKind::ZeroBubbleV);
        QCOMPARE(options.objective, Objective::Overlap);
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
