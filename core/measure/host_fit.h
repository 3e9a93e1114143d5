// HostFit: what the program that hands operators over takes, from passes that waited for it.
#pragma once

#include <utility>
#include <vector>

namespace stagecraft {

// Of each pass: how many times something is handed over, and the seconds that it took.
using HostPasses = std::vector<std::pair<double, double>>;

// What one handover more takes: the median over all pairs of passes (Theil, 1950; Sen, 1968), so that what
// starting a pass takes is not in it. 0: too few.
double perHandover(const HostPasses& passes);

// The same by least squares, which passes of many programs tell: a median over pairs would be that of the
// program which has most of them. 0: too few.
double meanHandover(const HostPasses& passes);

// What is left of a pass when its handovers are taken off: starting it. 0 of none.
double perPass(const HostPasses& passes, double handover);

} // namespace stagecraft
