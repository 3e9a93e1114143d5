// Batch norm of images with channels last, as cuDNN 9 and PyTorch do it.
//
//     of fixed statistics      cudnn::bn_fw_inf_1C11_kernel_NHWC: 0.68 cycles an element
//     of the batch's, half     cudnn::batchnorm_fwtr_nhwc_semiPersist, *_bwtr_*: a block takes a line of the
//                              cache, 128 bytes, which are 64 channels, of as many places as it gets. A line
//                              that is not all channels' takes as long as one that is: 72 channels take what
//                              128 take; and places of few channels what such of 27 take. What the blocks can
//                              keep between the sums and the transformation, 4 million elements, is read
//                              once, the rest again: forward 0.7 of the bandwidth, backward 0.78.
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

#include <string_view>

namespace stagecraft {

// Of the batch's statistics, or of fixed ones.
bool isBatchNorm(std::string_view name);
bool isBatchNormGradient(std::string_view name);
// Of a gradient: of the batch's.
bool usesBatchStatistics(const Trace& trace, const TraceOp& op);

// Of the batch's statistics, by kernels whose cycles hold what is read again.
bool normsByLines(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

// Cycles of all multiprocessors together; 0 of any other operator.
double batchNormCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
