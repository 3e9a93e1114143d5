// What is wrong with a command line that the parser refuses, in words that name it and what there is.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace stagecraft::cli {

// `error`: what app.parse() has thrown.
std::string usageText(const CLI::App& app, const CLI::ParseError& error);

} // namespace stagecraft::cli
