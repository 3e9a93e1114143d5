// Where to cut when each stage recomputes as little as its memory demands: the program's order sliced by
// dynamic programming.
//
//     order   n0 n1 n2 | n3 n4 | n5 n6 n7      best[s][j]: least bottleneck of the first j in s stages
//                      i       j               best[s][j] = min over i of max(best[s-1][i], load(s; i .. j))
//
// A stage's load is that at the lowest price of a byte at which it keeps its limit; prices are those at which
// some block chooses otherwise. What it finds is a start: chosen, traced and improved by others.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_choice.h"

#include <optional>

namespace stagecraft {

// None: no slicing keeps the limits, as far as is known here; or it is over before the end.
std::optional<Partition> recomputedCuts(const RecomputeChooser& chooser, const std::vector<Bytes>& rooms,
                                        const IsOver& isOver = {},
                                        RecomputeChooser::Ways ways = RecomputeChooser::Ways::Any);

} // namespace stagecraft
