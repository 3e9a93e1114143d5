#include "app/window/main_window.h"

#include "app/document/gallery.h"
#include "app/window/docks.h"
#include "app/window/key_table.h"
#include "app/window/recent_files.h"
#include "app/window/status_line.h"
#include "views/base/find_field.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/pages/welcome_page.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

// Saved arrangements of another version are not restored.
constexpr int stateVersion = 4;

Document::Settings documentSettings(const Environment& environment)
{
    Document::Settings settings;
    settings.devices = environment.devices;
    settings.dataFolder = environment.dataFolder;
    settings.timeLimit = environment.searchTime;
    settings.choices.deviceId =
        environment.settings->value("device", "a100-sxm-80gb").toString().toStdString();
    if (!findDevice(settings.devices, settings.choices.deviceId).has_value() && !settings.devices.empty())
        settings.choices.deviceId = settings.devices.front().id;
    return settings;
}

// The local file that is dragged over the window; empty if it is something else.
QString droppedFile(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

} // namespace

MainWindow::MainWindow(Environment environment)
    : m_environment(std::move(environment)),
      m_document(documentSettings(m_environment)),
      m_tradeOffs(m_document),
      m_times(m_document),
      m_views(makeViews(this)),
      m_history(new SelectionHistory(m_views.selection)),
      m_actions(makeActions(this, m_document.undoStack()))
{
    setWindowTitle(tr("Stagecraft"));
    setAcceptDrops(true);
    resize(1600, 1000);
    buildCentre();
    m_menus = fillMenuBar(menuBar(), m_actions);
    buildToolBar();
    m_docks = new Docks(this, m_views);
    m_docks->fillMenu(m_menus.panels);
    new StatusLine(statusBar(), m_document, *m_views.selection);
    m_views.options->setDevices(m_document.devices());
    m_views.options->setChoices(m_document.choices());

    linkViews(m_views, m_document);
    linkTradeOffs(m_views, m_document, m_tradeOffs);
    connectFileActions();
    connectEditActions();
    connectViewActions();
    connectStageActions();
    connectHoldActions();
    connectAnalyseActions();
    connectHelpActions();
    connectDocument();
    connectMessages();
    showRecentFiles();
    showModel();
    restoreWindow();
}

MainWindow::~MainWindow()
{
    // Views refer to the selection and tell the document; both are still there while they go.
    disconnect(&m_document, nullptr, this, nullptr);
}

void MainWindow::buildCentre()
{
    m_messages = new MessageBar(this);
    m_welcome = new WelcomePage(this);
    m_welcome->setExportSnippet(exportSnippet());
    const Result<std::vector<GalleryCard>> cards = galleryCards(m_environment.resources);
    if (cards.has_value())
        m_welcome->setGallery(*cards);
    else
        m_messages->post(
            {"gallery", Message::Severity::Warning, QString::fromStdString(cards.error().message), {}, {}});
    m_views.graph->setAccessibleName(tr("Graph"));

    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_views.graph);
    auto* middle = new QWidget(this);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(m_centre, 1);
    setCentralWidget(middle);
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Main bar"));
    bar->setObjectName("bar");
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto addLabel = [bar](const QString& text) {
        auto* label = new QLabel(text, bar);
        label->setContentsMargins(em(bar, spacing::medium), 0, em(bar, spacing::small), 0);
        bar->addWidget(label);
    };
    bar->addAction(m_actions.open);
    bar->addSeparator();

    addLabel(tr("Stages"));
    m_stageCount = new QSpinBox(bar);
    m_stageCount->setRange(1, 1);
    m_stageCount->setKeyboardTracking(false);
    m_stageCount->setAccessibleName(tr("Number of stages"));
    m_stageCount->setToolTip(tr("How many stages to split the model into"));
    bar->addWidget(m_stageCount);
    bar->addAction(m_actions.split);
    bar->addSeparator();
    bar->addActions({m_actions.undo, m_actions.redo});
    bar->addSeparator();
    bar->addAction(m_actions.fitAll);

    addLabel(tr("Detail"));
    m_detail = new QSlider(Qt::Horizontal, bar);
    m_detail->setRange(3, 13); // about 2^n items
    m_detail->setValue(7);
    m_detail->setFixedWidth(em(bar, 8));
    m_detail->setAccessibleName(tr("Detail"));
    m_detail->setToolTip(tr("How many boxes are open, the most expensive first"));
    bar->addWidget(m_detail);
    addLabel(tr("Colour by"));
    m_colorBy = new ColorBySelector(bar);
    m_colorBy->setAccessibleName(tr("Colour by"));
    bar->addWidget(m_colorBy);

    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_find = new FindField(bar);
    m_find->setMaximumWidth(em(bar, 18));
    bar->addWidget(m_find);
    bar->addAction(m_actions.exportStages);
    for (QAction* action : {m_actions.undo, m_actions.redo, m_actions.fitAll}) {
        if (auto* button = bar->widgetForAction(action))
            static_cast<QToolButton*>(button)->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::modelGone, this, &MainWindow::forgetModel);
    connect(&m_document, &Document::modelChanged, this, &MainWindow::showModel);
    connect(&m_document, &Document::planChanged, this, &MainWindow::showPlan);
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showWhetherSaved);
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
    connect(&m_document, &Document::statisticsChanged, this, &MainWindow::showStatistics);
}

// What refers to ops of a model goes with it.
void MainWindow::forgetModel()
{
    m_messages->clear();
    m_noticed.clear();
    m_finder.clear();
    m_find->clear();
    m_history->clear();
    m_shownTimes.reset();
    m_unfit.reset();
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
    m_find->setEnabled(hasModel);
    m_detail->setEnabled(hasModel);
    m_colorBy->setEnabled(hasModel);
    m_stageCount->setEnabled(hasModel);
    if (hasModel)
        m_stageCount->setMaximum(
            static_cast<int>(std::min<std::size_t>(m_document.model()->graph.nodeCount(), 1024)));
    showPlan();
}

void MainWindow::showPlan()
{
    const QSignalBlocker quiet(m_stageCount);
    m_stageCount->setSingleStep(static_cast<int>(m_document.choices().stagesPerDevice));
    m_stageCount->setValue(static_cast<int>(m_document.choices().stageCount));
    m_views.options->setChoices(m_document.choices());
    if (m_document.state().problem != m_unfit)
        m_messages->remove("nothingFits"); // it was about another question
    offerToSplitAnew();
    if (!m_document.hasModel()) {
        setWindowTitle(tr("Stagecraft"));
        return;
    }
    const QString plan = titleText(shownText(m_document.planPath().filename().string()));
    const QString model = titleText(shownText(m_document.model()->name));
    setWindowTitle((plan.isEmpty() ? model : model + " – " + plan) + "[*] – " + tr("Stagecraft"));
    showWhetherSaved();
}

void MainWindow::showWhetherSaved()
{
    setWindowModified(m_document.hasUnsavedEdits());
}

void MainWindow::showRecentFiles()
{
    const QStringList files = recentFiles(*m_environment.settings);
    m_welcome->setRecentFiles(files);
    m_menus.recent->clear();
    for (const QString& file : files) {
        QAction* action = m_menus.recent->addAction(menuText(shownText(QFileInfo(file).fileName())));
        action->setToolTip(toolTipText(shownText(file)));
        action->setEnabled(QFileInfo::exists(file));
        connect(action, &QAction::triggered, this, [this, file] { open(file); });
    }
    m_menus.recent->setToolTipsVisible(true);
    m_menus.recent->setEnabled(!files.isEmpty());
}

void MainWindow::open(const QString& path)
{
    if (mayLeavePlan())
        m_document.open(path.toStdString());
}

void MainWindow::restoreWindow()
{
    restoreGeometry(m_environment.settings->value("window/geometry").toByteArray());
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
    if (!mayLeavePlan())
        return event->ignore();
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
    if (!droppedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    open(droppedFile(event->mimeData()));
    event->acceptProposedAction();
}

} // namespace stagecraft
