// The sweep over the boundaries that looks at pairs of ideals: for costs that are not separable
// (ideal_search.h).
#pragma once

#include "core/search/ideals/split_question.h"

namespace stagecraft {

SplitAnswer sweepPairs(const SplitQuestion& question);

} // namespace stagecraft
