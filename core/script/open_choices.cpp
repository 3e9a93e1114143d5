#include "core/script/open_choices.h"

#include "core/load/error_context.h"
#include "core/load/mapped_file.h"
#include "core/load/pt2_archive.h"
#include "core/script/read_script.h"
#include "core/script/script_archive.h"

#include <algorithm>

namespace stagecraft {

namespace {

Result<OpenChoices> choicesOf(const ZipArchive& archive, const Progress& progress)
{
    OpenChoices choices;
    if (isTorchScript(archive)) {
        STAGECRAFT_ASSIGN(signature, readScriptSignature(archive, progress));
        choices.arguments = std::move(signature.arguments);
        choices.hasOwnInputs = signature.hasOwnInputs;
    } else if (isPt2Archive(archive)) {
        choices.programs = programNames(archive);
        if (choices.programs.size() < 2)
            choices.programs.clear();
    }
    return choices;
}

} // namespace

bool mayLeaveChoices(const std::filesystem::path& path)
{
    const auto file = MappedFile::open(path);
    if (!file.has_value() || !looksLikeZip((*file)->bytes()))
        return false;
    const Result<ZipArchive> archive = ZipArchive::open({(*file)->bytes(), *file});
    return archive.has_value() &&
           (isTorchScript(*archive) || (isPt2Archive(*archive) && programNames(*archive).size() > 1));
}

Result<OpenChoices> openChoices(const std::filesystem::path& path, const Progress& progress)
{
    STAGECRAFT_ASSIGN(file, MappedFile::open(path));
    if (!looksLikeZip(file->bytes()))
        return OpenChoices{};
    STAGECRAFT_ASSIGN(archive, ZipArchive::open({file->bytes(), file}));
    Result<OpenChoices> choices = choicesOf(archive, progress);
    STAGECRAFT_TRY(file->unchanged());
    return choices.has_value() ? std::move(choices) : inside(path.string(), choices.error());
}

std::vector<std::string> argumentTexts(const std::vector<ScriptArgument>& arguments,
                                       const std::vector<std::string>& inputs)
{
    std::vector<std::string> texts(arguments.size());
    std::size_t next = 0;
    for (const std::string& input : inputs) {
        const Result<GivenArgument> given = parseInput(input);
        const bool isNamed = given.has_value() && !given->name.empty();
        const auto found =
            isNamed ? std::ranges::find(arguments, given->name, &ScriptArgument::name)
                    : arguments.begin() + static_cast<std::ptrdiff_t>(std::min(next++, arguments.size()));
        if (found != arguments.end())
            texts[static_cast<std::size_t>(found - arguments.begin())] =
                isNamed ? input.substr(input.find('=') + 1) : input;
    }
    return texts;
}

Result<void> checkRequest(const OpenChoices& choices, const OpenRequest& request)
{
    if (!choices.programs.empty() &&
        std::ranges::find(choices.programs, request.program) == choices.programs.end())
        return Error{ErrorCode::BadUsage, "it holds several programs; say which"};
    if (choices.programs.empty() != request.program.empty() ||
        (choices.arguments.empty() && !request.inputs.empty()))
        return Error{ErrorCode::BadUsage, "what is said is of another kind of file"};
    if (choices.hasOwnInputs && request.inputs.empty())
        return {};
    const std::vector<std::string> texts = argumentTexts(choices.arguments, request.inputs);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Result<void> checked = checkInputText(choices.arguments[i], texts[i]);
        if (!checked.has_value())
            return inside(choices.arguments[i].name, checked.error());
    }
    return {};
}

} // namespace stagecraft
