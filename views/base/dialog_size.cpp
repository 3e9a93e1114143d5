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

} // namespace stagecraft
