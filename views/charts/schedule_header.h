// ScheduleHeader: what is said above the rows of a ScheduleView, and where.
//
//     1F1B, microbatches: 8   step 1.47 s, bubble 29 %: …      ▪ forward ▪ backward ▪ transfer
//     below, B: Zero bubble (ZB1P), microbatches: 8: step 1.28 s, …                        ✕
//
// In a narrow view the legend has a line of its own, the last.
#pragma once

#include "views/charts/schedule_legend.h"

#include <QFont>

namespace stagecraft {

struct ScheduleHeader
{
    QString title;
    QString figures;
    QString below;        // of the step that lies below; empty: there is none
    bool isFault = false; // what is said of that
    std::vector<ScheduleLegendEntry> legend = {};
    QFont font = {};
    int gap = 0;        // around all lines
    int width = 0;      // of the view
    int besideLine = 0; // what the line of the step below leaves free

    QRectF firstLine() const { return line(0); }
    QRectF belowLine() const { return line(1).adjusted(0, 0, -besideLine, 0); }
    // Empty where the whole width has no room for it.
    QRectF legendLine() const;
    double bottom() const;

private:
    QRectF line(int index) const;
};

void paintScheduleHeader(QPainter& painter, const ScheduleHeader& header, const Theme& theme);

} // namespace stagecraft
