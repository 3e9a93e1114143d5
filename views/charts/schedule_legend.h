// What is what in the schedule panel: the actions that a step has, transfers, and what decides its length.
//
//     ▇ forward  ▇ backward  ━ transfer  ▁ decides the step
#pragma once

#include "core/schedule/simulate.h"
#include "views/base/theme.h"

#include <QFontMetricsF>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace stagecraft {

struct ScheduleLegendEntry
{
    enum class Mark { Action, Transfer, Path };
    QString name;
    Mark mark = Mark::Action;
    double strength = 1; // of an action's colour

    friend bool operator==(const ScheduleLegendEntry&, const ScheduleLegendEntry&) = default;
};
// Only what is there, in the timeline or in one that is drawn below it (null: none).
std::vector<ScheduleLegendEntry> scheduleLegend(const Timeline& timeline, const Timeline* below = nullptr);
// At the right end of `line`, in the painter's font; how wide it is.
double paintScheduleLegend(QPainter& painter, const QRectF& line, const Theme& theme,
                           const std::vector<ScheduleLegendEntry>& entries);
// How wide it would be.
double widthOf(const std::vector<ScheduleLegendEntry>& entries, const QFontMetricsF& metrics);

} // namespace stagecraft
