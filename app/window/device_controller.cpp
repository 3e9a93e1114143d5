#include "app/window/device_controller.h"

#include "app/document/document.h"
#include "core/base/contains.h"
#include "core/plan/device_kinds.h"
#include "views/base/plain_text.h"
#include "views/pages/device_dialog.h"
#include "views/plan/plan_options_panel.h"

namespace stagecraft {

namespace {

// Has a device that the plan runs on other figures than before?
bool isAnotherNow(const PlanRequest& request, const std::vector<DeviceSpec>& before,
                  const std::vector<DeviceSpec>& now)
{
    for (std::size_t stage = 0; stage < request.plan.stageCount; ++stage) {
        const Result<DeviceSpec> was = findDevice(before, deviceOfStage(request, stage));
        const Result<DeviceSpec> is = findDevice(now, deviceOfStage(request, stage));
        if (was.has_value() && is.has_value() && !isSameDevice(*was, *is))
            return true;
    }
    return false;
}

} // namespace

DeviceController::DeviceController(QWidget* window, Document& document, PlanOptionsPanel* options,
                                   OwnDevices devices)
    : QObject(window),
      m_window(window),
      m_document(document),
      m_options(options),
      m_devices(std::move(devices))
{
    connect(m_options, &PlanOptionsPanel::devicesRequested, this, &DeviceController::showDialog);
    for (const Error& error : m_devices.unreadable())
        emit m_document.noticed(tr("A device is left out: %1").arg(shownText(error.message)));
}

void DeviceController::showDialog()
{
    m_devices.refresh(); // another window or the command line may have made some
    auto* dialog = new DeviceDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DeviceDialog::duplicateRequested, this,
            [=, this](const std::string& id) { duplicate(dialog, id); });
    connect(dialog, &DeviceDialog::importRequested, this,
            [=, this](const QString& file) { take(dialog, m_devices.import(file.toStdString())); });
    connect(dialog, &DeviceDialog::saveRequested, this,
            [=, this](const DeviceSpec& device) { take(dialog, m_devices.write(device)); });
    connect(dialog, &DeviceDialog::deleteRequested, this,
            [=, this](const std::string& id) { remove(dialog, id); });
    connect(dialog, &DeviceDialog::useRequested, this, [=, this](const std::string& id) {
        dialog->accept();
        use(id);
    });
    spread(dialog, m_document.request().device);
    dialog->open();
}

void DeviceController::spread(DeviceDialog* dialog, const std::string& shown)
{
    std::set<std::string> own;
    for (const DeviceSpec& device : m_devices.all())
        if (m_devices.isOwn(device.id))
            own.insert(device.id);
    const bool hasOtherFigures = isAnotherNow(m_document.asked(), m_document.devices(), m_devices.all());
    m_document.setDevices(m_devices.all());
    if (m_document.state().profile && hasOtherFigures)
        m_document.profileAs(tr("Figures of the device"), m_document.wanted());
    m_options->setDevices(m_devices.all());
    dialog->setDevices(m_devices.all(), own, shown);
}

void DeviceController::take(DeviceDialog* dialog, const Result<std::string>& id)
{
    if (id.has_value())
        spread(dialog, *id);
    else
        dialog->showError(id.error().message);
}

void DeviceController::duplicate(DeviceDialog* dialog, const std::string& id)
{
    Result<DeviceSpec> copy = findDevice(m_devices.all(), id);
    if (!copy.has_value())
        return dialog->showError(copy.error().message);
    copy->provenance = "Made from " + copy->name + ". " + copy->provenance;
    copy->name += tr(" (copy)").toStdString();
    copy->id.clear();
    take(dialog, m_devices.write(*std::move(copy)));
}

void DeviceController::remove(DeviceDialog* dialog, const std::string& id)
{
    const PlanRequest asked = m_document.asked();
    if (id == asked.device || contains(asked.stageDevices, id))
        return dialog->showError("the plan is made for '" + id + "'; choose another device for it first");
    if (const Result<void> removed = m_devices.remove(id); !removed.has_value())
        return dialog->showError(removed.error().message);
    spread(dialog, m_document.request().device);
}

void DeviceController::use(const std::string& id)
{
    m_options->chooseDevice(id);
}

} // namespace stagecraft
