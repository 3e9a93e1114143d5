#include "app/window/panel_help.h"

#include "app/window/window_views.h"

#include <QCoreApplication>

#include <vector>

namespace stagecraft {

namespace {

struct HelpText
{
    QWidget* view;
    const char* title;
    const char* what; // it shows
    const char* how;  // to use it
};

QString helpText(const char* text)
{
    return QCoreApplication::translate("PanelHelp", text);
}

std::vector<HelpText> textsOfModelAndPlan(const WindowViews& views)
{
    return {
        {views.graph, QT_TRANSLATE_NOOP("PanelHelp", "Graph"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "The model as it runs, from top to bottom: a box is a module or an op, a band "
                           "a stage, the line between two bands a boundary."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Double click a box to open or close it. Drag a boundary to move it, or ops "
                           "over it to send them to another stage. The wheel scrolls, Ctrl+wheel zooms, "
                           "0 shows all. A right click offers what can be done to what is under it.")},
        {views.modules, QT_TRANSLATE_NOOP("PanelHelp", "Model"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "The modules of the model as a tree, with their time, memory and stages."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Click a title to sort: the most expensive first. What is selected is shown in "
                           "the graph; a right click sends it to another stage or keeps it together.")},
        {views.stages, QT_TRANSLATE_NOOP("PanelHelp", "Stages"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "What each stage takes: its time, its memory against what the device has, what "
                           "it sends. Below stand the step of all and how far the plan can be from the "
                           "best."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Alt+Up and Alt+Down move the boundary below the chosen stage; a double click "
                           "shows the stage's code.")},
        {views.options, QT_TRANSLATE_NOOP("PanelHelp", "Plan"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "What the plan is made for: device, stages, microbatches, schedule, precision, "
                           "memory limit, recomputation."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Figures follow each change; Ctrl+Enter searches for the best split. Each "
                           "choice is one step of undo. All of them hold for the model that is opened next, "
                           "but the memory limit, which is of this one.")},
        {views.trade, QT_TRANSLATE_NOOP("PanelHelp", "Memory against time"),
         QT_TRANSLATE_NOOP("PanelHelp", "What recomputation would cost for a smaller limit of memory."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Figures follow while the slider is moved; letting go is one step of undo.")},
        {views.constraints, QT_TRANSLATE_NOOP("PanelHelp", "Constraints"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "What holds whatever is searched for: pins, ops kept together, locks, limits."),
         QT_TRANSLATE_NOOP("PanelHelp", "Delete what should hold no longer.")},
        {views.advice, QT_TRANSLATE_NOOP("PanelHelp", "Why no faster"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Why the slowest stage is slow, what no plan can beat, and the changes that "
                           "would help with what each would gain."),
         QT_TRANSLATE_NOOP("PanelHelp", "Apply a change by its button; undo takes it back.")},
        {views.code, QT_TRANSLATE_NOOP("PanelHelp", "Code"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "The Python code of a stage as it is exported, each line with what it costs."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "A click on a line selects its op in all panels. The code follows each move of "
                           "a boundary.")}};
}

std::vector<HelpText> textsOfFigures(const WindowViews& views)
{
    return {
        {views.details, QT_TRANSLATE_NOOP("PanelHelp", "Details"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "All that is known of what is selected: shapes, costs and where they come "
                           "from, what it reads and gives, its line in the model's source."),
         QT_TRANSLATE_NOOP("PanelHelp", "Follow the links from op to op; Alt+Left goes back.")},
        {views.charts, QT_TRANSLATE_NOOP("PanelHelp", "Charts"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Memory, time, and the bytes that a boundary at each place would send, along "
                           "the order in which ops run."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Drag a boundary: it is drawn to places that send little. Drag elsewhere to "
                           "select ops; the wheel moves along, Ctrl+wheel zooms.")},
        {views.schedule, QT_TRANSLATE_NOOP("PanelHelp", "Schedule"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "A training step on all devices as a timeline: forward, backward, waiting."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Point at a slot for what it is. Ctrl+wheel zooms. File > Open measured step "
                           "lays a real run over it.")},
        {views.memory, QT_TRANSLATE_NOOP("PanelHelp", "Memory"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "What the memory of each device is made of at its peak, and what is alive "
                           "then."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "A click on a tensor selects the op that makes it; Find largest batch says how "
                           "much more would fit.")},
        {views.curve, QT_TRANSLATE_NOOP("PanelHelp", "Curve"),
         QT_TRANSLATE_NOOP("PanelHelp", "The best plan for every number of stages, beside each other."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Ask for it by its button; a double click on a row takes that plan.")},
        {views.tradeOffs, QT_TRANSLATE_NOOP("PanelHelp", "Trade-offs"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Plans of as many stages that give up time for memory or for bytes sent."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Ask for them by the button; a double click on a row takes that plan.")},
        {views.operators, QT_TRANSLATE_NOOP("PanelHelp", "Operators"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Every op in a table with what it costs, or those that are looked for."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Click a title to sort, filter by the field above, select several for their "
                           "sums; copy them or save them as a table by a right click.")},
        {views.map, QT_TRANSLATE_NOOP("PanelHelp", "Map"),
         QT_TRANSLATE_NOOP(
             "PanelHelp",
             "Parameters, memory or time of the model by module: the larger the area, the more."),
         QT_TRANSLATE_NOOP("PanelHelp", "A click selects the module in all panels.")},
        {views.stepMemory, QT_TRANSLATE_NOOP("PanelHelp", "Step memory"),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "The memory of every stage over a whole training step, by what it holds."),
         QT_TRANSLATE_NOOP(
             "PanelHelp",
             "Point at a moment for what is alive then; All stages over the step has a curve for "
             "each stage, in the order of the schedule.")},
        {views.history, QT_TRANSLATE_NOOP("PanelHelp", "History"),
         QT_TRANSLATE_NOOP("PanelHelp", "Every plan that was tried, with its figures and how it arose."),
         QT_TRANSLATE_NOOP("PanelHelp",
                           "Return to any of them in one step of undo, keep it by a star, or compare with it "
                           "as B.")}};
}

void explain(const std::vector<HelpText>& texts)
{
    for (const HelpText& text : texts)
        text.view->setWhatsThis(QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
                                    .arg(helpText(text.title).toHtmlEscaped(),
                                         helpText(text.what).toHtmlEscaped(),
                                         helpText(text.how).toHtmlEscaped()));
}

} // namespace

void setPanelHelp(const WindowViews& views)
{
    explain(textsOfModelAndPlan(views));
    explain(textsOfFigures(views));
}

QString panelHelp(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (!widget->whatsThis().isEmpty())
            return widget->whatsThis();
    return {};
}

} // namespace stagecraft
