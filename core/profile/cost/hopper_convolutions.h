// Convolutions in half precision of images with channels last, as cuDNN 9 does them on Hopper: whole, with
// what it pads and lays out anew for its tensor cores. Cycles of one multiprocessor, fitted to 3,500 shapes
// that torch.profiler saw in whole models on an H100 (PyTorch 2.11, cuDNN 9; tests/data/truth/README.md):
//
//     channels by eights          sm90_xmma_*, nvjet_*: 0.8 of the peak (gradients 0.72), channels padded to
//                                 64 (32 of fewer), or patches from the cache at 28 bytes a cycle
//     other channels, 1 x 1       cutlass_75/80_*_align1, _align2: 0.08 of the peak; large ones that are odd
//                                 or few are padded first, nhwcAddPaddingKernel, 0.65 an element
//     other channels              *_indexed_wo_smem_*                            0.0105 a multiplication
//     up to 4 channels            likewise, less the longer a patch is           0.0125 a multiplication
//       7 x 7 at stride 2         padded, then *_image_first_layer_*             0.0039 a multiplication
//     groups, alike in and out, a power of two wide   *_g1_*                     0.48 an element in and out
//       others                    nhwcSliceCKernel or tensorTransformGeneric first, 0.9 to 2.4 an
//                                 element, and a quarter of the peak
//     depthwise                   conv2d_c1_k1_nhwc_specialized, dgrad2d_c1_k1_nhwc, wgrad2d_c1_k1_nhwc:
//                                 by the window, as below
//       of windows over 7 x 7     conv2d_grouped_direct_kernel, a multiplication at a time
//       several kernels a channel convolve_common_engine_float_NHWC, a channel at a time
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

#include <optional>

namespace stagecraft {

// Of all multiprocessors together, of a convolution or its gradient; none: not one of these.
std::optional<double> hopperConvolutionCycles(const Trace& trace, const TraceOp& op,
                                              const DeviceSpec& device);

} // namespace stagecraft
