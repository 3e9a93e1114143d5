// ModuleMap: where time and memory go, by module: boxes within boxes (treemap) or a flame graph.
//
//     [Treemap ▾] [Time ▾]   gpt2 › layers › 3        ■ 1 ■ 2 ■ 3
//
// Colours are those of stages; what lies in several has the colour of none. Pointing reads figures, a click
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

class ModuleMap : public QWidget
{
    Q_OBJECT

public:
    explicit ModuleMap(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    void setShape(MapShape shape);
    void setMeasure(MapMeasure measure);
    // The boxes as they are drawn now, and what they say; for tests.
    const std::vector<ModuleBox>& drawnBoxes() const;
    QString describe(std::size_t box) const;
    ModuleId shownModule() const;

private:
    void showPath();
    void showState();

    QComboBox* m_shape;
    QComboBox* m_measure;
    QLabel* m_path;
    Legend* m_legend;
    ModuleMapDrawing* m_drawing;
    QLabel* m_empty;
};

} // namespace stagecraft
