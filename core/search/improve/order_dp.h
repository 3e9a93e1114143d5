// The best way to slice one topological order into stages, by dynamic programming.
//
//     order   g0 g1 g2 | g3 g4 | g5 g6 g7      best[i][j]: least bottleneck of the first i groups in j stages
//                      k       i               best[i][j] = min over k of max(best[k][j-1], load(j; k .. i))
#pragma once

#include "core/search/reduce/reduction.h"

#include <optional>
#include <vector>

namespace stagecraft {

using GroupOrder = std::vector<ReducedGroupId>;

struct Slicing
{
    double bottleneckSeconds = 0;
    GroupStages stages; // of each group
};

// The slicing of `order` with the least bottleneck, if there is one of at most `limit`; among equals one
// whose other stages are even. None also where the problem's time is over. Sees to memory, pins and empty
// stages. O(n^2 K) at worst; n^2 / K where stages are alike.
std::optional<Slicing> sliceOrder(const ReducedProblem& reduced, const GroupOrder& order, double limit);

// As above, but the bottleneck may be as much as `limit` and the sum of squared loads is least: so that a
// plan is even where the slowest stage does not say.
std::optional<Slicing> sliceEvenly(const ReducedProblem& reduced, const GroupOrder& order, double limit);

// A slicing of `order` in next to no time, however long it is: stages end at so many places only, those of a
// stretch where least crosses. Of an order that is no longer the same as sliceOrder. Only `isOver` ends it.
constexpr std::size_t mostRoughCuts = 2000;
std::optional<Slicing> sliceRoughly(const ReducedProblem& reduced, const GroupOrder& order, double limit,
                                    const IsOver& isOver = {});

// About what it takes to slice an order, in the units of a WorkBudget.
std::uint64_t workOfSlicing(const ReducedProblem& reduced);

} // namespace stagecraft
