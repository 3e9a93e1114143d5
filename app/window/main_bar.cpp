#include "app/window/main_bar.h"

#include "app/window/bar_overflow.h"
#include "views/base/color_by.h"
#include "views/base/find_field.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QCoreApplication>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QSlider>
#include <QSpinBox>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>

namespace stagecraft {

namespace {

QString barText(const char* text)
{
    return QCoreApplication::translate("MainBar", text);
}

// A button of the bar's own, which may go while the action stays in the menus.
QAction* addButton(QToolBar* bar, QAction* action)
{
    auto* button = new QToolButton(bar);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    QAction* part = bar->addWidget(button); // which has a state of its own
    const auto follow = [part, action] { part->setEnabled(action->isEnabled()); };
    QObject::connect(action, &QAction::changed, part, follow);
    follow();
    return part;
}

QAction* addLabel(QToolBar* bar, const QString& text)
{
    auto* label = new QLabel(text, bar);
    label->setContentsMargins(em(bar, spacing::medium), 0, em(bar, spacing::small), 0);
    return bar->addWidget(label);
}

void addStageCount(QToolBar* bar, MainBar& made)
{
    addLabel(bar, barText("Stages"));
    made.stageCount = new QSpinBox(bar);
    made.stageCount->setRange(1, 1);
    takeWhenFinished(made.stageCount);
    made.stageCount->setAccessibleName(barText("Number of stages"));
    made.stageCount->setToolTip(barText("How many stages to split the model into"));
    bar->addWidget(made.stageCount);
}

QList<QAction*> addDetail(QToolBar* bar, MainBar& made)
{
    QAction* label = addLabel(bar, barText("Detail"));
    made.detail = new QSlider(Qt::Horizontal, bar);
    made.detail->setRange(3, 13); // about 2^n items
    made.detail->setValue(usualDetail);
    made.detail->setFixedWidth(em(bar, 6));
    made.detail->setAccessibleName(barText("Detail"));
    made.detail->setToolTip(barText("How many boxes are open, the most expensive first"));
    return {label, bar->addWidget(made.detail)};
}

QList<QAction*> addColorBy(QToolBar* bar, MainBar& made)
{
    QAction* label = addLabel(bar, barText("Colour by"));
    made.colorBy = new ColorBySelector(bar);
    made.colorBy->setAccessibleName(barText("Colour by"));
    made.colorBy->setMaximumWidth(em(bar, 8.5));
    return {label, bar->addWidget(made.colorBy)};
}

void addSteps(QMenu* menu, QSlider* detail, bool isUsable)
{
    for (const auto& [text, step] :
         {std::pair(barText("More detail"), 1), std::pair(barText("Less detail"), -1)}) {
        QAction* action = menu->addAction(text);
        action->setEnabled(isUsable);
        QObject::connect(action, &QAction::triggered, detail,
                         [detail, step = step] { detail->setValue(detail->value() + step); });
    }
}

void addColorings(QMenu* menu, ColorBySelector* choice, bool isUsable)
{
    QMenu* colors = menu->addMenu(barText("Colour by"));
    colors->setEnabled(isUsable);
    for (const ColorBy by : allColorings) {
        if (!choice->offers(by))
            continue;
        QAction* action = colors->addAction(colorByName(by));
        action->setCheckable(true);
        action->setChecked(by == choice->colorBy());
        QObject::connect(action, &QAction::triggered, choice, [choice, by] { choice->setColorBy(by); });
    }
}

} // namespace

MainBar makeMainBar(QMainWindow* window, const Actions& actions)
{
    MainBar made{};
    QToolBar* bar = window->addToolBar(barText("Main bar"));
    bar->setObjectName("bar");
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* overflow = new BarOverflow(bar);
    bar->addAction(actions.open);
    bar->addSeparator();
    addStageCount(bar, made);
    bar->addAction(actions.split);
    const QList<QAction*> steps{bar->addSeparator(), addButton(bar, actions.undo),
                                addButton(bar, actions.redo)};
    const QList<QAction*> fit{bar->addSeparator(), addButton(bar, actions.fitAll)};
    const QList<QAction*> detail = addDetail(bar, made);
    const QList<QAction*> colorBy = addColorBy(bar, made);
    // What is not in sight is disabled in a bar: another field knows whether there is a model.
    const auto isUsable = [field = made.stageCount] { return field->isEnabled(); };
    overflow->add(detail, [=, slider = made.detail](QMenu* menu) { addSteps(menu, slider, isUsable()); });
    overflow->add(colorBy,
                  [=, choice = made.colorBy](QMenu* menu) { addColorings(menu, choice, isUsable()); });
    overflow->add(fit, [actions](QMenu* menu) { menu->addAction(actions.fitAll); });
    overflow->add(steps, [actions](QMenu* menu) { menu->addActions({actions.undo, actions.redo}); });

    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    QAction* gap = bar->addWidget(space);
    made.find = new FindField(bar);
    made.find->setMinimumWidth(em(bar, 12)); // a query is read there, in a narrow window, too
    made.find->setMaximumWidth(em(bar, 26));
    bar->addWidget(made.find);
    bar->addAction(actions.exportStages);
    overflow->watch(gap); // Qt takes what is behind it from a bar that is narrower still
    return made;
}

void setUsable(const MainBar& bar, bool isUsable)
{
    const std::initializer_list<QWidget*> parts{bar.stageCount, bar.detail, bar.colorBy, bar.find};
    auto* holder = qobject_cast<QToolBar*>(bar.stageCount->parentWidget());
    for (QAction* action : holder->actions()) // a part gets back its action's state when it is shown again
        if (std::ranges::find(parts, holder->widgetForAction(action)) != parts.end())
            action->setEnabled(isUsable);
}

} // namespace stagecraft
