#include "views/base/cell_delegate.h"

#include "views/base/colors.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr std::size_t mostChips = 4;

QFont fontOf(const CellContent& content, QFont font)
{
    if (content.bold)
        font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

CellDelegate::CellDelegate(QWidget* parent) : QStyledItemDelegate(parent), m_widget(parent) {}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const auto content = index.data(cellRole).value<CellContent>();
    const QFontMetricsF metrics(fontOf(content, item.font));
    double width = std::ceil(metrics.horizontalAdvance(item.text)) + em(m_widget, 1.1);
    width += static_cast<double>(std::min(content.chips.size(), mostChips)) * em(m_widget, 1.25);
    if (content.swatch.isValid())
        width += em(m_widget, 1.1);
    if (!content.change.isEmpty())
        width += metrics.horizontalAdvance(content.change) + em(m_widget, 0.5);
    if (!content.badge.isEmpty())
        width += metrics.horizontalAdvance(content.badge) + em(m_widget, 1.0);
    return {static_cast<int>(width), em(m_widget, 1.75)};
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const auto content = index.data(cellRole).value<CellContent>();
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    item.state &= ~QStyle::State_HasFocus; // the row's frame below says it
    QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(item.font);
    const double margin = em(m_widget, 0.4);
    QRectF rect = QRectF(option.rect).adjusted(margin, 0, -margin, 0);
    paintBar(*painter, rect, content);
    if (content.swatch.isValid()) {
        const double side = em(m_widget, 0.75);
        painter->fillRect(QRectF(rect.left(), rect.center().y() - side / 2, side, side), content.swatch);
        rect.setLeft(rect.left() + em(m_widget, 1.1));
    }
    rect.setLeft(rect.left() + paintChips(*painter, rect, content));
    paintText(*painter, rect, index, content);
    painter->restore();
}

double CellDelegate::paintChips(QPainter& painter, const QRectF& rect, const CellContent& content) const
{
    if (content.chips.empty())
        return 0;
    const Theme theme = applicationTheme();
    const double side = em(m_widget, 1.05);
    const bool twoDigits = content.chips.back().index() >= 9;
    const double step = side * (twoDigits ? 1.3 : 1.0) + em(m_widget, 0.15);
    QRectF chip(rect.left(), rect.center().y() - side / 2, step - em(m_widget, 0.15), side);
    painter.setFont(scaledFont(m_widget, 0.85, QFont::DemiBold));
    const auto fitting = static_cast<std::size_t>(std::max(1.0, (rect.width() + em(m_widget, 0.15)) / step));
    const bool all = content.chips.size() <= fitting;
    const std::size_t shown = all ? content.chips.size() : fitting - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        drawStageChip(painter, chip, theme, content.chips[i]);
        chip.translate(step, 0);
    }
    if (shown < content.chips.size()) {
        painter.setPen(theme.mutedText);
        const QString more = QStringLiteral("+%1").arg(content.chips.size() - shown);
        painter.drawText(chip.adjusted(0, 0, side, 0), Qt::AlignVCenter | Qt::AlignLeft, more);
        chip.translate(step, 0);
    }
    painter.setFont(m_widget->font());
    return chip.left() - rect.left() + em(m_widget, 0.2);
}

void CellDelegate::paintBar(QPainter& painter, const QRectF& cell, const CellContent& content) const
{
    if (!content.bar)
        return;
    const Theme theme = applicationTheme();
    const double height = em(m_widget, 0.2);
    const QRectF track(cell.left(), cell.bottom() - height - 1, cell.width(), height);
    painter.fillRect(track, theme.highContrast ? theme.surface : theme.grid);
    QRectF bar = track;
    bar.setWidth(track.width() * std::clamp(*content.bar, 0.0, 1.0));
    if (content.overLimit)
        painter.fillRect(bar, theme.danger);
    else if (content.barStage)
        fillStage(painter, bar, theme, *content.barStage);
    else
        painter.fillRect(bar, theme.mutedText);
    if (content.tick) {
        const double x = track.left() + track.width() * std::clamp(*content.tick, 0.0, 1.0);
        painter.fillRect(QRectF(x - 0.75, track.top() - height * 0.5, 1.5, height * 1.5), theme.text);
    }
}

double CellDelegate::paintBadge(QPainter& painter, const QRectF& rect, const QString& badge) const
{
    const Theme theme = applicationTheme();
    const QFont font = scaledFont(m_widget, 0.8, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    QRectF frame(0, 0, metrics.horizontalAdvance(badge) + em(m_widget, 0.6), metrics.height() + 2);
    if (frame.width() > rect.width())
        return 0;
    frame.moveCenter(rect.center());
    frame.moveLeft(rect.left());
    painter.setFont(font);
    painter.setPen(theme.warning);
    painter.setBrush(theme.highContrast ? theme.surface : mixed(theme.surface, theme.warning, 0.12));
    painter.drawRoundedRect(frame, frame.height() * 0.3, frame.height() * 0.3);
    painter.drawText(frame, Qt::AlignCenter, badge);
    painter.setFont(m_widget->font());
    return frame.width();
}

void CellDelegate::paintText(QPainter& painter, QRectF rect, const QModelIndex& index,
                             const CellContent& content) const
{
    const Theme theme = applicationTheme();
    if (content.bar)
        rect.setBottom(rect.bottom() - em(m_widget, 0.2));
    const QFont font = fontOf(content, m_widget->font());
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const QVariant alignmentData = index.data(Qt::TextAlignmentRole);
    const bool right = alignmentData.isValid() && (alignmentData.toInt() & Qt::AlignRight);
    const QString text =
        metrics.elidedText(index.data().toString(), right ? Qt::ElideLeft : Qt::ElideRight, rect.width());
    painter.setPen(content.overLimit ? theme.danger : content.faint ? theme.mutedText : theme.text);
    painter.drawText(rect, Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft), text);

    QRectF rest = rect;
    const double used = metrics.horizontalAdvance(text) + em(m_widget, 0.4);
    right ? rest.setRight(rest.right() - used) : rest.setLeft(rest.left() + used);
    if (!content.note.isEmpty()) {
        painter.setFont(m_widget->font());
        painter.setPen(theme.mutedText);
        const QString note = metrics.elidedText(content.note, Qt::ElideRight, rest.width());
        painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, note);
        rest.setLeft(rest.left() + metrics.horizontalAdvance(note) + em(m_widget, 0.4));
    }
    if (!content.badge.isEmpty())
        rest.setLeft(rest.left() + paintBadge(painter, rest, content.badge));
    if (content.change.isEmpty())
        return;
    const QColor color = content.changeKind == CellContent::Change::Better  ? theme.success
                         : content.changeKind == CellContent::Change::Worse ? theme.danger
                                                                            : theme.mutedText;
    const QFont changeFont = scaledFont(m_widget, 0.9, QFont::DemiBold);
    const bool fits = QFontMetricsF(changeFont).horizontalAdvance(content.change) <= rest.width();
    const auto arrow = content.change.startsWith('+') ? QStringLiteral("▴") : QStringLiteral("▾");
    painter.setFont(changeFont);
    painter.setPen(color);
    // What is left of a narrow cell is the gap before the figure, too: an arrow is drawn whole or not at all.
    const double room = rest.width() + em(m_widget, 0.3);
    if (fits)
        painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, content.change);
    else if (QFontMetricsF(changeFont).horizontalAdvance(arrow) <= room)
        painter.drawText(QRectF(rest.topLeft(), QSizeF(room, rest.height())),
                         Qt::AlignVCenter | Qt::AlignLeft, arrow);
}

} // namespace stagecraft
