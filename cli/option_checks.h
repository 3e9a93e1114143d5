// What options are checked for before anything is done. Messages name the option and what was given.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/sym_int.h"
#include "core/load/given_inputs.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <string>
#include <vector>

namespace stagecraft::cli {

// A finite number in a range. CLI11 would take -1 for a count near 2^64.
CLI::Validator numberFrom(double least, double most = std::numeric_limits<double>::max());

// Marks an option as one that names a file or folder to write.
CLI::Validator outputPath();

// What holds for the options of all commands, after parsing: none is given as an empty text, and no output is
// a file that another option names, whether to read or to write, under whatever name.
Result<void> checkGivenOptions(CLI::App& app);

// A size that is bound is one of the model's; fails with code BadUsage and the list of those there are. Notes
// name sizes outside of what the file was exported for.
Result<void> checkBindings(const Graph& graph, const Bindings& bindings, std::vector<std::string>& notes);

// The help of --inputs.
inline constexpr const char* inputsText = "exported (the file's own, where it has them), random, or a "
                                          ".safetensors file with a tensor by the name of "
                                          "each input";

// The inputs that --inputs asks for: "exported", "random" (none), or a .safetensors file.
Result<GivenInputs> givenInputs(const Model& model, const std::string& source, const Bindings& bindings);

} // namespace stagecraft::cli
