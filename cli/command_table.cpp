#include "cli/command_table.h"

#include "core/base/resources.h"
#include "core/plan/request.h"
#include "core/profile/device/device.h"

#include <algorithm>
#include <string_view>

namespace stagecraft::cli {

namespace {

// CLI11 writes a list of choices behind the type: "TEXT:{ones,random}".
std::vector<std::string> choicesInType(std::string_view type)
{
    const std::size_t start = type.find('{');
    const std::size_t end = type.rfind('}');
    std::vector<std::string> choices;
    if (start == std::string_view::npos || end == std::string_view::npos)
        return choices;
    std::string_view rest = type.substr(start + 1, end - start - 1);
    for (std::size_t comma = 0; !rest.empty(); rest.remove_prefix(std::min(rest.size(), comma + 1))) {
        comma = std::min(rest.find(','), rest.size());
        choices.emplace_back(rest.substr(0, comma));
    }
    return choices;
}

std::vector<std::string> deviceIds()
{
    std::vector<std::string> ids;
    const Result<std::vector<DeviceSpec>> devices = readDevices(resourceFolder() / "devices");
    if (devices.has_value())
        for (const DeviceSpec& device : *devices)
            ids.push_back(device.id);
    return ids;
}

std::vector<std::string> choicesOf(const CLI::Option& option, std::string_view command)
{
    const bool isOfDevice = option.get_lnames() == std::vector<std::string>{"device"} ||
                            (option.get_positional() && command == "devices");
    if (isOfDevice)
        return deviceIds();
    for (const RequestField& field : requestFields()) {
        const bool isIt = std::ranges::find(option.get_lnames(), field.name) != option.get_lnames().end();
        if (!isIt || !field.choices)
            continue;
        std::vector<std::string> names;
        for (const FieldChoice& choice : field.choices())
            names.emplace_back(choice.name);
        return names;
    }
    return choicesInType(option.get_type_name());
}

bool takesFile(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const bool isOfDevice = option.get_lnames() == std::vector<std::string>{"device"};
    return option.get_positional() || isOfDevice || type.starts_with("FILE") || type.starts_with("PATH") ||
           type.starts_with("FOLDER");
}

OptionEntry entryOf(const CLI::Option& option, std::string_view command)
{
    OptionEntry entry;
    for (const std::string& name : option.get_lnames())
        entry.names.push_back("--" + name);
    for (const std::string& name : option.get_snames())
        entry.names.push_back("-" + name);
    entry.help = option.get_description();
    entry.group = option.get_group();
    entry.isRequired = option.get_required();
    entry.isRepeated = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
    if (option.get_items_expected_max() == 0)
        return entry;
    const std::string type = option.get_type_name();
    entry.placeholder = option.get_positional() ? option.get_single_name() : type.substr(0, type.find(':'));
    entry.usual = option.get_default_str();
    entry.choices = choicesOf(option, command);
    entry.value = takesFile(option) ? OptionEntry::Value::File : OptionEntry::Value::Text;
    return entry;
}

CommandEntry entryOf(const CLI::App& app)
{
    CommandEntry entry{.name = app.get_name(), .help = app.get_description()};
    for (const CLI::Option* option : app.get_options())
        (option->get_positional() ? entry.positionals : entry.options)
            .push_back(entryOf(*option, app.get_name()));
    return entry;
}

} // namespace

CommandTable commandTable(const CLI::App& app)
{
    CommandTable table{.program = entryOf(app), .footer = app.get_footer()};
    table.program.name = "stagecraft-cli";
    for (const CLI::App* command : app.get_subcommands(std::function<bool(const CLI::App*)>()))
        table.commands.push_back(entryOf(*command));
    return table;
}

} // namespace stagecraft::cli
