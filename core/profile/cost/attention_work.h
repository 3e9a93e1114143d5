// What the kernels of fused attention compute, beside what its FLOPs say.
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

// How many times as long fused attention takes as its FLOPs, at the rate of long rows without a mask, let
// expect; 1 of other operators. Tiles of 64 places are filled up; what a causal mask hides is skipped, but
// for the tiles on the diagonal (Dao, FlashAttention-2, 2023, 3.1: "Causal masking"), where FLOPs are counted
// as of all places. In half precision dropout's masks are made beside products that are fast, and a backward
// pass reaches less of the peak: fitted to kernels seen on an H100 (cuDNN 9, PyTorch 2.11; tests/data/truth).
double attentionWork(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
