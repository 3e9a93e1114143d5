// KernelWork: what the kernels behind one operator have to do, all that their time hangs on.
//
//     trace, operator ──kernelWork──► KernelWork ──kernelTime──► time on a device
//     row of a table of measured operators ──────────┘
//
// Traffic counts every argument once and every result once. PyTorch's CUDA kernels move more, each as its
// source has it (aten/src/ATen/native/cuda, unless another folder is named):
//
//     _softmax_backward_data      SoftMax.cu: `tmp = grad * output` first: reads two, writes one; then reads
//                                 the product and the output                              + 3 of the output
//     _softmax, _log_softmax      SoftMax.cu, host_softmax: rows of over 1024 elements that do not fit into
//                                 shared memory (cunn_SoftMaxForward) are read for the largest, the sum and
//                                 the result, where a row is gone from the cache by then     + 2 x input
//     their gradients             cunn_SoftMaxBackward, rows of over 1024: for the sum, then for the result,
//                                 likewise                                                    + gradient
//     _safe_softmax               SoftMax.cpp: which elements are -inf, in which rows all are, zeros there
//                                                                    + input, 2 x output, 3 masks
//     native_layer_norm_backward  layer_norm_kernel.cu: one kernel for the input's gradient, another for
//                                 weight and bias, if these are asked for: gradient and input are read
//                                 again                                                  + gradient, input
//     batch norm, training        Normalization.cu: statistics, then the transformation      + input
//     its gradient                sums first, then the transformation                    + gradient, input
//       both by cuDNN, on Hopper  as cycles instead (batch_norm.h)
//     of fixed statistics         the sums only for weight and bias, the rest without the input  + gradient
//     convolution with a bias     native/Convolution.cpp: cuDNN convolves, `add_` follows (depthwise ones
//                                 that are not cuDNN's, of places last, add it as they go)   + 2 x output
//     convolution of images with places last by a weight with channels last, or of slices of channels
//                                 native/cudnn/Conv_v8.cpp: input.contiguous(memory_format)   + 2 x input
//     convolution on tensor cores that gets images with places innermost (not torch.channels_last)  cuDNN:
//                                 nchwToNhwcKernel before, nhwcToNchwKernel after             + 2 x both
//     convolution_backward        native/Convolution.cpp: input and weight each in a kernel of their own, the
//                                 bias a sum of its own                  + gradient for each beyond the first
#pragma once

#include "core/profile/cost/cycles.h"
#include "core/profile/cost/flops.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/device.h"

#include <vector>

namespace stagecraft {

struct KernelWork
{
    OperatorClass operatorClass = OperatorClass::Elementwise;
    DType dtype = DType::F32;
    double flops = 0;    // of a contraction
    double bytes = 0;    // moved by all its kernels together
    double elements = 0; // written
    std::vector<MatrixShape> products;
    double groupWidth = 0; // channels in a group of a convolution, 1: depthwise; 0: it has no groups
    // Elementwise work that reads across the order it writes in: the bytes that come by before the next
    // element of a sector that was read is asked for; 0: it does not.
    double transposedSpan = 0;
    // Of the bytes, those that the weight's gradient of a depthwise convolution reads, a sum over all places
    // for each of a few numbers a channel.
    double summedBytes = 0;
    // Of products in half precision: every row begins at a multiple of so many elements; 0: of others.
    std::int64_t rowAlignment = 0;
    KernelCycles cycles;
};

// Of its first tensor.
DType computeType(const Trace& trace, const TraceOp& op);

KernelWork kernelWork(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                      const DeviceSpec& device);

// Without launching it.
Seconds kernelTime(const KernelWork& work, const DeviceSpec& device);

// What PyTorch's CUDA kernels move beyond operatorTraffic().
Bytes movedAgain(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
