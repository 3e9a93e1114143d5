// Matrix products in half precision that convolutions amount to on Hopper, as cuDNN 9 runs them: its own
// sm90_xmma_*_implicit_gemm, and nvjet_* of the cuBLAS that it calls for windows of one element.
//
//     forward      places out x filters         sums over the window and the channels in
//     input's      places in x channels         sums over the window and the filters
//     weight's     filters x window, channels   sums over all places out of all images: few tiles, so that
//                                               the depth is cut into parts that fill all multiprocessors
//
// A multiprocessor computes a tile of 64 to 256 rows and columns at a time (the kernels' names have them:
// tilesize128x128x64, 256x128_64x4), in whole waves, as NVIDIA's Matrix Multiplication Background User's
// Guide (2023) has it; each step of the depth loads the tile's rows and columns from the cache. Beside that
// all operands come from memory once, and both get into each other's way.
//
// Fitted to two of three of the 1,800 such kernels that torch.profiler saw in training steps on an H100
// (PyTorch 2.11, cuDNN 9; tests/data/truth/README.md), by models: 12 % off in the mean forward, 11 % both
// gradients together, with windows 15 and 17 %; of the models kept out 13, 11, 14 and 15 %. One share of the
// peak for all passes, as it was before, was 16, 28, 24 and 35 % off. Hopper's alone, as the kernels are.
#pragma once

#include "core/profile/cost/convolution_copies.h"
#include "core/profile/device/device.h"

namespace stagecraft {

struct HopperProduct
{
    double rows = 0, columns = 0, depth = 0;
    double bytes = 0;       // of what is multiplied and what comes of it, once each
    bool hasWindow = false; // of more than one element
    bool isStrided = false; // and skips elements
};

// Of all multiprocessors together.
double hopperProductCycles(const HopperProduct& product, ConvolutionPass pass, const DeviceSpec& device);

} // namespace stagecraft
