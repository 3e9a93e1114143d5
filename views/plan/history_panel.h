// HistoryPanel: all plans that were tried, a row each, newest first, with what each comes to. Where a plan is
// kept as B, figures have their differences to it.
//
//     Plan  Made for  Step  Slowest device  Peak memory  Bubble  Sent  Quality  How  When
//     ★ 3   4 × A100 · 8 microbatches · BF16 · ZB1P  912 ms ...
//
//     Enter, double click  go back to it      *  star      B  keep as B      Delete  remove
#pragma once

#include "views/base/compared_plan.h"

#include <QDateTime>
#include <QWidget>

#include <vector>

class QLabel;
class QMenu;
class QToolButton;

namespace stagecraft {

class PlanRows;

struct HistoryEntry
{
    std::size_t id = 0;
    QString setup;  // what it is made for
    QString origin; // how it arose
    QDateTime when;
    bool isStarred = false;
    ComparedPlan plan; // with costs
};

class HistoryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);

    // Oldest first. `current` is the plan that is shown, `other` that which is B; none: null or no such id.
    void setPlans(std::vector<HistoryEntry> plans, std::optional<std::size_t> current,
                  std::optional<std::size_t> other);
    // The one whose row is current.
    std::optional<std::size_t> chosen() const;

signals:
    void returnRequested(std::size_t id);
    void starRequested(std::size_t id, bool isStarred);
    void compareRequested(std::size_t id);
    void removeRequested(std::size_t id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const HistoryEntry* chosenEntry() const;
    bool handleKey(int key);
    void fillMenu(QMenu& menu);
    void showButtons();
    void keepWidths();
    void widenColumns();
    void narrowToFit();

    PlanRows* m_rows;
    QLabel* m_empty;
    QWidget* m_bar;
    QToolButton* m_return;
    QToolButton* m_star;
    QToolButton* m_compare;
    QToolButton* m_remove;
    std::vector<HistoryEntry> m_plans; // newest first, as the rows
    std::optional<std::size_t> m_current;
    std::optional<std::size_t> m_other;
    std::vector<int> m_widthsAlone; // of the columns, before there were differences
};

} // namespace stagecraft
