// Fake quantization: rounding to steps that training still passes gradients through.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::Tensor;

using Tensors = std::vector<Tensor>;
using Arguments = at::ArrayRef<c10::IValue>;

// The result and where it was not clamped.
Tensors quantizedWithMask(Arguments arguments)
{
    const Tensor self = arguments[0].toTensor();
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kBool))};
}

// Of the input, the step and the zero point. An empty input comes back itself.
Tensors learnableGradients(Arguments arguments)
{
    const Tensors given{arguments[1].toTensor(), arguments[2].toTensor(), arguments[3].toTensor()};
    if (given[0].numel() == 0)
        return given;
    return {at::empty_like(given[0]), at::empty_like(given[1]), at::empty_like(given[2])};
}

} // namespace

void registerQuantization(torch::Library& library)
{
    for (const char* name : {"fake_quantize_per_tensor_affine_cachemask",
                             "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
                             "fake_quantize_per_channel_affine_cachemask"})
        implementBoxed(library, name, quantizedWithMask);
    for (const char* name :
         {"_fake_quantize_learnable_per_tensor_affine", "_fake_quantize_learnable_per_channel_affine"})
        implementLike(library, name, {0}, LaidOut::AsItIs);
    for (const char* name : {"_fake_quantize_learnable_per_tensor_affine_backward",
                             "_fake_quantize_learnable_per_channel_affine_backward"})
        implementBoxed(library, name, learnableGradients);
}

} // namespace stagecraft::kernels
