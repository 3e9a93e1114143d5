// What an optimizer of torch.optim keeps for every parameter between steps.
#pragma once

#include "core/base/quantities.h"
#include "core/profile/profile.h"

#include <vector>

namespace stagecraft {

// The state tensors of one parameter of `parameterBytes`, each by its bytes.
std::vector<Bytes> optimizerStateTensors(OptimizerKind kind, Bytes parameterBytes);

} // namespace stagecraft
