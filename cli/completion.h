// What completes command lines of stagecraft-cli in a shell: a script that starts no program, so
// that it takes no time.
#pragma once

#include "cli/command_table.h"

#include <string>

namespace stagecraft::cli {

// Needs no package of completions beside bash itself. To be sourced, or put where bash-completion looks.
std::string bashCompletion(const CommandTable& table);
// For a folder of $fpath, under the name _stagecraft-cli.
std::string zshCompletion(const CommandTable& table);
std::string fishCompletion(const CommandTable& table);

} // namespace stagecraft::cli
