// KeptSwitches: what a person has switched in the menus of views, over sessions.
#pragma once

#include <QObject>

#include <memory>

class QSettings;
class QWidget;

namespace stagecraft {

class KeptSwitches : public QObject
{
    Q_OBJECT

public:
    // Of all checkable actions of `window` that have the name of a setting as their property "keptAs": puts
    // them as they were, and keeps them whenever they change.
    KeptSwitches(QWidget* window, std::shared_ptr<QSettings> settings);
};

} // namespace stagecraft
