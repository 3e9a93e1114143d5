// Do two names lead to one file? Another spelling, a symbolic link and a hard link all do.
#pragma once

#include <filesystem>

namespace stagecraft {

// True also where neither is there yet and both would be made as one. False for pipes and devices: writing to
// one loses nothing.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace stagecraft
