// StagesModel: the stages of a plan as a table, a row each; figures of a previewed plan with differences.
#pragma once

#include "views/base/cell_delegate.h"
#include "views/base/plan_view.h"

#include <QAbstractTableModel>

#include <memory>

namespace stagecraft {

enum class StageColumn {
    Stage,
    Time,
    Peak,
    Gap,
    Sent,
    Received,
    Forward,
    Backward,
    Again,
    Kept,
    Freed,
    Buffers,
    Parameters,
    InFlight,
    Ops,
};
inline constexpr int stageColumnCount = static_cast<int>(StageColumn::Ops) + 1;

QString stageColumnTitle(StageColumn column);

// Bytes that a stage receives and sends for one microbatch: activations downwards, gradients upwards.
Bytes bytesReceived(const PlanCost& cost, StageId stage);
Bytes bytesSent(const PlanCost& cost, StageId stage);
// Share of a step in which the stage's device computes nothing, 0 .. 1: on average over devices the bubble.
double idleShare(const PlanCost& cost, StageId stage);

// Activations that the stage keeps at once, of all microbatches in flight.
Bytes bytesKept(const StageCost& cost);
// Of each stage what one microbatch would keep where nothing ran again; empty: nothing does.
Table<StageId, Bytes> savedWithout(const PlanView& plan);

// What a column is sorted by, added up and written for machines as: seconds, bytes, counts, shares.
double stageCellValue(const PlanCost& cost, StageId stage, StageColumn column);
// The text of a cell, without its difference.
QString stageCellText(const PlanCost& cost, StageId stage, StageColumn column);
// Bar, chip, badge; with a `base` that has such a stage, the difference to it.
CellContent stageCellContent(const PlanCost& cost, const PlanCost* base, StageId stage, StageColumn column);

class StagesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // Both null: no rows.
    void setPlans(std::shared_ptr<const PlanCost> cost, std::shared_ptr<const PlanCost> preview);
    // savedWithout() of the plan that is shown.
    void setSavedWithout(Table<StageId, Bytes> saved);
    // B: differences are to it while nothing is previewed; null: none.
    void setCompared(std::shared_ptr<const PlanCost> other);
    // What differences are to; null: nothing.
    const PlanCost* base() const { return m_preview ? m_cost.get() : m_compared.get(); }
    // The plan that is shown: the preview, if there is one.
    const PlanCost* shown() const { return m_preview ? m_preview.get() : m_cost.get(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    // Bytes that are not kept, as they run again; none: nothing does.
    std::optional<Bytes> freed(StageId stage) const;
    QVariant freedData(StageId stage, int role) const;

    std::shared_ptr<const PlanCost> m_cost;
    std::shared_ptr<const PlanCost> m_preview;
    Table<StageId, Bytes> m_savedWithout;
    std::shared_ptr<const PlanCost> m_compared;
};

} // namespace stagecraft
