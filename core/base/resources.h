// Where the files that come with the program are: devices, example models, Python run-time.
#pragma once

#include <filesystem>

namespace stagecraft {

// The folder that holds `devices` and `examples`: $STAGECRAFT_RESOURCES if set, else share/stagecraft beside
// the program's bin folder (an installation), else the source tree that the program was built from.
std::filesystem::path resourceFolder();

} // namespace stagecraft
