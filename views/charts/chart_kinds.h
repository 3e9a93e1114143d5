// The charts along the execution axis, each a value. To add one: an entry of chartKinds(), and what it shows
// in ChartData where others show it, too.
#pragma once

#include "views/base/theme.h"
#include "views/charts/chart_data.h"
#include "views/charts/chart_legend.h"

#include <QString>
#include <qcustomplot.h>

#include <span>

namespace stagecraft {

// Where a chart draws.
struct ChartCanvas
{
    QCPAxis* key = nullptr;
    QCPAxis* value = nullptr;
    const Theme& theme;
    QFont labelFont;
    double titleHeight = 0; // pixels at the top that its words have
    ValueScale values = {}; // what is drawn has shown() of them as its height
};

struct ChartKind
{
    double height = 1; // as against the others
    QString (*title)(const ChartData&);
    QCPAxisTicker* (*makeTicker)(); // of its values
    // Its curves, as plottables of the canvas.
    void (*draw)(const ChartCanvas&, const ChartData&);
    QCPRange (*range)(const ChartData&); // of its values
    ValueScale (*logarithmic)(const ChartData&);
    QString (*tick)(double); // a value as a text
    std::vector<ChartLegendEntry> (*legend)(const ChartData&, const Theme&);
    // What it says of the op that is pointed at.
    QString (*hover)(const ChartData&, std::size_t place);
};

// From top to bottom.
std::span<const ChartKind> chartKinds();

} // namespace stagecraft
