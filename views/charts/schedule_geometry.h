// Where the schedule panel draws what: rows of devices below each other, time to the right. No widget.
//
//          0        1 s       2 s
//     1    ▇▇▇▇▇▇ ▇▇▇▇▇▇▇▇▇▇▇▇▇        a row: the device's number, its actions,
//          ▁▂▃▃▃▃▄▄▄▄▃▂▁               and below them what it holds in memory
//     2      ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
#pragma once

#include "core/schedule/simulate.h"

#include <QPointF>
#include <QRectF>

#include <optional>

namespace stagecraft {

// Of a device's bar, where another step lies beside the planned one (a measured one, or that of B): the upper
// half and the lower.
enum class Lane { Planned, Below };

struct ScheduleGeometry
{
    QRectF area; // of the bars: without labels and axis
    std::size_t deviceCount = 0;
    double from = 0; // seconds, at the left edge
    double to = 1;   // at the right one
    bool hasLanes = false;

    double x(Seconds time) const;
    Seconds timeAt(double x) const;
    QRectF row(std::size_t device) const;
    // Upper part of the row, or one of its halves.
    QRectF bar(std::size_t device, Lane lane = Lane::Planned) const;
    QRectF memory(std::size_t device) const; // lower part
    QRectF compute(const ActionSpan& span, Lane lane = Lane::Planned) const;
    std::optional<std::size_t> deviceAt(double y) const;

    // Closer by `factor` (above 1) around what is at `x`, within 0 .. makespan; further off where it is
    // below 1.
    ScheduleGeometry zoomed(double factor, double x, Seconds makespan) const;
    ScheduleGeometry moved(double pixels, Seconds makespan) const;
    // What a key shows: + and - zoom, Left and Right move by `step` pixels, 0 and Home show all. None: no key
    // for that.
    std::optional<ScheduleGeometry> after(int key, double step, Seconds makespan) const;
};

// The action at a point of a bar, by index into timeline.spans.
std::optional<std::size_t> spanAt(const Timeline& timeline, const ScheduleGeometry& geometry, QPointF point,
                                  Lane lane = Lane::Planned);

// A round distance between ticks, in seconds, so that there are at most `most` of them in `range`.
double tickStep(double range, int most);

} // namespace stagecraft
