#include "app/window/default_device.h"

#include "app/document/document.h"
#include "views/base/plain_text.h"
#include "views/plan/plan_options_panel.h"

#include <QSettings>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr const char* key = "device";

} // namespace

DefaultDevice::DefaultDevice(Document& document, const PlanOptionsPanel* options, QSettings* settings)
    : m_document(document), m_settings(settings), m_device(document.request().device)
{
    connect(options, &PlanOptionsPanel::deviceChosen, this, &DefaultDevice::choose);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &DefaultDevice::takeStep);
}

void DefaultDevice::choose(const std::string& before, const std::string& chosen)
{
    std::erase_if(m_choices, &Choice::isUndone); // there is nothing to redo any more
    m_choices.push_back({.before = before, .chosen = chosen, .keptBefore = m_settings->value(key)});
    keep(dataText(chosen));
}

void DefaultDevice::takeStep(int index)
{
    const std::string device = m_document.request().device;
    const std::string from = std::exchange(m_device, device);
    const bool isBack = index < std::exchange(m_index, index);
    if (m_document.undoStack().count() == 0)
        return m_choices.clear(); // those for another model are not undone
    if (isBack)
        undo(from, device);
    else
        redo(from, device);
}

// Of several steps at once, too.
void DefaultDevice::undo(const std::string& from, const std::string& to)
{
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

void DefaultDevice::redo(const std::string& from, const std::string& to)
{
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
