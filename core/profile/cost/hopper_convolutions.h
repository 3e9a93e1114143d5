// Convolutions in half precision of images with channels last, as cuDNN 9 does them on Hopper: whole, with
// what it pads and lays out anew for its tensor cores (convolution_copies.h). Cycles of one multiprocessor,
// fitted to 3,500 shapes that torch.profiler saw in whole models on an H100 (PyTorch 2.11, cuDNN 9;
// tests/data/truth/README.md):
//
//     channels by eights          sm90_xmma_*, nvjet_*: products of their own for each of the three passes,
//                                 hopper_products.h
//     other channels, 1 x 1       cutlass_75/80_*_align1, _align2: 0.08 of the peak; large ones that are odd
//                                 or few are padded first, nhwcAddPaddingKernel, 0.65 an element
//     other channels              *_indexed_wo_smem_*                            0.0105 a multiplication
//       gradients                 nhwcAddPaddingKernel of images in and out, 0.65 an element, then as above
//     up to 4 channels            likewise, less the longer a patch is           0.0125 a multiplication
//       7 x 7 at stride 2         padded, then *_image_first_layer_*             0.0039 a multiplication
//     groups, alike in and out, a power of two wide   *_g1_*                     0.48 an element in and out
//       others                    tensorTransformGeneric first, 0.9 to 2.4 an element in and out, and a
//                                 quarter of the peak; over 16 and a power of two wide, nhwcSliceCKernel
//                                 of what is read alone, 0.9
//     depthwise                   conv2d_c1_k1_nhwc_specialized, dgrad2d_c1_k1_nhwc, wgrad2d_c1_k1_nhwc:
//                                 by the window, as below
//       of windows over 7 x 7     conv2d_grouped_direct_kernel, a multiplication at a time
//       several kernels a channel convolve_common_engine_float_NHWC, a channel at a time; the weight's
//                                 wgrad2d_grouped_direct_kernel, a multiplication at a time
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

#include <optional>

namespace stagecraft {

// Of all multiprocessors together, of a convolution or its gradient; none: not one of these.
std::optional<double> hopperConvolutionCycles(const Trace& trace, const TraceOp& op,
                                              const DeviceSpec& device);

} // namespace stagecraft
