#include "app/window/analyse_actions.h"

#include "app/document/document.h"
#include "app/window/docks.h"
#include "app/window/file_commands.h"
#include "views/pages/statistics_dialog.h"

namespace stagecraft {

AnalyseActions::AnalyseActions(QWidget* window, const Actions& actions, const WindowViews& views,
                               Document& document, FileCommands& files, Docks* docks)
    : QObject(window),
      m_window(window),
      m_actions(actions),
      m_views(views),
      m_document(document),
      m_files(files),
      m_docks(docks)
{
    connect(m_actions.runStep, &QAction::triggered, this, &AnalyseActions::runStep);
    connect(m_actions.measureTimes, &QAction::triggered, &m_document.analyses(),
            &DocumentAnalyses::measureTimes);
    connect(m_actions.importTimes, &QAction::triggered, this, [this] {
        if (const QString path = m_files.askForTimes(); !path.isEmpty())
            m_document.analyses().importTimes(path.toStdString());
    });
    connect(m_actions.estimateTimes, &QAction::triggered, this,
            [this] { m_document.useTimes(tr("Estimate times again"), nullptr); });
    connect(m_actions.largestBatch, &QAction::triggered, this, [this] {
        m_docks->show(m_views.memory);
        m_document.analyses().findLargestBatch();
    });
    connect(m_actions.curve, &QAction::triggered, this, [this] {
        m_docks->show(m_views.curve);
        m_document.analyses().computeCurve();
    });
    connect(m_actions.tradeOffs, &QAction::triggered, this, [this] {
        m_docks->show(m_views.tradeOffs);
        m_document.analyses().seekTradeOffs();
    });
    connect(m_actions.advise, &QAction::triggered, this, [this] { m_docks->show(m_views.advice); });
}

void AnalyseActions::runStep()
{
    auto* dialog = new StatisticsDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setExported(exportedInputs(*m_document.model()).empty() ? StatisticsDialog::Exported::No
                                                                    : StatisticsDialog::Exported::Yes);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_docks->show(m_views.code);
        m_document.analyses().gatherStatistics(dialog->inputs());
    });
    dialog->open();
}

} // namespace stagecraft
