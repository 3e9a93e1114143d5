// What a model says of its tensors, held against what LibTorch makes of them in a run.
#pragma once

#include "core/load/model.h"

#include <string>
#include <vector>

namespace stagecraft::test {

// "view_3: says [2, 4], is [4, 2]", one for each result whose type, sizes, strides or offset differ. Fails as
// the run does.
Result<std::vector<std::string>> layoutFaults(const Model& model, const Bindings& bindings);

} // namespace stagecraft::test
