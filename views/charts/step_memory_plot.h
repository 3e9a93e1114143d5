// The drawing of StepMemoryPanel, on QCustomPlot: categories stacked over the operators of a step. Private to
// it.
#pragma once

#include "views/charts/memory_plot.h"
#include "views/charts/step_memory.h"

namespace stagecraft {

class StepMemoryPlot : public MemoryPlot
{
    Q_OBJECT

public:
    explicit StepMemoryPlot(QWidget* parent = nullptr);

    // `limit`: of the device; Bytes::max(): none is drawn.
    void setMemory(const PlanView& plan, StackedMemory memory, Bytes limit);
    const StackedMemory& memory() const { return m_memory; }
    // Where a position is drawn, in pixels of this widget; for tests.
    double positionToPixel(std::size_t position) const;
    // What each band is called, from the bottom, and its colour; only what is there.
    std::vector<std::pair<QString, QColor>> bands() const;

signals:
    void positionPointed(std::size_t position);
    void positionChosen(std::size_t position);

protected:
    void draw() override;
    void point(QPointF pixel) override;
    void choose(QPointF pixel) override;

private:
    void drawPhases();
    std::optional<std::size_t> positionAt(double pixel) const;

    PlanView m_plan;
    StackedMemory m_memory;
    Bytes m_limit = Bytes::max();
};

} // namespace stagecraft
