#include "app/window/default_device.h"

#include "app/document/document.h"
#include "views/base/plain_text.h"
#include "views/plan/plan_options_panel.h"

#include <QSettings>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr const char* key = "device";

} // namespace

DefaultDevice::DefaultDevice(Document& document, const PlanOptionsPanel* options, QSettings* settings)
    : m_document(document), m_settings(settings)
{
    connect(options, &PlanOptionsPanel::deviceChosen, this, &DefaultDevice::choose);
    connect(&document.steps(), &PlanSteps::undone, this,
            [this](const PlanRequest& before) { undo(before.device); });
    connect(&document.steps(), &PlanSteps::done, this,
            [this](const PlanRequest& before) { redo(before.device); });
    connect(&document, &Document::modelGone, this, [this] { m_choices.clear(); }); // undone no more
}

void DefaultDevice::choose(const std::string& before, const std::string& chosen)
{
    std::erase_if(m_choices, &Choice::isUndone); // there is nothing to redo any more
    m_choices.push_back({.before = before, .chosen = chosen, .keptBefore = m_settings->value(key)});
    keep(dataText(chosen));
}

// A step may be of several choices.
void DefaultDevice::undo(const std::string& from)
{
    const std::string& to = m_document.request().device;
    std::string device = from;
    for (auto choice = m_choices.rbegin(); choice != m_choices.rend() && device != to; ++choice) {
        if (choice->isUndone || choice->chosen != device)
            continue;
        if (isKept(choice->chosen)) // else the preferences say another since
            keep(choice->keptBefore);
        choice->isUndone = true;
        device = choice->before;
    }
}

void DefaultDevice::redo(const std::string& from)
{
    const std::string& to = m_document.request().device;
    std::string device = from;
    for (auto choice = m_choices.begin(); choice != m_choices.end() && device != to; ++choice) {
        if (!choice->isUndone || choice->before != device)
            continue;
        keep(dataText(choice->chosen));
        choice->isUndone = false;
        device = choice->chosen;
    }
}

void DefaultDevice::keep(const QVariant& device)
{
    if (device.isValid())
        m_settings->setValue(key, device);
    else
        m_settings->remove(key); // as if none had been chosen ever
}

bool DefaultDevice::isKept(const std::string& device) const
{
    return m_settings->value(key).toString() == dataText(device);
}

} // namespace stagecraft
