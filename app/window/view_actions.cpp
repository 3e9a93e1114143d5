#include "app/window/view_actions.h"

#include "app/document/document.h"
#include "views/base/color_by.h"
#include "views/graph/graph_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QSlider>

namespace stagecraft {

void linkGraphActions(const Actions& actions, GraphView* graph)
{
    QObject::connect(actions.fitAll, &QAction::triggered, graph, &GraphView::fitAll);
    QObject::connect(actions.fitSelection, &QAction::triggered, graph, &GraphView::fitSelection);
    QObject::connect(actions.actualSize, &QAction::triggered, graph, &GraphView::actualSize);
    QObject::connect(actions.expandAll, &QAction::triggered, graph, &GraphView::expandAll);
    QObject::connect(graph, &GraphView::backRequested, actions.goBack, &QAction::trigger);
    QObject::connect(graph, &GraphView::forwardRequested, actions.goForward, &QAction::trigger);
    QObject::connect(actions.collapseAll, &QAction::triggered, graph, &GraphView::collapseAll);
    for (const auto& [action, factor] : {std::pair(actions.zoomIn, 1.25), std::pair(actions.zoomOut, 0.8)})
        QObject::connect(action, &QAction::triggered, graph,
                         [graph, factor = factor] { graph->zoomHere(factor); });
    for (const auto& [action, depth] : {std::pair(actions.toggleBox, GraphView::Depth::One),
                                        std::pair(actions.toggleBelow, GraphView::Depth::All)})
        QObject::connect(action, &QAction::triggered, graph,
                         [graph, depth = depth] { graph->toggleSelected(depth); });
    for (QAction* action : actions.forGraph()) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        graph->addAction(action);
    }
    graph->setContextMenuPolicy(Qt::DefaultContextMenu); // actions are there for their keys
}

void linkDetailActions(const Actions& actions, const MainBar& bar, Document& document)
{
    Document* target = &document;
    const auto takeTreeOptions = [=, hidden = actions.showHidden, folded = actions.foldRepeats] {
        target->setTreeOptions(
            {.folding = folded->isChecked() ? RunTreeOptions::Folding::FoldRepeats
                                            : RunTreeOptions::Folding::ShowEach,
             .hidden = hidden->isChecked() ? RunTreeOptions::Hidden::Show : RunTreeOptions::Hidden::Hide});
    };
    QObject::connect(actions.showHidden, &QAction::toggled, target, takeTreeOptions);
    QObject::connect(actions.foldRepeats, &QAction::toggled, target, takeTreeOptions);
    QObject::connect(bar.detail, &QSlider::valueChanged, target,
                     [target](int exponent) { target->setDetail(std::size_t{1} << exponent); });
    QObject::connect(target, &Document::modelGone, bar.detail, [slider = bar.detail] {
        const QSignalBlocker quiet(slider); // nothing is to be drawn
        slider->setValue(usualDetail);
    });
}

void linkColorActions(QMenu* menu, ColorBySelector* choice, GraphView* graph)
{
    QObject::connect(choice, &ColorBySelector::colorByChanged, graph, &GraphView::setColorBy);
    auto* colors = new QActionGroup(menu);
    for (const ColorBy by : allColorings) {
        QAction* action = menu->addAction(colorByName(by));
        action->setToolTip(QObject::tr("Colour ops by: %1").arg(colorByName(by)));
        action->setCheckable(true);
        action->setChecked(by == choice->colorBy());
        colors->addAction(action);
        QObject::connect(action, &QAction::triggered, choice, [choice, by] { choice->setColorBy(by); });
        QObject::connect(choice, &ColorBySelector::colorByChanged, action,
                         [action, by](ColorBy chosen) { action->setChecked(chosen == by); });
        action->setVisible(choice->offers(by));
        QObject::connect(choice, &ColorBySelector::offersChanged, action,
                         [action, choice, by] { action->setVisible(choice->offers(by)); });
    }
}

void linkThemeActions(const Actions& actions, QSettings* settings)
{
    const QString theme = settings->value("theme", "system").toString();
    const QStringList names{"system", "light", "dark"};
    for (qsizetype i = 0; i < names.size(); ++i) {
        QAction* action = actions.themes[i];
        const QString& name = names[i];
        action->setChecked(theme == name);
        QObject::connect(action, &QAction::triggered, action, [settings, name] {
            settings->setValue("theme", name);
            applyTheme(*qApp, themeModeOf(name));
        });
    }
}

} // namespace stagecraft
