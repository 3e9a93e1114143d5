// Fake quantization: rounding to steps that training still passes gradients through.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::Tensor;

// The result and where it was not clamped.
std::tuple<Tensor, Tensor> quantizedWithMask(const Tensor& self)
{
    return {at::empty_like(self), at::empty_like(self, self.options().dtype(at::kBool))};
}

std::tuple<Tensor, Tensor> fakeQuantize(const Tensor& self, double, std::int64_t, std::int64_t, std::int64_t)
{
    return quantizedWithMask(self);
}

std::tuple<Tensor, Tensor> fakeQuantizeByTensors(const Tensor& self, const Tensor&, const Tensor&,
                                                 const Tensor&, std::int64_t, std::int64_t)
{
    return quantizedWithMask(self);
}

std::tuple<Tensor, Tensor> fakeQuantizeChannels(const Tensor& self, const Tensor&, const Tensor&,
                                                std::int64_t, std::int64_t, std::int64_t)
{
    return quantizedWithMask(self);
}

Tensor learnable(const Tensor& self, const Tensor&, const Tensor&, std::int64_t, std::int64_t, double)
{
    return at::empty_like(self);
}

Tensor learnableChannels(const Tensor& self, const Tensor&, const Tensor&, std::int64_t, std::int64_t,
                         std::int64_t, double)
{
    return at::empty_like(self);
}

// Of the input, the step and the zero point. An empty input comes back itself.
std::tuple<Tensor, Tensor, Tensor> learnableGradients(const Tensor& self, const Tensor& scale,
                                                      const Tensor& zeroPoint)
{
    if (self.numel() == 0)
        return {self, scale, zeroPoint};
    return {at::empty_like(self), at::empty_like(scale), at::empty_like(zeroPoint)};
}

std::tuple<Tensor, Tensor, Tensor> learnableBackward(const Tensor&, const Tensor& self, const Tensor& scale,
                                                     const Tensor& zeroPoint, std::int64_t, std::int64_t,
                                                     double)
{
    return learnableGradients(self, scale, zeroPoint);
}

std::tuple<Tensor, Tensor, Tensor> learnableChannelsBackward(const Tensor&, const Tensor& self,
                                                             const Tensor& scale, const Tensor& zeroPoint,
                                                             std::int64_t, std::int64_t, std::int64_t, double)
{
    return learnableGradients(self, scale, zeroPoint);
}

} // namespace

void registerQuantization(torch::Library& library)
{
    implement(library, "fake_quantize_per_tensor_affine_cachemask", &fakeQuantize);
    implement(library, "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", &fakeQuantizeByTensors);
    implement(library, "fake_quantize_per_channel_affine_cachemask", &fakeQuantizeChannels);
    implement(library, "_fake_quantize_learnable_per_tensor_affine", &learnable);
    implement(library, "_fake_quantize_learnable_per_tensor_affine_backward", &learnableBackward);
    implement(library, "_fake_quantize_learnable_per_channel_affine", &learnableChannels);
    implement(library, "_fake_quantize_learnable_per_channel_affine_backward", &learnableChannelsBackward);
}

} // namespace stagecraft::kernels
