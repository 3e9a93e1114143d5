#include "app/window/palette_entries.h"

#include "app/document/document.h"
#include "app/document/request_changes.h"
#include "core/plan/request.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/selection.h"
#include "views/base/terms.h"
#include "views/base/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

namespace stagecraft {

namespace {

QString paletteText(const char* text)
{
    return QCoreApplication::translate("Palette", text);
}

// That it shows and hides; null: it is no panel's.
QDockWidget* panelOf(const QAction* action)
{
    auto* dock = qobject_cast<QDockWidget*>(action->parent());
    return dock && dock->toggleViewAction() == action ? dock : nullptr;
}

// One behind others is not hidden, but brought before them.
void goToPanel(QDockWidget* dock)
{
    if (dock->isHidden())
        dock->toggleViewAction()->trigger();
    dock->raise();
    if (dock->widget())
        dock->widget()->setFocus();
}

void addMenuActions(const QMenu& menu, const QString& place, std::vector<PaletteEntry>& entries)
{
    for (QAction* action : menu.actions()) {
        const QStringList parts = action->text().remove('&').split('\t');
        if (action->menu()) {
            addMenuActions(*action->menu(), place + " · " + parts.front(), entries);
            continue;
        }
        if (action->isSeparator() || !action->isEnabled() || !action->isVisible())
            continue;
        const QString keys =
            parts.size() == 2 ? parts[1] : action->shortcut().toString(QKeySequence::NativeText);
        QString note = keys.isEmpty() ? place : place + " · " + keys;
        if (QDockWidget* dock = panelOf(action)) {
            entries.push_back({parts.front(), note, [dock = QPointer(dock)] {
                                   if (dock)
                                       goToPanel(dock);
                               }});
            continue;
        }
        if (action->isCheckable())
            note += " · " + (action->isChecked() ? paletteText("on") : paletteText("off"));
        entries.push_back({parts.front(), note, [action = QPointer(action)] {
                               if (action)
                                   action->trigger();
                           }});
    }
}

// What an entry is of may be gone when it is chosen: a search ends meanwhile, another model comes.
void goToStage(const Document& document, Selection* selection, StageId stage)
{
    const auto partition = document.state().partition;
    if (!partition || stage.index() >= partition->stageCount)
        return;
    selection->setStage(stage);
    selection->reveal(nodesByStage(*partition)[stage.index()]);
}

void addStages(Document& document, Selection* selection, std::vector<PaletteEntry>& entries)
{
    const auto partition = document.state().partition;
    if (!partition)
        return;
    const auto nodes = nodesByStage(*partition);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        entries.push_back(
            {stageName(StageId(i)), paletteText("Go to") + " · " + opCountText(nodes[i].size()),
             [&document, selection, stage = StageId(i)] { goToStage(document, selection, stage); }});
}

void addModules(Document& document, Selection* selection, std::vector<PaletteEntry>& entries)
{
    const Graph& graph = document.model()->graph;
    const ModuleTree& modules = graph.modules();
    std::vector<std::vector<NodeId>> nodes(modules.size());
    for (const NodeId node : graph.nodes())
        for (std::optional<ModuleId> at = graph[node].module; at; at = modules[*at].parent)
            nodes[at->index()].push_back(node);
    for (const ModuleId id : modules.ids())
        if (!modules[id].path.empty() && !nodes[id.index()].empty())
            entries.push_back(
                {shownText(modules[id].path), paletteText("Module") + ' ' + shortClass(modules[id].className),
                 [&document, selection, of = document.fingerprint(), nodes = nodes[id.index()]] {
                     if (document.fingerprint() != of)
                         return;
                     selection->setNodes(nodes);
                     selection->reveal(nodes);
                 }});
}

void addSettings(Document& document, std::vector<PaletteEntry>& entries)
{
    using Choose = std::function<PlanRequest(PlanRequest)>;
    const auto add = [&](const QString& title, const QString& value, const Choose& choose) {
        const bool isNow = choose(document.asked()) == document.asked();
        entries.push_back({title + ": " + value,
                           isNow ? paletteText("Setting, as it is now") : paletteText("Setting"),
                           [&document, choose] { document.setRequest(choose(document.asked())); }});
    };
    for (const DeviceSpec& device : document.devices())
        add(paletteText("Device"), shownText(device.name), [id = device.id](PlanRequest request) {
            request.device = id;
            return request;
        });
    for (const RequestField& field : requestFields())
        for (const FieldChoice& choice : field.choices ? field.choices() : std::vector<FieldChoice>())
            add(termText(field.title), termText(choice.title),
                [&field, name = std::string(choice.name)](PlanRequest request) {
                    return withChoice(std::move(request), field, name);
                });
}

} // namespace

std::vector<PaletteEntry> paletteEntries(const QMenuBar& menus, Document& document, Selection* selection)
{
    std::vector<PaletteEntry> entries;
    for (const QAction* action : menus.actions())
        if (action->menu())
            addMenuActions(*action->menu(), action->text().remove('&'), entries);
    addSettings(document, entries);
    if (document.hasModel()) {
        addStages(document, selection, entries);
        addModules(document, selection, entries);
    }
    return entries;
}

} // namespace stagecraft
