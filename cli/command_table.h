// What the parser knows of the program's commands and options, as plain values: the manual page and the
// shells' completions are written from it, and so cannot say anything else than --help does.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

struct OptionEntry
{
    enum class Value { None, Text, File };

    std::vector<std::string> names; // "--output", "-o", the long ones first; of a positional none
    std::string placeholder;        // "FILE"; of a positional its name; of a flag empty
    std::string usual;              // the value without it; empty: none
    std::string help;
    std::string group; // the heading it stands under
    Value value = Value::None;
    std::vector<std::string> choices; // beside which File takes files
    bool isRequired = false;
    bool isRepeated = false;
};

struct CommandEntry
{
    std::string name;
    std::string help;
    std::vector<OptionEntry> positionals;
    std::vector<OptionEntry> options;
};

struct CommandTable
{
    CommandEntry program; // with the options that every command takes
    std::vector<CommandEntry> commands;
    std::string footer;
};

// Of a parser that has all its commands.
CommandTable commandTable(const CLI::App& app);

} // namespace stagecraft::cli
