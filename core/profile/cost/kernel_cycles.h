// What the kernels behind an operator keep multiprocessors busy with, whatever they move: addresses, types,
// rows and sums one by one. Many of PyTorch's CUDA kernels are bound by that and not by the bandwidth.
//
// Each as its source has it (aten/src/ATen/native/cuda); cycles of one multiprocessor, fitted to the kernels
// of whole models that torch.profiler saw on an H100 (PyTorch 2.11, tests/data/truth/README.md):
//
//     elementwise, laid out alike, of one type     vectorized_elementwise_kernel          none
//       a cast of such to half precision           float16_copy_kernel_cuda               none
//       laid out otherwise, or broadcast           elementwise_kernel, offsets            0.25 an access
//         a copy                                   likewise, of more dimensions           0.4 an access
//       of several types                           LoadWithCast, a type for each          0.38 an access
//       read across the order it is written in     no two lanes share a sector            1.9 an element
//     lists of tensors, as optimizers have them    multi_tensor_apply_kernel              16 k a launch, of
//                                                                                         each multiprocessor
//     cat, stack                                   CatArrayBatchedCopy                    1 an element
//       of pieces by 16 bytes                      CatArrayBatchedCopy_alignedK_contig    0.6 an element
//     roll, a dimension after the other            roll_cuda_kernel                       1.3 an element
//     sums over all but the innermost dimension    reduce_kernel<128, 4>                  0.22 an element
//       to few results: few blocks go about it                                            0.52 an element
//       of few addends each                        reduce_kernel<512, 1>                  2.1 an element
//       over the innermost one                     reduce_kernel<512, 1>                  75 a row
//     a convolution's bias, its gradient           native/Convolution.cpp: add_, a sum    as above
//     convolutions                                 hopper_convolutions.h
//     native_layer_norm                            vectorized_layer_norm_kernel,          370 a row, and its
//                                                  128 threads to a row                   elements
//       its input's gradient                       layer_norm_grad_input_kernel           190 a row
//       its weight's, 32 columns to a block        GammaBetaBackwardCUDAKernelTemplate    1 / 4.5 an element,
//                                                  of rows by 256                         1 / 3.4
//       its weight's, from 64 Ki rows on           likewise, rows shared out              0.8 an element
//     native_group_norm                            RowwiseMomentsCUDAKernel, a block to   0.92 an element or
//                                                  a group; then elementwise              more, 0.9
//       its gradient                               ComputeInternalGradientsCUDAKernel     1.2 to 3.6
//     softmax along another dimension than the     cunn_SpatialSoftMaxForward             3 an element
//     last, its gradient                           cunn_SpatialSoftMaxBackward            2.2 an element
//     _safe_softmax                                SoftMax.cpp: isneginf, all, where      1.9 an element more
//     weight's gradient of a depthwise             cuDNN, wgrad2d_grouped_direct_kernel   1.1 a
//       convolution, float32, channels last                                               multiplication
//     batch norm                                   batch_norm.h
//     average pooling, channels last               avg_pool2d_out_cuda_frame_nhwc         6.3 a result
//       places last                                avg_pool2d_out_cuda_frame              3.4 a result
//       its gradient                               avg_pool2d_backward_out_cuda_frame*    4.2 (or 2.6) an
//                                                                                         and 0.54 a tap
//     largest of a window, channels last           max_pool_forward_nhwc                  1 a result, 0.52 a
//                                                                                         window's element
//       its gradient                               max_pool_backward_nhwc                 1.05 a result and
//                                                                                         window's element
//     im2col                                       im2col_kernel for each image           0.8 M an image
//     col2im                                       col2im_batched_kernel                  5.3 an element read
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Of all multiprocessors of a device together.
KernelCycles kernelCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

// Of aten::roll, how many kernels: native/TensorTransformations.h, roll_common, one for each dimension.
int rollsOf(const Trace& trace, const TraceOp& op);

} // namespace stagecraft
