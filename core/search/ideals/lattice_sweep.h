// The sweep over the boundaries for relayed values (ideal_search.h): what is reached spreads through the
// lattices along their steps.
//
// Under memory limits time and memory of a stage are both differences of what its two ends hold. So a begin
// is as good as another if it has done no less (time less transfer) and no less has been put away (bytes): of
// all begins within an ideal only the best, a front in these two, must be remembered; without limits it is
// one. Memory that does not add up, shared by groups or transient, is left out: the front finds whatever is
// there, and what it finds is looked at again.
#pragma once

#include "core/search/ideals/split_question.h"

namespace stagecraft {

// A refusal stands; gave up: too many labels, or what was found breaks a limit after all.
SplitAnswer sweepLattices(const SplitQuestion& question);

} // namespace stagecraft
