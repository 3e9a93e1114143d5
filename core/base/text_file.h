// Reading a text file whose size nobody vouches for.
#pragma once

#include "core/base/quantities.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace stagecraft {

// All of the file, be it a pipe or a device. Fails, naming it, where it cannot be read, and, with code
// Unsupported, where it has more than `most`: so much is read, and no more is ever held.
Result<std::string> readTextFile(const std::filesystem::path& path, Bytes most);

} // namespace stagecraft
