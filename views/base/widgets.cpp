#include "views/base/widgets.h"

#include "views/base/icons.h"
#include "views/base/theme.h"

#include <QKeyEvent>
#include <QLayout>
#include <QToolButton>

namespace stagecraft {

namespace {

class EventFilter : public QObject
{
public:
    EventFilter(QWidget* widget, std::function<bool(QEvent*)> handle)
        : QObject(widget), m_handle(std::move(handle))
    {
    }

    bool eventFilter(QObject*, QEvent* event) override { return m_handle(event); }

private:
    std::function<bool(QEvent*)> m_handle;
};

} // namespace

void filterEvents(QWidget* widget, std::function<bool(QEvent*)> handle)
{
    widget->installEventFilter(new EventFilter(widget, std::move(handle)));
}

void onThemeChange(QWidget* widget, std::function<void()> retheme)
{
    filterEvents(widget, [retheme = std::move(retheme)](const QEvent* event) {
        if (isThemeChange(event))
            retheme();
        return false;
    });
}

void onShow(QWidget* widget, std::function<void()> shown)
{
    filterEvents(widget, [shown = std::move(shown)](const QEvent* event) {
        if (event->type() == QEvent::Show)
            shown();
        return false;
    });
}

void onKeyPress(QWidget* widget, std::function<bool(int, Qt::KeyboardModifiers)> handle)
{
    filterEvents(widget, [handle = std::move(handle)](const QEvent* event) {
        const auto* key = event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event) : nullptr;
        return key && handle(key->key(), key->modifiers());
    });
}

void leaveWheelToParent(QWidget* field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    filterEvents(field, [](QEvent* event) {
        const bool isWheel = event->type() == QEvent::Wheel;
        if (isWheel)
            event->ignore(); // so that it goes on to the parent
        return isWheel;
    });
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QToolButton* makeChooseButton(const QString& tip)
{
    auto* button = new QToolButton;
    button->setIcon(themedIcon("folder"));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

} // namespace stagecraft
