// ModuleMap: where time and memory go, by module: boxes within boxes (treemap) or a flame graph.
//
//     [Treemap ▾] [Time ▾]   gpt2 › layers › 3        ■ 1 ■ 2 ■ 3
//
// Colours are those of stages; what lies in several has the colour of none. Where a person brought figures
// along, they are those of the figures or of the stages, as is chosen. Pointing reads figures, a click
// selects what the box is of, a double click goes into it.
//
//     Enter   into the chosen box     Backspace   out again     arrows   choose: out, in, the neighbours
#pragma once

#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/charts/module_boxes.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace stagecraft {

class Legend;
class ModuleMapDrawing;
struct Overlay;

class ModuleMap : public QWidget
{
    Q_OBJECT

public:
    explicit ModuleMap(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    // Figures of a person's own for the graph of the plan, by which it is coloured from now on; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    void setShape(MapShape shape);
    void setMeasure(MapMeasure measure);
    // The boxes as they are drawn now, and what they say; for tests.
    const std::vector<ModuleBox>& drawnBoxes() const;
    QString describe(std::size_t box) const;
    bool isMatch(std::size_t box) const;
    ModuleId shownModule() const;

private:
    void showPath();
    void showState();
    void showColors();

    QComboBox* m_shape;
    QComboBox* m_measure;
    QComboBox* m_colors; // of own figures, or of stages; there where there are such figures
    QLabel* m_path;
    Legend* m_legend;
    ModuleMapDrawing* m_drawing;
    QLabel* m_empty;
    std::shared_ptr<const Overlay> m_overlay;
};

} // namespace stagecraft
