#include "views/charts/schedule_geometry.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

double ScheduleGeometry::x(Seconds time) const
{
    const double range = to - from;
    return area.left() + (range > 0 ? (time.value() - from) / range * area.width() : 0);
}

Seconds ScheduleGeometry::timeAt(double x) const
{
    return Seconds(area.width() > 0 ? from + (x - area.left()) / area.width() * (to - from) : from);
}

QRectF ScheduleGeometry::row(std::size_t device) const
{
    const double height = deviceCount > 0 ? area.height() / static_cast<double>(deviceCount) : 0;
    return {area.left(), area.top() + height * static_cast<double>(device), area.width(), height};
}

QRectF ScheduleGeometry::bar(std::size_t device, Lane lane) const
{
    const QRectF rect = row(device);
    const double whole = rect.height() * 0.55;
    const double height = hasLanes ? whole * 0.48 : whole;
    return {rect.left(), rect.top() + (lane == Lane::Below ? whole - height : 0), rect.width(), height};
}

QRectF ScheduleGeometry::memory(std::size_t device) const
{
    const QRectF rect = row(device);
    return {rect.left(), rect.top() + rect.height() * 0.6, rect.width(), rect.height() * 0.32};
}

QRectF ScheduleGeometry::compute(const ActionSpan& span, Lane lane) const
{
    const QRectF rect = bar(span.device, lane);
    return {QPointF(x(span.start), rect.top()), QPointF(x(span.end), rect.bottom())};
}

std::optional<std::size_t> ScheduleGeometry::deviceAt(double y) const
{
    if (deviceCount == 0 || y < area.top() || y >= area.bottom())
        return std::nullopt;
    const double place = (y - area.top()) / area.height() * static_cast<double>(deviceCount);
    return std::min(deviceCount - 1, static_cast<std::size_t>(place));
}

ScheduleGeometry ScheduleGeometry::zoomed(double factor, double x, Seconds makespan) const
{
    ScheduleGeometry result = *this;
    const double whole = makespan.value();
    const double range = std::clamp((to - from) / factor, whole * 1e-5, whole);
    const double fixed = timeAt(x).value();
    const double share = area.width() > 0 ? (x - area.left()) / area.width() : 0;
    result.from = std::clamp(fixed - share * range, 0.0, whole - range);
    result.to = result.from + range;
    return result;
}

ScheduleGeometry ScheduleGeometry::moved(double pixels, Seconds makespan) const
{
    ScheduleGeometry result = *this;
    const double range = to - from;
    const double shift = area.width() > 0 ? pixels / area.width() * range : 0;
    result.from = std::clamp(from + shift, 0.0, std::max(0.0, makespan.value() - range));
    result.to = result.from + range;
    return result;
}

std::optional<ScheduleGeometry> ScheduleGeometry::after(int key, double step, Seconds makespan) const
{
    constexpr double closer = 1.5;
    switch (key) {
    case Qt::Key_Left:
        return moved(-step, makespan);
    case Qt::Key_Right:
        return moved(step, makespan);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomed(closer, area.center().x(), makespan);
    case Qt::Key_Minus:
        return zoomed(1 / closer, area.center().x(), makespan);
    case Qt::Key_0:
    case Qt::Key_Home:
        return zoomed(1e-9, area.center().x(), makespan);
    default:
        return std::nullopt;
    }
}

std::optional<std::size_t> spanAt(const Timeline& timeline, const ScheduleGeometry& geometry, QPointF point,
                                  Lane lane)
{
    const auto device = geometry.deviceAt(point.y());
    if (!device || !geometry.bar(*device, lane).contains(point))
        return std::nullopt;
    const Seconds time = geometry.timeAt(point.x());
    // Spans are sorted by device, then by time.
    const auto after = std::ranges::partition_point(timeline.spans, [&](const ActionSpan& span) {
        return span.device < *device || (span.device == *device && span.start <= time);
    });
    if (after == timeline.spans.begin())
        return std::nullopt;
    const auto span = std::prev(after);
    if (span->device != *device || span->end < time)
        return std::nullopt;
    return static_cast<std::size_t>(span - timeline.spans.begin());
}

double tickStep(double range, int most)
{
    if (!(range > 0) || most < 1)
        return 1;
    const double least = range / most;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * power >= least)
            return step * power;
    }
    return 10 * power;
}

} // namespace stagecraft
