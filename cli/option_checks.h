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
// The same of a file, whose name is to end so; empty: it may end as it likes.
CLI::Validator outputFile(const std::string& ending);

// Options of the usual kinds; what is set to must stay where it is.
// --json.
void addJson(CLI::App& command, bool& json);
// --bind, which parseBindings() reads.
void addBindings(CLI::App& command, std::vector<std::string>& bindings);
// A file to read, and one to write, whose name ends so (empty: as it likes).
CLI::Option* addFile(CLI::App& command, const char* name, std::string& path, const char* help);
CLI::Option* addOutput(CLI::App& command, const char* name, std::string& path, const char* ending,
                       const char* help);
// One that may be given several times; `type`: "MODULE".
void addEach(CLI::App& command, const char* name, std::vector<std::string>& texts, const char* type,
             const char* help);
// A number in a range, whose usual value the help shows.
template <class Number>
void addNumber(CLI::App& command, const char* name, Number& number, const char* help, double least,
               double most = std::numeric_limits<double>::max())
{
    command.add_option(name, number, help)->check(numberFrom(least, most))->capture_default_str();
}

// What holds for the options of all commands, after parsing: none is given as an empty text, and no output is
// a file that another option names, whether to read or to write, under whatever name. A file to write ends as
// it is to, is no folder, and its folder is there; pipes and devices may be called as they like.
Result<void> checkGivenOptions(CLI::App& app);

// Sizes that are bound are the model's and in their ranges (core/graph/given_sizes.h); fails with code
// BadUsage.
Result<void> checkBindings(const Graph& graph, const Bindings& bindings, std::vector<std::string>& notes);

// The help of --inputs.
inline constexpr const char* inputsText = "exported (the file's own, where it has them), random, or a "
                                          ".safetensors file with a tensor by the name of "
                                          "each input";

// The inputs that --inputs asks for: "exported", "random" (none), or a .safetensors file.
Result<GivenInputs> givenInputs(const Model& model, const std::string& source, const Bindings& bindings);

} // namespace stagecraft::cli
