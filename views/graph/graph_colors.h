// What the operators of the graph are coloured by, as a table indexed by node.
#pragma once

#include "core/base/id.h"
#include "core/exchange/overlay.h"
#include "views/base/color_by.h"
#include "views/base/plan_view.h"
#include "views/base/theme.h"

#include <QColor>
#include <QRect>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace stagecraft {

struct GraphColors
{
    ColorBy by = ColorBy::Stage;
    // Empty where operators are coloured by stage, and where what they would be coloured by is not known.
    Table<NodeId, QColor> fill;
    // How strongly a node counts for the colour of a closed box around it: the greatest one is shown. Empty
    // where boxes are plain.
    Table<NodeId, double> weight;
    QString title; // of the legend
    QString smallest;
    QString largest;
    std::vector<std::pair<QString, QColor>> categories;

    bool isByStage() const { return fill.empty(); }
    bool isHeat() const { return by == ColorBy::Time || by == ColorBy::Memory; }
};

// Falls back to the stages where there is no profile to take times or bytes from, and no overlay (null) to
// take figures of one's own from.
GraphColors graphColors(const PlanView& plan, ColorBy by, const Theme& theme,
                        const Overlay* overlay = nullptr);
void showLegend(Legend& legend, const GraphColors& colors, std::size_t stageCount);
// In the lower right corner of a view of that size, of which it leaves something to be seen.
void placeLegend(Legend& legend, const QSize& view);
void paintLegendGround(QPainter& painter, const QRect& legend, const Theme& theme);

} // namespace stagecraft
