#include "views/base/dialog_size.h"

#include "views/base/theme.h"

#include <QScreen>
#include <QWidget>

namespace stagecraft {

void resizeOnScreen(QWidget* dialog, QSize wanted)
{
    const QSize title(0, em(dialog, 3));
    dialog->resize(wanted.boundedTo(dialog->screen()->availableSize() - title));
}

QRect besideOnScreen(const QRect& other, QPoint step, const QRect& screen)
{
    const QSize most = screen.size() - QSize(step.x(), step.y());
    QRect place(other.topLeft() + step, other.size().boundedTo(most));
    if (!screen.contains(place))
        place.moveTopLeft(screen.topLeft() + step);
    return place;
}

} // namespace stagecraft
