// Signatures of exported programs: what each input and output is, and how nested arguments are flattened.
#pragma once

#include "core/load/json_view.h"
#include "core/load/model.h"

namespace stagecraft {

// One for each input of the graph, in order; values are filled in when the graph is read.
Result<std::vector<InputSpec>> readInputSpecs(const JsonView& signature);
Result<std::vector<OutputSpec>> readOutputSpecs(const JsonView& signature);
// The trees and names of the outermost module; those it does not give are made up from the specs.
Result<void> readCallingConvention(const JsonView& moduleCallGraph, Signature& signature);

} // namespace stagecraft
