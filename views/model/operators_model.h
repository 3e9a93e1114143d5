// OperatorsModel: operators as a flat table, a row each, with what each of them costs.
#pragma once

#include "core/exchange/overlay.h"
#include "views/base/cell_delegate.h"
#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"
#include "views/tables/table_roles.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace stagecraft {

enum class OperatorColumn {
    Name,
    Operator,
    Module,
    Stage,
    Time,
    Forward,
    Backward,
    Kept,
    Made,
    Parameters,
    Work,
    Shape,
    Number,
};
inline constexpr int operatorColumnCount = static_cast<int>(OperatorColumn::Number) + 1;

class OperatorsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // Rows stay where they are while they are of the same graph.
    void setPlan(const PlanView& plan);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Figures of a person's own for this graph, a column each behind all others; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    // Only these, ascending; none: all.
    void setNodes(std::optional<std::vector<NodeId>> nodes);

    NodeId nodeOf(const QModelIndex& index) const { return m_rows[static_cast<std::size_t>(index.row())]; }
    QModelIndex indexOf(NodeId node) const; // invalid if it has no row

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // -1: as they run. Equal ones stay as they run.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void fillRows();
    void sortRows();
    // Of a column of figures.
    std::optional<double> figure(NodeId node, OperatorColumn column) const;
    // What B has there, where it has a figure or a stage.
    std::optional<double> comparedFigure(NodeId node, OperatorColumn column) const;
    void addComparison(CellContent& content, NodeId node, OperatorColumn column) const;
    // Of a column of the overlay's; none: it is one of the model's own.
    std::optional<std::size_t> ownFigure(int column) const;
    QVariant ownData(NodeId node, std::size_t figure, int role) const;
    std::vector<double> sortKeys() const; // by node
    QString help(NodeId node, OperatorColumn column) const;
    QString text(NodeId node, OperatorColumn column) const;
    CellContent content(NodeId node, OperatorColumn column) const;

    PlanView m_plan;
    std::shared_ptr<const ComparedPlan> m_compared;
    std::shared_ptr<const Overlay> m_overlay;
    std::optional<std::vector<NodeId>> m_nodes;
    std::vector<NodeId> m_rows;
    std::vector<int> m_rowOf; // of each node; -1: none
    int m_sortedBy = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    double m_longest = 0; // seconds, of all ops
    double m_largest = 0; // bytes kept
};

} // namespace stagecraft
