// What the window's actions do. The rest is in main_window.cpp.
#include "app/window/main_window.h"

#include "app/document/plan_edit.h"
#include "app/window/docks.h"
#include "app/window/export_controller.h"
#include "app/window/key_table.h"
#include "app/window/theme_choice.h"
#include "core/base/output_file.h"
#include "core/base/same_file.h"
#include "core/layout/svg.h"
#include "views/base/find_field.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/pages/export_dialog.h"
#include "views/pages/welcome_page.h"

#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QStatusBar>

#include <algorithm>

namespace stagecraft {

void MainWindow::connectFileActions()
{
    connect(m_actions.open, &QAction::triggered, this, [this] {
        if (const QString path = askForFile(); !path.isEmpty())
            open(path);
    });
    connect(m_actions.openInWindow, &QAction::triggered, this, [this] {
        if (const QString path = askForFile(); !path.isEmpty())
            openInOtherWindow(path);
    });
    connect(m_actions.reload, &QAction::triggered, this, [this] {
        const auto& path = m_document.planPath().empty() ? m_document.modelPath() : m_document.planPath();
        open(QString::fromStdString(path.string()));
    });
    connect(m_actions.attachWeights, &QAction::triggered, this, &MainWindow::attachWeights);
    connect(m_actions.save, &QAction::triggered, this, &MainWindow::save);
    connect(m_actions.saveAs, &QAction::triggered, this, &MainWindow::saveAs);
    connect(m_actions.exportStages, &QAction::triggered, this, &MainWindow::exportStages);
    connect(m_actions.exportPicture, &QAction::triggered, this, &MainWindow::exportPicture);
    connect(m_actions.close, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
    connect(m_welcome, &WelcomePage::openRequested, m_actions.open, &QAction::trigger);
    connect(m_welcome, &WelcomePage::fileChosen, this, &MainWindow::open);
    watchModel();
}

void MainWindow::watchModel()
{
    connect(&m_document, &Document::modelChanged, this, [this] {
        m_messages->remove("fileChanged");
        m_modelWatch.watch(m_document.model());
    });
    connect(&m_modelWatch, &ModelWatch::changed, this, [this](const QString& text) {
        m_messages->post({"fileChanged", Message::Severity::Warning, text, {}, {{"reload", tr("Reload")}}});
    });
    connect(&m_modelWatch, &ModelWatch::removed, this, [this](const QString& text) {
        m_messages->post({"fileChanged", Message::Severity::Warning, text, {}, {}});
    });
    connect(m_messages, &MessageBar::actionTriggered, this, [this](const QString&, const QString& action) {
        if (action == "reload")
            m_actions.reload->trigger();
    });
}

// Whatever is saved, nothing is written over what is open.
bool MainWindow::mayWrite(const QString& path)
{
    const std::filesystem::path written = path.toStdString();
    const std::filesystem::path& plan = m_document.planPath();
    const bool isOpen =
        m_document.model()->isReadFrom(written) || (!plan.empty() && isSameFile(plan, written));
    if (isOpen)
        m_messages->post({"failed",
                          Message::Severity::Error,
                          tr("%1 is open here, and would be written over; choose another name.").arg(path),
                          {},
                          {}});
    return !isOpen;
}

QString MainWindow::askForFile()
{
    const QString folder = m_environment.settings->value("openFolder").toString();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a model or a plan"), folder,
                                     tr("Models and plans (*.pt2 *.pt *.stagecraft);;All files (*)"));
    if (!path.isEmpty())
        m_environment.settings->setValue("openFolder", QFileInfo(path).absolutePath());
    return path;
}

void MainWindow::attachWeights()
{
    const QString folder = m_environment.settings->value("openFolder").toString();
    const QStringList names = QFileDialog::getOpenFileNames(
        this, tr("The model's weights"), folder, tr("Weights (*.safetensors *.json);;All files (*)"));
    std::vector<std::filesystem::path> files;
    for (const QString& name : names)
        files.emplace_back(name.toStdString());
    m_document.attachWeights(files);
}

void MainWindow::openInOtherWindow(const QString& path)
{
    auto* window = new MainWindow(m_environment); // deletes itself when it is closed
    window->move(pos() + QPoint(em(this, 2), em(this, 2)));
    window->show();
    window->open(path);
}

bool MainWindow::save()
{
    if (m_document.planPath().empty())
        return saveAs();
    m_document.savePlan(m_document.planPath());
    return true;
}

bool MainWindow::saveAs()
{
    const auto beside = m_document.modelPath().parent_path() / (m_document.model()->name + ".stagecraft");
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the plan"), QString::fromStdString(beside.string()), tr("Plans (*.stagecraft)"));
    if (path.isEmpty())
        return false;
    if (!path.endsWith(".stagecraft"))
        path += ".stagecraft";
    m_document.savePlan(path.toStdString());
    return true;
}

bool MainWindow::mayLeavePlan()
{
    if (!m_document.hasUnsavedEdits())
        return true;
    if (std::exchange(m_isAskingToLeave, true))
        return false; // the question is on the screen already
    const std::filesystem::path& plan = m_document.planPath();
    const QString name = shownText(plan.empty() ? m_document.model()->name : plan.filename().string());
    QMessageBox question(QMessageBox::Question, tr("Unsaved plan"),
                         plan.empty() ? tr("Save the plan of “%1”?").arg(name)
                                      : tr("Save the changes to “%1”?").arg(name),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question.setTextFormat(Qt::PlainText);
    question.setDefaultButton(QMessageBox::Save);
    if (m_document.keepsEdits())
        question.setInformativeText(tr("What is not saved is offered again when the file is opened next."));
    const int answer = question.exec();
    const bool may = answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveAndWait());
    m_isAskingToLeave = false;
    return may;
}

// False if it was not saved after all, or edited meanwhile.
bool MainWindow::saveAndWait()
{
    QEventLoop loop;
    bool isOver = false; // perhaps at once
    for (const auto ended : {&Document::planSaved, &Document::planNotSaved})
        connect(&m_document, ended, &loop, [&] {
            isOver = true;
            loop.quit();
        });
    if (!save())
        return false;
    if (!isOver)
        loop.exec();
    return !m_document.hasUnsavedEdits();
}

void MainWindow::exportStages()
{
    auto* dialog = new ExportDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString folder = m_environment.settings->value("exportFolder", QDir::homePath()).toString();
    new ExportController(m_document, *dialog, folder, dialog);
    connect(dialog, &ExportDialog::exportRequested, this, [this, dialog] {
        const std::filesystem::path written = dialog->options().folder;
        m_environment.settings->setValue("exportFolder",
                                         QString::fromStdString(written.parent_path().string()));
    });
    dialog->open();
}

void MainWindow::exportPicture()
{
    if (!m_document.drawing())
        return;
    const auto beside = m_document.modelPath().parent_path() / (m_document.model()->name + ".svg");
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the drawing"), QString::fromStdString(beside.string()), tr("SVG (*.svg)"));
    if (path.isEmpty() || !mayWrite(path))
        return;
    const SvgOptions options{.look =
                                 themeOf(palette()).dark ? SvgOptions::Look::Dark : SvgOptions::Look::Light};
    const Result<Bytes> saved = writeTextFile(path.toStdString(), layoutSvg(*m_document.drawing(), options));
    if (!saved.has_value())
        m_messages->post(
            {"failed", Message::Severity::Error, QString::fromStdString(saved.error().message), {}, {}});
}

void MainWindow::connectEditActions()
{
    Selection* selection = m_views.selection;
    connect(m_actions.find, &QAction::triggered, this, [this] {
        m_find->setFocus(Qt::ShortcutFocusReason);
        m_find->selectAll();
    });
    connect(m_actions.findNext, &QAction::triggered, this, [this] { revealMatch(m_finder.next()); });
    connect(m_actions.findPrevious, &QAction::triggered, this, [this] { revealMatch(m_finder.previous()); });
    connect(m_find, &FindField::searchChanged, this, &MainWindow::search);
    connect(m_find, &FindField::nextRequested, m_actions.findNext, &QAction::trigger);
    connect(m_find, &FindField::previousRequested, m_actions.findPrevious, &QAction::trigger);
    connect(m_find, &FindField::closed, m_views.graph, [this] { m_views.graph->setFocus(); });
    connect(m_actions.selectAll, &QAction::triggered, this, [this, selection] {
        std::vector<NodeId> nodes;
        for (const NodeId node : m_document.model()->graph.nodes())
            nodes.push_back(node);
        selection->setNodes(std::move(nodes));
    });
    connect(m_actions.clearSelection, &QAction::triggered, selection, &Selection::clear);
}

void MainWindow::search(const QString& text)
{
    if (!m_document.hasModel())
        return;
    m_finder.search(m_document.model()->graph, text);
    m_find->setMatches(m_finder.current(), m_finder.count());
    m_find->setToolTip(QString());
    statusBar()->clearMessage();
    const bool isLooking = !text.trimmed().isEmpty();
    m_views.graph->setMatches(isLooking ? std::optional(m_finder.matches()) : std::nullopt);
    if (m_finder.count() > 0)
        return revealMatch(m_finder.next());
    const QString meant = shownText(correctedSearch(m_document.model()->graph, text));
    m_find->setToolTip(meant.isEmpty() ? QString() : toolTipText(tr("Did you mean “%1”?").arg(meant)));
    if (!meant.isEmpty())
        statusBar()->showMessage(tr("No op has “%1”. Did you mean “%2”?").arg(text.trimmed(), meant), 6000);
}

void MainWindow::revealMatch(std::optional<NodeId> node)
{
    if (!node)
        return;
    m_find->setMatches(m_finder.current(), m_finder.count());
    m_views.selection->setNodes({*node});
    m_views.selection->reveal({*node});
}

void MainWindow::connectViewActions()
{
    GraphView* graph = m_views.graph;
    connect(m_actions.fitAll, &QAction::triggered, graph, &GraphView::fitAll);
    connect(m_actions.fitSelection, &QAction::triggered, graph, &GraphView::fitSelection);
    connect(m_actions.actualSize, &QAction::triggered, graph, &GraphView::actualSize);
    const auto zoom = [graph](double factor) { graph->zoomBy(factor, graph->viewport()->rect().center()); };
    connect(m_actions.zoomIn, &QAction::triggered, graph, [=] { zoom(1.25); });
    connect(m_actions.zoomOut, &QAction::triggered, graph, [=] { zoom(0.8); });
    connect(m_actions.expandAll, &QAction::triggered, graph, &GraphView::expandAll);
    connect(m_actions.collapseAll, &QAction::triggered, graph, &GraphView::collapseAll);
    for (QAction* action : m_actions.forGraph()) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        graph->addAction(action);
    }
    graph->setContextMenuPolicy(Qt::DefaultContextMenu); // actions are there for their keys
    connect(graph, &GraphView::menuRequested, this, &MainWindow::showGraphMenu);
    connect(m_actions.toggleBox, &QAction::triggered, graph,
            [graph] { graph->toggleSelected(GraphView::Depth::One); });
    connect(m_actions.toggleBelow, &QAction::triggered, graph,
            [graph] { graph->toggleSelected(GraphView::Depth::All); });
    const auto takeTreeOptions = [this] {
        RunTreeOptions options;
        options.hidden =
            m_actions.showHidden->isChecked() ? RunTreeOptions::Hidden::Show : RunTreeOptions::Hidden::Hide;
        options.folding = m_actions.foldRepeats->isChecked() ? RunTreeOptions::Folding::FoldRepeats
                                                             : RunTreeOptions::Folding::ShowEach;
        m_document.setTreeOptions(options);
    };
    connect(m_actions.showHidden, &QAction::toggled, this, takeTreeOptions);
    connect(m_actions.foldRepeats, &QAction::toggled, this, takeTreeOptions);
    connect(m_detail, &QSlider::valueChanged, this,
            [this](int exponent) { m_document.setDetail(std::size_t{1} << exponent); });
    connect(m_colorBy, &ColorBySelector::colorByChanged, graph, &GraphView::setColorBy);
    auto* colors = new QActionGroup(this);
    for (const ColorBy by :
         {ColorBy::Stage, ColorBy::Time, ColorBy::Memory, ColorBy::OpKind, ColorBy::DType, ColorBy::Origin}) {
        QAction* action = m_menus.colorBy->addAction(colorByName(by));
        action->setToolTip(tr("Colour ops by: %1").arg(colorByName(by)));
        action->setCheckable(true);
        action->setChecked(by == m_colorBy->colorBy());
        colors->addAction(action);
        connect(action, &QAction::triggered, m_colorBy, [this, by] { m_colorBy->setColorBy(by); });
        connect(m_colorBy, &ColorBySelector::colorByChanged, action,
                [action, by](ColorBy chosen) { action->setChecked(chosen == by); });
    }
    connect(m_actions.hidePanels, &QAction::toggled, m_docks, &Docks::setHidden);
    connect(m_actions.fullScreen, &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });
    const QString theme = m_environment.settings->value("theme", "system").toString();
    for (const auto& [action, name] :
         {std::pair(m_actions.systemTheme, "system"), std::pair(m_actions.lightTheme, "light"),
          std::pair(m_actions.darkTheme, "dark")}) {
        action->setChecked(theme == name);
        connect(action, &QAction::triggered, this, [this, name = QString(name)] { applyTheme(name); });
    }
}

void MainWindow::applyTheme(const QString& name)
{
    m_environment.settings->setValue("theme", name);
    stagecraft::applyTheme(*qApp, themeModeOf(name));
}

void MainWindow::connectHelpActions()
{
    connect(m_actions.resetLayout, &QAction::triggered, m_docks, &Docks::resetLayout);
    connect(m_actions.keyTable, &QAction::triggered, this,
            [this] { showKeyTable(this, keySections(*menuBar())); });
    connect(m_actions.about, &QAction::triggered, this, [this] {
        QMessageBox::about(this, tr("About Stagecraft"),
                           tr("<h3>Stagecraft %1</h3><p>Shows where a PyTorch model spends memory and time, "
                              "and splits it into "
                              "pipeline stages that run.</p><p>Free software under the GNU General Public "
                              "License, version 3 "
                              "or later.</p>")
                               .arg(QCoreApplication::applicationVersion()));
    });
    connect(m_actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
    std::vector<std::pair<QString, QString>> keys;
    for (const QAction* action : {m_actions.open, m_actions.find, m_actions.split, m_actions.exportStages,
                                  m_actions.undo, m_actions.hidePanels, m_actions.keyTable})
        keys.emplace_back(action->text().remove('&').remove("…"),
                          action->shortcut().toString(QKeySequence::NativeText));
    m_welcome->setKeys(keys);
}

} // namespace stagecraft
