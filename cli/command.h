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
#include <string>

namespace stagecraft::cli {

using Command = std::function<Result<void>(const Progress&)>;

void addAnalyseCommand(CLI::App& app, Command& chosen);
void addCalibrateCommand(CLI::App& app, Command& chosen);
void addDevicesCommand(CLI::App& app, Command& chosen);
void addExportCommand(CLI::App& app, Command& chosen);
void addInfoCommand(CLI::App& app, Command& chosen);
void addPartitionCommand(CLI::App& app, Command& chosen);
void addPrintCommand(CLI::App& app, Command& chosen);
void addProfileCommand(CLI::App& app, Command& chosen);
void addRenderCommand(CLI::App& app, Command& chosen);
void addScheduleCommand(CLI::App& app, Command& chosen);
void addVerifyCommand(CLI::App& app, Command& chosen);

// Prints one JSON document, indented.
void printJson(const nlohmann::ordered_json& document);

} // namespace stagecraft::cli
