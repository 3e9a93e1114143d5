#include "views/base/elided_label.h"

#include "views/base/plain_text.h"
#include "views/base/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace stagecraft {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
}

QRect ElidedLabel::room() const
{
    return contentsRect().adjusted(margin(), margin(), -margin(), -margin());
}

QString ElidedLabel::readableText() const
{
    return fontMetrics().elidedText(text(), Qt::ElideRight, room().width());
}

QSize ElidedLabel::minimumSizeHint() const
{
    const QMargins around = contentsMargins();
    return {em(this, 2) + around.left() + around.right(), QLabel::minimumSizeHint().height()};
}

bool ElidedLabel::event(QEvent* event)
{
    const QString whole = text();
    if (event->type() != QEvent::ToolTip || readableText() == whole)
        return QLabel::event(event);
    const QString help = toolTip().isEmpty() ? whole : whole + '\n' + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), toolTipText(help), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawFrame(&painter);
    style()->drawItemText(&painter, room(), static_cast<int>(alignment()), palette(), isEnabled(),
                          readableText(), foregroundRole());
}

} // namespace stagecraft
