// The event simulator against the step tables and formulas of the papers.
#include "core/schedule/makespan_clock.h"
#include "core/schedule/simulate.h"
#include "core/schedule/timeline_summary.h"
#include "core/schedule/timeline_text.h"
#include "core/schedule/trace_events.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace stagecraft;

namespace {

ScheduleCosts unitCosts(std::size_t stages, double forward, double input, double weight)
{
    ScheduleCosts costs;
    StageTimes times;
    times.forward = Seconds(forward);
    times.backwardInput = Seconds(input);
    times.backwardWeight = Seconds(weight);
    costs.stages.assign(stages, times);
    for (std::size_t stage = 1; stage < stages; ++stage)
        costs.links.push_back({stage - 1, stage});
    return costs;
}

Timeline run(ScheduleKind kind, std::size_t stages, std::size_t devices, std::size_t microbatches,
             const ScheduleCosts& costs)
{
    return simulate(makeSchedule(kind, stages, devices, microbatches).value(), costs).value();
}

// One row a device, one cell a second, as the papers print them: "F0", "B3", "I1", "W1", ".." idle.
QString table(const Timeline& timeline)
{
    const auto step = [](Seconds time) { return static_cast<std::size_t>(std::lround(time.value())); };
    std::vector<std::vector<QString>> rows(timeline.devices.size(),
                                           std::vector<QString>(step(timeline.makespan), ".."));
    for (const ActionSpan& slot : timeline.spans)
        for (std::size_t i = step(slot.start); i < step(slot.end); ++i)
            rows[slot.device][i] = QLatin1Char(actionLetters[static_cast<std::size_t>(slot.action.kind)]) +
                                   QString::number(slot.action.microbatch);
    QString text;
    for (const auto& row : rows) {
        for (const QString& cell : row)
            text += cell + QLatin1Char(' ');
        text = text.trimmed() + QLatin1Char('\n');
    }
    return text;
}

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

} // namespace

class TestSimulate : public QObject
{
    Q_OBJECT

private slots:
    void gpipeTable();
    void oneFOneBTable();
    void zeroBubbleTable();
    void bubbleFormulas();
    void interleavedTable();
    void interleavedShrinksTheBubble();
    void zeroBubbleVHasNone();
    void dualPipeVHasThePapersBubble();
    void pairsSendTogether();
    void memoryPeaks();
    void blockingTransfers();
    void overlappedTransfers();
    void criticalPathEndsAtTheMakespan();
    void skipLink();
    void texts();
    void crowdedText();
    void traceEvents();
    void bubbleByCause_data();
    void bubbleByCause();
    void criticalSharesAddUp();
    void summaryNamesTheCauses();
    void badCosts();
};

// Huang et al., GPipe, figure 2c (backward as long as forward).
void TestSimulate::gpipeTable()
{
    const Timeline timeline = run(ScheduleKind::GPipe, 4, 4, 4, unitCosts(4, 1, 0.5, 0.5));
    QCOMPARE(table(timeline), QStringLiteral("F0 F1 F2 F3 .. .. .. .. .. .. B0 B1 B2 B3\n"
                                             ".. F0 F1 F2 F3 .. .. .. .. B0 B1 B2 B3 ..\n"
                                             ".. .. F0 F1 F2 F3 .. .. B0 B1 B2 B3 .. ..\n"
                                             ".. .. .. F0 F1 F2 F3 B0 B1 B2 B3 .. .. ..\n"));
}

// Narayanan et al., PipeDream-flush / 1F1B, backward twice as long as forward.
void TestSimulate::oneFOneBTable()
{
    const Timeline timeline = run(ScheduleKind::OneFOneB, 3, 3, 4, unitCosts(3, 1, 1, 1));
    QCOMPARE(table(timeline), QStringLiteral("F0 F1 F2 .. .. .. .. B0 B0 F3 B1 B1 .. B2 B2 .. B3 B3\n"
                                             ".. F0 F1 .. .. B0 B0 F2 B1 B1 F3 B2 B2 .. B3 B3 .. ..\n"
                                             ".. .. F0 B0 B0 F1 B1 B1 F2 B2 B2 F3 B3 B3 .. .. .. ..\n"));
}

// Qi et al., ZB-H1: F = I = W = 1; the weight halves fill the drain.
void TestSimulate::zeroBubbleTable()
{
    const Timeline timeline = run(ScheduleKind::ZeroBubble1, 2, 2, 4, unitCosts(2, 1, 1, 1));
    QCOMPARE(table(timeline), QStringLiteral("F0 F1 .. I0 W0 F2 I1 W1 F3 I2 W2 I3 W3\n"
                                             ".. F0 I0 F1 I1 W0 F2 I2 W1 F3 I3 W2 W3\n"));
    // (p - 1)(F + I - W) idle on each device.
    for (std::size_t p = 1; p <= 6; ++p) {
        const Timeline one = run(ScheduleKind::ZeroBubble1, p, p, 4 * p, unitCosts(p, 1, 1, 1));
        QVERIFY(near(one.makespan.value(), 3.0 * 4.0 * double(p) + double(p) - 1));
    }
}

void TestSimulate::bubbleFormulas()
{
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB}) {
        for (std::size_t k = 1; k <= 8; ++k) {
            for (std::size_t m = 1; m <= 20; ++m) {
                const Timeline timeline = run(kind, k, k, m, unitCosts(k, 1, 1, 1));
                QVERIFY(near(timeline.bubble(), double(k - 1) / double(m + k - 1)));
            }
        }
    }
}

// Narayanan et al., Megatron-LM, interleaved: (p - r - 1) 2 + (v - 1) p forwards before device r's first
// backward.
void TestSimulate::interleavedTable()
{
    const Timeline timeline = run(ScheduleKind::Interleaved, 4, 2, 2, unitCosts(4, 1, 0.5, 0.5));
    QCOMPARE(table(timeline), QStringLiteral("F0 F1 F0 F1 .. B0 .. B1 B0 B1\n"
                                             ".. F0 F1 F0 B0 F1 B1 B0 B1 ..\n"));
    const Timeline figure = run(ScheduleKind::Interleaved, 8, 4, 8, unitCosts(8, 1, 1, 1));
    for (std::size_t device = 0; device < 4; ++device) {
        std::size_t before = 0;
        for (const ActionSpan& span : figure.spans) {
            if (span.device == device && span.action.kind != ActionKind::Forward)
                break;
            before += span.device == device;
        }
        QCOMPARE(before, (4 - device - 1) * 2 + 4 + 1); // and one of the first pair
    }
}

void TestSimulate::interleavedShrinksTheBubble()
{
    // (p - 1)(F + B) / v, in units where a device's whole share takes F + B.
    const std::size_t p = 4;
    const std::size_t m = 8;
    for (std::size_t v = 1; v <= 3; ++v) {
        const double part = 1.0 / double(v);
        const Timeline timeline =
            run(ScheduleKind::Interleaved, p * v, p, m, unitCosts(p * v, part, part, part));
        QVERIFY(near(timeline.makespan.value(), 3.0 * double(m) + double(p - 1) * 3.0 * part));
    }
}

void TestSimulate::zeroBubbleVHasNone()
{
    const std::size_t p = 4;
    const Timeline timeline = run(ScheduleKind::ZeroBubbleV, 2 * p, p, 8, unitCosts(2 * p, 1, 1, 1));
    for (const DeviceUse& use : timeline.devices)
        QVERIFY(near(use.waiting.value(), 0)); // no hole inside: only the skew at both ends
    QVERIFY(near(timeline.makespan.value(), 6.0 * 8 + double(p - 1)));
}

// DeepSeek-AI's figure of DualPipe, cut in half: (stages / 2 - 1) (F&B + B - 3 W), where a pair takes as long
// as both of it, for F = I = W. On each device a stage has at most stages + 1 microbatches in flight.
void TestSimulate::dualPipeVHasThePapersBubble()
{
    for (std::size_t devices = 1; devices <= 6; ++devices) {
        const std::size_t stages = 2 * devices;
        for (const std::size_t microbatches : {stages, stages + 1, 5 * stages}) {
            const Schedule schedule =
                makeSchedule(ScheduleKind::DualPipeV, stages, devices, microbatches).value();
            const Timeline timeline = simulate(schedule, unitCosts(stages, 1, 1, 1)).value();
            const double forward = 1;
            const double backward = 2;
            const double weight = 1;
            const double bubble = double(devices - 1) * ((forward + backward) + backward - 3 * weight);
            QVERIFY(near(timeline.makespan.value(), 6.0 * double(microbatches) + bubble));
            const std::vector<std::size_t> inFlight = peakInFlight(schedule);
            for (std::size_t stage = 0; stage < devices; ++stage)
                QVERIFY(inFlight[stage] + inFlight[stages - 1 - stage] <= stages + 1);
        }
    }
}

// What a pair makes goes out when both are done, and a device that blocks has no time to itself.
void TestSimulate::pairsSendTogether()
{
    const Schedule schedule = makeSchedule(ScheduleKind::DualPipeV, 4, 2, 6).value();
    for (const Communication communication : {Communication::Blocking, Communication::Overlapped}) {
        ScheduleCosts costs = unitCosts(4, 1, 1, 1);
        costs.communication = communication;
        for (StageTimes& stage : costs.stages)
            stage.sendActivations = stage.sendGradients = Seconds(0.25);
        const Timeline timeline = simulate(schedule, costs).value();
        std::size_t pairs = 0;
        for (std::size_t i = 0; i + 1 < timeline.spans.size(); ++i) {
            const ActionSpan& span = timeline.spans[i];
            if (!span.action.overlaps) {
                QVERIFY(span.made == span.end);
                continue;
            }
            ++pairs;
            QVERIFY(span.made == timeline.spans[i + 1].end);
            QVERIFY(span.sendStart >= span.made && timeline.spans[i + 1].start == span.end);
        }
        QCOMPARE(pairs, std::size_t(14));
        for (const DeviceUse& use : timeline.devices)
            QVERIFY(near((use.busy + use.communication + use.warmUp + use.drain + use.waiting).value(),
                         timeline.makespan.value()));
        QVERIFY(MakespanClock::make(schedule)->makespan(costs) == timeline.makespan);
    }
}

void TestSimulate::memoryPeaks()
{
    ScheduleCosts costs = unitCosts(4, 1, 1, 1);
    for (StageTimes& stage : costs.stages) {
        stage.state = Bytes(1000);
        stage.saved = Bytes(10);
        stage.transient = Bytes(3);
    }
    for (std::size_t m = 1; m <= 8; ++m) {
        const Timeline few = run(ScheduleKind::OneFOneB, 4, 4, m, costs);
        const Timeline all = run(ScheduleKind::GPipe, 4, 4, m, costs);
        for (std::size_t device = 0; device < 4; ++device) {
            QCOMPARE(few.devices[device].peakMemory.count(),
                     1003 + 10 * std::int64_t(std::min(m, 4 - device)));
            QCOMPARE(all.devices[device].peakMemory.count(), 1003 + 10 * std::int64_t(m));
            QCOMPARE(few.memory[device].back().bytes.count(), 1000);
        }
    }
}

void TestSimulate::blockingTransfers()
{
    ScheduleCosts costs = unitCosts(2, 2, 1, 1);
    costs.stages[0].sendActivations = Seconds(1);
    costs.stages[1].receiveActivations = Seconds(1);
    costs.stages[1].sendGradients = Seconds(0.5);
    costs.stages[0].receiveGradients = Seconds(0.5);
    const Timeline one = run(ScheduleKind::GPipe, 2, 2, 1, costs);
    QVERIFY(near(one.makespan.value(), 2 + 1 + 2 + 2 + 0.5 + 2));
    // In the steady state each microbatch costs the slowest device all it computes and transfers: 5.5.
    const Timeline some = run(ScheduleKind::OneFOneB, 2, 2, 20, costs);
    const Timeline more = run(ScheduleKind::OneFOneB, 2, 2, 30, costs);
    QVERIFY(near((more.makespan - some.makespan).value(), 10 * 5.5));
    QVERIFY(near(some.devices[0].communication.value(), 20 * 1.5));
    const DeviceUse& use = some.devices[1];
    QVERIFY(near((use.busy + use.communication + use.warmUp + use.drain + use.waiting).value(),
                 some.makespan.value()));
}

void TestSimulate::overlappedTransfers()
{
    ScheduleCosts costs = unitCosts(2, 2, 1, 1);
    costs.communication = Communication::Overlapped;
    costs.stages[0].sendActivations = Seconds(1);
    costs.stages[1].receiveActivations = Seconds(1);
    const Timeline timeline = run(ScheduleKind::GPipe, 2, 2, 10, costs);
    QVERIFY(near(timeline.makespan.value(), 2 * 10 + 1 + 2 + 2 * 10 + 2)); // hidden but for the first
    costs.stages[0].sendActivations = Seconds(3);                          // now the lane is the bottleneck
    costs.stages[1].receiveActivations = Seconds(3);
    const Timeline slow = run(ScheduleKind::GPipe, 2, 2, 10, costs);
    QVERIFY(near(slow.makespan.value(), 2 + 3 * 10 + 2 + 2 * 10 + 2));
}

void TestSimulate::criticalPathEndsAtTheMakespan()
{
    ScheduleCosts costs = unitCosts(4, 1, 1, 1);
    costs.stages[2].forward = Seconds(5);
    const Timeline timeline = run(ScheduleKind::OneFOneB, 4, 4, 8, costs);
    QVERIFY(!timeline.criticalPath.empty());
    QVERIFY(timeline.spans[timeline.criticalPath.back()].sendEnd == timeline.makespan);
    Seconds length;
    for (std::size_t i = 0; i < timeline.criticalPath.size(); ++i) {
        const ActionSpan& slot = timeline.spans[timeline.criticalPath[i]];
        length += slot.end - slot.start;
        if (i > 0)
            QVERIFY(timeline.spans[timeline.criticalPath[i - 1]].end <= slot.start);
    }
    QVERIFY(near(length.value(), timeline.makespan.value())); // without transfers it has no holes
}

void TestSimulate::skipLink()
{
    ScheduleCosts costs = unitCosts(3, 1, 1, 1);
    costs.links = {{0, 2}}; // stage 1 waits for nobody
    const Timeline timeline = run(ScheduleKind::GPipe, 3, 3, 1, costs);
    QCOMPARE(table(timeline), QStringLiteral("F0 .. .. .. B0 B0\n"
                                             "F0 B0 B0 .. .. ..\n"
                                             ".. F0 B0 B0 .. ..\n"));
}

void TestSimulate::texts()
{
    const Timeline timeline = run(ScheduleKind::GPipe, 2, 2, 2, unitCosts(2, 1, 0.5, 0.5));
    QCOMPARE(timelineText(timeline, 22),
             std::string("          0     6.00 s\n"
                         "device 1  0011....aabb\n"
                         "device 2  ..0011aabb..\n"
                         "0-9 forward, a-j backward, . idle; microbatches by their last digit\n"));
    // The weight half of microbatch 22 was once the letter of another's backward pass.
    const Timeline split = run(ScheduleKind::ZeroBubble1, 1, 1, 23, unitCosts(1, 1, 1, 1));
    const std::string text = timelineText(split, 10 + 69);
    QVERIFY2(text.find("2cC\n") != std::string::npos, text.c_str());
    QVERIFY(text.find("A-J gradients of weights") != std::string::npos);
}

// 16 devices and 64 microbatches in a narrow terminal.
void TestSimulate::crowdedText()
{
    const Timeline timeline = run(ScheduleKind::OneFOneB, 16, 16, 64, unitCosts(16, 1, 1, 1));
    const QStringList lines = QString::fromStdString(timelineText(timeline, 60)).split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 16 + 3);
    for (int i = 0; i < 17; ++i)
        QCOMPARE(lines[i].size(), 60);
    QVERIFY(lines[1].startsWith(QStringLiteral("device  1  F")) && lines[1].endsWith(QLatin1Char('B')));
    QCOMPARE(lines[17], QStringLiteral("F forward, B backward, . idle"));
    // Backward takes twice as long as forward, 15 of 79 units are idle.
    const auto share = [&](char what) { return double(lines[16].count(QLatin1Char(what))) / 49; };
    QVERIFY(std::abs(share('B') - 128.0 / 237) < 0.05 && std::abs(share('F') - 64.0 / 237) < 0.05);
}

// As the trace-event format wants it: every event with its fields, and events of a thread one after the
// other.
void TestSimulate::traceEvents()
{
    ScheduleCosts costs = unitCosts(4, 1, 1, 1);
    for (StageTimes& stage : costs.stages) {
        stage.receiveActivations = stage.receiveGradients = Seconds(0.25);
        stage.sendActivations = stage.sendGradients = Seconds(0.75);
    }
    for (const Communication communication : {Communication::Blocking, Communication::Overlapped}) {
        costs.communication = communication;
        const Schedule schedule = makeSchedule(ScheduleKind::Interleaved, 4, 2, 4).value();
        const Timeline timeline = simulate(schedule, costs).value();
        const auto json = nlohmann::json::parse(
            traceEventJson(timeline, bubbleParts(schedule, costs).value(), "torch-2.15"));
        QCOMPARE(json["otherData"]["runtime"].get<std::string>(), std::string("torch-2.15"));
        std::map<std::pair<int, int>, double> ends;
        std::size_t computed = 0;
        std::size_t critical = 0;
        for (const auto& event : json["traceEvents"]) {
            QVERIFY(event["name"].is_string() && event["pid"].is_number_integer());
            if (event["ph"] != "X")
                continue;
            QVERIFY(event["dur"].get<double>() >= 0);
            double& end = ends[{event["pid"].get<int>(), event["tid"].get<int>()}];
            QVERIFY(event["ts"].get<double>() >= end - 1e-3);
            end = event["ts"].get<double>() + event["dur"].get<double>();
            computed += event["tid"] == 0;
            critical += event["args"].contains("critical");
        }
        QCOMPARE(computed, std::size_t(4 * 4 * 2));
        QCOMPARE(critical, timeline.criticalPath.size());
        QCOMPARE(ends.rbegin()->first.first, 1); // a process a device
        const auto& sums = json["otherData"];
        QCOMPARE(sums["step_s"].get<double>(), timeline.makespan.value());
        QCOMPARE(sums["critical_path"].size(), timeline.criticalPath.size());
        QVERIFY(near(sums["bubble"]["schedule"].get<double>() + sums["bubble"]["imbalance"].get<double>() +
                         sums["bubble"]["transfers"].get<double>(),
                     sums["bubble"]["total"].get<double>()));
    }
}

void TestSimulate::bubbleByCause_data()
{
    QTest::addColumn<int>("kind");
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB})
        QTest::addRow("%s", std::string(scheduleName(kind)).c_str()) << int(kind);
}

void TestSimulate::bubbleByCause()
{
    QFETCH(int, kind);
    for (std::size_t stages = 1; stages <= 6; ++stages) {
        for (std::size_t microbatches = stages; microbatches <= 12; ++microbatches) {
            const Schedule schedule =
                makeSchedule(static_cast<ScheduleKind>(kind), stages, stages, microbatches).value();
            const double formula = double(stages - 1) / double(microbatches + stages - 1);
            ScheduleCosts costs = unitCosts(stages, 1, 1, 1);
            const auto even = bubbleParts(schedule, costs);
            QVERIFY(even.has_value());
            QVERIFY(std::abs(even->schedule - formula) < 1e-9);
            QVERIFY(even->imbalance < 1e-9 && even->communication < 1e-9);

            // One slow stage: what the schedule itself leaves idle stays as it was.
            costs.stages.back().forward = Seconds(2);
            const auto uneven = bubbleParts(schedule, costs);
            QVERIFY(uneven.has_value());
            QCOMPARE(uneven->imbalance > 1e-6, stages > 1);
            QVERIFY(uneven->communication < 1e-9);

            for (StageTimes& stage : costs.stages)
                stage.sendActivations = Seconds(0.25);
            const auto sending = bubbleParts(schedule, costs);
            QVERIFY(sending.has_value());
            QVERIFY(sending->communication > 1e-6);
            const auto timeline = simulate(schedule, costs);
            QVERIFY(timeline.has_value());
            QVERIFY(std::abs(sending->total() - timeline->bubble()) < 1e-9);
        }
    }
}

void TestSimulate::criticalSharesAddUp()
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> time(0.1, 2.0);
    for (int trial = 0; trial < 20; ++trial) {
        const auto kind = trial % 2 == 0 ? ScheduleKind::OneFOneB : ScheduleKind::ZeroBubble1;
        ScheduleCosts costs = unitCosts(4, 1, 1, 1);
        for (StageTimes& stage : costs.stages)
            stage.forward = Seconds(time(random));
        const auto timeline = simulate(makeSchedule(kind, 4, 4, 8).value(), costs);
        QVERIFY(timeline.has_value());
        Seconds sum;
        for (const Seconds share : criticalShares(*timeline))
            sum += share;
        QVERIFY(std::abs(sum.value() - timeline->makespan.value()) < 1e-9);
    }
}

void TestSimulate::summaryNamesTheCauses()
{
    const Schedule schedule = makeSchedule(ScheduleKind::GPipe, 2, 2, 2).value();
    const ScheduleCosts costs = unitCosts(2, 1, 0.5, 0.5);
    const auto timeline = simulate(schedule, costs);
    QVERIFY(timeline.has_value());
    const std::string text = timelineSummary(*timeline, bubbleParts(schedule, costs).value());
    QVERIFY2(text.find("step 6.00 s, bubble 33.3%: schedule 33.3%, imbalance 0.0%, transfers 0.0%") !=
                 std::string::npos,
             text.c_str());
    QVERIFY(text.find("critical path: stage ") != std::string::npos);
}

void TestSimulate::badCosts()
{
    const auto schedule = makeSchedule(ScheduleKind::GPipe, 2, 2, 2).value();
    QCOMPARE(simulate(schedule, unitCosts(3, 1, 1, 1)).error().message,
             std::string("the schedule has 2 stages, but there are costs of 3"));
    ScheduleCosts costs = unitCosts(2, 1, 1, 1);
    costs.links = {{1, 0}};
    QCOMPARE(simulate(schedule, costs).error().message,
             std::string("a link from stage 1 to stage 0 does not lead down the pipeline"));
}

QTEST_GUILESS_MAIN(TestSimulate)
#include "tst_simulate.moc"
