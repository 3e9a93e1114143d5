// The manual page of stagecraft-cli, stagecraft-cli.1.
#pragma once

#include "cli/command_table.h"

#include <string>

namespace stagecraft::cli {

// In the language of man(7).
std::string manualPage(const CommandTable& table, const std::string& version);

} // namespace stagecraft::cli
