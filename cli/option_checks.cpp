#include "cli/option_checks.h"

#include "core/base/same_file.h"
#include "core/graph/given_sizes.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace stagecraft::cli {
namespace {

constexpr double noEnd = std::numeric_limits<double>::max();

std::string plain(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

std::string rangeText(double least, double most)
{
    return most < noEnd ? "from " + plain(least) + " to " + plain(most) : "of " + plain(least) + " or more";
}

// The names of validators that check nothing, but say what an option is: "output file.pt2".
constexpr std::string_view outputMark = "output";
constexpr std::string_view fileMark = "output file";

CLI::Validator mark(const std::string& name)
{
    return CLI::Validator([](const std::string&) { return std::string(); }, "", name);
}

// Empty: it is no output.
std::string outputMarkOf(CLI::Option& option)
{
    try {
        const std::string& name = option.get_validator(0)->get_name();
        return name.starts_with(outputMark) ? name : "";
    } catch (const CLI::OptionNotFound&) {
        return "";
    }
}

std::vector<CLI::Option*> givenOptions(CLI::App& app)
{
    std::vector<CLI::Option*> given;
    for (CLI::Option* option : app.get_options())
        if (option->count() > 0)
            given.push_back(option);
    for (CLI::App* command : app.get_subcommands()) {
        const std::vector<CLI::Option*> more = givenOptions(*command);
        given.insert(given.end(), more.begin(), more.end());
    }
    return given;
}

Result<void> checkFile(const std::string& option, const std::string& path, const std::string& ending)
{
    namespace fs = std::filesystem;
    const auto wrong = [&](ErrorCode code, const std::string& why) {
        return Error{code, option + ": " + path + why};
    };
    std::error_code failure;
    const fs::file_status there = fs::status(path, failure);
    if (fs::is_directory(there))
        return wrong(ErrorCode::BadUsage, " is a folder; name a file in it");
    if (fs::exists(there) && !fs::is_regular_file(there))
        return {};
    if (!path.ends_with(ending))
        return wrong(ErrorCode::BadUsage, " does not end in " + ending + ", which is what is written");
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, failure))
        return wrong(ErrorCode::NotFound, " cannot be written: there is no folder " + folder.string());
    return {};
}

Result<void> checkOutput(CLI::Option& output, const std::vector<CLI::Option*>& given)
{
    for (CLI::Option* other : given)
        for (const std::string& named : other->results())
            for (const std::string& written : output.results())
                if (other != &output && isSameFile(written, named))
                    return Error{ErrorCode::BadUsage, output.get_name() + ": " + written + " is what " +
                                                          other->get_name() +
                                                          " names, and would be written over; choose "
                                                          "another name"};
    const std::string marked = outputMarkOf(output);
    if (marked.starts_with(fileMark))
        for (const std::string& written : output.results())
            STAGECRAFT_TRY(checkFile(output.get_name(), written, marked.substr(fileMark.size())));
    return {};
}

} // namespace

CLI::Validator numberFrom(double least, double most)
{
    return CLI::Validator(
        [least, most](const std::string& text) -> std::string {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, status] = std::from_chars(text.data(), end, value);
            const bool isNumber = status == std::errc() && stop == end && std::isfinite(value);
            if (isNumber && value >= least && value <= most)
                return "";
            return "'" + text + "' is not a number " + rangeText(least, most);
        },
        "");
}

CLI::Validator outputPath()
{
    return mark(std::string(outputMark));
}

CLI::Validator outputFile(const std::string& ending)
{
    return mark(std::string(fileMark) + ending);
}

void addJson(CLI::App& command, bool& json)
{
    command.add_flag("--json", json, "One JSON document on standard output (cli/README.md)");
}

void addBindings(CLI::App& command, std::vector<std::string>& bindings)
{
    addEach(command, "--bind", bindings, "SYMBOL=SIZE", "The value of a symbolic size, as in s0=8");
}

CLI::Option* addFile(CLI::App& command, const char* name, std::string& path, const char* help)
{
    return command.add_option(name, path, help)->type_name("FILE");
}

CLI::Option* addOutput(CLI::App& command, const char* name, std::string& path, const char* ending,
                       const char* help)
{
    return addFile(command, name, path, help)->check(outputFile(ending));
}

void addEach(CLI::App& command, const char* name, std::vector<std::string>& texts, const char* type,
             const char* help)
{
    command.add_option(name, texts, help)->type_name(type)->take_all();
}

Result<void> checkGivenOptions(CLI::App& app)
{
    const std::vector<CLI::Option*> given = givenOptions(app);
    for (CLI::Option* option : given)
        for (const std::string& text : option->results())
            if (text.empty())
                return Error{ErrorCode::BadUsage, option->get_name() + ": nothing is given; try --help"};
    for (CLI::Option* option : given)
        if (!outputMarkOf(*option).empty())
            STAGECRAFT_TRY(checkOutput(*option, given));
    return {};
}

Result<void> checkBindings(const Graph& graph, const Bindings& bindings, std::vector<std::string>& notes)
{
    const Result<std::vector<std::string>> checked = checkSizes(graph, bindings);
    if (!checked.has_value())
        return Error{checked.error().code, "--bind: " + checked.error().message};
    notes.insert(notes.end(), checked->begin(), checked->end());
    return {};
}

Result<GivenInputs> givenInputs(const Model& model, const std::string& source, const Bindings& bindings)
{
    if (source == "random")
        return GivenInputs{};
    if (source != "exported")
        return readInputs(model, source);
    return exportedInputs(model, bindings);
}

} // namespace stagecraft::cli
