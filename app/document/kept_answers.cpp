#include "app/document/kept_answers.h"

#include "core/base/json_text.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/base/text_file.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

constexpr Bytes mostBytes = Bytes(1 << 20);
constexpr std::size_t nameLength = 32;

OpenRequest requestOf(const nlohmann::json& kept)
{
    OpenRequest request;
    const auto program = kept.find("program");
    if (program != kept.end() && program->is_string())
        request.program = *program;
    const auto inputs = kept.find("inputs");
    if (inputs != kept.end() && inputs->is_array())
        for (const nlohmann::json& input : *inputs)
            if (input.is_string())
                request.inputs.push_back(input);
    return request;
}

} // namespace

KeptAnswers::KeptAnswers(const std::filesystem::path& folder)
    : m_folder(folder.empty() ? folder : folder / "answers")
{
}

std::filesystem::path KeptAnswers::placeOf(const std::filesystem::path& file) const
{
    std::error_code ignored; // then the path as it was given has to do
    const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(file), ignored);
    return m_folder / (sha256Of((path.empty() ? file : path).string()).substr(0, nameLength) + ".json");
}

OpenRequest KeptAnswers::of(const std::filesystem::path& file) const
{
    if (!canKeep())
        return {};
    const Result<std::string> text = readTextFile(placeOf(file), mostBytes);
    if (!text.has_value())
        return {};
    const Result<nlohmann::json> kept = parseJson<nlohmann::json>(*text, "answers");
    return kept.has_value() && kept->is_object() ? requestOf(*kept) : OpenRequest();
}

Result<void> KeptAnswers::keep(const std::filesystem::path& file, const OpenRequest& request) const
{
    std::error_code failure; // what writes there says so
    std::filesystem::create_directories(m_folder, failure);
    const nlohmann::json kept{
        {"file", file.string()}, {"program", request.program}, {"inputs", request.inputs}};
    STAGECRAFT_TRY(
        writeTextFile(placeOf(file), kept.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)));
    return {};
}

} // namespace stagecraft
