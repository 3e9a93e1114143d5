// stagecraft-cli: everything Stagecraft does, without a window.
//
// Exit status: 0 done, 1 failed, 2 bad usage, 130 cancelled. An error is one line on standard error.

#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/prompt_cancel.h"
#include "cli/terminal.h"
#include "cli/usage_errors.h"
#include "core/run/operator_library.h"
#include "core/run/torch_types.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace stagecraft::cli {
namespace {

int exitStatus(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadUsage:
        return 2;
    case ErrorCode::Cancelled:
        return 130;
    default:
        return 1;
    }
}

int report(const Error& error)
{
    std::cerr << "stagecraft-cli: " << error.message << '\n';
    return exitStatus(error.code);
}

void addCommands(CLI::App& app, Command& chosen)
{
    app.require_subcommand(1);
    app.footer("Exit status: 0 done, 1 failed, 2 wrong usage, 130 cancelled. Errors are one line on standard "
               "error.");
    app.set_version_flag("--version", std::string("stagecraft-cli ") + STAGECRAFT_VERSION);
    addImportCommand(app, chosen);
    addNewCommand(app, chosen);
    addInfoCommand(app, chosen);
    addPrintCommand(app, chosen);
    addGraphCommand(app, chosen);
    addProfileCommand(app, chosen);
    addPartitionCommand(app, chosen);
    addScheduleCommand(app, chosen);
    addReportCommand(app, chosen);
    addExportCommand(app, chosen);
    addVerifyCommand(app, chosen);
    addMergeCommand(app, chosen);
    addRenderCommand(app, chosen);
    addAnalyseCommand(app, chosen);
    addDevicesCommand(app, chosen);
    addCalibrateCommand(app, chosen);
    addCompletionCommand(app, chosen);
    addManualCommand(app, chosen);
}

// Turns Ctrl+C and a polite kill into a stop request. Made before any other thread, so that all inherit the
// blocked signals and this one alone receives them.
class StopOnSignal
{
public:
    StopOnSignal()
    {
        sigemptyset(&m_signals);
        sigaddset(&m_signals, SIGINT);
        sigaddset(&m_signals, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
        std::thread([signals = m_signals, source = m_source]() mutable {
            int number = 0;
            sigwait(&signals, &number);
            source.request_stop();
        }).detach();
    }

    std::stop_token token() const { return m_source.get_token(); }

private:
    sigset_t m_signals{};
    std::stop_source m_source;
};

// Libraries of operators, which any command may need.
Result<void> loadLibraries(const std::vector<std::string>& paths)
{
    for (const std::string& path : paths)
        STAGECRAFT_TRY(loadOperatorLibrary(path));
    return {};
}

// Has all that was said arrived? A full disk takes nothing.
int reportOutput()
{
    std::cout.flush();
    if (!std::cout)
        return report({ErrorCode::Unreadable, "standard output cannot be written"});
    return 0;
}

// What LibTorch throws where no room expects it, such as of memory that there is not.
Result<void> carriedOut(const Command& chosen, const Progress& progress)
{
    try {
        return chosen(progress);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Failed, exceptionReason(exception)};
    }
}

int run(int argc, char** argv)
{
    ProgressLine line;
    const HarmlessOutput harmless(line);
    CLI::App app{"Splits PyTorch models into pipeline stages: profiles, plans, exports and verifies."};
    Command chosen;
    app.fallthrough(); // commands take it over
    addCommands(app, chosen);
    std::vector<std::string> libraries;
    app.add_option("--op-library", libraries,
                   "A shared library that registers operators with LibTorch; its code is run")
        ->type_name("FILE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // help or version
            app.exit(error);
            return reportOutput();
        }
        return report({ErrorCode::BadUsage, usageText(app, error, {argv + 1, argv + argc})});
    }
    if (const Result<void> checked = checkGivenOptions(app); !checked.has_value())
        return report(checked.error());
    const StopOnSignal stop;
    const bool onTerminal = isatty(STDERR_FILENO) != 0;
    Progress::Report show;
    if (onTerminal)
        show = [&line](std::string_view activity, std::optional<double> fraction) {
            line.show(activity, fraction);
        };
    const Progress progress(stop.token(), show);
    const PromptCancel promptly(progress, line);
    Result<void> done = loadLibraries(libraries);
    if (done.has_value())
        done = carriedOut(chosen, progress);
    if (!done.has_value())
        return report(done.error());
    return reportOutput();
}

} // namespace

void printJson(const nlohmann::ordered_json& document)
{
    std::cout << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

} // namespace stagecraft::cli

// Taking LibTorch down in order takes tens of milliseconds and is of no use to anyone. Where there is no
// memory left, an exception may end the program. NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv)
{
    const int status = stagecraft::cli::run(argc, argv);
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(status);
}
