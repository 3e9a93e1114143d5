// Device memory: what a training run takes on a real device, as three numbers that are often mixed up.
//
//     allocated     tensors, each rounded up to 512 bytes
//     reserved      what the caching allocator has taken from the device to serve them: never less
//     device total  reserved + what the driver's context and libraries take
//
// The trace's births and deaths are replayed through CachingAllocator for two steps: in the first the
// optimizer has no state yet, the second is how every later one goes. Gradients are dropped before each step
// (set_to_none, the default of torch.optim). Temporaries of the optimizer's own step are not in it: fused
// optimizers have none.
#pragma once

#include "core/profile/profile.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Sizes of optimizer states follow options.optimizer. Reserved grows without regard to the device's memory.
StepMemory replayStep(const Trace& trace, const ProfileOptions& options);

} // namespace stagecraft
