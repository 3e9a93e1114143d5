// Cuts in other orders than the program's: where branches advance each for itself (towers, a decoder beside
// its encoder), slices of the program's order never have the branches the other way round, nor parts of
// several in one stage.
//
//     best plan       a0 a1 a2 | a3 b0 b1 | b2 b3 b4
//     other orders    b0 b1 b2 b3 b4 a0 a1 a2 a3           the branches the other way round,
//                     a0 a1 a2   b0 b1 a3   b2 b3 b4       or so in each stage of the best plan
#pragma once

#include "core/cut_order.h"
#include "core/recompute_attempts.h"

#include <functional>
#include <vector>

namespace stagecraft {

// Slices of these (otherOrders()), then as below; the best by estimate are traced, as long as `mayGoOn`.
Result<void> tryOtherOrders(RecomputeAttempts& attempts, const std::vector<CutOrder>& orders,
                            const std::function<bool()>& mayGoOn);

// From the best plan on, as long as better ones come of it: slices of its stages behind each other, within
// each the program's order or one of these.
Result<void> tryOrdersOfBest(RecomputeAttempts& attempts, const std::vector<CutOrder>& orders,
                             const std::function<bool()>& mayGoOn);

} // namespace stagecraft
