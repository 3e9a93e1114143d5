// ModuleTreeView: the model's modules and operators with what they cost and the stages they are in.
//
// A module that is called in several places is one row. Operators are rows too, so that everything the graph
// can do is reachable with the keyboard:
//
//     Enter                 reveal in the other views     Ctrl+Shift+Up/Down   send to the stage before,
//     after S                     split before it               Shift+S              split after it
//
// The filter keeps rows whose name, class or operator contains every word typed, with the rows above them.
#pragma once

#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QList>
#include <QWidget>

#include <memory>
#include <vector>

class QAction;
class QItemSelection;
class QLabel;
class QLineEdit;
class QModelIndex;
class QSortFilterProxyModel;
class QTreeView;

namespace stagecraft {

class ModuleModel;
class TableTools;
struct Overlay;

class ModuleTreeView : public QWidget
{
    Q_OBJECT

public:
    explicit ModuleTreeView(Selection* selection, QWidget* parent = nullptr);

    // Keeps open branches and the filter if the graph is the same.
    void setPlan(const PlanView& plan);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Figures of the person's own: columns of the table; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    // What the menu of a row offers besides; they act on the selection. Those that are disabled are left out.
    void setMenuActions(const QList<QAction*>& actions) { m_menuActions = actions; }

signals:
    void sendRequested(const std::vector<NodeId>& nodes, StageDirection direction);
    // A boundary before the first, or after the last, of `nodes` in execution order.
    void splitRequested(const std::vector<NodeId>& nodes, SplitSide side);

private:
    std::vector<NodeId> selectedNodes() const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void showMenu(const QPoint& position);
    void setFilter(const QString& text);
    void expandToMatches(const QModelIndex& index);
    void readSelection();
    void showSelection();
    void reveal(const std::vector<NodeId>& nodes);
    void showStart();
    void fitColumns();
    void fitNames();

    Selection* m_selection;
    std::shared_ptr<const Graph> m_graph;
    ModuleModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_field;
    QTreeView* m_view;
    TableTools* m_tools;
    int m_nameWidth = 0; // of the names, as it was set here last
    QLabel* m_empty;
    QList<QAction*> m_menuActions;
    bool m_settingSelection = false;
};

// A filter that keeps rows which match, what is above and what is below them; owned by `model`.
QSortFilterProxyModel* makeModuleFilter(ModuleModel* model);

} // namespace stagecraft
