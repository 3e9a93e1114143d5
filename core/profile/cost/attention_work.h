// What the kernels of fused attention compute, beside what its FLOPs say.
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

#include <optional>

namespace stagecraft {

// How many times as long fused attention takes as its FLOPs, at the rate of long rows without a mask, let
// expect; tiles are in it, so that they do not count once more as a product's. None: of other operators.
// Tiles of 64 places are filled up; what a causal mask hides is skipped, but
// for the tiles on the diagonal (Dao, FlashAttention-2, 2023, 3.1: "Causal masking"), where FLOPs are counted
// as of all places. In half precision dropout's masks are made beside products that are fast, and a backward
// pass reaches less of the peak. cuDNN's take a while to begin a row of tiles, longer where they add a bias
// whose rows are not aligned, and fill heads up to 64; the older kernels of efficient attention do without
// Hopper's own instructions. FlashAttention-2 does without them too, and reaches 0.35 of a Hopper's peak
// (Shah et al., FlashAttention-3, 2024, abstract); heads are filled up to 32, and its rows of tiles of 128
// take a while to begin as well. Fitted to kernels seen on an H100 (cuDNN 9, PyTorch 2.11; tests/data/truth).
std::optional<double> attentionWork(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
