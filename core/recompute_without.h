// A plan that runs nothing again, where none that does can be faster: then nothing else is looked for.
#pragma once

#include "core/recompute_attempts.h"
#include "core/recompute_over_limit.h"
#include "core/recomputed_problem.h"

#include <optional>

namespace stagecraft {

// Which is as fast as any without memory limits; that is looked for with these limits or, quickly proven,
// without them. `none` is of the attempts' model. None: one that recomputes may be faster; if what was found
// keeps the limits, it is one of the attempts by then.
enum class MemoryLimits { Kept, LeftOut };
Result<std::optional<RecomputedPlan>> findWithout(RecomputedProblem none, MemoryLimits limits,
                                                  RecomputeAttempts& attempts, const QuickSearch& search,
                                                  const Progress& progress);

} // namespace stagecraft
