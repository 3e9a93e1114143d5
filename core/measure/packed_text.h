// Texts of profilers, which write them plain or packed by gzip.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace stagecraft {

// All of the file, unpacked. Fails, naming it, where it cannot be read or breaks off; with code Unsupported
// where it has 1 GiB or more, or unpacks to so much more than it is as no trace does: that is not held.
Result<std::string> readPackedText(const std::filesystem::path& path, const Progress& progress = {});

} // namespace stagecraft
