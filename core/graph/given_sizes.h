// Sizes that a model leaves open, given: what may be given, and what becomes of expressions.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace stagecraft {

// Notes, where all of `sizes` may be given. Fails with code BadUsage where one is outside of its symbol's
// range, naming both. 0 and 1 below a least of 2 are only noted: torch.export writes that least for every
// size, and PyTorch runs what it wrote with 0 and 1. Symbols that the graph does not have are passed over.
Result<std::vector<std::string>> checkRanges(const Graph& graph, const Bindings& sizes);
// The same, and every symbol must be one of the graph's.
Result<std::vector<std::string>> checkSizes(const Graph& graph, const Bindings& sizes);
// "from 2 to 64", "at least 2", "at most 64", "any".
std::string rangeText(const SymbolRange& range);
// The least that a person is offered: the range's own, but 1 where that is noted only; 0 where there is none.
std::int64_t leastSize(const SymbolRange& range);

// `size` with numbers for the symbols of `sizes`; the others stay, with `hints`. Fails with code BadUsage
// where it would be no number of 64 bits, or one of the symbols stands in what cannot be read.
Result<SymInt> sizeAt(const SymInt& size, const Bindings& sizes, const Bindings& hints = {});

} // namespace stagecraft
