#include "app/window/palette_entries.h"

#include "app/document/document.h"
#include "core/plan/request.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/selection.h"
#include "views/base/terms.h"
#include "views/base/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

namespace stagecraft {

namespace {

QString paletteText(const char* text)
{
    return QCoreApplication::translate("Palette", text);
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
        if (action->isCheckable())
            note += " · " + (action->isChecked() ? paletteText("on") : paletteText("off"));
        entries.push_back({parts.front(), note, [action = QPointer(action)] {
                               if (action)
                                   action->trigger();
                           }});
    }
}

void addStages(Document& document, Selection* selection, std::vector<PaletteEntry>& entries)
{
    const auto partition = document.state().partition;
    if (!partition)
        return;
    const auto nodes = nodesByStage(*partition);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        entries.push_back({stageName(StageId(i)), paletteText("Go to") + " · " + opCountText(nodes[i].size()),
                           [selection, stage = StageId(i), nodes = nodes[i]] {
                               selection->setStage(stage);
                               selection->reveal(nodes);
                           }});
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
            entries.push_back({shownText(modules[id].path),
                               paletteText("Module") + ' ' + shortClass(modules[id].className),
                               [selection, nodes = nodes[id.index()]] {
                                   selection->setNodes(nodes);
                                   selection->reveal(nodes);
                               }});
}

void addSettings(Document& document, std::vector<PaletteEntry>& entries)
{
    const auto add = [&](const QString& title, const QString& value, const PlanRequest& request) {
        const bool isNow = request == document.asked();
        entries.push_back({title + ": " + value,
                           isNow ? paletteText("Setting, as it is now") : paletteText("Setting"),
                           [&document, request] { document.setRequest(request); }});
    };
    for (const DeviceSpec& device : document.devices()) {
        PlanRequest request = document.asked();
        request.device = device.id;
        add(paletteText("Device"), shownText(device.name), request);
    }
    for (const RequestField& field : requestFields()) {
        for (const FieldChoice& choice : field.choices ? field.choices() : std::vector<FieldChoice>()) {
            PlanRequest request = document.asked();
            if (field.parse(request, choice.name).has_value())
                add(termText(field.title), termText(choice.title), request);
        }
    }
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
