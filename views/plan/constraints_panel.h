// ConstraintsPanel: the constraints in force on a plan, a row each, to be looked at and deleted.
//
//     Constraints                          [Delete]
//     ▾ Locked boundaries            1
//         1|2                        between 'add_3' and 'linear_7'
//     ▾ Kept together                2
//         model.layers.0             12 ops, stage 1
#pragma once

#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QWidget>

#include <vector>

class QLabel;
class QMenu;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace stagecraft {

// One that a person has put on a plan.
struct ConstraintInForce
{
    enum class Kind {
        Lock,     // a boundary stays; nodes on both sides of it are pinned
        Pin,      // a node stays in its stage
        Group,    // nodes share a stage
        NeverCut, // a value stays in the stage that makes it
        Limit,    // of memory
    };
    Kind kind = Kind::Pin;
    std::vector<NodeId> nodes = {};    // ascending; of a value its producer and its readers
    std::optional<StageId> stage = {}; // of a pin; of a lock the one above
    std::optional<ValueId> value = {}; // that is never cut
    std::vector<Bytes> limits = {};    // one: of all stages

    friend bool operator==(const ConstraintInForce&, const ConstraintInForce&) = default;
};

class ConstraintsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ConstraintsPanel(Selection* selection, QWidget* parent = nullptr);

    // Of a plan of that graph, which is there if there are any.
    void setConstraints(const std::vector<ConstraintInForce>& constraints,
                        std::shared_ptr<const Graph> graph);

signals:
    // They are to be no more; by their places in what was set, ascending.
    void deleteRequested(const std::vector<std::size_t>& chosen);

private:
    void fill();
    void addRow(QTreeWidgetItem* parent, std::size_t index);
    std::vector<std::size_t> chosen() const;
    std::vector<NodeId> chosenNodes() const;
    void showChoice();
    void fillMenu(QMenu& menu);
    void deleteChosen();

    Selection* m_selection;
    QLabel* m_none;
    QTreeWidget* m_rows;
    QPushButton* m_delete;
    std::vector<ConstraintInForce> m_constraints;
    std::shared_ptr<const Graph> m_graph;
};

} // namespace stagecraft
