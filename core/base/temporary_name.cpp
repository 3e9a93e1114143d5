#include "core/base/temporary_name.h"

#include <random>

namespace stagecraft {

std::string unguessableText(std::size_t length)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
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
    constexpr std::size_t unknown = 12;
    const std::string name = target.filename().string().substr(0, longest);
    return target.parent_path() / ("." + name + "." + unguessableText(unknown) + std::string(ending));
}

} // namespace stagecraft
