// What the kernels behind an operator keep multiprocessors busy with, whatever they move: addresses, types,
// rows and sums one by one. Many of PyTorch's CUDA kernels are bound by that and not by the bandwidth.
//
// Each as its source has it (aten/src/ATen/native/cuda); cycles of one multiprocessor, fitted to the kernels
// of whole models that torch.profiler saw on an H100 (PyTorch 2.11, tests/data/truth/README.md):
//
//     elementwise, laid out alike, of one type     vectorized_elementwise_kernel          none
//       a cast of such to half precision           float16_copy_kernel_cuda               none
//       laid out otherwise, or broadcast           elementwise_kernel, offsets            0.25 an access
//       of several types                           LoadWithCast, a type for each          0.38 an access
//       read across the order it is written in     no two lanes share a sector            1.7 an element
//     sums over all but the innermost dimension    reduce_kernel<128, 4>                  0.22 an element
//       to few results: few blocks go about it                                            0.52 an element
//       of few addends each                        reduce_kernel<512, 1>                  2.1 an element
//     a convolution's bias, its gradient           native/Convolution.cpp: add_, a sum    as above
//     native_layer_norm                            vectorized_layer_norm_kernel,          370 a row, and its
//                                                  128 threads to a row                   elements
//       its input's gradient                       layer_norm_grad_input_kernel           190 a row
//       its weight's, 32 columns to a block        GammaBetaBackwardCUDAKernelTemplate    1 / 3.4 an element
//       its weight's, from 64 Ki rows on           likewise, rows shared out              0.8 an element
//     weight's gradient of a depthwise             cuDNN, wgrad2d_grouped_direct_kernel   1.1 a
//       convolution, float32, channels last                                               multiplication
//     batch norm of fixed statistics               cudnn::bn_fw_inf_1C11_kernel_NHWC      0.68 an element
//     average pooling, channels last               avg_pool2d_out_cuda_frame_nhwc         1.6 an element read
//       its gradient                               avg_pool2d_backward_out_..._nhwc       4.7 an element
//     largest of a window, channels last           max_pool_forward_nhwc                  1.1 an element read
//       its gradient                               max_pool_backward_nhwc                 2.3 an element
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

namespace stagecraft {

struct KernelCycles
{
    double busy = 0;  // while bytes are moved: the longer of both counts
    double apart = 0; // of kernels that come after the others, whose bytes count for nothing beside them
    Bytes apartBytes; // which of the operator's bytes these are
};

// Of all multiprocessors of a device together.
KernelCycles kernelCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

// What cuDNN moves to lay images out as tensor cores take them, and back, where they come otherwise.
Bytes relaidBytes(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

// Of float32, in a multiprocessor of a CUDA device.
double lanesOf(const DeviceSpec& device);
// That a device's multiprocessors have in a second, all together; 0: not known.
double cyclesPerSecond(const DeviceSpec& device);

} // namespace stagecraft
