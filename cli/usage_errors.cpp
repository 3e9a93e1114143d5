#include "cli/usage_errors.h"

#include "core/base/near_names.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace stagecraft::cli {

namespace {

using IsMeant = std::function<bool(const CLI::App*)>; // none: all are

std::vector<std::string> namesOf(const CLI::App& app, const IsMeant& isMeant = {})
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(isMeant))
        names.push_back(command->get_name());
    return names;
}

// "; there are partition, export", but those that help does not list; where one comes near, that instead.
std::string insteadOf(const std::string& word, const CLI::App& app)
{
    if (const auto near = nearNames(word, namesOf(app)); !near.empty())
        return didYouMean(near);
    std::string text;
    for (const std::string& name :
         namesOf(app, [](const CLI::App* command) { return !command->get_group().empty(); }))
        text += (text.empty() ? "; there are " : ", ") + name;
    return text;
}

// The first that is a word and no option; empty: there is none.
std::string wordAmong(const std::vector<std::string>& arguments)
{
    const auto word = std::ranges::find_if(
        arguments, [](const std::string& argument) { return !argument.empty() && argument.front() != '-'; });
    return word == arguments.end() ? "" : *word;
}

// "; did you mean '--device'?", of "--devcie" and "--devcie=cpu"; empty: no option comes near.
std::string optionMeant(const std::string& argument, const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return didYouMean(nearNames(argument.substr(0, argument.find('=')), names));
}

std::string joined(const std::vector<std::string>& arguments)
{
    std::string text;
    for (const std::string& argument : arguments)
        text += (text.empty() ? "" : " ") + argument;
    return text;
}

// The parser leaves the names of options out that its help does not list: ": 1 required TEXT missing".
std::string namedError(const CLI::ParseError& error, const std::vector<std::string>& arguments)
{
    const std::string text = error.what();
    if (!text.starts_with(": "))
        return text;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool isLast = i + 1 == arguments.size();
        if (arguments[i].starts_with("--") && arguments[i].find('=') == std::string::npos &&
            (isLast || arguments[i + 1].starts_with('-')))
            return arguments[i] + text;
    }
    return text.substr(2);
}

} // namespace

std::string usageText(const CLI::App& app, const CLI::ParseError& error,
                      const std::vector<std::string>& arguments)
{
    const std::vector<std::string> extra = app.remaining(true);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty() && !namesOf(app).empty() && dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::string word = wordAmong(extra);
        return (word.empty() ? "no command is given" : "there is no command '" + word + "'") +
               insteadOf(word, app) + "; try --help";
    }
    if (!dynamic_cast<const CLI::ExtrasError*>(&error) || chosen.empty() || extra.empty())
        return namedError(error, arguments) + "; try --help";
    const CLI::App& command = *chosen.front();
    const bool hasForms = !namesOf(command).empty() && command.get_subcommands().empty();
    if (hasForms && extra.front().front() != '-')
        return command.get_name() + ": there is no '" + extra.front() + "'" +
               insteadOf(extra.front(), command);
    const std::string asked = optionMeant(extra.front(), command);
    return command.get_name() + " does not take " + joined(extra) + (asked.empty() ? "; try --help" : asked);
}

} // namespace stagecraft::cli
