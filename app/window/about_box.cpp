#include "app/window/about_box.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace stagecraft {

void showAbout(QWidget* parent)
{
    QMessageBox::about(
        parent, QObject::tr("About Stagecraft"),
        QObject::tr("<h3>Stagecraft %1</h3><p>Shows where a PyTorch model spends memory and time, "
                    "and splits it into pipeline stages that run.</p><p>Free software under the "
                    "GNU General Public License, version 3 or later.</p>")
            .arg(QCoreApplication::applicationVersion()));
}

} // namespace stagecraft
