#include "views/charts/stages_memory.h"

#include "views/base/format.h"
#include "views/base/theme.h"
#include "views/charts/shown_schedule.h"
#include "views/tables/table_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace stagecraft {

namespace {

QString doingText(const StageMoment& moment)
{
    return moment.running ? QObject::tr("%1 of microbatch %2")
                                .arg(lookOf(moment.running->kind).name)
                                .arg(moment.running->microbatch + 1)
                          : QObject::tr("waits");
}

QString withLimit(const QString& text, Bytes held, Bytes limit)
{
    if (limit == Bytes::max())
        return text;
    const QString said = held > limit ? QObject::tr("over its limit of %1").arg(toText(limit))
                                      : QObject::tr("limit %1").arg(toText(limit));
    return text.isEmpty() ? said : text + QStringLiteral(" · ") + said;
}

MemoryRow stageRow(const StagesMemory& memory, StageId stage, Seconds time, Bytes limit)
{
    const StageTimes& own = memory.stages[stage.index()];
    const StageMoment& moment = momentAt(memory.memory[stage.index()], time);
    MemoryRow row{.name = stageName(stage),
                  .detail = withLimit(doingText(moment), moment.bytes, limit),
                  .bytes = moment.bytes,
                  .stage = stage};
    if (own.state > Bytes{})
        row.children.push_back(
            {.name = QObject::tr("Parameters, gradients, optimizer state, buffers"), .bytes = own.state});
    if (moment.kept > 0)
        row.children.push_back({.name = QObject::tr("Kept for microbatches: %1").arg(moment.kept),
                                .bytes = own.saved * static_cast<std::int64_t>(moment.kept)});
    const Bytes besides = moment.running ? transientOf(own, moment.running->kind) : Bytes{};
    if (besides > Bytes{})
        row.children.push_back(
            {.name = QObject::tr("The most that is alive besides while it runs"), .bytes = besides});
    Bytes rest = moment.bytes;
    for (const MemoryRow& child : row.children)
        rest -= child.bytes;
    if (rest > Bytes{})
        row.children.push_back(
            {.name = QObject::tr("Gradients that wait for those of weights, and what was sent"),
             .bytes = rest});
    return row;
}

} // namespace

Bytes StagesMemory::highest() const
{
    Bytes most;
    for (const auto& moments : memory)
        most = std::max(most, peakOf(moments).bytes);
    for (const Device& device : devices)
        for (const MemoryStep& step : device.memory)
            most = std::max(most, step.bytes);
    return most;
}

StagesMemory stagesMemoryOf(const Timeline& timeline, std::vector<StageTimes> stages,
                            std::span<const DeviceCost> devices)
{
    StagesMemory memory{.stages = std::move(stages), .end = timeline.makespan};
    memory.memory = memoryByStage(timeline, memory.stages);
    for (std::size_t device = 0; device < devices.size(); ++device)
        memory.devices.push_back(
            {devices[device].stages, devices[device].memoryLimit, timeline.memory[device]});
    return memory;
}

StageId fullestStage(const StagesMemory& memory)
{
    const auto fullest = std::ranges::max_element(
        memory.memory, {}, [](const std::vector<StageMoment>& moments) { return peakOf(moments).bytes; });
    return StageId(static_cast<std::size_t>(fullest - memory.memory.begin()));
}

QString peakText(const StagesMemory& memory)
{
    const StageId stage = fullestStage(memory);
    const StageMoment& peak = peakOf(memory.memory[stage.index()]);
    return QObject::tr("Peak of %1: %2 at %3").arg(stageName(stage), toText(peak.bytes), toText(peak.time));
}

std::vector<MemoryRow> rowsAt(const StagesMemory& memory, Seconds time)
{
    std::vector<MemoryRow> rows;
    for (std::size_t i = 0; i < memory.devices.size(); ++i) {
        const StagesMemory::Device& device = memory.devices[i];
        if (!memory.sharesDevices()) {
            for (const StageId stage : device.stages)
                rows.push_back(stageRow(memory, stage, time, device.limit));
            continue;
        }
        MemoryRow row{.name = QObject::tr("Device %1").arg(i + 1)};
        for (const StageId stage : device.stages) {
            row.children.push_back(stageRow(memory, stage, time, Bytes::max()));
            row.bytes += row.children.back().bytes;
        }
        row.detail = withLimit({}, row.bytes, device.limit);
        rows.push_back(std::move(row));
    }
    return rows;
}

QString heldText(const StagesMemory& memory, Seconds time)
{
    QStringList lines{toText(time)};
    const auto say = [&](const MemoryRow& row) {
        const QString line = row.name + QStringLiteral(": ") + toText(row.bytes);
        lines << (row.detail.isEmpty() ? line : line + QStringLiteral(", ") + row.detail);
    };
    for (const MemoryRow& row : rowsAt(memory, time)) {
        say(row);
        for (const MemoryRow& child : row.children)
            if (child.stage)
                say(child);
    }
    return lines.join('\n');
}

QString seriesCsv(const StagesMemory& memory)
{
    struct Change
    {
        Seconds time;
        std::size_t stage;
        Bytes bytes;
    };
    std::vector<Change> changes;
    std::vector<Bytes> held;
    QStringList titles{QStringLiteral("Time [s]")};
    for (std::size_t stage = 0; stage < memory.memory.size(); ++stage) {
        titles << QStringLiteral("Stage %1 [bytes]").arg(stage + 1);
        held.push_back(memory.memory[stage].front().bytes);
        for (const StageMoment& moment : std::span(memory.memory[stage]).subspan(1))
            changes.push_back({moment.time, stage, moment.bytes});
    }
    QString csv = csvLine(titles);
    const auto addRow = [&](Seconds time) {
        QStringList fields{csvNumber(time.value())};
        for (const Bytes bytes : held)
            fields << QString::number(bytes.count());
        csv += csvLine(fields);
    };
    addRow({});
    std::ranges::stable_sort(changes, {}, &Change::time);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        held[changes[i].stage] = changes[i].bytes;
        // Other stages that change then are in the same row; one that changes twice has a row of each.
        const bool goesOn = i + 1 < changes.size() && changes[i + 1].time == changes[i].time &&
                            changes[i + 1].stage > changes[i].stage;
        if (!goesOn)
            addRow(changes[i].time);
    }
    return csv;
}

} // namespace stagecraft
