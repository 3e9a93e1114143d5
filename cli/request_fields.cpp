#include "cli/request_fields.h"

namespace stagecraft::cli {

namespace {

// "train or infer"
std::string listed(const std::vector<FieldChoice>& choices)
{
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i)
        text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + std::string(choices[i].name);
    return text;
}

} // namespace

CLI::Option* addField(CLI::App& command, std::string_view name, FieldTexts& texts)
{
    const RequestField& field = requestField(name);
    const std::string help(field.help);
    return command
        .add_option("--" + std::string(name), texts[std::string(name)],
                    field.choices ? help + ": " + listed(field.choices()) : help)
        ->default_str(field.print({}));
}

Result<void> readFields(const FieldTexts& texts, PlanRequest& request)
{
    for (const auto& [name, text] : texts) {
        if (text.empty())
            continue;
        const Result<void> read = requestField(name).parse(request, text);
        if (!read.has_value())
            return Error{ErrorCode::BadUsage, "--" + name + ": " + read.error().message};
    }
    return {};
}

} // namespace stagecraft::cli
