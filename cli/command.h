// Commands of stagecraft-cli: one file each, `command_<name>.cpp`.
//
// A command adds itself and its options to the parser and, when the person chose it, sets `chosen` to what is
// to be done. What it prints goes to standard output; with --json one JSON document and nothing else.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace stagecraft::cli {

using Command = std::function<Result<void>(const Progress&)>;

void addAnalyseCommand(CLI::App& app, Command& chosen);
void addCalibrateCommand(CLI::App& app, Command& chosen);
void addCompletionCommand(CLI::App& app, Command& chosen);
void addDevicesCommand(CLI::App& app, Command& chosen);
void addExportCommand(CLI::App& app, Command& chosen);
void addGraphCommand(CLI::App& app, Command& chosen);
void addImportCommand(CLI::App& app, Command& chosen);
void addInfoCommand(CLI::App& app, Command& chosen);
void addManualCommand(CLI::App& app, Command& chosen);
void addMergeCommand(CLI::App& app, Command& chosen);
void addNewCommand(CLI::App& app, Command& chosen);
void addPartitionCommand(CLI::App& app, Command& chosen);
void addPrintCommand(CLI::App& app, Command& chosen);
void addProfileCommand(CLI::App& app, Command& chosen);
void addRenderCommand(CLI::App& app, Command& chosen);
void addReportCommand(CLI::App& app, Command& chosen);
void addScheduleCommand(CLI::App& app, Command& chosen);
void addVerifyCommand(CLI::App& app, Command& chosen);

// Adds a command that, when the person chose it, runs `run` with what was given. The options live as long.
template <class Options>
std::pair<CLI::App*, Options*> addCommand(CLI::App& app, Command& chosen, const char* name, const char* what,
                                          Result<void> (*run)(const Options&, const Progress&))
{
    CLI::App* command = app.add_subcommand(name, what);
    const auto options = std::make_shared<Options>();
    command->callback([options, run, &chosen] {
        chosen = [options, run](const Progress& progress) { return run(*options, progress); };
    });
    return {command, options.get()};
}

// Prints one JSON document, indented.
void printJson(const nlohmann::ordered_json& document);

} // namespace stagecraft::cli
