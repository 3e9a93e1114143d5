// What the window's actions on modules, the selection's history and the analyses do.
#include "app/document/blocks.h"
#include "app/window/docks.h"
#include "app/window/main_window.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"

#include <QFileDialog>
#include <QSettings>

namespace stagecraft {

void MainWindow::connectAnalyseActions()
{
    connect(m_actions.runStep, &QAction::triggered, this, &MainWindow::runStep);
    connect(m_actions.measureTimes, &QAction::triggered, &m_times, &TimesSource::measure);
    connect(m_actions.importTimes, &QAction::triggered, this, &MainWindow::importTimes);
    connect(m_actions.estimateTimes, &QAction::triggered, this,
            [this] { m_document.useTimes(tr("Estimate times again"), nullptr); });
    connect(m_actions.largestBatch, &QAction::triggered, this, [this] {
        m_docks->show(m_views.memory);
        m_document.findLargestBatch();
    });
    connect(m_actions.compareCounts, &QAction::triggered, this, [this] {
        m_docks->show(m_views.curve);
        m_document.computeCurve();
    });
    connect(m_actions.tradeOffs, &QAction::triggered, this, [this] {
        m_docks->show(m_views.tradeOffs);
        m_tradeOffs.start();
    });
    connect(m_actions.explain, &QAction::triggered, this, [this] { m_docks->show(m_views.advice); });
    connect(m_actions.goBack, &QAction::triggered, m_history, &SelectionHistory::goBack);
    connect(m_actions.goForward, &QAction::triggered, m_history, &SelectionHistory::goForward);
    connect(m_history, &SelectionHistory::changed, this, [this] {
        m_actions.goBack->setEnabled(m_history->canGoBack());
        m_actions.goForward->setEnabled(m_history->canGoForward());
    });
    connect(m_actions.blockModule, &QAction::triggered, this, [this] { toggleBlocks(Extent::OneModule); });
    connect(m_actions.blockClass, &QAction::triggered, this, [this] { toggleBlocks(Extent::WholeClass); });
    m_views.modules->setMenuActions({m_actions.pin, m_actions.keepTogether, m_actions.letApart,
                                     m_actions.blockModule, m_actions.blockClass});
}

void MainWindow::runStep()
{
    auto* dialog = new StatisticsDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setExported(exportedInputs(*m_document.model()).empty() ? StatisticsDialog::Exported::No
                                                                    : StatisticsDialog::Exported::Yes);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_docks->show(m_views.code);
        m_document.gatherStatistics(dialog->inputs());
    });
    dialog->open();
}

// Once other times hold, the plan that was the best may no longer be.
void MainWindow::offerToSplitAnew()
{
    const auto& times = m_document.state().times;
    m_actions.estimateTimes->setEnabled(times != nullptr);
    if (std::exchange(m_shownTimes, times) == times)
        return;
    if (!times)
        return m_messages->remove("times");
    m_messages->post({"times",
                      Message::Severity::Info,
                      tr("The plan was made for other times of the ops."),
                      {},
                      {{"split", tr("Split automatically")}}});
}

void MainWindow::importTimes()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Read times of ops"), m_environment.settings->value("timesFolder").toString(),
        tr("Times and traces (*.csv *.json *.gz);;All files (*)"));
    if (path.isEmpty())
        return;
    m_environment.settings->setValue("timesFolder", QFileInfo(path).absolutePath());
    m_times.import(path.toStdString());
}

std::vector<std::vector<NodeId>> MainWindow::selectedBlocks(Extent extent) const
{
    if (!m_document.hasModel())
        return {};
    const Graph& graph = m_document.model()->graph;
    const auto module = commonModule(graph, m_views.selection->nodes());
    if (!module)
        return {};
    return extent == Extent::OneModule ? blockOf(graph, *module)
                                       : blocksOfClass(graph, graph.modules()[*module].className);
}

void MainWindow::toggleBlocks(Extent extent)
{
    m_document.toggleBlocks(selectedBlocks(extent));
    showBlockActions();
}

void MainWindow::showBlockActions()
{
    const Blocks one = selectedBlocks(Extent::OneModule);
    const Blocks all = selectedBlocks(Extent::WholeClass);
    m_actions.blockModule->setEnabled(!one.empty());
    m_actions.blockClass->setEnabled(!all.empty());
    m_actions.blockModule->setChecked(areKept(m_document.state(), one));
    m_actions.blockClass->setChecked(areKept(m_document.state(), all));
    QString path = tr("module");
    QString className = tr("module of its class");
    if (!one.empty()) {
        const Graph& graph = m_document.model()->graph;
        const Module& module = graph.modules()[*commonModule(graph, m_views.selection->nodes())];
        path = shownText(module.path);
        if (!module.className.empty())
            className = shortClass(module.className);
    }
    m_actions.blockModule->setText(tr("Treat %1 as one &block").arg(menuText(path)));
    m_actions.blockClass->setText(tr("Treat e&very %1 as a block").arg(menuText(className)));
}

} // namespace stagecraft
