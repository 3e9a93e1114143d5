// Docks: the panels around the graph, where they are at first, and how they are hidden and put back. Panels
// that share a place have tabs and no title of their own; a double click on the tab takes one out.
//
//     ┌ Model | Stages | Plan | Memory ┬─── graph ─────┬ Code ────┐
//     │                                │               ├ Details ─┤
//     ├ Charts | Schedule | Operators | Curve | … ─────┴──────────┤
//
// In a narrow window there is no column on the right: Details are a tab on the left, Code is one below.
#pragma once

#include "app/window/window_views.h"

#include <QDockWidget>
#include <QList>

class QMainWindow;
class QMenu;

namespace stagecraft {

class Docks : public QObject
{
    Q_OBJECT

public:
    enum class Arrangement { Wide, Narrow };

    Docks(QMainWindow* window, const WindowViews& views);

    // A panel beside Plan that only some models have: it is left out until setThere().
    void addOptional(const QString& title, const char* name, QWidget* view);
    void setThere(QWidget* view, bool isThere);
    // Adds an entry for each panel that shows or hides it.
    void fillMenu(QMenu* menu) const;
    // As suits the size that the window has now.
    void resetLayout();
    // Two reasons to leave the panels out, each undone by itself: there is nothing to show in them; the
    // person wants the graph alone. What was hidden before stays hidden afterwards.
    void setEmpty(bool empty);
    void setHidden(bool hidden);
    // Shows the panel and brings it to the front.
    void show(QWidget* view);

private:
    void addTabs(Qt::DockWidgetArea area, const QList<QDockWidget*>& docks);
    void giveSizes(Arrangement arrangement);
    void showReasons();
    void leaveOut(QDockWidget* dock);
    QDockWidget* dockOf(const QWidget* view) const; // null: of none
    void showTitles();
    void floatTab(int index);
    QDockWidget* add(const QString& title, const char* name, QWidget* view, Qt::DockWidgetArea area);

    QMainWindow* m_window;
    QDockWidget* m_model;
    QDockWidget* m_stages;
    QDockWidget* m_plan;
    QDockWidget* m_memory;
    QDockWidget* m_code;
    QDockWidget* m_details;
    QDockWidget* m_charts;
    QDockWidget* m_schedule;
    QDockWidget* m_map;
    QDockWidget* m_stepMemory;
    QDockWidget* m_curve;
    QDockWidget* m_tradeOffs;
    QDockWidget* m_operators;
    QDockWidget* m_history;
    QList<QDockWidget*> m_all;
    QList<QDockWidget*> m_optional;
    QList<QDockWidget*> m_leftOut; // of those: the model has none
    QList<QDockWidget*> m_hiddenByUs;
    QDockWidget* m_front = nullptr; // of those with tabs on the left, when they were hidden
    bool m_isEmpty = false;
    bool m_isHidden = false;
};

} // namespace stagecraft
