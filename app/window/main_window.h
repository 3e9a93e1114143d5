// MainWindow: composes; what happens is in Document and the controllers.
//
//     menu, bar     Open | Stages [4] Split | Undo Redo | Fit  Detail  Colour by | Find | Export
//     message bar   what went wrong or is worth knowing
//     centre        the graph; before there is a model, the welcome page
//     docks         Model, Stages, Plan, Memory | Code, Details | Charts, Schedule, Operators, ...
//     status bar    model, selection, slowest stage, bound, running job
//
// One model a window. Closing hides it at once; it deletes itself when the work under way has noticed.
#pragma once

#include "app/document/document.h"
#include "app/document/kept_stars.h"
#include "app/document/selection_history.h"
#include "app/window/actions.h"
#include "app/window/compare_controller.h"
#include "app/window/default_device.h"
#include "app/window/file_commands.h"
#include "app/window/finder.h"
#include "app/window/main_bar.h"
#include "app/window/opening_controller.h"
#include "app/window/recompute_actions.h"
#include "app/window/session_controller.h"
#include "app/window/stage_actions.h"
#include "app/window/window_messages.h"
#include "app/window/window_views.h"

#include <QMainWindow>

class QSettings;
class QStackedWidget;

namespace stagecraft {

class Docks;
class DropController;
class HelpCommands;
class MessageBar;
class RecentList;
class WelcomePage;

// What the program found around it when it started; handed to every window.
struct Environment
{
    std::filesystem::path resources;  // core/base/resources.h
    std::vector<DeviceSpec> devices;  // that come along
    std::filesystem::path dataFolder; // of unsaved edits and own devices; empty: none
    Seconds searchTime{3};            // the most that a search for a split may take
    std::shared_ptr<QSettings> settings;

    // Of what is the person's own; empty: nothing is kept.
    std::filesystem::path place(const char* name) const
    {
        return dataFolder.empty() ? std::filesystem::path() : dataFolder / name;
    }
};

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(Environment environment);
    ~MainWindow() override;

    void open(const QString& path) { m_files.open(path); }
    void offerTour(); // with the first model, to who has not seen it
    void goOnWithLast() { m_session.goOnWithLast(); }
    Document& document() { return m_document; }
    const WindowViews& views() const { return m_views; }
    const Actions& actionTable() const { return m_actions; }
    MessageBar& messageBar() { return *m_messageBar; } // for tests
    // Likewise: is no file looked at, and the document settled?
    bool isSettled() const { return !m_opening.isLooking() && m_document.isSettled(); }

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void connectFileActions();
    void connectEditActions();
    void connectPlanActions();
    void connectWindowActions();
    void connectDocument();
    void restoreWindow();
    void deleteWhenAtRest();
    void openMeasured(const std::vector<std::filesystem::path>& files);
    void openInOtherWindow(const QString& path); // empty: nothing is open there
    void showRecentFiles();
    void showModel();
    void showPlan();
    void showAsked();
    void showWhetherSaved() { setWindowModified(m_document.hasUnsavedEdits()); }

    Environment m_environment;
    Document m_document;
    WindowViews m_views;
    SelectionHistory* m_history;
    Actions m_actions;
    Menus m_menus;
    MainBar m_bar;
    MessageBar* m_messageBar;
    WindowMessages m_messages;
    OpeningController m_opening;
    FileCommands m_files;
    FindController m_find;
    RecomputeActions m_recompute;
    StageActions m_stageActions;
    CompareController m_compare;
    KeptStars m_stars; // goes before what it watches
    SessionController m_session;
    DefaultDevice m_defaultDevice;
    Docks* m_docks;
    DropController* m_drops; // a child
    HelpCommands* m_help;    // a child
    QStackedWidget* m_centre = nullptr;
    WelcomePage* m_welcome = nullptr;
    RecentList* m_recent = nullptr;
    bool m_isArranged = false; // as it was left, or as the size of the window asks for
};

} // namespace stagecraft
