// DeviceController: one's own devices: the dialog that shows them, their files, and the plans made for them.
#pragma once

#include "core/profile/device/own_devices.h"

#include <QObject>

namespace stagecraft {

class DeviceDialog;
class Document;
class PlanOptionsPanel;

class DeviceController : public QObject
{
    Q_OBJECT

public:
    // Both outlive it; dialogs are those of `window`.
    DeviceController(QWidget* window, Document& document, PlanOptionsPanel* options, OwnDevices devices);

    // Returns at once; the dialog deletes itself.
    void showDialog();

private:
    // Everybody hears of the devices as they are now; `shown` is the one that the dialog shows.
    void spread(DeviceDialog* dialog, const std::string& shown);
    void take(DeviceDialog* dialog, const Result<std::string>& id);
    void duplicate(DeviceDialog* dialog, const std::string& id);
    void remove(DeviceDialog* dialog, const std::string& id);
    void use(const std::string& id);

    QWidget* m_window;
    Document& m_document;
    PlanOptionsPanel* m_options;
    OwnDevices m_devices;
};

} // namespace stagecraft
