// The drawing of all stages' memory over the time of a step, on QCustomPlot. Private to StepMemoryPanel.
//
//     ──── a stage, in its colour; from the ninth on dotted       ╌╌╌╌ all that a device's stages hold
//     ──── (red) a limit
#pragma once

#include "views/charts/memory_plot.h"
#include "views/charts/stages_memory.h"

#include <memory>

namespace stagecraft {

class StagesMemoryPlot : public MemoryPlot
{
    Q_OBJECT

public:
    explicit StagesMemoryPlot(QWidget* parent = nullptr);

    // Null: nothing is shown.
    void setMemory(std::shared_ptr<const StagesMemory> memory);
    // Its curve is drawn stronger.
    void setChosen(std::optional<StageId> stage);
    // Where a time is drawn, in pixels of this widget; for tests.
    double timeToPixel(Seconds time) const { return xAxis->coordToPixel(time.value()); }

signals:
    void timePointed(Seconds time);
    void stageChosen(StageId stage); // whose curve is nearest to where the person clicked

protected:
    bool event(QEvent* event) override;
    void draw() override;
    void point(QPointF pixel) override;
    void choose(QPointF pixel) override;

private:
    void drawStage(StageId stage);
    void drawDevice(const StagesMemory::Device& device);
    // Bytes that hold from their time to the next; the last to the end of the step.
    void drawSteps(QVector<double> times, QVector<double> bytes, const QPen& pen);
    void drawLimits(Bytes highest);
    std::optional<Seconds> timeAt(QPointF pixel) const;
    StageId nearestStage(QPointF pixel) const; // where there is a time

    std::shared_ptr<const StagesMemory> m_memory;
    std::optional<StageId> m_chosen;
};

} // namespace stagecraft
