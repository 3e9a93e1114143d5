// What options are checked for before anything is done. Messages name the option and what was given.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/sym_int.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <string>
#include <vector>

namespace stagecraft::cli {

// A finite number in a range. CLI11 would take -1 for a count near 2^64.
CLI::Validator numberFrom(double least, double most = std::numeric_limits<double>::max());

// A size that is bound is one of the model's; fails with code BadUsage and the list of those there are. Notes
// name sizes outside of what the file was exported for.
Result<void> checkBindings(const Graph& graph, const Bindings& bindings, std::vector<std::string>& notes);

} // namespace stagecraft::cli
