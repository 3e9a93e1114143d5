// What a file leaves to the person who opens it: which of its programs, and the inputs of a script.
#pragma once

#include "core/script/open_model_file.h"
#include "core/script/script_argument.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

struct OpenChoices
{
    std::vector<std::string> programs;     // of a .pt2 that holds several; else empty
    std::vector<ScriptArgument> arguments; // of TorchScript
    bool hasOwnInputs = false;             // it keeps those that it was traced with: none need be given
};

// Can a file leave anything open? Reads little more than its end.
bool mayLeaveChoices(const std::filesystem::path& path);
// Fails where the file cannot be read so far, as openModelFile() does then.
Result<OpenChoices> openChoices(const std::filesystem::path& path, const Progress& progress = {});

// What `inputs` give each argument, in their order, without its name; empty: nothing. What names no argument
// is left out.
std::vector<std::string> argumentTexts(const std::vector<ScriptArgument>& arguments,
                                       const std::vector<std::string>& inputs);

// Fails, naming the first thing that is missing or does not fit, where `request` does not say what is open.
Result<void> checkRequest(const OpenChoices& choices, const OpenRequest& request);

} // namespace stagecraft
