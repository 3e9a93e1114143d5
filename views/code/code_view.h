// CodeView: the Python code of the stages, a tab each, with the cost of every line beside it.
//
//      1 ▌ 12.3 us  3.0 MiB │ linear = torch.ops.aten.linear.default(x, self.fc1.weight, ...)
//
// A stage opens where its forward begins. Hovering a line lights its op in the other views; clicking selects
// it, of a line that runs for several blocks all of its ops, and what is selected elsewhere is brought into
// sight. Boxes above and below the code list
// what the stage receives and sends. Only lines that differ are replaced, so scroll and caret stay while a
// boundary is dragged; bars mark lines that differ from the last baseline. In place of the code the view
// shows all that differs, or the line of the model's source that the selected op comes from.
#pragma once

#include "views/base/selection.h"
#include "views/code/code_text.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTabBar;

namespace stagecraft {

class CodeStack;
class CodeTools;

class CodeView : public QWidget
{
    Q_OBJECT

public:
    explicit CodeView(Selection* selection, QWidget* parent = nullptr);

    // Graph and profile that lines are annotated from. Pages of another graph are dropped.
    void setPlan(const PlanView& plan);
    // A page for each stage, of the plan's graph. Pages that hold the same objects as before cost nothing.
    void setPages(std::vector<StagePage> pages);
    // Change bars show what differs from the present pages, until the next call.
    void setBaseline();
    // What stands beside the lines. Statistics take a real run: until the plan has some, costs stay there.
    using Beside = CodeBeside;
    void setBeside(Beside beside);
    Beside beside() const { return m_beside; }
    enum class State { Current, Updating };
    // Updating says that newer code is being made; the old stays readable.
    void setState(State state);

    // What stands in place of the code.
    using Shows = CodeShows;
    void setShows(Shows shows);
    // Where the model's source is looked for, beside the paths that it names.
    void setSourceFolder(const QString& folder);
    // Lines that fit the view, or as an export has them.
    void setShortLines(bool wanted);

    // A tab may hide it though it is not hidden: what nobody sees is laid out when it is seen.
    void setInSight(bool inSight);

    void showStage(StageId stage);
    std::optional<StageId> shownStage() const;

signals:
    // Statistics are to be shown and there are none.
    void statisticsRequested();

private:
    void takeTheme();
    void showPage();
    void showNodes(const std::vector<NodeId>& nodes);
    void showTabs();
    QLayout* makeBar();

    Selection* m_selection;
    QTabBar* m_tabs;
    QComboBox* m_besideChoice;
    QLabel* m_updating;
    QLabel* m_empty;
    CodeStack* m_stack;
    CodeTools* m_tools;
    PlanView m_plan;
    Beside m_beside = Beside::Cost;
    std::vector<StagePage> m_pages;
    std::optional<StageId> m_lastShown; // whose code the editor holds
    bool m_beginsAtForward = false;     // once it is in sight
    bool m_isInSight = true;
    std::vector<std::shared_ptr<const StageCode>> m_baseline;
};

} // namespace stagecraft
