// CellDelegate: a table cell with a figure, and beside or below it stage chips, a bar, a difference.
//
//     │ ①②          +3 %   12.4 ms │
//     │ ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇|▇▇▁▁▁▁▁▁▁ │
#pragma once

#include "core/plan/partition.h"
#include "views/base/theme.h"

#include <QStyledItemDelegate>

#include <optional>
#include <vector>

namespace stagecraft {

// What a model gives under cellRole; the figure itself is Qt::DisplayRole.
struct CellContent
{
    enum class Change { Neutral, Better, Worse };

    QColor swatch;                   // a square before the text; invalid: none
    std::vector<StageId> chips;      // drawn before the text
    std::optional<double> bar;       // 0 .. 1 of the cell's width
    std::optional<double> tick;      // where a limit or an average is
    std::optional<StageId> barStage; // whose colour the bar has; none: the accent's
    bool overLimit = false;          // bar and text in the danger colour
    bool faint = false;              // text in the muted colour
    bool bold = false;
    QString note;  // muted, after the text
    QString badge; // a short word in a frame after the text
    QString change;
    Change changeKind = Change::Neutral;
};

inline constexpr int cellRole = Qt::UserRole + 1;

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit CellDelegate(QWidget* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    double paintChips(QPainter& painter, const QRectF& rect, const CellContent& content) const;
    void paintBar(QPainter& painter, const QRectF& cell, const CellContent& content) const;
    void paintText(QPainter& painter, QRectF rect, const QModelIndex& index,
                   const CellContent& content) const;
    double paintBadge(QPainter& painter, const QRectF& rect, const QString& badge) const;

    const QWidget* m_widget;
};

} // namespace stagecraft

Q_DECLARE_METATYPE(stagecraft::CellContent)
