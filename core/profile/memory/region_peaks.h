// What checkpoint regions hold at a time.
//
//     live  ──────────╮      ╭─╮ run again           above the line: a region's peak; gradients of
//           forward   ╰──────╯ ╰─╲ backward          parameters are left out once they are made
//     ───────────────────────────────╲───
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace stagecraft {

// Of each number of operators that have run, what is let go before the next one runs.
std::vector<Bytes> letGoBehind(const Trace& trace);

// Of each operator, of gradients of parameters those that were made up to it: the state of a stage has them.
std::vector<Bytes> parameterGradientsUpTo(const Trace& trace);

// Of each node the most that is alive inside the outermost checkpoint region around it, above what was alive
// before, without what was let go before its first operator: while its forward pass runs, and from its second
// run to the end of its backward pass. 0 for nodes in none, and where nothing is run again.
Table<NodeId, Bytes> regionPeaks(const Trace& trace);

// A batch norm that trains: run twice, it takes two steps towards the batch's averages.
bool updatesRunningAverages(const Node& node);

} // namespace stagecraft
