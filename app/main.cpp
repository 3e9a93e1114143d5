// stagecraft: the window.
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/preferences.h"
#include "app/window/quitting.h"
#include "app/window/screenshot.h"
#include "core/base/printable.h"
#include "core/base/resources.h"
#include "core/base/writing.h"
#include "core/run/operator_library.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

namespace {

using namespace stagecraft;

int fail(const QString& message, int status)
{
    std::fprintf(stderr, "stagecraft: %s\n", printable(message.toStdString()).c_str());
    return status;
}

// The windows are closed. Work that was asked to stop mostly does at once; where it does not, in the middle
// of an operator of LibTorch, the program ends all the same, but never while a file is being written.
void endWithoutWork(const std::stop_token& over, int status)
{
    using namespace std::chrono_literals;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any woken;
    for (auto patience = 250ms; !over.stop_requested(); patience = 50ms) {
        woken.wait_for(lock, over, patience, [] { return false; });
        if (!over.stop_requested())
            stagecraft::endAtOnce(status);
    }
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription("Opens a PyTorch model and splits it into pipeline stages.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        "model", "A model (.pt2, or .pt of TorchScript) or a plan (.stagecraft, .json).", "[MODEL | PLAN]");
    parser.addOptions(
        {{"stages", "Split into <K> stages.", "K"},
         {"device", "Plan for this device; see `stagecraft-cli devices`.", "NAME"},
         {"theme", "light, dark or system.", "NAME"},
         {"language", "en, de, zh or system.", "NAME"},
         {"screenshot", "Save a picture of the window when all is shown, and quit.", "FILE"},
         {"op-library", "A shared library that registers operators with LibTorch; its code is run.", "FILE"},
         {"whole", "Show the whole graph in the picture, not where it begins."},
         {"size", "Of the window, in pixels.", "WxH", "1600x1000"}});
}

// Fails with a line to print.
Result<QSize> parseSize(const QString& text)
{
    const QStringList parts = text.split('x');
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    if (size.width() < 1 || size.height() < 1)
        return Error{ErrorCode::BadUsage, "--size '" + text.toStdString() + "' is not WxH, as in 1600x1000"};
    return size;
}

// They were once kept among those of programs without a name of their maker.
std::shared_ptr<QSettings> ownSettings()
{
    auto settings = std::make_shared<QSettings>("stagecraft", "stagecraft");
    const QSettings before;
    if (settings->allKeys().isEmpty())
        for (const QString& key : before.allKeys())
            settings->setValue(key, before.value(key));
    return settings;
}

Result<Environment> findEnvironment(bool forPicture)
{
    Environment environment;
    environment.resources = resourceFolder();
    STAGECRAFT_ASSIGN(devices, readDevices(environment.resources / "devices"));
    environment.devices = std::move(devices);
    if (forPicture) { // the same picture for everyone, whatever they chose before
        environment.settings = std::make_shared<QSettings>(QString(), QSettings::IniFormat);
        return environment;
    }
    environment.settings = ownSettings();
    environment.dataFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation).toStdString();
    return environment;
}

Result<PlanRequest> readRequest(const QCommandLineParser& parser, const Document& document)
{
    PlanRequest request = document.request();
    if (parser.isSet("stages")) {
        bool isNumber = false;
        const int stages = parser.value("stages").toInt(&isNumber);
        if (!isNumber || stages < 1)
            return Error{ErrorCode::BadUsage,
                         "--stages '" + parser.value("stages").toStdString() + "' is not a number of stages"};
        request.plan.stageCount = static_cast<std::size_t>(stages);
    }
    if (parser.isSet("device")) {
        STAGECRAFT_ASSIGN(device, findDevice(document.devices(), parser.value("device").toStdString()));
        request.device = device.id;
    }
    return request;
}

// Where Stagecraft came as an archive with all it needs, and the system has no fonts or keyboard tables (a
// container whose display is elsewhere), those of the archive serve.
void useBundledFiles()
{
    const std::filesystem::path bundle = bundleFolder();
    if (bundle.empty())
        return;
    const auto offer = [](const char* variable, const std::filesystem::path& ours, const char* systems) {
        std::error_code ignored;
        if (!qEnvironmentVariableIsSet(variable) && !std::filesystem::exists(systems, ignored))
            qputenv(variable, QByteArray::fromStdString(ours.string()));
    };
    offer("FONTCONFIG_FILE", bundle / "fonts" / "fonts.conf", "/etc/fonts/fonts.conf");
    offer("XKB_CONFIG_ROOT", bundle / "xkb", "/usr/share/X11/xkb");
}

// As the person prefers, unless the command line says otherwise. A picture is in English, as its other
// settings are the same for everyone.
void applyAppearance(QApplication& application, const QCommandLineParser& parser, const QSettings& settings)
{
    const Preferences preferences = readPreferences(settings, Seconds());
    const QString usual = parser.isSet("screenshot") ? "en" : preferences.language;
    speak(application, parser.isSet("language") ? parser.value("language") : usual);
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0) // else it is given in pixels
        font.setPointSizeF(font.pointSizeF() * preferences.textSize / 100);
    QApplication::setFont(font);
    applyTheme(application, themeModeOf(parser.isSet("theme") ? parser.value("theme") : preferences.theme));
}

int run(QApplication& application, const QCommandLineParser& parser)
{
    for (const QString& library : parser.values("op-library")) {
        const Result<void> loaded = loadOperatorLibrary(library.toStdString());
        if (!loaded.has_value())
            return fail(QString::fromStdString(loaded.error().message), 1);
    }
    const bool forPicture = parser.isSet("screenshot");
    Result<Environment> environment = findEnvironment(forPicture);
    if (!environment.has_value())
        return fail(QString::fromStdString(environment.error().message), 1);
    const Result<QSize> size = parseSize(parser.value("size"));
    if (!size.has_value())
        return fail(QString::fromStdString(size.error().message), 2);
    applyAppearance(application, parser, *environment->settings);

    const QPointer window = new MainWindow(*environment); // deletes itself when it is closed, as by quit()
    const Result<PlanRequest> request = readRequest(parser, window->document());
    if (!request.has_value()) {
        delete window.data();
        return fail(QString::fromStdString(request.error().message), 2);
    }
    window->document().setRequest(*request);
    if (forPicture || parser.isSet("size"))
        window->resize(*size);
    window->show();
    if (!parser.positionalArguments().isEmpty())
        window->open(parser.positionalArguments().front());
    else if (!forPicture && environment->settings->value("restoreSession", false).toBool())
        window->goOnWithLast();
    if (!forPicture) {
        window->offerTour();
        const int status = QApplication::exec();
        environment->settings->sync();
        const std::jthread promptly([status](const std::stop_token& over) { endWithoutWork(over, status); });
        deleteMainWindows();
        return status;
    }

    QString error;
    const auto framing =
        parser.isSet("whole") ? Screenshot::Framing::WholeGraph : Screenshot::Framing::Opening;
    Screenshot screenshot(*window, parser.value("screenshot"), framing);
    QObject::connect(&screenshot, &Screenshot::finished, window.data(), [&](const QString& text) {
        error = text;
        QApplication::quit();
    });
    QApplication::exec();
    delete window.data();
    return error.isEmpty() ? 0 : fail(error, 1);
}

int runProgram(int argc, char** argv)
{
    QApplication::setApplicationName("stagecraft");
    QApplication::setApplicationDisplayName("Stagecraft");
    QApplication::setApplicationVersion(STAGECRAFT_VERSION);
    QApplication::setDesktopFileName("stagecraft");
    useBundledFiles();
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon(":/icons/stagecraft.svg"));
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    if (parser.positionalArguments().size() > 1)
        return fail("more than one model was named", 2);
    return run(application, parser);
}

} // namespace

int main(int argc, char** argv)
try {
    const int status = runProgram(argc, argv);
    // All is done and let go of but what LibTorch keeps to the end, which takes it longer than the rest.
    std::fflush(nullptr);
    endAtOnce(status);
    return status;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "stagecraft: %s\n", printable(failure.what()).c_str());
    return 1;
}
