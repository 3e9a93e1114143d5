// --improve: a better plan than one that is there.
#pragma once

#include "cli/plan_source.h"
#include "core/advise/resolve.h"

namespace stagecraft::cli {

// The best plan that keeps what is to be kept and the pins, within problem.options.timeLimit; never worse
// than the one that is there. Where what is recomputed is chosen as memory demands, it is for the new cuts,
// and limits that the old cuts broke may be kept. Fails where a limit that was asked for is not.
Result<void> improvePlan(const Model& model, const KeptParts& kept, ChosenPlan& chosen,
                         const Progress& progress);

} // namespace stagecraft::cli
