// What the colours and strokes of a chart mean, in one line beside its title.
//
//     Memory of each stage's device   ▇ weights and state  ▇ activations  ┄ peak  ─ limit
#pragma once

#include "views/base/theme.h"

#include <QBrush>
#include <QPen>
#include <QString>
#include <qcustomplot.h>

#include <vector>

namespace stagecraft {

struct ChartLegendEntry
{
    QString name;
    QBrush fill = Qt::NoBrush;
    QPen line = Qt::NoPen; // alone: a stroke; with a fill: its upper edge
};

// Stands right of `title`, as far as the chart is wide; entries that find no room are left out.
class ChartLegend : public QCPAbstractItem
{
public:
    ChartLegend(QCPAxisRect* axes, const QCPItemText* title);

    void setEntries(std::vector<ChartLegendEntry> entries) { m_entries = std::move(entries); }
    const std::vector<ChartLegendEntry>& entries() const { return m_entries; }
    void setLook(const QFont& font, const QColor& text, const QColor& ground);

    double selectTest(const QPointF& place, bool onlySelectable, QVariant* details) const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    QCPAxisRect* m_axes;
    const QCPItemText* m_title;
    std::vector<ChartLegendEntry> m_entries;
    QFont m_font;
    QColor m_text;
    QColor m_ground;
};

} // namespace stagecraft
