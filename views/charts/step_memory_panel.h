// StepMemoryPanel: memory over a whole step, stacked by category, and what is alive where the mouse is.
//
//     [Stage 2 ▾]  backward of linear_7: 12.3 GiB         │ Parameters        3.1 GiB
//      ▁▂▃▄▅▆▇▇▆▅▄▃▂▁                                     │ Saved activations 7.9 GiB
//      ██████████████                                     │   gelu_3          512 MiB
//
// Of the whole model on one device, or of a stage: then for one microbatch, with what the others keep. A
// click selects the op; the wheel zooms, a drag moves along, a double click shows all. Or of all stages: a
// curve each over the time of the step, for all microbatches; a click chooses the stage. Where a second plan
// is compared, the table says what differs from it at the same moment, or from its own peak.
#pragma once

#include "views/base/compared_plan.h"
#include "views/base/selection.h"
#include "views/charts/stages_memory.h"
#include "views/charts/step_memory.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QLayout;
class QTreeWidget;

namespace stagecraft {

class ElidedLabel;
class Legend;
class StagesMemoryPlot;
class StepMemoryPlot;

class StepMemoryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit StepMemoryPanel(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    // The step of the plan, as wanted; null: it is not known.
    void setStages(std::shared_ptr<const StagesMemory> stages);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // The step of B, as wanted; null: it is not known.
    void setComparedStages(std::shared_ptr<const StagesMemory> stages);
    // What it says of where the mouse is, or of the peak; for tests.
    QString text() const;
    StepMemoryPlot* plot() const { return m_plot; }
    StagesMemoryPlot* stagesPlot() const { return m_stagesPlot; }

signals:
    // All stages are to be seen: what they hold is wanted now; and what B's do.
    void stagesWanted();
    void comparedStagesWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut(QLayout* alive);
    void connectPlots();
    void fillScopes();
    void showMemory();
    void showStagesAt(std::optional<Seconds> time); // none: at the peak
    bool showsAllStages() const;
    void showRows(const std::vector<MemoryRow>& rows);
    // B, of the stage or the whole model that is shown; none: it has nothing such.
    std::optional<PlanView> comparedView() const;
    void compareAt(std::vector<MemoryRow>& rows, std::optional<std::size_t> position) const;
    void compareStagesAt(std::vector<MemoryRow>& rows, std::optional<Seconds> time) const;
    void fitBytes();
    void fitLegend();
    void showAt(std::optional<std::size_t> position); // none: at the peak
    void selectAt(std::size_t position);
    std::optional<StageId> stage() const;
    const MemorySample& sampleAt(std::size_t position) const;

    Selection* m_selection;
    PlanView m_plan;
    QComboBox* m_scope;
    ElidedLabel* m_moment;
    Legend* m_legend;
    StepMemoryPlot* m_plot;
    StagesMemoryPlot* m_stagesPlot;
    std::shared_ptr<const StagesMemory> m_stages; // of what is shown; null: not known
    std::shared_ptr<const ComparedPlan> m_compared;
    StackedMemory m_comparedMemory;                       // B's, of what the plot shows; empty: none
    std::shared_ptr<const StagesMemory> m_comparedStages; // null: not known, or nothing is compared
    QTreeWidget* m_alive;
    QLabel* m_empty;
    QWidget* m_content;
    bool m_isScopeChosen = false;
    bool m_isStale = true; // what nobody sees is not drawn
};

} // namespace stagecraft
