#include "cli/usage_errors.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace stagecraft::cli {

namespace {

std::string joinedNames(const CLI::App& app)
{
    std::string text;
    for (const CLI::App* command : app.get_subcommands(std::function<bool(const CLI::App*)>()))
        text += (text.empty() ? "" : ", ") + command->get_name();
    return text;
}

// The first that is a word and no option; empty: there is none.
std::string wordAmong(const std::vector<std::string>& arguments)
{
    const auto word = std::ranges::find_if(
        arguments, [](const std::string& argument) { return !argument.empty() && argument.front() != '-'; });
    return word == arguments.end() ? "" : *word;
}

std::string joined(const std::vector<std::string>& arguments)
{
    std::string text;
    for (const std::string& argument : arguments)
        text += (text.empty() ? "" : " ") + argument;
    return text;
}

} // namespace

std::string usageText(const CLI::App& app, const CLI::ParseError& error)
{
    const std::vector<std::string> extra = app.remaining(true);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty() && !joinedNames(app).empty() && dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::string word = wordAmong(extra);
        return (word.empty() ? "no command is given" : "there is no command '" + word + "'") +
               "; there are " + joinedNames(app) + "; try --help";
    }
    if (!dynamic_cast<const CLI::ExtrasError*>(&error) || chosen.empty() || extra.empty())
        return std::string(error.what()) + "; try --help";
    const CLI::App& command = *chosen.front();
    const bool hasForms = !joinedNames(command).empty() && command.get_subcommands().empty();
    if (hasForms && extra.front().front() != '-')
        return command.get_name() + ": there is no '" + extra.front() + "'; there are " +
               joinedNames(command);
    return command.get_name() + " does not take " + joined(extra) + "; try --help";
}

} // namespace stagecraft::cli
