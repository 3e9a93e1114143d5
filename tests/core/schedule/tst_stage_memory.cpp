// What each stage holds over a step, against counting at every moment, the devices' memory of the simulator
// and the number of microbatches that a schedule keeps at most.
#include "core/schedule/stage_memory.h"

#include "core/schedule/held_counts.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stagecraft;

namespace {

ScheduleCosts randomCosts(std::size_t stages, std::mt19937& random)
{
    const auto upTo = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    ScheduleCosts costs;
    costs.communication = upTo(1) == 1 ? Communication::Overlapped : Communication::Blocking;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        StageTimes times;
        times.forward = Seconds(1 + upTo(5));
        times.backwardInput = Seconds(1 + upTo(5));
        times.backwardWeight = Seconds(1 + upTo(5));
        times.sendActivations = times.receiveGradients = Seconds(upTo(2));
        times.sendGradients = times.receiveActivations = Seconds(upTo(2));
        times.state = Bytes(upTo(1000));
        times.saved = Bytes(upTo(100));
        times.transient = Bytes(upTo(50));
        times.waiting = Bytes(upTo(50));
        times.flowing = Bytes(upTo(50));
        times.transientInput = times.waiting + Bytes(upTo(50));
        times.transientWeight = times.waiting + Bytes(upTo(50));
        times.released = Bytes(upTo(static_cast<int>(times.saved.count())));
        costs.stages.push_back(times);
        if (stage > 0)
            costs.links.push_back({stage - 1, stage});
    }
    return costs;
}

struct Held
{
    Bytes bytes;
    std::size_t kept = 0;
    std::size_t waiting = 0;
    std::size_t released = 0;
    std::optional<ActionKind> runs;
};

// By looking at all actions; `time` is none at which one begins or ends.
Held countedAt(const Timeline& timeline, const ScheduleCosts& costs, std::size_t stage, Seconds time)
{
    Held held;
    for (const ActionSpan& span : timeline.spans) {
        if (span.action.stage != stage)
            continue;
        const bool frees =
            span.action.kind == ActionKind::Backward || span.action.kind == ActionKind::BackwardWeight;
        held.kept += span.action.kind == ActionKind::Forward && span.start < time ? 1 : 0;
        held.kept -= frees && span.end < time ? 1 : 0;
        const bool isFirst = span.action.kind == ActionKind::BackwardInput;
        const bool isSecond = span.action.kind == ActionKind::BackwardWeight;
        held.waiting += isFirst && span.end < time ? 1 : 0;
        held.waiting -= isSecond && span.start < time ? 1 : 0;
        held.released += isFirst && span.end < time ? 1 : 0;
        held.released -= isSecond && span.end < time ? 1 : 0;
        if (span.start < time && time < span.end)
            held.runs = span.action.kind;
    }
    const StageTimes& own = costs.stages[stage];
    held.bytes = own.state + own.saved * static_cast<std::int64_t>(held.kept) +
                 own.waiting * static_cast<std::int64_t>(held.waiting) -
                 own.released * static_cast<std::int64_t>(held.released);
    if (held.runs == ActionKind::BackwardInput)
        held.bytes += own.transientInput;
    else if (held.runs == ActionKind::BackwardWeight)
        held.bytes += own.transientWeight;
    else if (held.runs)
        held.bytes += own.transient + (held.runs == ActionKind::Backward ? own.flowing : Bytes{});
    return held;
}

// While it runs what `counts` says.
Bytes atCounts(const StageTimes& own, const HeldCounts& counts)
{
    return own.state + own.saved * static_cast<std::int64_t>(counts.inFlight) +
           own.waiting * static_cast<std::int64_t>(counts.others()) -
           own.released * static_cast<std::int64_t>(counts.released()) + transientOf(own, counts.kind);
}

Bytes deviceAt(const Timeline& timeline, std::size_t device, Seconds time)
{
    Bytes held;
    for (const MemoryStep& step : timeline.memory[device])
        if (step.time <= time)
            held = step.bytes;
    return held;
}

} // namespace

class TestStageMemory : public QObject
{
    Q_OBJECT

private slots:
    void atEveryMomentItIsWhatIsCounted_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("stagesPerDevice");
        for (const ScheduleTraits& traits : scheduleTable) {
            const std::size_t stages = usualStagesPerDevice(traits.kind);
            QTest::newRow(std::string(traits.name).c_str())
                << static_cast<int>(traits.kind) << static_cast<int>(stages);
        }
    }

    void atEveryMomentItIsWhatIsCounted()
    {
        QFETCH(int, kind);
        QFETCH(int, stagesPerDevice);
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (const std::size_t devices : {1, 2, 4, 8}) {
            const std::size_t stages = devices * static_cast<std::size_t>(stagesPerDevice);
            const Schedule schedule =
                makeSchedule(static_cast<ScheduleKind>(kind), stages, devices, 2 * stages).value();
            holdAgainstCounting(schedule, randomCosts(stages, random));
            if (QTest::currentTestFailed())
                return;
        }
    }

    void aStageThatCostsNothingHoldsNothing()
    {
        const Schedule schedule = makeSchedule(ScheduleKind::OneFOneB, 2, 2, 3).value();
        ScheduleCosts costs;
        costs.stages.resize(2);
        costs.stages[0].forward = Seconds(1);
        costs.stages[0].saved = Bytes(5);
        const auto memory = memoryByStage(simulate(schedule, costs).value(), costs.stages);
        QCOMPARE(memory.size(), std::size_t{2});
        QCOMPARE(peakOf(memory[1]).bytes, Bytes{});
        QCOMPARE(peakOf(memory[0]).bytes, Bytes(10));
    }

    void ofSeveralMomentsAtATimeTheLastHolds()
    {
        const std::vector<StageMoment> moments{{.time = Seconds(0), .bytes = Bytes(1)},
                                               {.time = Seconds(2), .bytes = Bytes(7)},
                                               {.time = Seconds(2), .bytes = Bytes(3)},
                                               {.time = Seconds(4), .bytes = Bytes(7)}};
        QCOMPARE(momentAt(moments, Seconds(0)).bytes, Bytes(1));
        QCOMPARE(momentAt(moments, Seconds(1.9)).bytes, Bytes(1));
        QCOMPARE(momentAt(moments, Seconds(2)).bytes, Bytes(3));
        QCOMPARE(momentAt(moments, Seconds(9)).bytes, Bytes(7));
        QCOMPARE(momentAt(moments, Seconds(-1)).bytes, Bytes(1));
        QCOMPARE(&peakOf(moments), &moments[1]);
    }

private:
    // Costs are whole seconds, so nothing begins or ends in the middle of one.
    void holdAgainstCounting(const Schedule& schedule, const ScheduleCosts& costs)
    {
        const Timeline timeline = simulate(schedule, costs).value();
        const auto memory = memoryByStage(timeline, costs.stages);
        QCOMPARE(memory.size(), schedule.stageCount);
        for (double second = 0.5; second < timeline.makespan.value(); second += 1) {
            std::vector<Bytes> sums(schedule.deviceCount());
            for (std::size_t stage = 0; stage < schedule.stageCount; ++stage) {
                const Held counted = countedAt(timeline, costs, stage, Seconds(second));
                const StageMoment& moment = momentAt(memory[stage], Seconds(second));
                QCOMPARE(moment.bytes, counted.bytes);
                QCOMPARE(moment.kept, counted.kept);
                QCOMPARE(moment.running.has_value(), counted.runs.has_value());
                sums[schedule.deviceOfStage[stage]] += moment.bytes;
            }
            for (std::size_t device = 0; device < sums.size(); ++device)
                QCOMPARE(sums[device], deviceAt(timeline, device, Seconds(second)));
        }
        const auto largest = largestCounts(schedule);
        for (std::size_t stage = 0; stage < schedule.stageCount; ++stage) {
            Bytes most;
            for (const HeldCounts& counts : largest[stage])
                most = std::max(most, atCounts(costs.stages[stage], counts));
            QCOMPARE(peakOf(memory[stage]).bytes, most);
            QCOMPARE(largest[stage].front().inFlight, peakInFlight(schedule)[stage]);
            QCOMPARE(memory[stage].back().kept, std::size_t{0});
        }
    }
};

QTEST_GUILESS_MAIN(TestStageMemory)
#include "tst_stage_memory.moc"
