// Where an operator comes from: its module and its lines of Python, from the texts that exports keep.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct ModuleCall
{
    std::string path; // "layers.0.attn"; "" is the root
    std::string className;
    std::size_t number = 0; // of the module's calls, from 0

    friend bool operator==(const ModuleCall&, const ModuleCall&) = default;
};

// Reads "key,path,type;key,path,type", outermost first. Empty where the export knew no module.
std::vector<ModuleCall> parseModuleStack(std::string_view text);
// "L['self'].layers[0].attn@1" of older exports, and "layers.0.attn": the latter.
std::string normalisedModulePath(std::string_view path);
// Reads a Python traceback, with or without its lines of code.
std::vector<SourceFrame> parseStackTrace(std::string_view text);

} // namespace stagecraft
