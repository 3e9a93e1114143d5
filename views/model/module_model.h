// ModuleModel: modules and operators as a tree, in execution order, with sums of what they cost.
#pragma once

#include "core/exchange/overlay.h"
#include "core/profile/block_figures.h"
#include "views/base/cell_delegate.h"
#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"

#include <QAbstractItemModel>

#include <optional>
#include <vector>

namespace stagecraft {

enum class ModuleColumn { Name, Stages, Time, Activations, Parameters, Ops };
// What the filter looks into: name, class, operator.
inline constexpr int searchRole = Qt::UserRole + 2;
inline constexpr int moduleColumnCount = static_cast<int>(ModuleColumn::Ops) + 1;

class ModuleModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    explicit ModuleModel(QObject* parent = nullptr);
    ~ModuleModel() override;

    // Resets the rows only if the graph is another one.
    void setPlan(const PlanView& plan);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Figures of the person's own, a column each behind the others, until another graph comes; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    // Counted in every row, and all others are faint; ascending, none: nothing is looked for.
    void setMatches(std::optional<std::vector<NodeId>> matches);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // Nodes of the row and all below it, in execution order.
    const std::vector<NodeId>& nodesOf(const QModelIndex& index) const;
    std::optional<NodeId> nodeOf(const QModelIndex& index) const; // of an operator's row
    QModelIndex indexOf(NodeId node) const;                       // invalid if the graph has none such
    // The row that stands for exactly these nodes (ascending), the outermost one; invalid if there is none.
    QModelIndex indexOf(const std::vector<NodeId>& nodes) const;

private:
    struct Row;
    const Row& rowOf(const QModelIndex& index) const;
    QModelIndex indexOfRow(std::size_t row) const;
    void tellChange(const QModelIndex& parent);
    // A plan's new stages, where no more than that is new.
    void moveNodes(const Partition& before);
    void tellMoves(const QModelIndex& parent, const std::vector<char>& hasMoved);
    void setGraph(const PlanView& plan);
    void buildRows();
    void addModules();
    void addNodes();
    void sumCosts();
    void sumCompared();
    void listStages(Row& row) const;
    void countMatches();
    QString text(const Row& row, ModuleColumn column) const;
    QVariant value(const Row& row, ModuleColumn column) const;
    CellContent content(const Row& row, ModuleColumn column) const;
    void addComparison(CellContent& content, const Row& row, ModuleColumn column) const;
    QString help(const Row& row) const;
    // Of a column of the overlay's; none: it is one of the model's own.
    static std::optional<std::size_t> ownFigure(int column);
    QVariant ownData(const Row& row, std::size_t figure, int role) const;
    const std::vector<std::optional<double>>& ownFigures(const Row& row) const;

    PlanView m_plan;
    std::shared_ptr<const ComparedPlan> m_compared;
    std::shared_ptr<const Overlay> m_overlay;
    std::optional<std::vector<NodeId>> m_matches;
    mutable std::optional<BlockMeter> m_meter; // of the plan; none: nobody has asked for help yet
    std::vector<Row> m_rows;                   // modules by id, then nodes by id
};

} // namespace stagecraft
