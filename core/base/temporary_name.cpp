#include "core/base/temporary_name.h"

#include <random>

namespace stagecraft {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::size_t unknown = 12;

} // namespace

std::string unguessableText(std::size_t length)
{
    std::random_device device; // the operating system's, not a sequence from a seed
    std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
    std::string text;
    for (std::size_t i = 0; i < length; ++i)
        text += letters[any(device)];
    return text;
}

std::filesystem::path temporaryBeside(const std::filesystem::path& target, std::string_view ending)
{
    constexpr std::size_t longest = 200; // of 255 bytes that file systems allow
    const std::string name = target.filename().string().substr(0, longest);
    return target.parent_path() / ("." + name + "." + unguessableText(unknown) + std::string(ending));
}

std::optional<std::filesystem::path> targetOfTemporary(const std::filesystem::path& temporary,
                                                       std::string_view ending)
{
    const std::string name = temporary.filename().string();
    const std::size_t added = 2 + unknown + ending.size(); // two dots
    if (name.size() <= added || name.front() != '.' || !name.ends_with(ending))
        return std::nullopt;
    const std::size_t size = name.size() - added;
    const std::string text = name.substr(size + 2, unknown);
    if (name[size + 1] != '.' || text.find_first_not_of(letters) != std::string::npos)
        return std::nullopt;
    return temporary.parent_path() / name.substr(1, size);
}

} // namespace stagecraft
