// CompareController: the menu "Compare", the line that says what B is, the history of plans, and B in every
// view that shows plans beside each other.
#pragma once

#include "app/document/plan_comparison.h"
#include "app/document/plan_history.h"
#include "app/window/window_views.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;
class QSettings;

namespace stagecraft {

class CodeDiff;
class CompareBar;

class CompareController : public QObject
{
    Q_OBJECT

public:
    // All outlive it. It fills `menu`.
    CompareController(QMainWindow* window, QMenu* menu, Document& document, const WindowViews& views,
                      QSettings* settings);

    // For the window to place; the window's child.
    CompareBar* bar() const { return m_bar; }
    PlanHistory& history() { return m_history; }
    PlanComparison& comparison() { return m_comparison; }

signals:
    void historyRequested(); // its panel shall come to the front

private:
    // A plan to compare with, by a choice.
    struct Offer
    {
        QAction* action;
        QString tip;
        std::function<bool()> isOfThisPlan; // has the plan that is shown been made so?
    };
    QAction* add(const QString& text, const QString& tip, const QKeySequence& key,
                 void (CompareController::*act)());
    // A submenu of what that field of a request can be.
    void addField(const QString& title, std::string_view field);
    void fillMenu();
    void fillDevices();
    // Of another schedule, device or precision: all but what the plan has.
    void offerOthers();
    void connectViews();
    void keepPlan();
    void compareUnder(const PlanRequest& request, const QString& title);
    void compareWithBest();
    void compareWithFile();
    void showHistory();
    void showOther();
    void showPlan();
    void showSchedule();
    void showActions();
    void showCode();
    void openCode();

    QMainWindow* m_window;
    Document& m_document;
    const WindowViews& m_views;
    QSettings* m_settings;
    PlanHistory m_history;
    PlanComparison m_comparison;
    CompareBar* m_bar;
    QMenu* m_menu;
    QMenu* m_devices = nullptr;
    std::vector<Offer> m_ofFields; // of another schedule or precision
    std::vector<Offer> m_ofDevices;
    QAction* m_sameCuts = nullptr;
    QAction* m_swap = nullptr;
    QAction* m_drop = nullptr;
    QAction* m_code = nullptr;
    QPointer<CodeDiff> m_diff; // while its window is open
};

} // namespace stagecraft
