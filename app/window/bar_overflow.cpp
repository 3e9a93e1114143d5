#include "app/window/bar_overflow.h"

#include "views/base/icons.h"

#include <QEvent>
#include <QLayout>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace stagecraft {

namespace {

int widthOf(const QToolBar& bar, QAction* action)
{
    const QWidget* widget = bar.widgetForAction(action);
    if (!widget)
        return 0;
    const int hint = std::max(widget->minimumWidth(), widget->minimumSizeHint().width());
    const bool stretches = widget->sizePolicy().horizontalPolicy() & QSizePolicy::ExpandFlag;
    const int wanted = stretches ? hint : std::max(hint, widget->sizeHint().width());
    return std::min(wanted, widget->maximumWidth()) + std::max(bar.layout()->spacing(), 0);
}

} // namespace

int BarOverflow::Part::width() const
{
    int sum = 0;
    for (QAction* action : actions)
        sum += widthOf(*bar, action);
    return sum;
}

BarOverflow::BarOverflow(QToolBar* bar) : QObject(bar), m_bar(bar), m_button(new QToolButton(bar))
{
    m_menu = new QMenu(m_button);
    m_button->setIcon(themedIcon("chevron-down"));
    m_button->setText(tr("More"));
    m_button->setToolTip(tr("What has no room in the bar"));
    m_button->setAccessibleName(tr("More of the bar"));
    m_button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setMenu(m_menu);
    m_button->setStyleSheet("QToolButton::menu-indicator { image: none; }"); // its icon says it
    connect(m_menu, &QMenu::aboutToShow, this, &BarOverflow::fillMenu);
}

void BarOverflow::add(const QList<QAction*>& parts, std::function<void(QMenu*)> fill)
{
    m_parts.push_back({parts, std::move(fill), m_bar});
}

void BarOverflow::watch(QAction* before)
{
    m_buttonAction = m_bar->insertWidget(before, m_button);
    m_buttonAction->setVisible(false);
    m_bar->installEventFilter(this);
    arrange();
}

bool BarOverflow::eventFilter(QObject* object, QEvent* event)
{
    const bool isOfSize = event->type() == QEvent::Resize || event->type() == QEvent::StyleChange ||
                          event->type() == QEvent::FontChange || event->type() == QEvent::Show ||
                          event->type() == QEvent::LayoutRequest; // a part wants more room, or less
    if (object == m_bar && isOfSize)
        QMetaObject::invokeMethod(this, &BarOverflow::arrange, Qt::QueuedConnection);
    return QObject::eventFilter(object, event);
}

int BarOverflow::widthOfAll() const
{
    const QMargins margins = m_bar->layout()->contentsMargins();
    int sum = margins.left() + margins.right();
    for (QAction* action : m_bar->actions())
        if (action != m_buttonAction)
            sum += widthOf(*m_bar, action);
    return sum;
}

void BarOverflow::arrange()
{
    int left = widthOfAll();
    std::size_t hidden = 0;
    if (left > m_bar->width())
        left += m_button->sizeHint().width() + std::max(m_bar->layout()->spacing(), 0);
    while (hidden < m_parts.size() && left > m_bar->width())
        left -= m_parts[hidden++].width();
    m_hidden = hidden;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        for (QAction* action : m_parts[i].actions)
            action->setVisible(i >= hidden);
    m_buttonAction->setVisible(hidden > 0);
}

void BarOverflow::fillMenu()
{
    m_menu->clear();
    for (std::size_t i = m_hidden; i-- > 0;)
        m_parts[i].fillMenu(m_menu);
}

} // namespace stagecraft
