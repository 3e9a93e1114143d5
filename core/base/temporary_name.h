// Names for files and folders that are written beside their place and then renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

// ".NAME.XXXXXXXXXXXX" + `ending` in the folder of `target`; the letters cannot be foreseen, so that nobody
// can put a link there beforehand. A NAME that is too long for a file system is cut.
std::filesystem::path temporaryBeside(const std::filesystem::path& target, std::string_view ending);

// What temporaryBeside() gave this name for; none: it gave no such name.
std::optional<std::filesystem::path> targetOfTemporary(const std::filesystem::path& temporary,
                                                       std::string_view ending);

// So many letters and digits that nobody can foresee.
std::string unguessableText(std::size_t length);

} // namespace stagecraft
