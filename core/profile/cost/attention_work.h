// What the kernels of fused attention compute, beside what its FLOPs say.
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

namespace stagecraft {

struct AttentionWork
{
    double times = 1;
    // In `times`, so that they do not count once more as a product's tiles. The rate of flash attention on
    // Hopper is fitted to what both make.
    bool countsTiles = false;
};

// How many times as long fused attention takes as its FLOPs, at the rate of long rows without a mask, let
// expect; 1 of other operators. Tiles of 64 places are filled up; what a causal mask hides is skipped, but
// for the tiles on the diagonal (Dao, FlashAttention-2, 2023, 3.1: "Causal masking"), where FLOPs are counted
// as of all places. In half precision dropout's masks are made beside products that are fast, and a backward
// pass reaches less of the peak. cuDNN's take a while to begin a row of tiles, longer where they add a bias
// whose rows are not aligned, and fill heads up to 64; the older kernels of efficient attention do without
// Hopper's own instructions. Fitted to kernels seen on an H100 (cuDNN 9, PyTorch 2.11; tests/data/truth).
AttentionWork attentionWork(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
