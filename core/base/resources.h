// Where the files that come with the program are: devices, example models, Python run-time.
#pragma once

#include <filesystem>
#include <string>

namespace stagecraft {

// The folder that holds `devices` and `examples`: $STAGECRAFT_RESOURCES if set, else share/stagecraft beside
// the program's bin folder (an installation), else the source tree that the program was built from.
std::filesystem::path resourceFolder();

// What came in the same archive as the program, under lib/stagecraft beside its bin folder: libraries, fonts,
// Graphviz. Empty where the program came otherwise: then the system has all that.
std::filesystem::path bundleFolder();

// Where a person's own files are that no dialog asks for a place of, such as devices: stagecraft in
// $XDG_DATA_HOME, else in ~/.local/share. Empty where neither is known.
std::filesystem::path userDataFolder();

// A program that Stagecraft starts: the archive's own, else `name`, to be looked up in PATH.
std::string helperProgram(const std::string& name);

} // namespace stagecraft
