#include "app/window/main_window.h"

#include "app/document/gallery.h"
#include "app/window/analyse_actions.h"
#include "app/window/device_controller.h"
#include "app/window/docks.h"
#include "app/window/dropped_files.h"
#include "app/window/exchange_controller.h"
#include "app/window/form_controller.h"
#include "app/window/help_commands.h"
#include "app/window/import_controller.h"
#include "app/window/kept_columns.h"
#include "app/window/kept_switches.h"
#include "app/window/palette_entries.h"
#include "app/window/preferences.h"
#include "app/window/quitting.h"
#include "app/window/recent_files.h"
#include "app/window/recent_list.h"
#include "app/window/status_line.h"
#include "app/window/substitutes_controller.h"
#include "app/window/view_actions.h"
#include "views/base/dialog_size.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/pages/welcome_page.h"
#include "views/plan/compare_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenuBar>
#include <QScreen>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

// Saved arrangements of another version are not restored.
constexpr int stateVersion = 5;

OwnDevices ownDevices(const Environment& environment)
{
    return {environment.devices, environment.place("devices")};
}

Document::Settings documentSettings(const Environment& environment)
{
    const std::vector<DeviceSpec> devices = ownDevices(environment).all();
    return {.devices = devices,
            .request =
                preferredRequest(readPreferences(*environment.settings, environment.searchTime), devices),
            .dataFolder = environment.dataFolder};
}

} // namespace

MainWindow::MainWindow(Environment environment)
    : m_environment(std::move(environment)),
      m_document(documentSettings(m_environment)),
      m_views(makeViews(this)),
      m_history(new SelectionHistory(m_views.selection)),
      m_actions(makeActions(this, m_document.undoStack())),
      m_menus(fillMenuBar(menuBar(), m_actions)),
      m_bar(makeMainBar(this, m_actions)),
      m_messageBar(new MessageBar(this)),
      m_messages(m_messageBar, m_document, m_views.selection),
      m_opening(this, m_document, m_environment.dataFolder),
      m_files(this, m_document, m_opening, m_environment.settings.get(), m_messageBar, m_messages),
      m_find(m_bar.find, m_document, m_views.selection, m_views.graph, statusBar(), m_actions),
      m_recompute(m_document, *m_views.selection, m_views.trade, m_menus.stages),
      m_stageActions(m_actions, m_recompute, m_views, m_document),
      m_compare(this, m_menus.compare, m_document, m_views, m_environment.settings.get()),
      m_stars(m_document, m_compare.history(), m_environment.dataFolder, nullptr),
      m_session(m_document, m_opening, m_environment.settings.get(), m_messageBar),
      m_defaultDevice(m_document, m_views.options, m_environment.settings.get())
{
    setWindowTitle(tr("Stagecraft"));
    setAcceptDrops(true);
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize() - QSize(0, em(this, 3)))); // and its title
    buildCentre();
    m_docks = new Docks(this, m_views);
    auto* forms = new FormController(this, m_docks, m_document, m_files, m_environment.place("forms"));
    m_docks->fillMenu(m_menus.panels);
    new KeptColumns(this, m_environment.settings);
    new KeptSwitches(this, m_environment.settings);
    new DeviceController(this, m_document, m_views.options, ownDevices(m_environment));
    auto* imports = new ImportController(this, m_environment.settings.get());
    m_menus.file->insertAction(m_menus.recent->menuAction(), imports->action());
    m_opening.showIn(m_menus.file, m_actions.attachWeights);
    auto* costs = new SubstitutesController(this, m_document, *m_views.selection, m_messages, m_actions,
                                            m_environment.place("substitutes.json"));
    m_stageActions.addToMenuOfOps(costs->menu());
    connect(imports, &ImportController::imported, this, &MainWindow::open);
    auto* exchange = new ExchangeController(this, m_document, m_files, m_menus.file, m_actions.exportStages);
    exchange->showIn(m_views, m_bar.colorBy);
    m_drops = new DropController(this, m_document);
    connect(m_drops, &DropController::modelDropped, this, &MainWindow::open);
    connect(m_drops, &DropController::sourceDropped, imports, &ImportController::showDialogFor);
    connect(m_drops, &DropController::stepDropped, this, &MainWindow::openMeasured);
    connect(m_drops, &DropController::timesDropped, &m_files, &FileCommands::importTimes);
    connect(m_drops, &DropController::overlayDropped, exchange, &ExchangeController::open);
    m_help = new HelpCommands(this, m_menus, m_actions, m_views, m_docks, m_document,
                              m_environment.settings.get());
    auto* status = new StatusLine(statusBar(), m_document, *m_views.selection, m_actions.planOptions);
    for (JobQueue* queue : {&m_opening.jobs(), &exchange->jobs(), &forms->jobs(), &m_files.reportJobs()})
        status->watch(*queue);
    m_views.options->setDevices(m_document.devices());
    m_views.options->setRequest(m_document.request());

    m_menus.file->insertAction(m_actions.open, forms->action());
    connect(m_welcome, &WelcomePage::newRequested, forms->action(), &QAction::trigger);
    takeDropsOfChildren(this);
    linkViews(m_views, m_document);
    linkGraphActions(m_actions, m_views.graph);
    linkDetailActions(m_actions, m_bar, m_document);
    linkColorActions(m_menus.colorBy, m_bar.colorBy, m_views.graph);
    linkThemeActions(m_actions, m_environment.settings.get());
    connectFileActions();
    connectEditActions();
    connectPlanActions();
    new AnalyseActions(this, m_actions, m_views, m_document, m_files, m_docks);
    connectWindowActions();
    connectDocument();
    m_recent = new RecentList(m_menus.recent, m_welcome, this);
    connect(m_recent, &RecentList::chosen, this, &MainWindow::open);
    showRecentFiles();
    showModel();
    restoreWindow();
}

MainWindow::~MainWindow()
{
    // What is seen refers to the selection and tells the document: it goes while both are there.
    disconnect(&m_document, nullptr, this, nullptr);
    hide();
    qDeleteAll(findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::offerTour()
{
    m_help->offerTour();
}

void MainWindow::buildCentre()
{
    m_welcome = new WelcomePage(this);
    const Result<std::vector<GalleryCard>> cards = galleryCards(m_environment.resources);
    if (cards.has_value())
        m_welcome->setGallery(*cards);
    else
        m_messages.showWarning("gallery", QString::fromStdString(cards.error().message));
    m_session.offerOn(m_welcome);
    m_views.graph->setAccessibleName(tr("Graph"));
    m_views.graph->viewport()->setAccessibleName(tr("Graph"));

    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_views.graph);
    auto* middle = new QWidget(this);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messageBar);
    column->addWidget(m_compare.bar());
    column->addWidget(m_centre, 1);
    setCentralWidget(middle);
}

void MainWindow::connectFileActions()
{
    connect(m_actions.open, &QAction::triggered, this, [this] {
        if (const QString path = m_files.askForModel(); !path.isEmpty())
            open(path);
    });
    connect(m_actions.openInWindow, &QAction::triggered, this, [this] {
        if (const QString path = m_files.askForModel(); !path.isEmpty())
            openInOtherWindow(path);
    });
    connect(m_actions.newWindow, &QAction::triggered, this, [this] { openInOtherWindow({}); });
    connect(m_actions.reload, &QAction::triggered, &m_files, &FileCommands::reload);
    connect(m_actions.attachWeights, &QAction::triggered, &m_files, &FileCommands::attachWeights);
    connect(m_actions.openMeasured, &QAction::triggered, this,
            [this] { openMeasured(m_files.askForMeasuredStep()); });
    connect(m_actions.save, &QAction::triggered, &m_files, &FileCommands::save);
    connect(m_actions.saveAs, &QAction::triggered, &m_files, &FileCommands::saveAs);
    connect(m_actions.exportStages, &QAction::triggered, &m_files, &FileCommands::exportStages);
    connect(m_actions.exportPlan, &QAction::triggered, &m_files, &FileCommands::exportPlan);
    connect(m_actions.exportPicture, &QAction::triggered, &m_files, &FileCommands::exportPicture);
    connect(m_actions.exportReport, &QAction::triggered, &m_files, &FileCommands::exportReport);
    connect(m_actions.saveSchedule, &QAction::triggered, &m_files, &FileCommands::saveSchedule);
    connect(&m_files, &FileCommands::saved, this, [this](const QString& path) {
        statusBar()->showMessage(tr("Saved %1").arg(shownText(path)), 4000);
    });
    connect(m_actions.close, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
    quitFromDialogs(this, m_actions.quit);
    connect(m_welcome, &WelcomePage::openRequested, m_actions.open, &QAction::trigger);
    connect(m_welcome, &WelcomePage::fileChosen, this, &MainWindow::open);
}

void MainWindow::openMeasured(const std::vector<std::filesystem::path>& files)
{
    if (!files.empty())
        m_docks->show(m_views.schedule);
    m_document.analyses().openMeasuredStep(files);
}

void MainWindow::openInOtherWindow(const QString& path)
{
    auto* window = new MainWindow(m_environment); // deletes itself when it is closed
    window->setGeometry(
        besideOnScreen(geometry(), QPoint(em(this, 2), em(this, 2)), screen()->availableGeometry()));
    window->show();
    if (!path.isEmpty())
        window->open(path);
}

void MainWindow::connectEditActions()
{
    Selection* selection = m_views.selection;
    connect(m_actions.selectAll, &QAction::triggered, this, [this, selection] {
        std::vector<NodeId> nodes;
        for (const NodeId node : m_document.model()->graph.nodes())
            nodes.push_back(node);
        selection->setNodes(std::move(nodes));
    });
    connect(m_actions.clearSelection, &QAction::triggered, selection, &Selection::clear);
    connect(m_actions.listOperators, &QAction::triggered, this, [this] { m_docks->show(m_views.operators); });
    connect(m_actions.commands, &QAction::triggered, this,
            [this] { showPalette(this, paletteEntries(*menuBar(), m_document, m_views.selection)); });
    connect(m_actions.goBack, &QAction::triggered, m_history, &SelectionHistory::goBack);
    connect(m_actions.goForward, &QAction::triggered, m_history, &SelectionHistory::goForward);
    connect(m_views.graph, &GraphView::leaving, m_history, &SelectionHistory::leave);
    connect(m_history, &SelectionHistory::returned, m_views.graph, &GraphView::showPlace);
    connect(m_history, &SelectionHistory::changed, this, [this] {
        m_actions.goBack->setEnabled(m_history->canGoBack());
        m_actions.goForward->setEnabled(m_history->canGoForward());
    });
}

void MainWindow::connectPlanActions()
{
    connect(m_bar.stageCount, &QSpinBox::valueChanged, this, [this](int count) {
        PlanRequest request = m_document.asked();
        request.plan.stageCount = static_cast<std::size_t>(count);
        m_document.setRequest(request);
    });
    connect(m_actions.planOptions, &QAction::triggered, this, [this] { m_docks->show(m_views.options); });
    m_views.schedule->addAction(m_actions.saveSchedule);
    m_views.options->setSplitsAgain(m_environment.settings->value("splitAgain").toBool());
    connect(m_views.options, &PlanOptionsPanel::splitsAgainChanged, this,
            [this](bool again) { m_environment.settings->setValue("splitAgain", again); });
}

// The window itself, and what there is to read about it.
void MainWindow::connectWindowActions()
{
    connect(m_actions.hidePanels, &QAction::toggled, m_docks, &Docks::setHidden);
    connect(m_actions.fullScreen, &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });
    connect(&m_compare, &CompareController::historyRequested, m_docks,
            [this] { m_docks->show(m_views.history); });
    connect(m_actions.resetLayout, &QAction::triggered, m_docks, &Docks::resetLayout);
    std::vector<std::pair<QString, QString>> keys;
    for (const QAction* action : {m_actions.open, m_actions.find, m_actions.split, m_actions.exportStages,
                                  m_actions.undo, m_actions.hidePanels, m_actions.keyTable})
        keys.emplace_back(action->text().remove('&').remove("…"),
                          action->shortcut().toString(QKeySequence::NativeText));
    m_welcome->setKeys(keys);
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::modelGone, m_history, &SelectionHistory::clear);
    connect(&m_document, &Document::modelChanged, this, &MainWindow::showModel);
    connect(&m_document, &Document::planChanged, this, &MainWindow::showPlan);
    connect(&m_document, &Document::askedChanged, this, &MainWindow::showAsked);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::showWhetherSaved);
    connect(&m_document, &Document::planSaved, this, [this] {
        statusBar()->showMessage(tr("Saved %1").arg(shownText(m_document.planPath().string())), 4000);
        showPlan();
    });
    connect(&m_document, &Document::splitConfirmed, this, [this] {
        statusBar()->showMessage(
            tr("No better split was found; this one is %1.")
                .arg(qualityText(*m_document.state().cost, m_document.bound(), m_document.stepBound())),
            6000);
    });
}

void MainWindow::showModel()
{
    const bool hasModel = m_document.hasModel();
    if (m_environment.settings && hasModel) {
        const auto& path = m_document.planPath().empty() ? m_document.modelPath() : m_document.planPath();
        addRecentFile(*m_environment.settings, QString::fromStdString(path.string()));
        showRecentFiles();
    }
    m_docks->setEmpty(!hasModel);
    m_centre->setCurrentWidget(hasModel ? static_cast<QWidget*>(m_views.graph) : m_welcome);
    for (QAction* action : m_actions.forModel())
        action->setEnabled(hasModel);
    setUsable(m_bar, hasModel);
    if (hasModel)
        m_bar.stageCount->setMaximum(
            static_cast<int>(std::min<std::size_t>(m_document.model()->graph.nodeCount(), 1024)));
    showPlan();
}

void MainWindow::showAsked()
{
    const PlanRequest asked = m_document.asked();
    const QSignalBlocker quiet(m_bar.stageCount);
    m_bar.stageCount->setSingleStep(static_cast<int>(asked.plan.stagesPerDevice));
    m_bar.stageCount->setValue(static_cast<int>(asked.plan.stageCount));
    m_views.options->setRequest(asked);
}

void MainWindow::showPlan()
{
    showAsked();
    m_actions.estimateTimes->setEnabled(m_document.state().times != nullptr);
    if (!m_document.hasModel())
        return setWindowTitle(tr("Stagecraft"));
    const QString plan = titleText(shownText(m_document.planPath().filename().string()));
    const QString model = titleText(shownText(m_document.model()->name));
    setWindowTitle((plan.isEmpty() ? model : model + " – " + plan) + "[*] – " + tr("Stagecraft"));
    showWhetherSaved();
}

void MainWindow::showRecentFiles()
{
    m_recent->show(recentFiles(*m_environment.settings, m_environment.place("forms")));
}

void MainWindow::restoreWindow()
{
    restoreGeometry(m_environment.settings->value("window/geometry").toByteArray());
    m_docks->setEmpty(false); // as they were when the state was kept
    m_isArranged = restoreState(m_environment.settings->value("window/state").toByteArray(), stateVersion);
    m_docks->setEmpty(!m_document.hasModel());
}

// Its size is known now.
void MainWindow::showEvent(QShowEvent* event)
{
    if (!std::exchange(m_isArranged, true))
        m_docks->resetLayout();
    QMainWindow::showEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files.mayLeavePlan())
        return event->ignore();
    m_session.keepNow();
    m_docks->setEmpty(false); // so that the arrangement is kept as it is with a model
    m_actions.hidePanels->setChecked(false);
    m_environment.settings->setValue("window/geometry", saveGeometry());
    m_environment.settings->setValue("window/state", saveState(stateVersion));
    event->accept();
    deleteWhenAtRest();
}

void MainWindow::deleteWhenAtRest()
{
    m_document.stopWork();
    if (m_document.isAtRest())
        return deleteLater();
    connect(&m_document, &Document::cameToRest, this, &QObject::deleteLater);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_drops->accepts(droppedFiles(event->mimeData())))
        takeAsCopy(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_drops->take(droppedFiles(event->mimeData()));
    takeAsCopy(event);
}

} // namespace stagecraft
