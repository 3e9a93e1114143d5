// What the schedule panel shows of a step, planned or measured, and what it says of it.
#pragma once

#include "core/schedule/bubble.h"
#include "core/schedule/step_comparison.h"
#include "views/charts/schedule_geometry.h"

#include <QString>

#include <vector>

namespace stagecraft {

struct ScheduleFigures
{
    QString title; // "1f1b, 8 microbatches"
    Timeline timeline;
    BubbleParts bubble;
    std::vector<Bytes> memoryLimits; // by device; Bytes::max(): none
};

// A step as it ran, laid over the planned one.
struct MeasuredFigures
{
    QString name;    // of its files
    QString problem; // not empty: it cannot be laid over this plan, why, and the rest is not there
    Timeline timeline;
    StepComparison comparison;
    QString note; // what is to be known of it besides
};

struct ActionLook
{
    QString name;
    double strength; // how much of the stage's colour it has: told apart by lightness, whatever the colour
};
ActionLook lookOf(ActionKind kind);

// "step 1.63 s, bubble 11 %: schedule 9 %, imbalance 1.8 %, transfers 0.3 %"
QString stepText(const ScheduleFigures& figures);
// "Device 2 holds 12.3 GiB at 1.20 s, 14.0 GiB at most, its limit is 24.0 GiB".
QString heldText(const ScheduleFigures& figures, std::size_t device, Seconds time);
// The same at a point of what is drawn so; empty where that is no device's memory.
QString heldText(const ScheduleFigures& figures, const ScheduleGeometry& drawn, QPointF point);
// "Stage 2: forward of microbatch 3", when and for how long, and what it waits for.
QString actionText(const ActionSpan& span);
// A line an action, of the planned step and of the one below it: where it runs, what it is and when, in
// seconds. Null: there is none.
QString spansCsv(const Timeline* planned, const Timeline* below);

} // namespace stagecraft
