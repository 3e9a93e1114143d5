// The drawing of StepMemoryPanel, on QCustomPlot: categories stacked over the operators of a step. Private to
// it.
#pragma once

#include "views/base/theme.h"
#include "views/charts/step_memory.h"

#include <qcustomplot.h>

namespace stagecraft {

class StepMemoryPlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit StepMemoryPlot(QWidget* parent = nullptr);

    // `limit`: of the device; Bytes::max(): none is drawn.
    void setMemory(const PlanView& plan, StackedMemory memory, Bytes limit);
    const StackedMemory& memory() const { return m_memory; }
    void applyTheme();
    void showAll();
    // Where a position is drawn, in pixels of this widget; for tests.
    double positionToPixel(std::size_t position) const;
    // What each band is called, from the bottom, and its colour; only what is there.
    std::vector<std::pair<QString, QColor>> bands() const;

signals:
    void positionPointed(std::size_t position);
    void positionChosen(std::size_t position);
    void left();

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    void drawPhases();
    std::optional<std::size_t> positionAt(double pixel) const;
    void pointAt(std::optional<std::size_t> position);

    PlanView m_plan;
    StackedMemory m_memory;
    Bytes m_limit = Bytes::max();
    Theme m_theme;
    QCPItemLine* m_cursor;
    QPoint m_pressedAt;
};

} // namespace stagecraft
