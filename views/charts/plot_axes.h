// Axis rects of plots that stand above each other and share their sides and the axis below; tick marks at
// round binary bytes and round times.
#pragma once

#include "views/base/theme.h"

#include <qcustomplot.h>

namespace stagecraft {

struct StackedRect
{
    int row = 0;
    int rowCount = 1;
    double above = 0.4; // heights of the plot's font that are left free
    double right = 0.8;
};

// Adds one to the plot's layout; `values` becomes the ticker at its left. Only the lowest has labels below.
QCPAxisRect* addStackedRect(QCustomPlot& plot, const StackedRect& place, QCPMarginGroup* sides,
                            const QSharedPointer<QCPAxisTicker>& values);
// Text in a corner of `axes`: at (0, 0) the upper left, at (1, 0) the upper right.
QCPItemText* addCornerText(QCPAxisRect* axes, double x);
// A line for standUp().
QCPItemLine* addUprightLine(QCustomPlot* plot);
// Puts the line at `pixel` from the top of `charts` to their bottom; hides it where that is out of their
// sight. Is it to be seen?
bool standUp(QCPItemLine* line, double pixel, const QRect& charts);
// Hairlines and muted labels in the colours of `theme`.
void applyAxisTheme(QCPAxis* axis, const Theme& theme);

// "512 MiB", "1.5 GiB": without needless zeros. The sign is dropped.
QString tickBytes(double bytes);
// "5 ms", "1.5 s"; the sign is dropped: below zero is backward.
QString tickSeconds(double seconds);
// A limit on what is drawn that is so many times its highest is out of sight: it would flatten all the rest.
inline constexpr double farLimit = 1.6;
// The power of two that divides `range` into about `count` parts.
double binaryTickStep(double range, int count);

class BytesTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

class SecondsTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

class CountTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override; // whole numbers only
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

} // namespace stagecraft
