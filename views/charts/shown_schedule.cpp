#include "views/charts/shown_schedule.h"

#include "views/base/format.h"
#include "views/base/theme.h"
#include "views/tables/table_text.h"

#include <QObject>
#include <QStringList>

namespace stagecraft {

ActionLook lookOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return {QObject::tr("forward"), 0.45};
    case ActionKind::Backward:
        return {QObject::tr("backward"), 1};
    case ActionKind::BackwardInput:
        return {QObject::tr("gradients of inputs"), 0.8};
    case ActionKind::BackwardWeight:
        break;
    }
    return {QObject::tr("gradients of weights"), 0.22};
}

QString stepText(const ScheduleFigures& figures)
{
    const BubbleParts& bubble = figures.bubble;
    return QObject::tr("step %1, bubble %2: schedule %3, imbalance %4, transfers %5")
        .arg(toText(figures.timeline.makespan), percentText(bubble.total()), percentText(bubble.schedule),
             percentText(bubble.imbalance), percentText(bubble.communication));
}

QString actionText(const ActionSpan& span)
{
    QString text = QObject::tr("%1: %2 of microbatch %3\n%4, from %5")
                       .arg(stageName(StageId(span.action.stage)), lookOf(span.action.kind).name)
                       .arg(span.action.microbatch + 1)
                       .arg(toText(span.end - span.start), toText(span.start));
    if (span.start > span.receiveStart)
        text += QObject::tr("\nbefore it %1 of receiving").arg(toText(span.start - span.receiveStart));
    if (span.action.overlaps)
        text += QObject::tr("\nruns as one with the action behind it");
    if (span.sendEnd > span.made)
        text += QObject::tr("\nafter it %1 of sending").arg(toText(span.sendEnd - span.made));
    return text;
}

QString spansCsv(const Timeline* planned, const Timeline* below)
{
    QString csv = "Step,Device,Stage,Action,Microbatch,Receives [s],Start [s],End [s],Sent [s]\r\n";
    for (const Timeline* step : {planned, below})
        for (const ActionSpan& span : step ? step->spans : std::vector<ActionSpan>())
            csv +=
                csvLine({step == planned ? QStringLiteral("planned") : QStringLiteral("below"),
                         QString::number(span.device + 1), QString::number(span.action.stage + 1),
                         csvField(lookOf(span.action.kind).name), QString::number(span.action.microbatch + 1),
                         csvNumber(span.receiveStart.value()), csvNumber(span.start.value()),
                         csvNumber(span.end.value()), csvNumber(span.sendEnd.value())});
    return csv;
}

QString heldText(const ScheduleFigures& figures, std::size_t device, Seconds time)
{
    Bytes held;
    for (const MemoryStep& step : figures.timeline.memory[device])
        if (step.time <= time)
            held = step.bytes;
    const QString text =
        QObject::tr("Device %1 holds %2 at %3, %4 at most")
            .arg(device + 1)
            .arg(toText(held), toText(time), toText(figures.timeline.devices[device].peakMemory));
    const bool isLimited =
        device < figures.memoryLimits.size() && figures.memoryLimits[device] != Bytes::max();
    return isLimited ? text + QObject::tr(", its limit is %1").arg(toText(figures.memoryLimits[device]))
                     : text;
}

QString heldText(const ScheduleFigures& figures, const ScheduleGeometry& drawn, QPointF point)
{
    const auto device = drawn.area.contains(point) ? drawn.deviceAt(point.y()) : std::nullopt;
    const bool isMemory = device && *device < figures.timeline.devices.size() &&
                          *device < figures.timeline.memory.size() && drawn.memory(*device).contains(point);
    return isMemory ? heldText(figures, *device, drawn.timeAt(point.x())) : QString();
}

} // namespace stagecraft
