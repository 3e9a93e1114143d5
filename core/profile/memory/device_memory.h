// Device memory: what a training run takes on a real device, as three numbers that are often mixed up.
//
//     allocated     tensors, each rounded up to 512 bytes
//     reserved      what the caching allocator has taken from the device to serve them: never less
//     device total  reserved + what the driver's context and libraries take
//
// The births and deaths of two steps are replayed through CachingAllocator: in the first the optimizer makes
// its state, the second is how every later one goes. Gradients are dropped before each step (set_to_none) or
// stay and are added to, as options.gradients says. On CUDA the first matrix product of the forward and of
// the backward pass takes a workspace for cuBLAS, which stays: autograd's thread has a handle of its own.
// What cuDNN copies images to is there while a convolution runs, if it fits.
#pragma once

#include "core/profile/profile.h"
#include "core/trace/trace.h"

#include <string>

namespace stagecraft {

struct StepTraces
{
    const Trace& first;
    const Trace& later; // the same object, where gradients are dropped before each step
    const OptimizerTrace& optimizer;
};

// Where the device's memory is too small for what the allocator would take freely, it gives back what it does
// not use, as on the device itself: the figures are then those. Where it does not fit even so, they are the
// free ones.
StepMemory replaySteps(const StepTraces& traces, const ProfileOptions& options);

// What cuBLAS keeps for one handle: :4096:2:16:8, from compute capability 9.0 on 32 MiB (ATen/cuda,
// CublasHandlePool.cpp, PyTorch 2.13). 0 elsewhere than on CUDA.
Bytes workspacePerHandle(const DeviceSpec& device);

// What figures do not have, as a note: cuDNN takes memory inside of convolutions, of PyTorch's allocator, as
// much as the plan asks for that it chooses: the first of its heuristics that can be had, whatever that is,
// unless CUDNN_CONV_WSCAP_DBG limits it (run_conv_plan(), try_configs() in ATen/native/cudnn/Conv_v8.cpp).
// With torch.backends.cudnn.benchmark the first call of a shape takes as much as the largest plan of all that
// fit (generate_and_filter_plans()). Of that only the images that it copies are known
// (cost/convolution_copies.h); replaySteps() has them, as they come and go. Empty: nothing.
std::string uncountedNote(const Trace& trace, const DeviceSpec& device);

// What cuBLAS keeps in all: a workspace for each pass with a matrix product.
Bytes workspaceBytes(const Trace& trace, const DeviceSpec& device);

} // namespace stagecraft
