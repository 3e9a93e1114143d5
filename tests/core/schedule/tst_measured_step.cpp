#include "core/schedule/comparison_text.h"
#include "core/schedule/schedule_check.h"
#include "core/schedule/trace_events.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

using namespace stagecraft;

namespace {

constexpr double millisecond = 1e-3;

Schedule scheduleFor(ScheduleKind kind, std::size_t devices, std::size_t each, std::size_t microbatches)
{
    return makeSchedule(kind, devices * each, devices, microbatches).value();
}

ScheduleCosts costsFor(const Schedule& schedule)
{
    ScheduleCosts costs;
    for (std::size_t stage = 0; stage < schedule.stageCount; ++stage) {
        StageTimes times;
        times.forward = Seconds((3 + 0.1 * static_cast<double>(stage % 3)) * millisecond);
        times.backwardInput = Seconds(3 * millisecond);
        times.backwardWeight = Seconds(2 * millisecond);
        costs.stages.push_back(times);
        if (stage > 0)
            costs.links.push_back({stage - 1, stage});
    }
    return costs;
}

void addSend(ScheduleCosts& costs, std::size_t from, Seconds time)
{
    costs.stages[from].sendActivations += time;
    costs.stages[from + 1].receiveActivations += time;
    costs.stages[from + 1].sendGradients += time;
    costs.stages[from].receiveGradients += time;
}

// What processes would say of a step that ran as it is simulated, each by a clock of its own.
StepRecord recordOf(const Timeline& timeline, const std::vector<double>& clocks = {})
{
    StepRecord record;
    for (const ActionSpan& span : timeline.spans) {
        if (record.ranks.size() == span.device)
            record.ranks.push_back({.source = "rank " + std::to_string(span.device), .rank = span.device});
        Action action = span.action;
        action.overlaps = false;
        const Seconds clock(clocks.empty() ? 0 : clocks[span.device]);
        record.ranks[span.device].actions.push_back({action, span.start + clock, span.end + clock});
    }
    return record;
}

struct Compared
{
    Timeline planned;
    MeasuredStep measured;
    StepComparison comparison;
};

Compared compared(const Schedule& schedule, const ScheduleCosts& costs, const StepRecord& record)
{
    Compared result;
    result.planned = simulate(schedule, costs).value();
    result.measured = measuredStep(schedule, record).value();
    result.comparison = compareSteps(schedule, costs, result.planned, result.measured).value();
    return result;
}

Seconds sumOf(const StepComparison& comparison)
{
    const StepDifference& difference = comparison.difference;
    Seconds sum =
        difference.pace + difference.sends.value_or(Seconds{}) + difference.waiting + difference.outside;
    for (const StageComparison& stage : comparison.stages)
        sum += stage.effect;
    return sum;
}

bool near(Seconds left, Seconds right)
{
    return std::abs(left.value() - right.value()) < 1e-9;
}

QString refusal(const Schedule& schedule, const StepRecord& record)
{
    const Result<MeasuredStep> step = measuredStep(schedule, record);
    return step.has_value() ? QString() : QString::fromStdString(step.error().message);
}

} // namespace

class TestMeasuredStep : public QObject
{
    Q_OBJECT

private slots:
    void aStepThatRanAsPlannedDiffersNowhere_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("each");
        for (const ScheduleTraits& traits : scheduleTable)
            QTest::newRow(std::string(traits.name).c_str())
                << static_cast<int>(traits.kind)
                << static_cast<int>(traits.fixedStages.value_or(usualStagesPerDevice(traits.kind)));
    }
    void aStepThatRanAsPlannedDiffersNowhere()
    {
        QFETCH(const int, kind);
        QFETCH(const int, each);
        const Schedule schedule =
            scheduleFor(static_cast<ScheduleKind>(kind), 4, static_cast<std::size_t>(each), 8);
        const ScheduleCosts costs = costsFor(schedule);
        const Compared step = compared(schedule, costs, recordOf(simulate(schedule, costs).value()));
        QVERIFY(near(step.measured.timeline.makespan, step.planned.makespan));
        QCOMPARE(step.comparison.actions.size(), step.planned.spans.size());
        for (const SlotComparison& slot : step.comparison.actions) {
            QVERIFY(near(slot.longer(), Seconds{}));
            QVERIFY(near(slot.later(), Seconds{}));
        }
        for (const StageComparison& stage : step.comparison.stages)
            QVERIFY(near(stage.effect, Seconds{}) && near(stage.planned, stage.measured));
        for (std::size_t device = 0; device < 4; ++device) {
            const DeviceUse& planned = step.planned.devices[device];
            const DeviceUse& measured = step.measured.timeline.devices[device];
            QVERIFY(near(planned.busy, measured.busy) && near(planned.warmUp, measured.warmUp));
            QVERIFY(near(planned.waiting, measured.waiting) && near(planned.drain, measured.drain));
        }
        QVERIFY(near(step.comparison.difference.waiting, Seconds{}));
        QVERIFY(near(step.comparison.difference.pace, Seconds{}));
        QVERIFY(!step.comparison.difference.sends);
    }

    void oneSlowStageExplainsAll()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 4, 1, 8);
        const ScheduleCosts costs = costsFor(schedule);
        ScheduleCosts real = costs;
        real.stages[2].forward = real.stages[2].forward * 1.7;
        real.stages[2].backwardInput = real.stages[2].backwardInput * 1.5;
        const Timeline ran = simulate(schedule, real).value();
        const Compared step = compared(schedule, costs, recordOf(ran));
        const Seconds longer = ran.makespan - step.planned.makespan;
        QVERIFY(longer > Seconds(10 * millisecond));
        QCOMPARE(step.comparison.difference.paceFactor, 1.0);
        QVERIFY(near(step.comparison.stages[2].effect, longer));
        QVERIFY(near(step.comparison.stages[0].effect, Seconds{}));
        QVERIFY(near(step.comparison.difference.waiting, Seconds{}));
        QVERIFY(near(sumOf(step.comparison), step.comparison.difference.total()));
        const QString text = QString::fromStdString(comparisonSummary(step.measured, step.comparison));
        QVERIFY2(text.contains("stage 3 is slower than the others"), qPrintable(text));
        QVERIFY2(!text.contains("stage 1 is"), qPrintable(text));
    }

    void equallySlowStagesBearEqualParts()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::GPipe, 5, 1, 6);
        ScheduleCosts costs = costsFor(schedule);
        for (StageTimes& stage : costs.stages)
            stage.forward = Seconds(3 * millisecond);
        ScheduleCosts real = costs;
        for (const std::size_t slow : {1U, 3U})
            real.stages[slow].forward = real.stages[slow].forward * 2;
        const Compared step = compared(schedule, costs, recordOf(simulate(schedule, real).value()));
        QVERIFY(near(step.comparison.stages[1].effect, step.comparison.stages[3].effect));
        QVERIFY(step.comparison.stages[1].effect > Seconds(millisecond));
        QVERIFY(near(step.comparison.stages[1].effect * 2, step.comparison.difference.total()));
    }

    void aSlowerDeviceIsThePaceOfAll()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::ZeroBubbleV, 3, 2, 6);
        const ScheduleCosts costs = costsFor(schedule);
        ScheduleCosts real = costs;
        for (StageTimes& stage : real.stages) {
            stage.forward = stage.forward * 40;
            stage.backwardInput = stage.backwardInput * 40;
            stage.backwardWeight = stage.backwardWeight * 40;
        }
        const Compared step = compared(schedule, costs, recordOf(simulate(schedule, real).value()));
        QVERIFY(std::abs(step.comparison.difference.paceFactor - 40) < 1e-9);
        QVERIFY(near(step.comparison.difference.pace, step.comparison.difference.total()));
    }

    void sendsAreToldApartWhereTheyWereMeasured()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 3, 1, 6);
        ScheduleCosts costs = costsFor(schedule), real = costs;
        for (std::size_t stage = 0; stage < 2; ++stage) {
            addSend(costs, stage, Seconds(0.5 * millisecond));
            addSend(real, stage, Seconds(2 * millisecond));
        }
        const Timeline ran = simulate(schedule, real).value();
        StepRecord record = recordOf(ran);
        const Compared without = compared(schedule, costs, record);
        QVERIFY(!without.comparison.difference.sends);
        QVERIFY(near(without.comparison.difference.waiting, without.comparison.difference.total()));
        record.sends = {{0, 1, Seconds(2 * millisecond), Seconds(2 * millisecond)},
                        {1, 2, Seconds(2 * millisecond), Seconds(2 * millisecond)}};
        record.whole = ran.makespan + Seconds(millisecond);
        const Compared with = compared(schedule, costs, record);
        QVERIFY(near(with.comparison.difference.waiting, Seconds{}));
        QVERIFY(near(*with.comparison.difference.sends, without.comparison.difference.total()));
        QVERIFY(near(with.comparison.difference.outside, Seconds(millisecond)));
        QVERIFY(near(sumOf(with.comparison), with.comparison.difference.total()));
        QVERIFY(near(with.comparison.difference.measured, *record.whole));
    }

    void sumsAddUpWhateverRan()
    {
        const unsigned seed = std::random_device{}();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> factor(0.3, 3), time(0, 3 * millisecond);
        for (int round = 0; round < 60; ++round) {
            const ScheduleTraits& traits = scheduleTable[static_cast<std::size_t>(round) % scheduleCount];
            const std::size_t each = traits.fixedStages.value_or(usualStagesPerDevice(traits.kind));
            const Schedule schedule = scheduleFor(traits.kind, 3, each, 6);
            const ScheduleCosts costs = costsFor(schedule);
            ScheduleCosts real = costs;
            for (StageTimes& stage : real.stages)
                stage.forward = stage.forward * factor(random);
            for (std::size_t stage = 0; stage + 1 < real.stages.size(); ++stage)
                addSend(real, stage, Seconds(time(random)));
            const std::vector<double> clocks{time(random), -time(random), 100 * time(random)};
            StepRecord record = recordOf(simulate(schedule, real).value(), clocks);
            const Compared step = compared(schedule, costs, record);
            QVERIFY(near(sumOf(step.comparison), step.comparison.difference.total()));
        }
    }

    // As PyTorch does with two that follow each other.
    void halvesMayRunAsOne()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::ZeroBubbleV, 4, 2, 8);
        const ScheduleCosts costs = costsFor(schedule);
        StepRecord record = recordOf(simulate(schedule, costs).value());
        std::size_t merged = 0;
        for (RankRecord& rank : record.ranks) {
            for (std::size_t i = 0; i + 1 < rank.actions.size(); ++i) {
                MeasuredSlot& slot = rank.actions[i];
                const MeasuredSlot& next = rank.actions[i + 1];
                if (slot.action.kind != ActionKind::BackwardInput ||
                    next.action.kind != ActionKind::BackwardWeight ||
                    slot.action.stage != next.action.stage ||
                    slot.action.microbatch != next.action.microbatch)
                    continue;
                slot.action.kind = ActionKind::Backward;
                slot.end = next.end;
                rank.actions.erase(rank.actions.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                ++merged;
            }
        }
        QVERIFY(merged > 0);
        const Compared step = compared(schedule, costs, record);
        QCOMPARE(step.comparison.actions.size(), 8U * 8 * 3);
        for (const SlotComparison& slot : step.comparison.actions)
            QVERIFY(slot.measuredEnd > slot.measuredStart);
        QVERIFY(near(step.comparison.difference.total(), Seconds{}));
        for (const StageComparison& stage : step.comparison.stages)
            QVERIFY(near(stage.planned, stage.measured));
        // A half that does not follow the other must be there.
        bool found = false;
        for (RankRecord& rank : record.ranks) {
            const auto half = std::ranges::find_if(rank.actions, [](const MeasuredSlot& slot) {
                return slot.action.kind == ActionKind::BackwardWeight;
            });
            if (found || half == rank.actions.end())
                continue;
            const QString name = QString::fromStdString(rank.source + ": slot " + actionText(half->action));
            rank.actions.erase(half);
            QCOMPARE(refusal(schedule, record), name + " is missing");
            found = true;
        }
        QVERIFY(found);
    }

    void clocksComeTogetherByWhatWaitsForWhat()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 3, 1, 5);
        const ScheduleCosts costs = costsFor(schedule);
        const Timeline ran = simulate(schedule, costs).value();
        // The second device's clock is 50 ms slow, the third's as right as that of the first.
        const MeasuredStep step = measuredStep(schedule, recordOf(ran, {0, -0.05, 0})).value();
        QVERIFY(near(step.clockShift[0], Seconds{}));
        QVERIFY(near(step.clockShift[1], Seconds(0.05)));
        QVERIFY(near(step.clockShift[2], Seconds{}));
        QVERIFY(near(step.timeline.makespan, ran.makespan));
        // One that is fast is met by setting all others forward: nothing else says which is right.
        const MeasuredStep fast = measuredStep(schedule, recordOf(ran, {0, 0.05, 0})).value();
        QVERIFY(near(fast.clockShift[1], Seconds{}));
        QVERIFY(near(fast.timeline.makespan, ran.makespan));
        // What may be is left alone.
        QVERIFY(near(measuredStep(schedule, recordOf(ran)).value().clockShift[1], Seconds{}));
    }

    void whatIsNoStepOfThePlanIsRefused()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 3, 1, 4);
        const Timeline ran = simulate(schedule, costsFor(schedule)).value();
        const StepRecord right = recordOf(ran);
        QCOMPARE(refusal(schedule, right), "");

        StepRecord record = right;
        record.ranks.pop_back();
        QCOMPARE(refusal(schedule, record), "nothing says what stage 2 did: give the files of all ranks");
        record = right;
        record.ranks[1].rank = 0;
        QCOMPARE(refusal(schedule, record), "rank 1: rank 0 is there twice");
        record = right;
        record.ranks[2] = record.ranks[1];
        record.ranks[2].rank = 7;
        record.ranks[2].source = "another";
        QCOMPARE(refusal(schedule, record), "another: ran stage 1, as did rank 1");
        record = right;
        record.ranks[1].actions[2].action.stage = 2;
        QCOMPARE(refusal(schedule, record),
                 "rank 1: ran stages 1 and 2, which are on different devices in the plan");
        record.ranks[1].actions[2].action.stage = 3;
        QCOMPARE(refusal(schedule, record), "rank 1: has slot 3B0, but the plan has 3 stages, 0 to 2");
        record = right;
        record.ranks[0].actions[0].action.microbatch = 4;
        QCOMPARE(refusal(schedule, record), "rank 0: has slot 0F4, but the plan has 4 microbatches");
        record = right;
        record.ranks[0].actions.pop_back();
        QCOMPARE(refusal(schedule, record), "rank 0: slot 0B3 is missing");
        record.ranks[0].actions.push_back(record.ranks[0].actions.front());
        QCOMPARE(refusal(schedule, record), "rank 0: has slot 0F0 twice; it must be of one step");
        record = right;
        record.ranks[0].actions.clear();
        QCOMPARE(refusal(schedule, record), "rank 0: has no slots");
        record = right;
        record.ranks[1].actions[0].action.kind = ActionKind::BackwardInput;
        QCOMPARE(refusal(schedule, record),
                 "rank 1: has slot 1I0, which the plan's schedule does not have: it ran another one");
        record = right;
        std::swap(record.ranks[0].actions[2].action, record.ranks[0].actions[3].action);
        QCOMPARE(refusal(schedule, record),
                 "rank 0: ran 0B0 where the plan's schedule has 0F2: it ran another one");
        record = right;
        record.ranks[0].actions[1].start -= Seconds(millisecond);
        QCOMPARE(refusal(schedule, record), "rank 0: slot 0F1 begins before 0F0 has ended");
        record = right;
        record.ranks[0].actions[1].end = Seconds(std::nan(""));
        QCOMPARE(refusal(schedule, record), "rank 0: slot 0F1 does not end after it starts");
        record = right;
        record.sends = {{1, 1, {}, {}}};
        QCOMPARE(refusal(schedule, record),
                 "the send from stage 1 to 1 does not lead down the plan's pipeline");
        record.sends = {{0, 1, Seconds(-1), {}}};
        QCOMPARE(refusal(schedule, record), "the send from stage 0 to 1 takes no time, 0 or more");
        record.sends = {{0, 1, {}, {}}, {0, 1, {}, {}}};
        QCOMPARE(refusal(schedule, record), "the send from stage 0 to 1 is there twice");
        record = right;
        record.whole = Seconds(INFINITY);
        QCOMPARE(refusal(schedule, record), "the step takes no time, 0 or more");
    }

    void timesOfDifferentStepsAreRefused()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 2, 1, 4);
        StepRecord record = recordOf(simulate(schedule, costsFor(schedule)).value());
        // The second stage goes on to microbatch 3 before the first can have made it, by whatever clock.
        for (MeasuredSlot& slot : record.ranks[1].actions) {
            slot.start = slot.start * 0.01;
            slot.end = slot.end * 0.01;
        }
        const MeasuredStep step = measuredStep(schedule, record).value();
        QVERIFY2(step.note.starts_with("however clocks are set, "), step.note.c_str());
        record.sends = {{0, 1, Seconds(millisecond), Seconds(millisecond)}};
        const QString said = refusal(schedule, record);
        QVERIFY2(said.startsWith("however clocks are set, "), qPrintable(said));
        record.sends->front().backward = Seconds{}; // the first stage has nothing to train
        QCOMPARE(refusal(schedule, record), "");
    }

    void traceEventsHoldBothSteps()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 2, 1, 3);
        const ScheduleCosts costs = costsFor(schedule);
        ScheduleCosts real = costs;
        real.stages[1].forward = real.stages[1].forward * 2;
        const Compared step = compared(schedule, costs, recordOf(simulate(schedule, real).value()));
        const auto document = nlohmann::json::parse(traceEventJson(
            step.planned, bubbleParts(schedule, costs).value(), "ideal", step.measured, step.comparison));
        std::vector<std::string> names;
        std::array<int, 4> counts{};
        for (const auto& event : document["traceEvents"]) {
            if (event["name"] == "process_name")
                names.push_back(event["args"]["name"]);
            if (event["ph"] != "X")
                continue;
            ++counts[event["pid"].get<std::size_t>()];
            QCOMPARE(event["args"].contains("planned_ts"), event["pid"] >= 2);
        }
        const std::vector<std::string> expected{"planned: device 1", "planned: device 2",
                                                "measured: device 1, rank 0", "measured: device 2, rank 1"};
        QCOMPARE(names, expected);
        QCOMPARE(counts, (std::array<int, 4>{6, 6, 6, 6}));
        const auto& measured = document["otherData"]["measured"];
        double sum = measured["pace_s"].get<double>() + measured["waiting_s"].get<double>() +
                     measured["outside_s"].get<double>();
        for (const auto& stage : measured["stages"])
            sum += stage["effect_s"].get<double>();
        QVERIFY(std::abs(sum - measured["difference_s"].get<double>()) < 1e-12);
        QVERIFY(measured["sends_s"].is_null());
    }

    void theTableShowsWhatDiffersMost()
    {
        const Schedule schedule = scheduleFor(ScheduleKind::OneFOneB, 2, 1, 3);
        const ScheduleCosts costs = costsFor(schedule);
        StepRecord record = recordOf(simulate(schedule, costs).value());
        record.ranks[1].actions.back().end += Seconds(millisecond);
        const Compared step = compared(schedule, costs, record);
        QCOMPARE(QString::fromStdString(slotTable(step.comparison)).count('\n'), 2 + 12);
        const QString text = QString::fromStdString(slotTable(step.comparison, 1));
        QVERIFY2(text.contains("1B2") && text.contains("+1.00 ms"), qPrintable(text));
        QVERIFY2(text.endsWith("the 1 of 12 slots whose time differs most; --json has them all\n"),
                 qPrintable(text));
    }
};

QTEST_APPLESS_MAIN(TestMeasuredStep)
#include "tst_measured_step.moc"
