#include "core/schedule/trace_events.h"

#include <array>
#include <cstdio>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 4> kindWords{"forward", "backward", "backward input",
                                                    "backward weight"};

std::string number(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    return text.data();
}

std::string microseconds(Seconds time)
{
    return number(time.value() * 1e6);
}

struct Transfer
{
    std::string name;       // "receive gradients"
    std::size_t thread = 0; // of the device; thread 0 computes
    Seconds start;
    Seconds end;

    bool takesTime() const { return end > start; }
};

// What is received before the action, and what is sent after it.
std::array<Transfer, 2> transfersOf(const ActionSpan& span)
{
    const bool forward = span.action.kind == ActionKind::Forward;
    const std::string what = forward ? "activations" : "gradients";
    const std::size_t thread = 1 + 4 * span.action.stage + (forward ? 0u : 2u);
    return {Transfer{"receive " + what, thread, span.receiveStart, span.received},
            Transfer{"send " + what, thread + 1, span.sendStart, span.sendEnd}};
}

std::string actionMembers(const Action& action)
{
    return R"("stage":)" + std::to_string(action.stage) + R"(,"microbatch":)" +
           std::to_string(action.microbatch);
}

class EventWriter
{
public:
    void name(std::string_view what, std::size_t device, std::size_t thread, const std::string& name)
    {
        event(what, "M", device, thread, R"("args":{"name":")" + name + "\"}");
    }

    void complete(const std::string& name, std::string_view category, const ActionSpan& span,
                  std::size_t thread, Seconds start, Seconds end, std::string_view more = {})
    {
        event(name, "X", span.device, thread,
              R"("cat":")" + std::string(category) + R"(","ts":)" + microseconds(start) + R"(,"dur":)" +
                  microseconds(end - start) + R"(,"args":{)" + actionMembers(span.action) +
                  std::string(more) + "}");
    }

    void memory(std::size_t device, const MemoryStep& step)
    {
        event("memory", "C", device, 0,
              R"("ts":)" + microseconds(step.time) + R"(,"args":{"bytes":)" +
                  std::to_string(step.bytes.count()) + "}");
    }

    std::string take() { return std::move(m_text); }

private:
    void event(std::string_view name, std::string_view phase, std::size_t device, std::size_t thread,
               const std::string& members)
    {
        m_text += m_text.empty() ? "\n" : ",\n";
        m_text += R"({"name":")" + std::string(name) + R"(","ph":")" + std::string(phase) + R"(","pid":)" +
                  std::to_string(device) + R"(,"tid":)" + std::to_string(thread) + ',' + members + '}';
    }

    std::string m_text;
};

void writeNames(EventWriter& events, const Timeline& timeline, const std::string& group = {})
{
    for (std::size_t device = 0; device < timeline.devices.size(); ++device) {
        events.name("process_name", device, 0, group + "device " + std::to_string(device + 1));
        events.name("thread_name", device, 0, "compute");
    }
    std::set<std::pair<std::size_t, std::size_t>> named;
    for (const ActionSpan& span : timeline.spans) {
        for (const Transfer& transfer : transfersOf(span)) {
            if (transfer.takesTime() && named.insert({span.device, transfer.thread}).second)
                events.name("thread_name", span.device, transfer.thread,
                            "stage " + std::to_string(span.action.stage + 1) + ": " + transfer.name);
        }
    }
}

void writeSpan(EventWriter& events, const ActionSpan& span, std::string_view more)
{
    const std::string microbatch = ' ' + std::to_string(span.action.microbatch);
    const std::string_view word = kindWords[static_cast<std::size_t>(span.action.kind)];
    events.complete(std::string(word) + microbatch, word, span, 0, span.start, span.end, more);
    for (const Transfer& transfer : transfersOf(span)) {
        if (transfer.takesTime())
            events.complete(transfer.name + microbatch, "transfer", span, transfer.thread, transfer.start,
                            transfer.end);
    }
}

std::string deviceText(const DeviceUse& use)
{
    return R"({"busy_s":)" + number(use.busy.value()) + R"(,"transfers_s":)" +
           number(use.communication.value()) + R"(,"warm_up_s":)" + number(use.warmUp.value()) +
           R"(,"waiting_s":)" + number(use.waiting.value()) + R"(,"drain_s":)" + number(use.drain.value()) +
           R"(,"peak_memory_bytes":)" + std::to_string(use.peakMemory.count()) + "}";
}

std::string summaryText(const Timeline& timeline, const BubbleParts& bubble, std::string_view runtime,
                        std::string_view recomputation)
{
    std::string text = R"({"runtime":")" + std::string(runtime) + R"(","recomputation":)" +
                       std::string(recomputation) + R"(,"step_s":)" + number(timeline.makespan.value()) +
                       R"(,"bubble":{"total":)" + number(timeline.bubble()) + R"(,"schedule":)" +
                       number(bubble.schedule) + R"(,"imbalance":)" + number(bubble.imbalance) +
                       R"(,"transfers":)" + number(bubble.communication) + "},\n\"devices\":[";
    for (std::size_t device = 0; device < timeline.devices.size(); ++device)
        text += (device == 0 ? "\n" : ",\n") + deviceText(timeline.devices[device]);
    text += "],\n\"critical_path\":[";
    for (std::size_t i = 0; i < timeline.criticalPath.size(); ++i) {
        const Action& action = timeline.spans[timeline.criticalPath[i]].action;
        text += (i == 0 ? "\n{" : ",\n{") + actionMembers(action) + R"(,"kind":")" +
                std::string(kindWords[static_cast<std::size_t>(action.kind)]) + "\"}";
    }
    return text + "]}";
}

void writeTimeline(EventWriter& events, const Timeline& timeline)
{
    const std::set<std::size_t> critical(timeline.criticalPath.begin(), timeline.criticalPath.end());
    for (std::size_t i = 0; i < timeline.spans.size(); ++i)
        writeSpan(events, timeline.spans[i], critical.contains(i) ? R"(,"critical":true)" : "");
    for (std::size_t device = 0; device < timeline.memory.size(); ++device) {
        for (const MemoryStep& step : timeline.memory[device])
            events.memory(device, step);
    }
}

// Its processes are numbered from behind those of the planned step.
void writeMeasured(EventWriter& events, const MeasuredStep& measured, const StepComparison& comparison)
{
    const std::size_t first = measured.timeline.devices.size();
    for (std::size_t device = 0; device < first; ++device) {
        events.name("process_name", first + device, 0,
                    "measured: device " + std::to_string(device + 1) + ", rank " +
                        std::to_string(measured.ranks[device]));
        events.name("thread_name", first + device, 0, "compute");
    }
    for (std::size_t i = 0; i < comparison.actions.size(); ++i) {
        const SlotComparison& slot = comparison.actions[i];
        ActionSpan span = measured.timeline.spans[i];
        span.device += first;
        writeSpan(events, span,
                  R"(,"planned_ts":)" + microseconds(slot.plannedStart) + R"(,"planned_dur":)" +
                      microseconds(slot.plannedEnd - slot.plannedStart));
    }
}

std::string measuredText(const MeasuredStep& measured, const StepComparison& comparison)
{
    std::string text = R"({"step_s":)" + number(measured.step().value()) + R"(,"slots_s":)" +
                       number(measured.timeline.makespan.value()) + ",\n\"devices\":[";
    for (std::size_t i = 0; i < comparison.devices.size(); ++i) {
        const DeviceComparison& device = comparison.devices[i];
        text += (i == 0 ? "\n" : ",\n") + (R"({"rank":)" + std::to_string(measured.ranks[i])) +
                R"(,"clock_shift_s":)" + number(measured.clockShift[i].value()) + R"(,"planned_busy_s":)" +
                number(device.plannedBusy.value()) + R"(,"busy_s":)" + number(device.measuredBusy.value()) +
                R"(,"planned_idle_share":)" + number(device.plannedIdleShare) + R"(,"idle_share":)" +
                number(device.measuredIdleShare) + '}';
    }
    text += "],\n\"stages\":[";
    for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
        const StageComparison& stage = comparison.stages[i];
        text += (i == 0 ? "\n" : ",\n") + (R"({"planned_s":)" + number(stage.planned.value())) +
                R"(,"measured_s":)" + number(stage.measured.value()) + R"(,"effect_s":)" +
                number(stage.effect.value()) + '}';
    }
    const StepDifference& difference = comparison.difference;
    return text + R"(],"difference_s":)" + number(difference.total().value()) + R"(,"pace":)" +
           number(difference.paceFactor) + R"(,"pace_s":)" + number(difference.pace.value()) +
           R"(,"sends_s":)" + (difference.sends ? number(difference.sends->value()) : "null") +
           R"(,"waiting_s":)" + number(difference.waiting.value()) + R"(,"outside_s":)" +
           number(difference.outside.value()) + '}';
}

std::string document(std::string summary, EventWriter events)
{
    return R"({"displayTimeUnit":"ms","otherData":)" + std::move(summary) + ",\n\"traceEvents\":[" +
           events.take() + "]}\n";
}

} // namespace

std::string traceEventJson(const Timeline& timeline, const BubbleParts& bubble, std::string_view runtime,
                           std::string_view recomputation)
{
    EventWriter events;
    writeNames(events, timeline);
    writeTimeline(events, timeline);
    return document(summaryText(timeline, bubble, runtime, recomputation), std::move(events));
}

std::string traceEventJson(const Timeline& planned, const BubbleParts& bubble, std::string_view runtime,
                           const MeasuredStep& measured, const StepComparison& comparison,
                           std::string_view recomputation)
{
    EventWriter events;
    writeNames(events, planned, "planned: ");
    writeTimeline(events, planned);
    writeMeasured(events, measured, comparison);
    std::string summary = summaryText(planned, bubble, runtime, recomputation);
    summary.pop_back(); // "}"
    return document(summary + ",\n\"measured\":" + measuredText(measured, comparison) + '}',
                    std::move(events));
}

} // namespace stagecraft
