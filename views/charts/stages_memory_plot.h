// The drawing of all stages' memory over the time of a step, on QCustomPlot. Private to StepMemoryPanel.
//
//     ──── a stage, in its colour; from the ninth on dotted       ╌╌╌╌ all that a device's stages hold
//     ──── (red) a limit
#pragma once

#include "views/base/theme.h"
#include "views/charts/stages_memory.h"

#include <qcustomplot.h>

#include <memory>

namespace stagecraft {

class StagesMemoryPlot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit StagesMemoryPlot(QWidget* parent = nullptr);

    // Null: nothing is shown.
    void setMemory(std::shared_ptr<const StagesMemory> memory);
    // Its curve is drawn stronger.
    void setChosen(std::optional<StageId> stage);
    void applyTheme();
    void showAll();
    // Where a time is drawn, in pixels of this widget; for tests.
    double timeToPixel(Seconds time) const { return xAxis->coordToPixel(time.value()); }

signals:
    void timePointed(Seconds time);
    void stageChosen(StageId stage); // whose curve is nearest to where the person clicked
    void left();

protected:
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    void drawStage(StageId stage);
    void drawDevice(const StagesMemory::Device& device);
    void drawLimits(Bytes highest);
    QCPItemText* addLabel();
    std::optional<Seconds> timeAt(QPointF pixel) const;
    StageId nearestStage(QPointF pixel) const; // where there is a time

    std::shared_ptr<const StagesMemory> m_memory;
    std::optional<StageId> m_chosen;
    Theme m_theme;
    QCPItemLine* m_cursor;
    QPoint m_pressedAt;
};

} // namespace stagecraft
