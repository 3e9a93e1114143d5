#include "views/charts/schedule_legend.h"

#include "views/base/colors.h"
#include "views/charts/shown_schedule.h"

#include <QObject>
#include <QPainter>

#include <algorithm>

namespace stagecraft {

namespace {

using Mark = ScheduleLegendEntry::Mark;

// Of a line's height.
constexpr double swatch = 0.8;
constexpr double gapBehindSwatch = 0.35;
constexpr double gapBehindName = 0.9;

double widthOf(const ScheduleLegendEntry& entry, const QFontMetricsF& metrics)
{
    return metrics.horizontalAdvance(entry.name) + metrics.height() * (swatch + gapBehindSwatch);
}

void paintMark(QPainter& painter, const QRectF& box, const ScheduleLegendEntry& entry, const Theme& theme)
{
    const double middle = box.center().y();
    switch (entry.mark) {
    case Mark::Action:
        painter.fillRect(box, mixed(theme.surface, theme.text, entry.strength * 0.75));
        return;
    case Mark::Transfer:
        painter.fillRect(QRectF(box.left(), middle - box.height() / 6, box.width(), box.height() / 3),
                         theme.mutedText);
        return;
    case Mark::Path:
        painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), theme.text);
        return;
    }
}

} // namespace

std::vector<ScheduleLegendEntry> scheduleLegend(const Timeline& timeline, const Timeline* below)
{
    std::vector<ScheduleLegendEntry> entries;
    for (const ActionKind kind :
         {ActionKind::Forward, ActionKind::Backward, ActionKind::BackwardInput, ActionKind::BackwardWeight}) {
        const auto isIt = [&](const ActionSpan& span) { return span.action.kind == kind; };
        if (std::ranges::any_of(timeline.spans, isIt) || (below && std::ranges::any_of(below->spans, isIt))) {
            const ActionLook look = lookOf(kind);
            entries.push_back({look.name, Mark::Action, look.strength});
        }
    }
    if (std::ranges::any_of(timeline.spans, [](const ActionSpan& span) {
            return span.start > span.receiveStart || span.sendEnd > span.made;
        }))
        entries.push_back({QObject::tr("transfer"), Mark::Transfer});
    if (!timeline.criticalPath.empty())
        entries.push_back({QObject::tr("decides the step"), Mark::Path});
    return entries;
}

double widthOf(const std::vector<ScheduleLegendEntry>& entries, const QFontMetricsF& metrics)
{
    double width = 0;
    for (const ScheduleLegendEntry& entry : entries)
        width += widthOf(entry, metrics) + metrics.height() * gapBehindName;
    return entries.empty() ? 0 : width - metrics.height() * gapBehindName;
}

double paintScheduleLegend(QPainter& painter, const QRectF& line, const Theme& theme,
                           const std::vector<ScheduleLegendEntry>& entries)
{
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height();
    const double width = widthOf(entries, metrics);
    double x = line.right() - width;
    for (const ScheduleLegendEntry& entry : entries) {
        const double side = height * swatch;
        paintMark(painter, QRectF(x, line.center().y() - side / 2, side, side), entry, theme);
        painter.setPen(theme.mutedText);
        const double textLeft = x + side + height * gapBehindSwatch;
        painter.drawText(QRectF(textLeft, line.top(), line.right() - textLeft + 1, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.name);
        x += widthOf(entry, metrics) + height * gapBehindName;
    }
    return width;
}

} // namespace stagecraft
