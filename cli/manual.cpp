#include "cli/manual.h"

#include <string_view>

namespace stagecraft::cli {

namespace {

// Nothing in it is read as a command of roff, and a minus stays what can be copied to a shell.
std::string escaped(std::string_view text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else if (c == '\n')
            safe += ' ';
        else if ((c == '.' || c == '\'') && safe.empty())
            safe += std::string("\\&") + c;
        else
            safe += c;
    }
    return safe;
}

std::string inQuotes(std::string_view text)
{
    std::string safe;
    for (const char c : escaped(text))
        safe += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return '"' + safe + '"';
}

// "--stages UINT", the names bold, what they take in italics.
std::string nameLine(const OptionEntry& option)
{
    std::string line;
    for (const std::string& name : option.names)
        line += (line.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
    if (!option.placeholder.empty())
        line += (line.empty() ? "\\fI" : " \\fI") + escaped(option.placeholder) + "\\fR";
    return line + (option.isRepeated ? " ...\n" : "\n");
}

std::string optionText(const OptionEntry& option)
{
    std::string text = ".TP\n" + nameLine(option) + escaped(option.help);
    if (!option.usual.empty())
        text += " (usually " + escaped(option.usual) + ")";
    return text + ".\n";
}

// A heading where the group is another than before.
std::string optionTexts(const std::vector<OptionEntry>& options)
{
    std::string text;
    std::string group = "Options";
    for (const OptionEntry& option : options) {
        if (option.group != group)
            text += ".PP\n\\fB" + escaped(option.group) + "\\fR\n";
        group = option.group;
        text += optionText(option);
    }
    return text;
}

std::string commandText(const CommandEntry& command)
{
    std::string synopsis = ".PP\n\\fBstagecraft\\-cli " + escaped(command.name) + "\\fR [\\fIOPTIONS\\fR]";
    for (const OptionEntry& positional : command.positionals)
        synopsis += (positional.isRequired ? " \\fI" : " [\\fI") + escaped(positional.placeholder) +
                    (positional.isRequired ? "\\fR" : "\\fR]");
    std::string text =
        ".SS " + inQuotes(command.name) + "\n" + escaped(command.help) + ".\n" + synopsis + "\n";
    for (const OptionEntry& positional : command.positionals)
        text += optionText(positional);
    return text + optionTexts(command.options);
}

} // namespace

std::string manualPage(const CommandTable& table, const std::string& version)
{
    std::string page = ".\\\" Written by `stagecraft-cli manual`.\n.TH STAGECRAFT\\-CLI 1 \"\" " +
                       inQuotes("Stagecraft " + version) +
                       " \"User Commands\"\n.SH NAME\nstagecraft\\-cli \\- "
                       "split PyTorch models into pipeline stages\n.SH SYNOPSIS\n\\fBstagecraft\\-cli\\fR "
                       "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIMODEL\\fR]\n.SH DESCRIPTION\n" +
                       escaped(table.program.help) +
                       "\nA model is a .pt2 file of torch.export, or a TorchScript file; a plan is a "
                       "*.stagecraft file. Nothing in a model's file is executed.\n.SH OPTIONS\n" +
                       optionTexts(table.program.options) + ".SH COMMANDS\n";
    for (const CommandEntry& command : table.commands)
        page += commandText(command);
    return page + ".SH \"EXIT STATUS\"\n" + escaped(table.footer) +
           "\n.SH ENVIRONMENT\n.TP\n\\fBSTAGECRAFT_PYTHON\\fR\nThe Python that `verify \\-\\-python` runs "
           "the "
           "written code with.\n.SH \"SEE ALSO\"\n.BR stagecraft (1)\n";
}

} // namespace stagecraft::cli
