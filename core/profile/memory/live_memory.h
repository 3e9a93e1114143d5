// Live memory: everything that is alive at any moment of a training step, by category, node and module.
//
//     sample      0     1     2     3   ...
//     parameter   ├──────────────────────────┤
//     activation        ├ temporary ┤ saved ─┤      one storage, two intervals
//
// The moment is that of MemoryTimeline's sample: just after its operator. The step is a later one, not the
// first: the optimizer's state is there from the start.
#pragma once

#include "core/profile/profile.h"
#include "core/trace/trace.h"

#include <functional>
#include <vector>

namespace stagecraft {

// Of storages the step makes: for every operator of the trace those alive after it sum up to its `live`. Of
// those it finds: parameters, buffers, inputs. What outlives the trace ends at `stepEnd`. Ordered by `first`.
std::vector<LiveInterval> liveIntervals(const Trace& trace, const Graph& graph, std::uint32_t stepEnd);

// The first node that reads each storage which a value of the graph lies in.
Table<StorageId, std::optional<NodeId>> firstReaders(const Trace& trace, const Graph& graph);

// Everything that is alive after a sample, largest first.
std::vector<LiveInterval> liveAt(const MemoryTimeline& timeline, std::size_t sample);

// The same, summed up by category. At timeline.peakSample its total() is
// ProfileTotals::peakWithModel.
MemoryUse memoryAt(const MemoryTimeline& timeline, std::size_t sample);

// The same after every sample, of what `counts` says.
std::vector<MemoryUse> memoryOverStep(const MemoryTimeline& timeline,
                                      const std::function<bool(const LiveInterval&)>& counts);

// By node; what belongs to none is left out.
Table<NodeId, MemoryUse> memoryByNode(const MemoryTimeline& timeline, std::size_t sample,
                                      std::size_t nodeCount);

} // namespace stagecraft
