#include "views/base/wheel_filter.h"

#include <QEvent>
#include <QWidget>

namespace stagecraft {

namespace {

class WheelFilter : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel)
            return QObject::eventFilter(watched, event);
        event->ignore(); // so that it goes on to the parent
        return true;
    }
};

} // namespace

void leaveWheelToParent(QWidget* field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelFilter(field));
}

} // namespace stagecraft
