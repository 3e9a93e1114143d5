// MainWindow: composes; what happens is in Document and the controllers.
//
//     menu, bar     Open | Stages [4] Split | Undo Redo | Fit  Detail  Colour by | Find | Export
//     message bar   what went wrong or is worth knowing
//     centre        the graph; before there is a model, the welcome page
//     docks         Model, Stages, Plan, Memory | Code, Details | Charts, Schedule, Stage counts, Trade-offs
//     status bar    model, selection, slowest stage, bound, running job
//
// One model a window. Closing hides it at once; it deletes itself when the work under way has noticed.
#pragma once

#include "app/document/document.h"
#include "app/document/environment.h"
#include "app/document/model_watch.h"
#include "app/document/selection_history.h"
#include "app/document/times_source.h"
#include "app/document/trade_off_search.h"
#include "app/window/actions.h"
#include "app/window/finder.h"
#include "app/window/window_views.h"

#include <QMainWindow>

class QSlider;
class QSpinBox;
class QStackedWidget;

namespace stagecraft {

class Docks;
class ExportDialog;
class FindField;
class MessageBar;
class WelcomePage;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(Environment environment);
    ~MainWindow() override;

    void open(const QString& path);
    Document& document() { return m_document; }
    const WindowViews& views() const { return m_views; }
    const Actions& actionTable() const { return m_actions; }
    MessageBar& messageBar() { return *m_messages; } // for tests

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildToolBar();
    void connectFileActions();
    void connectEditActions();
    void connectViewActions();
    void connectStageActions();
    void connectHoldActions();
    void connectAnalyseActions();
    void connectHelpActions();
    void connectDocument();
    void connectMessages();
    void restoreWindow();
    void deleteWhenAtRest();

    QString askForFile(); // empty: none was chosen
    void attachWeights();
    // May the plan that is there go? Asks where it was edited and not saved, and waits until it is.
    bool mayLeavePlan();
    bool saveAndWait();
    void openInOtherWindow(const QString& path);
    bool save(); // false: no file was chosen
    bool saveAs();
    void exportStages();
    void exportPicture();
    void showRecentFiles();
    void forgetModel();
    void showModel();
    void showPlan();
    void showWhetherSaved();
    void showStageActions();
    void saveSchedule();
    void watchModel();
    bool mayWrite(const QString& path); // says why not
    void runStep();
    void importTimes();
    void offerToSplitAnew();
    enum class Extent { OneModule, WholeClass };
    std::vector<std::vector<NodeId>> selectedBlocks(Extent extent) const;
    void toggleBlocks(Extent extent);
    void showBlockActions();
    void showGraphMenu(GraphView::MenuSubject subject, const QPoint& position);
    void search(const QString& text);
    void revealMatch(std::optional<NodeId> node);
    void applyTheme(const QString& name);
    void runMessageAction(const QString& messageId, const QString& actionId);
    void showStatistics();

    Environment m_environment;
    Document m_document;
    ModelWatch m_modelWatch;
    TradeOffSearch m_tradeOffs;
    TimesSource m_times;
    Finder m_finder;
    WindowViews m_views;
    SelectionHistory* m_history;
    Actions m_actions;
    Menus m_menus{};
    Docks* m_docks = nullptr;
    bool m_isAskingToLeave = false;
    bool m_isArranged = false; // as it was left, or as the size of the window asks for
    QStackedWidget* m_centre = nullptr;
    WelcomePage* m_welcome = nullptr;
    MessageBar* m_messages = nullptr;
    std::map<QString, std::vector<NodeId>> m_noticed; // what messages are about, by their ids
    std::shared_ptr<const GivenTimes> m_shownTimes;
    std::shared_ptr<const PartitionProblem> m_unfit; // that a message says no plan fits
    QSpinBox* m_stageCount = nullptr;
    QSlider* m_detail = nullptr;
    ColorBySelector* m_colorBy = nullptr;
    FindField* m_find = nullptr;
};

} // namespace stagecraft
