#include "app/window/help_commands.h"

#include "app/document/document.h"
#include "app/window/about_box.h"
#include "app/window/docks.h"
#include "app/window/key_table.h"
#include "app/window/panel_help.h"
#include "app/window/preferences.h"
#include "views/base/dialog_size.h"
#include "views/base/icons.h"
#include "views/base/theme.h"
#include "views/pages/tour.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

constexpr const char* tourSeenKey = "tour/seen";

} // namespace

HelpCommands::HelpCommands(QMainWindow* window, const Menus& menus, const Actions& actions,
                           const WindowViews& views, Docks* docks, Document& document, QSettings* settings)
    : QObject(window),
      m_window(window),
      m_actions(actions),
      m_views(views),
      m_docks(docks),
      m_document(document),
      m_settings(settings)
{
    setPanelHelp(views);
    addActions(menus);
    connect(actions.keyTable, &QAction::triggered, this,
            [this] { showKeyTable(m_window, keySections(*m_window->menuBar())); });
    connect(actions.about, &QAction::triggered, this, [this] { showAbout(m_window); });
    connect(actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
    connect(&document, &Document::drawingChanged, this, [this] {
        if (m_waitsForModel && m_document.hasModel() && m_document.drawing())
            startTour();
    });
}

void HelpCommands::addActions(const Menus& menus)
{
    const auto make = [this](const QString& text, const QString& tip, const char* icon,
                             QKeySequence key = {}) {
        auto* action = new QAction(themedIcon(icon), text, m_window);
        action->setShortcut(key);
        action->setStatusTip(tip);
        action->setToolTip(
            key.isEmpty() ? tip : QString("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
        return action;
    };
    QAction* panel = make(tr("&This panel"), tr("What the panel that has the keyboard is for"), "info",
                          QKeySequence("F1"));
    QAction* tour = make(tr("T&our"), tr("Three steps through the window"), "graph");
    QAction* preferences =
        make(tr("Pr&eferences…"), tr("Theme, language, text size, what new plans are made for"), "settings",
             QKeySequence("Ctrl+,"));
    preferences->setMenuRole(QAction::PreferencesRole);
    connect(panel, &QAction::triggered, this, &HelpCommands::showPanelHelp);
    connect(tour, &QAction::triggered, this, &HelpCommands::startTour);
    connect(preferences, &QAction::triggered, this,
            [this] { editPreferences(m_window, m_document, m_actions, m_settings); });
    menus.help->insertActions(m_actions.keyTable, {panel, tour});
    menus.edit->addSeparator();
    menus.edit->addAction(preferences);
}

void HelpCommands::showPanelHelp()
{
    const QString text = panelHelp(QApplication::focusWidget());
    if (text.isEmpty())
        return m_actions.keyTable->trigger();
    auto* dialog = new QDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Help"));
    resizeOnScreen(dialog, {em(m_window, 30), em(m_window, 22)});
    auto* shown = new QTextBrowser(dialog);
    shown->setAccessibleName(tr("What this panel is for"));
    shown->setFrameShape(QFrame::NoFrame);
    shown->setOpenLinks(false);
    shown->setHtml(text +
                   QStringLiteral("<p><a href='keys'>%1</a></p>").arg(tr("All keys (?)").toHtmlEscaped()));
    connect(shown, &QTextBrowser::anchorClicked, dialog, [this, dialog] {
        dialog->close();
        m_actions.keyTable->trigger();
    });
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(shown);
    dialog->show();
}

void HelpCommands::offerTour()
{
    m_waitsForModel = !m_settings->value(tourSeenKey).toBool();
}

void HelpCommands::startTour()
{
    if (m_tour)
        return;
    m_waitsForModel = !m_document.hasModel();
    if (m_waitsForModel) {
        m_window->statusBar()->showMessage(
            tr("The tour begins when a model is open: choose one of the examples, for a start."), 10000);
        return;
    }
    m_actions.hidePanels->setChecked(false);
    QToolBar* bar = m_window->findChild<QToolBar*>("bar");
    m_tour = new Tour(
        m_window,
        {{m_views.graph, tr("The model, and where it is cut"),
          tr("Boxes are modules: a double click opens one. Bands are stages, and the lines between them "
             "boundaries, which the program has placed where no better place is known. Drag one: all figures "
             "follow."),
          nullptr},
         {m_views.stages, tr("What each stage takes"),
          tr("Time and memory of each stage, and below how far this plan can be from the best. Device, "
             "schedule and "
             "memory limit are chosen under Plan, beside it."),
          [this] { m_docks->show(m_views.stages); }},
         {bar ? bar->widgetForAction(m_actions.exportStages) : nullptr, tr("Stages that run"),
          tr("Writes the stages as PyTorch modules, with what trains them under torchrun. F1 explains the "
             "panel "
             "that has the keyboard; Ctrl+K finds every command."),
          nullptr}});
    connect(m_tour, &Tour::ended, this, [this] { m_settings->setValue(tourSeenKey, true); });
}

} // namespace stagecraft
