#include "app/window/exchange_controller.h"

#include "app/document/document.h"
#include "app/document/document_analyses.h"
#include "app/window/file_commands.h"
#include "app/window/window_views.h"
#include "views/base/color_by.h"
#include "views/charts/module_map.h"
#include "views/graph/graph_view.h"
#include "views/model/module_tree_view.h"
#include "views/model/operators_panel.h"

#include <QAction>
#include <QMenu>

namespace stagecraft {

namespace {

QAction* actionOf(QObject* parent, const char* name, const QString& text, const QString& tip)
{
    auto* action = new QAction(text, parent);
    action->setObjectName(name);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    return action;
}

} // namespace

ExchangeController::ExchangeController(QObject* parent, Document& document, FileCommands& files, QMenu* menu,
                                       QAction* before)
    : QObject(parent),
      m_document(document),
      m_files(files),
      m_open(actionOf(this, "openOverlay", tr("Open figures of yo&ur own…"),
                      tr("Colours and figures by op or module, out of a file of another program"))),
      m_close(actionOf(this, "closeOverlay", tr("Leave own figures out"),
                       tr("Shows the model without the figures of your own"))),
      m_export(actionOf(this, "exportGraph", tr("Export grap&h…"),
                        tr("The graph with its figures for other programs: GraphML, JSON, DOT, CSV"))),
      m_job(m_queue)
{
    menu->insertActions(before, {m_open, m_close, m_export});
    connect(m_open, &QAction::triggered, this, [this] {
        if (const QString path = m_files.askForOverlay(); !path.isEmpty())
            open(path);
    });
    connect(m_close, &QAction::triggered, this, [this] { take(nullptr); });
    connect(m_export, &QAction::triggered, &files, &FileCommands::exportGraph);
    connect(&document, &Document::modelGone, this, [this] {
        m_job.cancel();
        take(nullptr);
    });
    connect(&document, &Document::modelChanged, this, &ExchangeController::showWhatCanBeDone);
    showWhatCanBeDone();
}

void ExchangeController::showIn(const WindowViews& views, ColorBySelector* colors)
{
    const auto show = [this, graph = views.graph, operators = views.operators, modules = views.modules,
                       map = views.map] {
        graph->setOverlay(m_overlay);
        operators->setOverlay(m_overlay);
        modules->setOverlay(m_overlay);
        map->setOverlay(m_overlay);
    };
    connect(this, &ExchangeController::overlayChanged, views.graph, [this, show, colors] {
        show();
        colors->setHasOwn(m_overlay != nullptr);
        if (m_overlay)
            colors->setColorBy(ColorBy::Own);
    });
    // Weights make the model's graph another one of the same ids, for which views know no figures.
    connect(&m_document.analyses(), &DocumentAnalyses::statisticsChanged, views.graph, show,
            Qt::QueuedConnection);
}

void ExchangeController::open(const QString& path)
{
    m_job.start(
        tr("Reading figures"),
        [model = m_document.openedModel(), file = path.toStdString()](const Progress&) {
            return readOverlay(file, model->graph);
        },
        [this](Result<Overlay> read) {
            if (read.has_value())
                take(std::make_shared<const Overlay>(std::move(read).value()));
            else
                m_document.report(read.error());
        });
}

void ExchangeController::take(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    m_overlay = std::move(overlay);
    m_files.setOverlay(m_overlay);
    showWhatCanBeDone();
    emit overlayChanged();
    if (m_overlay)
        for (const std::string& note : m_overlay->notes)
            emit m_document.noticed(QString::fromStdString(note));
}

void ExchangeController::showWhatCanBeDone()
{
    m_open->setEnabled(m_document.hasModel());
    m_export->setEnabled(m_document.hasModel());
    m_close->setEnabled(m_overlay != nullptr);
}

} // namespace stagecraft
