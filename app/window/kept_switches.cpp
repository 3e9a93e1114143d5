#include "app/window/kept_switches.h"

#include <QAction>
#include <QSettings>
#include <QWidget>

namespace stagecraft {

KeptSwitches::KeptSwitches(QWidget* window, std::shared_ptr<QSettings> settings) : QObject(window)
{
    for (QAction* action : window->findChildren<QAction*>()) {
        const QString name = action->property("keptAs").toString();
        if (name.isEmpty() || !action->isCheckable())
            continue;
        action->setChecked(settings->value(name, action->isChecked()).toBool());
        connect(action, &QAction::toggled, this,
                [settings, name](bool isOn) { settings->setValue(name, isOn); });
    }
}

} // namespace stagecraft
