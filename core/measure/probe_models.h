// Probe models: small programs whose steps calibration runs. They hold the operators that models are made of,
// forward and (through autograd) backward, in the company they usually keep, at sizes from a cache line to
// beyond every cache.
#pragma once

#include "core/graph/dtype.h"

#include <string>
#include <vector>

namespace stagecraft {

// In the text form of core/graph/graph_text.h; the same program at rising sizes is one list.
std::vector<std::vector<std::string>> probePrograms();

// Views of views, forward and backward: nothing but the cost of handing operators over.
std::string viewProgram();

// y = x W of sides 512, in another element type.
std::string productProgram(DType dtype);

} // namespace stagecraft
