#include "views/charts/memory_bar.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace stagecraft {

namespace {

QString nameOf(MemoryCategory category)
{
    return shownText(categoryName(category));
}

} // namespace

QColor categoryColor(const Theme& theme, MemoryCategory category)
{
    return categoryColor(theme, static_cast<std::size_t>(category));
}

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Memory at the peak by category"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MemoryBar::setUse(const MemoryUse& use, Bytes limit)
{
    m_use = use;
    m_limit = limit;
    update();
}

QSize MemoryBar::sizeHint() const
{
    return {em(this, 10), em(this, 1)};
}

double MemoryBar::lengthOf(Bytes bytes) const
{
    const double full = std::max(m_use.total(), m_limit).asDouble();
    return full > 0 ? width() * bytes.asDouble() / full : 0;
}

void MemoryBar::paintEvent(QPaintEvent*)
{
    const Theme theme = applicationTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.grid);
    Bytes before;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        const double left = lengthOf(before);
        before += m_use[category];
        painter.fillRect(QRectF(left, 0, lengthOf(before) - left, height()), categoryColor(theme, category));
    }
    if (m_limit == Bytes(0) || m_limit >= before)
        return;
    painter.fillRect(QRectF(lengthOf(m_limit) - 1, 0, 2, height()), theme.text);
    painter.fillRect(QRectF(lengthOf(m_limit), height() * 0.75, width(), height()), theme.danger);
}

std::optional<MemoryCategory> MemoryBar::categoryAt(int x) const
{
    Bytes before;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        before += m_use[static_cast<MemoryCategory>(i)];
        if (x < lengthOf(before))
            return static_cast<MemoryCategory>(i);
    }
    return {};
}

bool MemoryBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto category = categoryAt(help->pos().x()))
        QToolTip::showText(help->globalPos(), tr("%1: %2").arg(nameOf(*category), toText(m_use[*category])),
                           this);
    else
        QToolTip::showText(help->globalPos(), tr("free on the device"), this);
    return true;
}

} // namespace stagecraft
