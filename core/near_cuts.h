// Cuts near those of a plan: one of its slowest stage's boundaries lies a little elsewhere.
#pragma once

#include "core/recompute_attempts.h"

#include <functional>

namespace stagecraft {

// Traces those that by estimate take less than the best plan at hand, or more by the share that estimates may
// be off: the fastest first, and of each better plan that comes of it likewise. As long as `mayGoOn`.
Result<void> tryCutsNear(RecomputeAttempts& attempts, double doubt, const std::function<bool()>& mayGoOn);

} // namespace stagecraft
