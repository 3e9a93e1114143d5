// Pooling. Results are channels-last where the input is.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using TwoTensors = std::tuple<Tensor, Tensor>;

std::vector<std::int64_t> withSpatialSizes(const Tensor& input, IntArrayRef spatial)
{
    std::vector<std::int64_t> sizes = input.sizes().vec();
    TORCH_CHECK(spatial.size() <= sizes.size(), "pooling: ", spatial.size(), " sizes for an input ",
                input.sizes());
    std::copy(spatial.begin(), spatial.end(), sizes.end() - static_cast<std::ptrdiff_t>(spatial.size()));
    return sizes;
}

// --- adaptive average ------------------------------------------------------------------------------------

Tensor adaptiveAverage2d(const Tensor& input, IntArrayRef outputSize)
{
    return at::empty(withSpatialSizes(input, outputSize), input.options(), input.suggest_memory_format());
}

Tensor& adaptiveAverage2dOut(const Tensor& input, IntArrayRef outputSize, Tensor& out)
{
    out.resize_(withSpatialSizes(input, outputSize), input.suggest_memory_format());
    return out;
}

Tensor adaptiveAverage2dBackward(const Tensor&, const Tensor& input)
{
    return at::empty(input.sizes(), input.options(), input.suggest_memory_format());
}

Tensor adaptiveAverage3d(const Tensor& input, IntArrayRef outputSize)
{
    return at::empty(withSpatialSizes(input, outputSize), input.options());
}

Tensor& adaptiveAverage3dOut(const Tensor& input, IntArrayRef outputSize, Tensor& out)
{
    out.resize_(withSpatialSizes(input, outputSize));
    return out;
}

// --- maximum ---------------------------------------------------------------------------------------------

std::int64_t pooledSize(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                        std::int64_t dilation, bool ceilMode)
{
    TORCH_CHECK(stride > 0, "pooling: a stride is ", stride);
    const std::int64_t reach = size + 2 * padding - dilation * (kernel - 1) - 1 + (ceilMode ? stride - 1 : 0);
    std::int64_t result = reach / stride + 1;
    // The last window must start inside the input or its left padding.
    if (ceilMode && (result - 1) * stride >= size + padding)
        --result;
    return result;
}

TwoTensors maxPool3d(const Tensor& input, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                     IntArrayRef dilation, bool ceilMode)
{
    std::vector<std::int64_t> spatial;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t size = input.size(input.dim() - 3 + static_cast<std::int64_t>(d));
        const std::int64_t step = stride.empty() ? numberFor(kernel, d) : numberFor(stride, d);
        spatial.push_back(pooledSize(size, numberFor(kernel, d), step, numberFor(padding, d),
                                     numberFor(dilation, d), ceilMode));
    }
    const auto sizes = withSpatialSizes(input, spatial);
    const MemoryFormat format = input.dim() == 5 ? input.suggest_memory_format() : MemoryFormat::Contiguous;
    return {at::empty(sizes, input.options(), format),
            at::empty(sizes, input.options().dtype(at::kLong), format)};
}

Tensor maxPool3dBackward(const Tensor&, const Tensor& input, IntArrayRef, IntArrayRef, IntArrayRef,
                         IntArrayRef, bool, const Tensor&)
{
    const MemoryFormat format = input.dim() == 5 ? input.suggest_memory_format() : MemoryFormat::Contiguous;
    return at::empty(input.sizes(), input.options(), format);
}

Tensor maxUnpool2d(const Tensor& self, const Tensor&, IntArrayRef outputSize)
{
    return at::empty(withSpatialSizes(self, outputSize), self.options(), self.suggest_memory_format());
}

Tensor maxUnpool3d(const Tensor& self, const Tensor&, IntArrayRef outputSize, IntArrayRef, IntArrayRef)
{
    return at::empty(withSpatialSizes(self, outputSize), self.options());
}

} // namespace

void registerPooling(torch::Library& library)
{
    implement(library, "_adaptive_avg_pool2d", &adaptiveAverage2d);
    implement(library, "adaptive_avg_pool2d.out", &adaptiveAverage2dOut);
    implement(library, "_adaptive_avg_pool2d_backward", &adaptiveAverage2dBackward);
    implement(library, "_adaptive_avg_pool3d", &adaptiveAverage3d);
    implement(library, "adaptive_avg_pool3d.out", &adaptiveAverage3dOut);
    implementLike(library, "_adaptive_avg_pool3d_backward", {1});
    implement(library, "max_pool3d_with_indices", &maxPool3d);
    implement(library, "max_pool3d_with_indices_backward", &maxPool3dBackward);
    implement(library, "max_unpool2d", &maxUnpool2d);
    implement(library, "max_unpool3d", &maxUnpool3d);
    implementLike(library, "fractional_max_pool3d_backward", {1});
}

} // namespace stagecraft::kernels
