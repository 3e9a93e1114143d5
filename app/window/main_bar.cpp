#include "app/window/main_bar.h"

#include "views/base/color_by.h"
#include "views/base/find_field.h"
#include "views/base/theme.h"

#include <QLabel>
#include <QMainWindow>
#include <QSlider>
#include <QSpinBox>
#include <QToolBar>
#include <QToolButton>

namespace stagecraft {

MainBar makeMainBar(QMainWindow* window, const Actions& actions)
{
    MainBar made{};
    QToolBar* bar = window->addToolBar(QObject::tr("Main bar"));
    bar->setObjectName("bar");
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto addLabel = [bar](const QString& text) {
        auto* label = new QLabel(text, bar);
        label->setContentsMargins(em(bar, spacing::medium), 0, em(bar, spacing::small), 0);
        bar->addWidget(label);
    };
    bar->addAction(actions.open);
    bar->addSeparator();

    addLabel(QObject::tr("Stages"));
    made.stageCount = new QSpinBox(bar);
    made.stageCount->setRange(1, 1);
    made.stageCount->setKeyboardTracking(false);
    made.stageCount->setAccessibleName(QObject::tr("Number of stages"));
    made.stageCount->setToolTip(QObject::tr("How many stages to split the model into"));
    bar->addWidget(made.stageCount);
    bar->addAction(actions.split);
    bar->addSeparator();
    bar->addActions({actions.undo, actions.redo});
    bar->addSeparator();
    bar->addAction(actions.fitAll);

    addLabel(QObject::tr("Detail"));
    made.detail = new QSlider(Qt::Horizontal, bar);
    made.detail->setRange(3, 13); // about 2^n items
    made.detail->setValue(7);
    made.detail->setFixedWidth(em(bar, 6));
    made.detail->setAccessibleName(QObject::tr("Detail"));
    made.detail->setToolTip(QObject::tr("How many boxes are open, the most expensive first"));
    bar->addWidget(made.detail);
    addLabel(QObject::tr("Colour by"));
    made.colorBy = new ColorBySelector(bar);
    made.colorBy->setAccessibleName(QObject::tr("Colour by"));
    made.colorBy->setMaximumWidth(em(bar, 8.5));
    bar->addWidget(made.colorBy);

    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    made.find = new FindField(bar);
    made.find->setMinimumWidth(em(bar, 12)); // a query is read there, in a narrow window, too
    made.find->setMaximumWidth(em(bar, 22));
    bar->addWidget(made.find);
    bar->addAction(actions.exportStages);
    for (QAction* action : {actions.undo, actions.redo, actions.fitAll}) {
        if (auto* button = bar->widgetForAction(action))
            static_cast<QToolButton*>(button)->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    return made;
}

void setUsable(const MainBar& bar, bool isUsable)
{
    for (QWidget* part : std::initializer_list<QWidget*>{bar.stageCount, bar.detail, bar.colorBy, bar.find})
        part->setEnabled(isUsable);
}

} // namespace stagecraft
