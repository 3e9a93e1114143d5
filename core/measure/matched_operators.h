// MatchedOperators: which operator of a trace each time of a measured step belongs to.
//
//     the operators of a step, by name ──┐
//     how long each took, by name ───────┴─► the i-th of a name with the i-th of that name
#pragma once

#include "core/trace/trace.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stagecraft {

// "aten::addmm": seconds of the first operator of that name in the step, of the second, ...; "aten::add, in
// place or not": of aten::add and aten::add_ together, where it is not told which of both ran.
using OperatorSeconds = std::map<std::string, std::vector<double>, std::less<>>;

using OpsByName = std::map<std::string, std::vector<const TraceOp*>, std::less<>>;

// The operators of a step, one list for each name, in the order they run.
OpsByName opsByName(const Trace& trace, std::span<const TraceOp> step);

using TimedOps = std::vector<std::pair<const TraceOp*, double>>;

struct MatchedProbe
{
    TimedOps ops;
    std::set<std::string> unmatched; // names that ran another number of times than they are in the trace
};

MatchedProbe matchOperators(const Trace& trace, std::span<const TraceOp> step, const OperatorSeconds& times);

} // namespace stagecraft
