// MemoryPanel: what a training step of the whole model takes on one device, and what is alive at its peak.
//
//     Fits into NVIDIA H100 SXM 80GB
//     allocated 29.1 GiB   reserved 30.2 GiB   device 31.2 of 80.0 GiB
//     At most 24 in a batch: 79.1 GiB                 [Find largest batch]
//     ▆▆▆▆▆▆▆▆▅▅▅▅▅▅▅▅▅▅▅▅▃▃▃▃▂                       a colour a category
//     ▸ ■ Parameters          13.5 GiB    43 %        by category, module or op; a row selects its ops
#pragma once

#include "views/base/compared_plan.h"
#include "views/base/selection.h"
#include "views/charts/memory_rows.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace stagecraft {

class TableTools;

class MemoryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryPanel(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);
    // B, whose figures differences are to; null: none.
    void setCompared(std::shared_ptr<const ComparedPlan> other);
    // Of this profile; none yet, being looked for, or found.
    enum class BatchState { Unknown, Searching };
    void setBatchState(BatchState state);
    void setLargestBatch(const std::optional<LargestBatch>& found);

signals:
    void largestBatchRequested();

private:
    class MemoryBar;
    void prepareRows();
    void showFigures();
    void showRows();
    void addRow(QTreeWidgetItem* parent, const MemoryRow& row);
    bool isCompared() const; // with a profile of the same graph
    void readSelection();

    Selection* m_selection;
    QLabel* m_empty;
    QWidget* m_content;
    QLabel* m_verdict;
    QLabel* m_figures;
    QLabel* m_batch;
    QPushButton* m_findBatch;
    QLabel* m_moment;
    QComboBox* m_by;
    MemoryBar* m_bar;
    QTreeWidget* m_rows;
    TableTools* m_tools;
    PlanView m_plan;
    std::shared_ptr<const ComparedPlan> m_compared;
    Bytes m_total;
};

} // namespace stagecraft
