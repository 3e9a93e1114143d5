#include "cli/completion.h"

#include <algorithm>
#include <string_view>

namespace stagecraft::cli {

namespace {

std::string joined(const std::vector<std::string>& texts, std::string_view between)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : std::string(between)) + text;
    return all;
}

std::string replaced(std::string text, std::string_view what, std::string_view with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

// Up to its first end of a sentence or clause: a completion is read at a glance.
std::string brief(const std::string& help)
{
    return help.substr(0, std::min({help.find(". "), help.find("; "), help.find(": "), help.size()}));
}

// What every command takes: its own options, and those of the program.
std::vector<OptionEntry> optionsOf(const CommandTable& table, const CommandEntry& command)
{
    std::vector<OptionEntry> options = command.options;
    for (const OptionEntry& option : table.program.options)
        if (std::ranges::none_of(options,
                                 [&](const OptionEntry& own) { return own.names == option.names; }) &&
            option.names.front() != "--version")
            options.push_back(option);
    return options;
}

std::vector<std::string> namesOf(const std::vector<OptionEntry>& options)
{
    std::vector<std::string> names;
    for (const OptionEntry& option : options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

// ---------------------------------------------------------------- bash
// After which words a value comes, and which values those are.
std::string bashValues(const std::vector<OptionEntry>& options)
{
    std::string text;
    for (const OptionEntry& option : options) {
        if (option.value == OptionEntry::Value::None)
            continue;
        text += "            " + joined(option.names, "|") + ") choices='" + joined(option.choices, " ") +
                "'; files=" + (option.value == OptionEntry::Value::File ? "yes" : "no") + "; return 0 ;;\n";
    }
    return text;
}

std::string bashCommand(const CommandTable& table, const CommandEntry& command)
{
    const std::vector<OptionEntry> options = optionsOf(table, command);
    std::string choices;
    for (const OptionEntry& positional : command.positionals)
        choices += (choices.empty() ? "" : " ") + joined(positional.choices, " ");
    return "    " + command.name + ")\n        options='" + joined(namesOf(options), " ") +
           "'\n        case $previous in\n" + bashValues(options) + "        esac\n        choices='" +
           choices + "'\n        files=" + (command.positionals.empty() ? "no" : "yes") + " ;;\n";
}

constexpr const char* bashEnd = R"(    esac
    return 1
}

_stagecraft_cli()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} word command=
    local commands='@COMMANDS@' options= choices= files=no isValue=no IFS=$' \t\n'
    # bash takes "--device=cpu" as three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case " $commands " in *" $word "*) command=$word; break ;; esac
    done
    _stagecraft_cli_words && isValue=yes
    COMPREPLY=()
    if [ "$isValue" = no ] && [ "${current:0:1}" = - ]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    [ -z "$choices" ] || COMPREPLY=($(compgen -W "$choices" -- "$current"))
    if [ "$files" = yes ]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    fi
}
complete -F _stagecraft_cli stagecraft-cli
)";

// ---------------------------------------------------------------- zsh
// In single quotes within a specification in brackets.
std::string zshText(const std::string& text)
{
    std::string safe = replaced(text, "\\", "\\\\");
    for (const std::string_view special : {"[", "]", ":"})
        safe = replaced(safe, special, "\\" + std::string(special));
    return replaced(safe, "'", "'\\''");
}

std::string zshValue(const OptionEntry& option)
{
    if (option.value == OptionEntry::Value::None)
        return "";
    const std::string what = ":" + zshText(option.placeholder);
    if (option.choices.empty())
        return what + (option.value == OptionEntry::Value::File ? ":_files" : ":");
    const std::string choices = "(" + joined(option.choices, " ") + ")";
    if (option.value == OptionEntry::Value::Text)
        return what + ":" + choices;
    return what + ":{_alternative \"choices:choice:" + choices + "\" \"files:file:_files\"}";
}

std::string zshOption(const OptionEntry& option)
{
    std::string text;
    for (const std::string& name : option.names) {
        const std::string others = option.isRepeated ? "*" : "(" + joined(option.names, " ") + ")";
        text += "            '" + others + name + "[" + zshText(brief(option.help)) + "]" + zshValue(option) +
                "' \\\n";
    }
    return text;
}

std::string zshCommand(const CommandTable& table, const CommandEntry& command)
{
    std::string text = "    " + command.name + ")\n        _arguments -s -S \\\n";
    for (const OptionEntry& option : optionsOf(table, command))
        text += zshOption(option);
    for (const OptionEntry& positional : command.positionals)
        text +=
            "            '" + std::string(positional.isRepeated ? "*" : "") + zshValue(positional) + "' \\\n";
    return text + "        && ret=0 ;;\n";
}

// ---------------------------------------------------------------- fish
std::string fishText(const std::string& text)
{
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishValue(const OptionEntry& option)
{
    if (option.value == OptionEntry::Value::None)
        return "";
    const std::string choices = option.choices.empty() ? "" : " -a " + fishText(joined(option.choices, " "));
    return std::string(option.value == OptionEntry::Value::File ? " -r -F" : " -x") + choices;
}

std::string fishOption(const std::string& condition, const OptionEntry& option)
{
    std::string text = "complete -c stagecraft-cli -n " + fishText(condition);
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return text + fishValue(option) + " -d " + fishText(brief(option.help)) + "\n";
}

std::string fishCommand(const CommandTable& table, const CommandEntry& command)
{
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    std::string text;
    for (const OptionEntry& option : optionsOf(table, command))
        text += fishOption(condition, option);
    for (const OptionEntry& positional : command.positionals)
        text += "complete -c stagecraft-cli -n " + fishText(condition) + fishValue(positional) + "\n";
    return text;
}

std::string commandNames(const CommandTable& table)
{
    std::vector<std::string> names;
    for (const CommandEntry& command : table.commands)
        names.push_back(command.name);
    return joined(names, " ");
}

} // namespace

std::string bashCompletion(const CommandTable& table)
{
    std::string text = "# Completes stagecraft-cli in bash; written by `stagecraft-cli completion bash`.\n\n"
                       "# What can stand there; true where it is the value of an option.\n"
                       "_stagecraft_cli_words()\n{\n    case $command in\n    '')\n        options='" +
                       joined(namesOf(table.program.options), " ") + "'\n        case $previous in\n" +
                       bashValues(table.program.options) + "        esac\n        choices=$commands ;;\n";
    for (const CommandEntry& command : table.commands)
        text += bashCommand(table, command);
    return text + replaced(bashEnd, "@COMMANDS@", commandNames(table));
}

std::string zshCompletion(const CommandTable& table)
{
    std::string text = "#compdef stagecraft-cli\n"
                       "# Completes stagecraft-cli in zsh; written by `stagecraft-cli completion zsh`.\n\n"
                       "local curcontext=$curcontext state line ret=1\nlocal -A opt_args\nlocal -a commands\n"
                       "commands=(\n";
    for (const CommandEntry& command : table.commands)
        text += "    '" + command.name + ":" + replaced(command.help, "'", "'\\''") + "'\n";
    text += ")\n_arguments -C \\\n";
    for (const OptionEntry& option : table.program.options)
        text += zshOption(option);
    text += "    '1:command:->command' '*::argument:->argument' && ret=0\n\n"
            "case $state in\ncommand)\n    _describe -t commands command commands && ret=0 ;;\n"
            "argument)\n    case $line[1] in\n";
    for (const CommandEntry& command : table.commands)
        text += zshCommand(table, command);
    return text + "    esac ;;\nesac\nreturn ret\n";
}

std::string fishCompletion(const CommandTable& table)
{
    std::string text = "# Completes stagecraft-cli in fish; written by `stagecraft-cli completion fish`.\n\n"
                       "complete -c stagecraft-cli -f\n";
    for (const OptionEntry& option : table.program.options)
        text += fishOption("__fish_use_subcommand", option);
    for (const CommandEntry& command : table.commands)
        text += "complete -c stagecraft-cli -n __fish_use_subcommand -a " + command.name + " -d " +
                fishText(brief(command.help)) + "\n";
    for (const CommandEntry& command : table.commands)
        text += fishCommand(table, command);
    return text;
}

} // namespace stagecraft::cli
