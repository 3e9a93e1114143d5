#include "core/schedule/timeline_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 4> kindWords{"forward", "backward", "backward input",
                                                    "backward weight"};

char cellOf(const Action& action)
{
    const std::size_t m = action.microbatch;
    switch (action.kind) {
    case ActionKind::Forward:
        return static_cast<char>('0' + m % 10);
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        return static_cast<char>('a' + m % 26);
    case ActionKind::BackwardWeight:
        return 'w';
    }
    return '?';
}

std::string number(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    return text.data();
}

class EventWriter
{
public:
    void complete(const std::string& name, std::string_view category, std::size_t device, Seconds start,
                  Seconds duration, const std::string& arguments)
    {
        begin();
        m_text += R"({"name":")" + name + R"(","cat":")" + std::string(category) +
                  R"(","ph":"X","pid":0,"tid":)" + std::to_string(device) + R"(,"ts":)" +
                  number(start.value() * 1e6) + R"(,"dur":)" + number(duration.value() * 1e6) +
                  R"(,"args":{)" + arguments + "}}";
    }

    void memory(std::size_t device, const MemoryStep& step)
    {
        begin();
        m_text += R"({"name":"memory of device )" + std::to_string(device + 1) +
                  R"(","ph":"C","pid":0,"ts":)" + number(step.time.value() * 1e6) + R"(,"args":{"bytes":)" +
                  std::to_string(step.bytes.count()) + "}}";
    }

    void threadName(std::size_t device)
    {
        begin();
        m_text += R"({"name":"thread_name","ph":"M","pid":0,"tid":)" + std::to_string(device) +
                  R"(,"args":{"name":"device )" + std::to_string(device + 1) + R"("}})";
    }

    std::string finish() { return R"({"displayTimeUnit":"ms","traceEvents":[)" + m_text + "]}\n"; }

private:
    void begin() { m_text += m_text.empty() ? "\n" : ",\n"; }

    std::string m_text;
};

} // namespace

std::string timelineText(const Timeline& timeline, std::size_t columns)
{
    if (timeline.makespan <= Seconds{} || columns == 0)
        return {};
    std::vector<std::string> lines(timeline.devices.size(), std::string(columns, '.'));
    const auto fill = [&](std::size_t device, Seconds from, Seconds to, char cell) {
        const double scale = static_cast<double>(columns) / timeline.makespan.value();
        const auto column = [&](Seconds time) {
            return std::min(columns, static_cast<std::size_t>(std::lround(time.value() * scale)));
        };
        for (std::size_t i = column(from); i < column(to); ++i)
            lines[device][i] = cell;
    };
    for (const ActionSpan& slot : timeline.spans) {
        fill(slot.device, slot.receiveStart, slot.start, '-');
        fill(slot.device, slot.end, slot.sendEnd, '-');
    }
    for (const ActionSpan& slot : timeline.spans)
        fill(slot.device, slot.start, slot.end, cellOf(slot.action));
    std::string text;
    const std::size_t width = std::to_string(lines.size()).size();
    for (std::size_t device = 0; device < lines.size(); ++device) {
        const std::string label = std::to_string(device + 1);
        text += "device " + std::string(width - label.size(), ' ') + label + "  " + lines[device] + "\n";
    }
    return text;
}

std::vector<std::vector<std::string>> stepTable(const Timeline& timeline, Seconds unit)
{
    const auto step = [&](Seconds time) { return static_cast<std::size_t>(std::lround(time / unit)); };
    std::vector<std::vector<std::string>> table(timeline.devices.size(),
                                                std::vector<std::string>(step(timeline.makespan)));
    for (const ActionSpan& slot : timeline.spans) {
        for (std::size_t i = step(slot.start); i < step(slot.end); ++i)
            table[slot.device][i] = actionLetters[static_cast<std::size_t>(slot.action.kind)] +
                                    std::to_string(slot.action.microbatch);
    }
    return table;
}

std::string traceEventJson(const Timeline& timeline)
{
    EventWriter events;
    for (std::size_t device = 0; device < timeline.devices.size(); ++device)
        events.threadName(device);
    for (const ActionSpan& slot : timeline.spans) {
        const Action& action = slot.action;
        const std::string arguments = R"("stage":)" + std::to_string(action.stage) + R"(,"microbatch":)" +
                                      std::to_string(action.microbatch);
        const std::string_view word = kindWords[static_cast<std::size_t>(action.kind)];
        if (slot.start > slot.receiveStart)
            events.complete("receive", "transfer", slot.device, slot.receiveStart,
                            slot.start - slot.receiveStart, arguments);
        events.complete(std::string(word) + " " + std::to_string(action.microbatch), word, slot.device,
                        slot.start, slot.end - slot.start, arguments);
        if (slot.sendEnd > slot.end)
            events.complete("send", "transfer", slot.device, slot.end, slot.sendEnd - slot.end, arguments);
    }
    for (std::size_t device = 0; device < timeline.memory.size(); ++device) {
        for (const MemoryStep& step : timeline.memory[device])
            events.memory(device, step);
    }
    return events.finish();
}

} // namespace stagecraft
