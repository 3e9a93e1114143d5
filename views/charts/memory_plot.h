// MemoryPlot: bytes over a training step, on QCustomPlot, with an upright line where the mouse is: what the
// drawings of StepMemoryPanel share. Private to it.
//
// The wheel zooms, a drag moves along, neither beyond the step; a double click shows all.
#pragma once

#include "views/base/theme.h"

#include <qcustomplot.h>

#include <optional>

namespace stagecraft {

class MemoryPlot : public QCustomPlot
{
    Q_OBJECT

public:
    void applyTheme();
    void showAll();

signals:
    void left();

protected:
    // `along`: of the axis below.
    MemoryPlot(const QSharedPointer<QCPAxisTicker>& along, QWidget* parent);

    const Theme& theme() const { return m_theme; }
    // Draws anew what is there, from 0 to `end` of the axis below; none: nothing is. Of another end all is
    // shown.
    void setEnd(std::optional<double> end);
    void redraw();
    // The line at that place of the axis; none: no line.
    void pointAt(std::optional<double> place);
    // The place of the axis below at `pixel` from the left, in what is there; none beside the plot.
    std::optional<double> placeAt(double pixel) const;
    QCPItemText* addLabel(double fontScale);

    // On an empty plot in the colours of theme().
    virtual void draw() = 0;
    // The mouse is there, or was clicked there.
    virtual void point(QPointF pixel) = 0;
    virtual void choose(QPointF pixel) = 0;

    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    Theme m_theme;
    QCPItemLine* m_cursor;
    QPoint m_pressedAt;
    std::optional<double> m_end;
};

} // namespace stagecraft
