// What is wrong with a command line that the parser refuses, in words that name it and what there is.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

// `error`: what app.parse() has thrown of `arguments`.
std::string usageText(const CLI::App& app, const CLI::ParseError& error,
                      const std::vector<std::string>& arguments);

} // namespace stagecraft::cli
