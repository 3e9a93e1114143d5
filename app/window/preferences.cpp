#include "app/window/preferences.h"

#include "app/document/document.h"
#include "app/window/language.h"
#include "views/base/plain_text.h"

#include <QSettings>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr const char* pythonKey = "import/python";
constexpr const char* usualDevice = "a100-sxm-80gb";

int numberOf(const QSettings& settings, const char* key, int usual, int least, int most)
{
    bool isNumber = false;
    const int number = settings.value(key, usual).toInt(&isNumber);
    return isNumber && number >= least && number <= most ? number : usual;
}

void apply(const Preferences& preferences, Document& document, const Actions& actions)
{
    const QStringList themes{"system", "light", "dark"}; // as the actions are
    actions.themes[std::max<qsizetype>(0, themes.indexOf(preferences.theme))]->trigger();
    if (document.hasModel())
        return;
    PlanRequest request = preferredRequest(preferences, document.devices());
    document.setRequest(request);
}

} // namespace

Preferences readPreferences(const QSettings& settings, Seconds searchTime)
{
    Preferences read;
    read.theme = settings.value("theme", read.theme).toString();
    read.language = settings.value("language", read.language).toString();
    read.textSize = numberOf(settings, "textSize", read.textSize, 50, 400);
    read.device = settings.value("device", usualDevice).toString().toStdString();
    read.stages = numberOf(settings, "stages", read.stages, 1, 1024);
    read.microbatches = numberOf(settings, "microbatches", read.microbatches, 1, 65536);
    read.goesOn = settings.value("restoreSession", read.goesOn).toBool();
    read.python = settings.value(pythonKey).toString();
    read.searchTime = searchTime.value();
    bool isNumber = false;
    if (const double seconds = settings.value("searchTime").toDouble(&isNumber);
        isNumber && seconds >= 0.1 && seconds <= 600)
        read.searchTime = seconds;
    return read;
}

void writePreferences(QSettings& settings, const Preferences& preferences)
{
    settings.setValue("theme", preferences.theme);
    settings.setValue("language", preferences.language);
    settings.setValue("textSize", preferences.textSize);
    settings.setValue("device", QString::fromStdString(preferences.device));
    settings.setValue("stages", preferences.stages);
    settings.setValue("microbatches", preferences.microbatches);
    settings.setValue("searchTime", preferences.searchTime);
    settings.setValue("restoreSession", preferences.goesOn);
    settings.setValue(pythonKey, preferences.python);
}

std::string preferredPython(const QSettings& settings)
{
    return settings.value(pythonKey).toString().toStdString();
}

void preferPython(QSettings& settings, const std::string& python)
{
    settings.setValue(pythonKey, dataText(python));
}

PlanRequest preferredRequest(const Preferences& preferences, const std::vector<DeviceSpec>& devices)
{
    PlanRequest request;
    request.plan.timeLimit = Seconds(preferences.searchTime);
    request.plan.stageCount = static_cast<std::size_t>(preferences.stages);
    request.plan.microbatches = static_cast<std::size_t>(preferences.microbatches);
    request.device = preferences.device;
    if (!findDevice(devices, request.device).has_value() && !devices.empty())
        request.device = devices.front().id;
    return request;
}

void editPreferences(QWidget* window, Document& document, const Actions& actions, QSettings* settings)
{
    const Seconds searchTime = document.timeLimit();
    auto* dialog = new PreferencesDialog(languages(), document.devices(), {.device = usualDevice}, window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setPreferences(readPreferences(*settings, searchTime));
    QObject::connect(dialog, &QDialog::accepted, window, [dialog, &document, actions, settings] {
        writePreferences(*settings, dialog->preferences());
        apply(dialog->preferences(), document, actions);
    });
    dialog->open();
}

} // namespace stagecraft
